//! The command-line program: parses what was typed, calls the crates that do the work, prints.

mod adaptive;
mod aftermath;
mod answers;
mod baselines;
mod cell;
mod cli;
mod commands;
mod exit;
mod failure;
mod file_handles;
mod flags;
mod gates;
mod grading;
mod interrupt;
mod invocation;
mod journal;
mod judges;
mod keys;
mod layer;
mod matrix;
mod matrix_cell;
mod paint;
mod partial;
mod printer;
mod progress;
mod proofs;
mod recorded;
mod scorers;
mod settings;
mod sides;
mod stage;
mod subjects;
mod suites;
mod summaries;
mod tier_differences;
mod waiting;
mod watch;
mod worlds;

use clap::{CommandFactory, Parser};

pub use exit::ExitStatus;

/// The version and the git revision it was built from.
pub(crate) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("TOOLGAUGE_REVISION"), ")");

/// Runs the command line of this process and says how it ended.
pub fn run() -> ExitStatus {
    let cli = cli::Cli::parse();
    let mut printer = printer::Printer::new(cli.quiet, cli.color);
    match commands::exec(&cli.command, cli::Cli::command, &mut printer) {
        Ok(status) => status,
        // Whoever reads our output has seen enough, as `head` has; that is no failure.
        Err(failure) if failure.is_broken_pipe() => ExitStatus::Done,
        Err(failure) => {
            printer.failure(&failure);
            failure.exit_status()
        }
    }
}
