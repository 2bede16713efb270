//! The server: answers a client over stdio until it hangs up.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt};
use rmcp::transport::stdio;
use tokio::sync::Semaphore;

use crate::child::{self, Printed};
use crate::error::McpServerError;
use crate::folder::AllowedFolder;
use crate::tools::Rules;

/// What a client reads when it connects.
const INSTRUCTIONS: &str = "Measures how well a model, chatbot or agent uses its tools. Call `run` \
    first, `failing_cases` to see what went wrong, and `compare` after a change to see whether it \
    helped by more than chance. `check` a suite after you edited it.";

/// A server for one folder, one program and the models that may be measured.
#[derive(Debug)]
pub struct McpServer {
    program: PathBuf,
    rules: Rules,
    /// How long a command may take.
    limit: Duration,
    /// Two commands at once: a long run must not keep an agent from reading a summary.
    running: Semaphore,
}

impl McpServer {
    /// A server that runs `program`, a `toolgauge`, in `folder`. `models` are those that a client
    /// may name besides the baseline.
    pub fn new(program: &Path, folder: &Path, models: Vec<String>) -> Result<Self, McpServerError> {
        let folder = AllowedFolder::new(folder)?;
        let baseline = std::iter::once("baseline".to_owned());
        let models = models.into_iter().chain(baseline).collect();
        let rules = Rules { folder, models };
        let (program, limit) = (program.to_owned(), child::USUAL_LIMIT);
        Ok(Self { program, rules, limit, running: Semaphore::new(2) })
    }

    /// The same server whose commands may take so long, in place of a quarter of an hour.
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    async fn answer(&self, request: CallToolRequestParams) -> Result<Printed, McpServerError> {
        let arguments = request.arguments.unwrap_or_default();
        let command = self.rules.command(&request.name, arguments)?;
        let turn = self.running.acquire().await;
        // The semaphore is never closed, so waiting for it ends only with a turn.
        let _turn = turn.map_err(|_| McpServerError::Cancelled)?;
        child::run(&self.program, self.rules.folder.path(), &command, self.limit).await
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let program = Implementation::new("toolgauge", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(program)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: self.rules.tools(), ..Default::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let answered = tokio::select! {
            answered = self.answer(request) => answered,
            // Dropping the other branch ends its process.
            () = context.ct.cancelled() => Err(McpServerError::Cancelled),
        };
        // An agent can mend what it reads in a result; an error of the protocol it may never see.
        let result = match answered {
            Ok(Printed { text, is_error: false }) => {
                CallToolResult::success(vec![ContentBlock::text(text)])
            }
            Ok(Printed { text, is_error: true }) => {
                CallToolResult::error(vec![ContentBlock::text(text)])
            }
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
        };
        Ok(result.into())
    }
}

/// Answers the client behind stdin and stdout until it hangs up.
pub async fn serve_stdio(server: McpServer) -> Result<(), McpServerError> {
    let failed = |error: String| McpServerError::Connection(error);
    let running = server.serve(stdio()).await.map_err(|error| failed(error.to_string()))?;
    running.waiting().await.map_err(|error| failed(error.to_string()))?;
    Ok(())
}
