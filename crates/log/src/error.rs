//! What can go wrong with a log.

use std::io;
use std::path::{Path, PathBuf};

use toolgauge_core::TrialId;

/// Why a log could not be written, read or recovered.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file could not be read or written.
    #[error("cannot {doing} log `{}`", path.display())]
    Io {
        /// What was being done: `create`, `read`, `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process writes to the log.
    #[error("log `{}` is being written by another process", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is not an `.eval` log, or nothing in it can be recovered.
    #[error("`{}` is not an Inspect AI log: {why}", path.display())]
    NotALog {
        /// The file.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// A member of the log is damaged or larger than it may be.
    #[error("`{member}` in log `{}` cannot be unpacked: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The name of the member in the archive: `samples/a_epoch_1.json`.
        member: String,
        /// What is wrong with it.
        why: String,
    },
    /// A member of the log is not the JSON that belongs there.
    #[error("`{member}` in log `{}` cannot be read", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The name of the member in the archive: `samples/a_epoch_1.json`.
        member: String,
        /// Where the reader stumbled.
        source: serde_json::Error,
    },
    /// A member holds another trial than its name says.
    #[error("`{member}` in log `{}` holds the trial `{trial}`", path.display())]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// The name of the member in the archive: `samples/a_epoch_1.json`.
        member: String,
        /// The trial it holds.
        trial: TrialId,
    },
    /// The log holds no such trial.
    #[error("log `{}` holds no trial `{trial}`", path.display())]
    NoSuchTrial {
        /// The file.
        path: PathBuf,
        /// The trial that was asked for.
        trial: TrialId,
    },
    /// The log was made by another program and cannot be continued.
    #[error("log `{}` was not written by toolgauge and cannot be resumed", path.display())]
    NotResumable {
        /// The file.
        path: PathBuf,
    },
}

impl LogError {
    /// Whether one member is damaged, while the others may be read.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Json { .. } | Self::Misnamed { .. })
    }

    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    pub(crate) fn json(path: &Path, member: &str) -> impl FnOnce(serde_json::Error) -> Self {
        let (path, member) = (path.to_owned(), member.to_owned());
        move |source| Self::Json { path, member, source }
    }
}
