//! Readers of result files of other tools, on small files in their shapes.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

mod detection;
mod records;
mod reports;
mod tau;
mod traces;

use std::path::PathBuf;

use tempfile::TempDir;
use toolgauge_import::{ImportError, ImportOptions, ImportedTrial, find_runs};

/// A folder to work in.
pub(crate) struct Desk(TempDir);

impl Desk {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file, and the folders it is in.
    pub(crate) fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The trials of every run in a file or folder, each with the model of its run.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<(String, ImportedTrial)>, ImportError> {
        self.read_with(name, &ImportOptions::default())
    }

    pub(crate) fn read_with(
        &self,
        name: &str,
        options: &ImportOptions,
    ) -> Result<Vec<(String, ImportedTrial)>, ImportError> {
        let mut found = Vec::new();
        for run in find_runs(&self.0.path().join(name), options)? {
            let run = run?;
            for trial in run.trials() {
                found.push((run.head().model.clone(), trial?));
            }
        }
        Ok(found)
    }

    /// The trials of a file that must be readable.
    pub(crate) fn trials(&self, name: &str) -> Vec<ImportedTrial> {
        self.read(name).unwrap().into_iter().map(|(_, trial)| trial).collect()
    }
}

/// The names of the calls of a trial, with their arguments.
pub(crate) fn calls(trial: &ImportedTrial) -> Vec<String> {
    let told = |call: &toolgauge_core::ToolCall| {
        let arguments = call.arguments.as_object();
        let arguments = arguments.map(|object| serde_json::to_string(object).unwrap());
        format!("{}{}", call.name, arguments.unwrap_or_else(|| "?".into()))
    };
    trial.transcript.calls().map(told).collect()
}
