//! `toolgauge import`, through the real binary, on small files in the shapes of other tools.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

mod atlas;
mod bfcl;
mod directly;
mod exported;
mod inspect_logs;
mod refused;
mod tau2;
mod tau_bench;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use toolgauge_core::Trial;
use toolgauge_log::Log;

/// A folder to work in.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders it is in.
    fn put(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn toolgauge(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
        command.args(arguments).current_dir(self.path()).env("NO_COLOR", "1");
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// What is printed by a command that must succeed.
    fn done(&self, arguments: &[&str]) -> String {
        let output = self.toolgauge(arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {told}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The logs in a folder, in the order of their names.
    fn logs(&self, folder: &str) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.path().join(folder)) else { return Vec::new() };
        let mut logs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        logs.sort();
        logs
    }

    fn trials(&self, log: &str) -> Vec<Trial> {
        let log = Log::open(&self.path().join(log)).unwrap();
        log.trials().map(Result::unwrap).collect()
    }
}
