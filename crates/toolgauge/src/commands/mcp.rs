//! `toolgauge mcp`: toolgauge as tools of a coding agent, and what it has to say of other servers.

mod check;

use std::path::PathBuf;

use clap::Subcommand;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Offer toolgauge to a coding agent as tools, over MCP.
///
/// The tools are run, summary, compare, failing cases, check and prompt. Speaks the Model Context
/// Protocol on stdin and stdout, and ends with its client. Add
/// `toolgauge mcp` as a command to the servers of your agent. The agent can measure only the models
/// that you name here, can name only files below one folder, and can start no other program.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,

    /// A model that the agent may measure besides the baseline, as `run --model` takes it; may be
    /// given several times.
    #[arg(long = "model", short, value_name = "MODEL")]
    models: Vec<String>,

    /// The folder of the suites and logs that the agent may name.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

#[derive(Debug, Subcommand)]
enum What {
    Check(Box<check::Args>),
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    match &args.what {
        Some(What::Check(args)) => check::exec(args, printer),
        None => serve(args),
    }
}

#[cfg(feature = "mcp")]
fn serve(args: &Args) -> Result<ExitStatus, Failure> {
    use toolgauge_mcp_server::{McpServer, serve_stdio};

    // Each call of a tool runs this same program.
    let program = crate::program_file::program_file().map_err(Failure::Runtime)?;
    let server = McpServer::new(&program, &args.folder, args.models.clone())?;
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::Runtime)?;
    let served = runtime.block_on(serve_stdio(server));
    // A thread may still wait for stdin, which nobody closes after Ctrl-C.
    runtime.shutdown_background();
    served?;
    Ok(ExitStatus::Done)
}

#[cfg(not(feature = "mcp"))]
fn serve(_args: &Args) -> Result<ExitStatus, Failure> {
    Err(Failure::NoMcp)
}
