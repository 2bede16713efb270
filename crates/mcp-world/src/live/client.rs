//! A connection to one server. All that knows the SDK is in this file.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientConfig, ContentBlock,
    Implementation, ProtocolVersion,
};
use rmcp::service::{ClientInitializeError, NotificationContext, RunningService, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{DynamicTransportError, StreamableHttpClientTransport};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Map, Value};
use tokio::process::{Child, Command};

use super::ground::{Ground, START};
use super::output::{Observed, keep_complaints, pass_on};
use super::process::{bare_environment, end_group, own_group};
use super::variables::at_work;
use crate::bench::{Answer, Fault};
use crate::config::ServerConfig;
use crate::recording::{RecordedServer, RecordedTool};

/// How much of a server's messages may wait to be read.
const PIPE: usize = 64 << 10;
/// How long a server that closed its output may take to end.
const LAST_GRACE: Duration = Duration::from_millis(500);

/// Hears what a server says by itself.
struct Listener(Arc<Observed>);

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let mut config = ClientConfig::default();
        // The newest one knows no `initialize`, by which we begin.
        config.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        config.client_info = Implementation::new("toolgauge", env!("CARGO_PKG_VERSION"));
        config
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.0.tools_changed.store(true, Ordering::Relaxed);
    }
}

/// A server that was started, which ends with all that it started.
struct ServerProcess(Child);

impl Drop for ServerProcess {
    fn drop(&mut self) {
        if let Some(id) = self.0.id() {
            end_group(id);
        }
    }
}

/// A connection to one server.
pub(super) struct Client {
    name: String,
    service: RunningService<RoleClient, Listener>,
    process: Option<ServerProcess>,
    observed: Arc<Observed>,
    offered: RecordedServer,
}

impl Client {
    /// Reaches a server and asks for its tools.
    pub(super) fn reach(
        ground: &Ground,
        name: &str,
        server: &ServerConfig,
        folder: &str,
    ) -> Result<Self, Fault> {
        let observed = Arc::<Observed>::default();
        let started = connect(name.to_owned(), at_folder(server, folder), Arc::clone(&observed));
        match ground.wait(START, started) {
            Some(client) => client,
            None => Err(Fault(format!("`{name}` was not ready after {} s", START.as_secs()))),
        }
    }

    /// What the server says of itself.
    pub(super) fn offered(&self) -> &RecordedServer {
        &self.offered
    }

    /// Has the server carry out a call.
    pub(super) fn call(
        &mut self,
        ground: &Ground,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<Answer, Fault> {
        self.check_tools(ground)?;
        let peer = self.service.peer().clone();
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.observed.asked(true);
        let answered = ground.wait(ground.limit, async move { peer.call_tool_once(request).await });
        self.observed.asked(false);
        let answer = match answered {
            None => {
                let seconds = ground.limit.as_secs_f64();
                return Err(Fault(format!(
                    "`{}` did not answer `{tool}` within {seconds} s",
                    self.name
                )));
            }
            Some(Ok(CallToolResponse::Complete(result))) => answer(&result),
            Some(Ok(_)) => {
                return Err(Fault(format!("`{}` asked for more than the call", self.name)));
            }
            // The server refused the call itself, which the subject is told as any other failure.
            Some(Err(ServiceError::McpError(error))) => {
                Answer { content: error.message.to_string(), failed: true }
            }
            Some(Err(error)) => return Err(self.ended(&error)),
        };
        self.check_tools(ground)?;
        Ok(answer)
    }

    /// Tools that change while trials run would be other tools for some of them.
    fn check_tools(&self, ground: &Ground) -> Result<(), Fault> {
        if !self.observed.tools_changed.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let peer = self.service.peer().clone();
        let listed = ground.wait(ground.limit, async move { peer.list_all_tools().await });
        let tools = match listed {
            Some(Ok(tools)) => tools.iter().map(recorded_tool).collect::<Vec<_>>(),
            Some(Err(error)) => return Err(self.ended(&error)),
            None => return Err(Fault(format!("`{}` did not list its tools", self.name))),
        };
        if tools == self.offered.tools {
            return Ok(());
        }
        let names = |tools: &[RecordedTool]| {
            let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
            names.join(", ")
        };
        Err(Fault(format!(
            "`{}` changed its tools while running: {}, before {}",
            self.name,
            names(&tools),
            names(&self.offered.tools)
        )))
    }

    /// Why a connection is over, as far as it is known.
    fn ended(&self, error: &ServiceError) -> Fault {
        let name = &self.name;
        if let Some(why) = self.observed.fault() {
            return Fault(format!("`{name}` {why}"));
        }
        if self.process.is_none() {
            let why = match error {
                ServiceError::TransportSend(error) => last_cause(error),
                _ => error.to_string(),
            };
            return Fault(format!("`{name}` cannot be asked any more: {why}"));
        }
        // Its last words may still be on their way.
        std::thread::sleep(LAST_GRACE / 5);
        match self.observed.last_words() {
            Some(words) => Fault(format!("`{name}` ended in the middle of a call: {words}")),
            None => Fault(format!("`{name}` ended in the middle of a call")),
        }
    }
}

/// The server as it is started for a trial in this folder.
fn at_folder(server: &ServerConfig, folder: &str) -> ServerConfig {
    let here = |text: &String| at_work(text, folder);
    let env = server.env.iter().map(|(name, value)| (name.clone(), here(value)));
    ServerConfig {
        command: server.command.as_ref().map(here),
        args: server.args.iter().map(here).collect(),
        env: env.collect(),
        cwd: Some(server.cwd.as_ref().map_or_else(|| folder.to_owned(), here)),
        kind: server.kind.clone(),
        url: server.url.as_ref().map(here),
        headers: server.headers.clone(),
    }
}

async fn connect(
    name: String,
    server: ServerConfig,
    observed: Arc<Observed>,
) -> Result<Client, Fault> {
    let listener = Listener(Arc::clone(&observed));
    let not_ready = |error: String| {
        let why = observed.fault().or_else(|| observed.last_words()).unwrap_or(error);
        Fault(format!("`{name}` does not start: {why}"))
    };
    let (service, process) = if let Some(url) = &server.url {
        // It fails where there is one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let transport = StreamableHttpClientTransport::from_config(address(url, &server)?);
        let service = listener.serve(transport).await;
        let service = service.map_err(|error| match &error {
            ClientInitializeError::TransportError { error, .. } => not_ready(last_cause(error)),
            _ => not_ready(error.to_string()),
        });
        (service?, None)
    } else {
        let mut process = start(&name, &server)?;
        // Of which one way is used: unlike a simplex, it ends when its other end is dropped.
        let (mine, theirs) = tokio::io::duplex(PIPE);
        let child = &mut process.0;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(not_ready("it has no pipes".to_owned()));
        };
        tokio::spawn(pass_on(stdout, theirs, Arc::clone(&observed)));
        let complaints = tokio::spawn(keep_complaints(stderr, Arc::clone(&observed)));
        match listener.serve((mine, stdin)).await {
            Ok(service) => (service, Some(process)),
            Err(error) => {
                // Its last words may still be on their way. They end with it, unless it left a
                // process behind.
                let _ = tokio::time::timeout(LAST_GRACE, complaints).await;
                return Err(not_ready(error.to_string()));
            }
        }
    };
    let tools = service.peer().list_all_tools().await;
    let tools = tools.map_err(|error| not_ready(error.to_string()))?;
    let info = service.peer().peer_info();
    let itself = info.as_ref().and_then(|info| info.server_info.as_ref());
    let offered = RecordedServer {
        name: itself.map(|it| it.name.clone()).unwrap_or_default(),
        version: itself.map(|it| it.version.clone()).unwrap_or_default(),
        tools: tools.iter().map(recorded_tool).collect(),
    };
    observed.tools_changed.store(false, Ordering::Relaxed);
    Ok(Client { name, service, process, observed, offered })
}

