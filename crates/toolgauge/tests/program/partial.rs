//! `toolgauge partial`, through the real binary.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

mod copy;
mod fuzz;
mod generator;
mod peer;
mod refusals;
mod statistics;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A results file of the test's own.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/partial/fixtures").join(name)
}

/// The command, not yet run.
fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.arg("partial").current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// Runs the command in a folder.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder).args(arguments).output().unwrap()
}

/// The names of all files in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
