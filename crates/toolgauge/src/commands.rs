//! One file a command: each holds its arguments and what it does.

mod completions;
mod man;

use clap::Subcommand;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Completions(completions::Args),
    Man(man::Args),
}

/// Does what was asked for.
pub(crate) fn exec(command: &Command, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    match command {
        Command::Completions(args) => completions::exec(args, printer),
        Command::Man(args) => man::exec(args, printer),
    }
}