/// What the system or the server said: the words of the SDK around it name its own types.
fn last_cause(error: &DynamicTransportError) -> String {
    let mut cause: &dyn std::error::Error = error.error.as_ref();
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

fn start(name: &str, server: &ServerConfig) -> Result<ServerProcess, Fault> {
    let program = server.command.as_deref().unwrap_or_default();
    let mut command = std::process::Command::new(program);
    command.args(&server.args);
    if let Some(folder) = &server.cwd {
        command.current_dir(folder);
    }
    bare_environment(&mut command, &server.env);
    own_group(&mut command);
    let mut command = Command::from(command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let child = command.spawn();
    child
        .map(ServerProcess)
        .map_err(|error| Fault(format!("`{name}` cannot be started: `{program}`: {error}")))
}

fn address(url: &str, server: &ServerConfig) -> Result<StreamableHttpClientTransportConfig, Fault> {
    let mut headers = HashMap::new();
    for (name, value) in &server.headers {
        let (Ok(key), Ok(content)) = (name.parse(), value.parse()) else {
            return Err(Fault(format!("`{name}` is no header, or its value cannot be one")));
        };
        headers.insert(key, content);
    }
    Ok(StreamableHttpClientTransportConfig::with_uri(url).custom_headers(headers))
}

fn recorded_tool(tool: &rmcp::model::Tool) -> RecordedTool {
    let annotations = tool.annotations.as_ref().and_then(|it| serde_json::to_value(it).ok());
    RecordedTool {
        name: tool.name.to_string(),
        description: tool.description.as_deref().unwrap_or_default().to_owned(),
        input_schema: Value::Object(tool.input_schema.as_ref().clone()),
        annotations: match annotations {
            Some(Value::Object(annotations)) => annotations,
            _ => Map::new(),
        },
    }
}

/// What a subject sees of a result: its texts, and a word for everything else.
fn answer(result: &CallToolResult) -> Answer {
    let part = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[image: {}]", image.mime_type),
        ContentBlock::Audio(audio) => format!("[audio: {}]", audio.mime_type),
        other => serde_json::to_string(other).unwrap_or_default(),
    };
    let parts: Vec<String> = result.content.iter().map(part).collect();
    let content = match &result.structured_content {
        Some(structured) if parts.is_empty() => structured.to_string(),
        _ => parts.join("\n"),
    };
    Answer { content, failed: result.is_error == Some(true) }
}
