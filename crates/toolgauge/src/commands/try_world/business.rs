//! Calls in a business world.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use toolgauge_business::{BusinessWorld, Database, Documents, QueryLimits};
use toolgauge_core::{Case, ToolCall};
use toolgauge_world::World;

use super::call::each_call;
use crate::ExitStatus;
use crate::failure::{Failure, TryFailure};
use crate::printer::Printer;
use crate::{suites, worlds};

/// Query a database and search documents as a model would.
///
/// Reads one call per line from standard input, such as
/// `{"tool": "query_database", "args": {"sql": "SELECT count(*) FROM leases"}}` or
/// `{"tool": "search_document_content", "args": {"query": "late fee"}}`, and prints one line each
/// with the answer a model would see, whether the call failed, and the documents it found.
/// Nothing is ever changed.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("data").required(true).multiple(true)))]
pub(super) struct BusinessArgs {
    /// The database: a SQLite file, or a file of SQL that makes one.
    #[arg(long, value_name = "FILE", group = "data")]
    database: Option<PathBuf>,

    /// The folder of documents.
    #[arg(long, value_name = "FOLDER", group = "data")]
    documents: Option<PathBuf>,

    /// A suite whose world is tried: a folder, a file, or the name of a shipped suite.
    #[arg(long, value_name = "SUITE", group = "data", conflicts_with_all = ["database", "documents"])]
    suite: Option<String>,
}

/// What a call gave.
#[derive(Serialize)]
struct Answered {
    tool_message_content: Value,
    failed: bool,
    sources: Vec<String>,
}

pub(super) fn try_business(
    args: &BusinessArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let world = world(args)?;
    for caution in world.cautions() {
        printer.warning(&caution);
    }
    let mut state = world.enter(&Case::new("try", ""));
    each_call(printer, |call| {
        let reply = state.call(&ToolCall::new(call.tool, call.arguments));
        let content = serde_json::from_str(&reply.content);
        Ok(Answered {
            tool_message_content: content.unwrap_or(Value::String(reply.content)),
            failed: reply.failed,
            sources: reply.sources,
        })
    })
}

fn world(args: &BusinessArgs) -> Result<Arc<dyn World>, Failure> {
    if let Some(name) = &args.suite {
        return Ok(worlds::build(&suites::load(name)?, None)?);
    }
    let limits = QueryLimits::default();
    let database = args.database.as_ref().map(|file| Database::from_path(file, limits));
    let documents = args.documents.as_ref().map(|folder| Documents::from_folder(folder));
    let database = database.transpose().map_err(TryFailure::from)?;
    let documents = documents.transpose().map_err(TryFailure::from)?;
    Ok(Arc::new(BusinessWorld::new(database, documents)))
}
