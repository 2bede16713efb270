//! The command-line program: parses what was typed, calls the crates that do the work, prints.

mod cli;
mod commands;
mod exit;
mod failure;
mod flags;
mod gates;
mod grading;
mod help;
mod interrupt;
mod judge_flags;
mod layer;
mod partial_watch;
mod printer;
mod progress;
mod rerun;
mod run_display;
mod status_line;
mod summaries;
mod watch;

use clap::FromArgMatches;
// The parts of the engine, under the names they have there.
use toolgauge_engine::{
    adaptive, aftermath, baselines, cell, earlier_run, followed_log, imports, invocation, judges,
    junit, keys, last_log, matrix, recorded, reported, scorers, settings, sides, subjects, suites,
    worlds,
};

pub use exit::ExitStatus;

/// Runs the command line of this process and says how it ended.
pub fn run() -> ExitStatus {
    let matches = cli::command().get_matches();
    let cli = cli::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let mut printer = printer::Printer::new(cli.quiet, cli.color);
    interrupt::watch();
    match commands::exec(&cli.command, cli::command, &mut printer) {
        Ok(status) => status,
        // Whoever reads our output has seen enough, as `head` has; that is no failure.
        Err(failure) if failure.is_broken_pipe() => ExitStatus::Done,
        Err(failure) => {
            printer.failure(&failure);
            failure.exit_status()
        }
    }
}
