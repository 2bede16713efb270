//! One file a command: each holds its arguments and what it does.

mod check;
mod completions;
mod config;
mod init;
mod list;
mod man;
pub(crate) mod partial;
mod run;
mod serve;
mod score;
mod summary;

use clap::Subcommand;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(Box<run::Args>),
    Partial(partial::Args),
    Score(score::Args),
    Summary(summary::Args),
    Check(check::Args),
    Serve(serve::Args),
    List(list::Args),
    Init(init::Args),
    Config(config::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Does what was asked for.
pub(crate) fn exec(command: &Command, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    match command {
        Command::Run(args) => run::exec(args, printer),
        Command::Partial(args) => partial::exec(args, printer),
        Command::Score(args) => score::exec(args, printer),
        Command::Summary(args) => summary::exec(args, printer),
        Command::Check(args) => check::exec(args, printer),
        Command::Serve(args) => serve::exec(args, printer),
        Command::List(args) => list::exec(args, printer),
        Command::Init(args) => init::exec(args, printer),
        Command::Config(args) => config::exec(args, printer),
        Command::Completions(args) => completions::exec(args, printer),
        Command::Man(args) => man::exec(args, printer),
    }
}
