//! What can go wrong with partial credit, beyond single tasks.

use std::path::PathBuf;

use toolgauge_import::tau::TauError;

/// Why `toolgauge partial` could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PartialFailure {
    /// The results are a folder.
    #[error("cannot read `{}`: it is a folder; expected a results file", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The results are not what tau-bench writes.
    #[error("cannot use `{}`: {source}", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: TauError,
    },
    /// The results come from stdin, so that there is no name to derive the copy's from.
    #[error("results from stdin need `--output`")]
    NoOutput,
    /// The copy and the statistics would run together.
    #[error("the copy cannot go to stdout together with the statistics")]
    TwoThingsOnStdout,
}

impl PartialFailure {
    /// What to do next, where there is something to say.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::TwoThingsOnStdout => Some("add --no-stats".to_owned()),
            Self::Results { path, source: TauError::NoTasks { .. } } => {
                Some(toolgauge_import::describe(path).unwrap_or_else(|_| {
                    "a task of tau-bench has `traj`, `reward` and `info`".to_owned()
                }))
            }
            Self::Results { source: TauError::NotAList { .. } | TauError::Empty, .. } => Some(
                "a results file of tau-bench is one list with an object for each task and trial"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}
