//! The command-line program: parses what was typed, calls the crates that do the work, prints.

mod cli;
mod commands;
mod embedding_flags;
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
mod program_file;
mod progress;
mod rerun;
mod run_display;
mod status_line;
mod summaries;
mod watch;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

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
    run_words(std::env::args_os())
}

/// Runs a command line inside the process of another program, its name first. `starter` is a file
/// that starts it in a process of its own, for commands that do so.
pub fn run_inside(words: Vec<OsString>, starter: PathBuf) -> ExitStatus {
    program_file::start_by(starter);
    let status = run_words(words);
    // What `main` of a Rust program does at its end.
    let _ = std::io::stdout().flush();
    status
}

/// Lets logs be named by addresses of object stores, in builds that have them.
pub fn install_stores() {
    #[cfg(feature = "stores")]
    toolgauge_stores::install();
}

fn run_words(words: impl IntoIterator<Item = OsString>) -> ExitStatus {
    let matches = cli::command().get_matches_from(words);
    let cli = cli::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let mut printer = printer::Printer::new(cli.quiet, cli.color);
    interrupt::watch();
    install_stores();
    let ended = commands::exec(&cli.command, cli::command, &mut printer);
    for problem in worlds::end_servers() {
        printer.warning(problem);
    }
    match ended {
        Ok(status) => status,
        // Whoever reads our output has seen enough, as `head` has; that is no failure.
        Err(failure) if failure.is_broken_pipe() => ExitStatus::Done,
        Err(failure) => {
            printer.failure(&failure);
            failure.exit_status()
        }
    }
}
