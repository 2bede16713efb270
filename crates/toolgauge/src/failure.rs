//! Why a command could not do its work, and what to try next.

use std::io;
use std::path::PathBuf;

use crate::ExitStatus;

/// Why a command could not do its work. Errors of the crates are wrapped as they are, so that
/// each message is written once, where it is known best.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The result could not be printed.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// A file or folder could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    File {
        /// `read`, `write`, `create`.
        action: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Failure {
    /// A file that could not be read, written or created.
    pub(crate) fn file(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::File { action, path: path.into(), source }
    }

    /// What the process exits with.
    pub(crate) fn exit_status(&self) -> ExitStatus {
        match self {
            Self::Output(_) | Self::File { .. } => ExitStatus::NothingRan,
        }
    }

    /// What to do next, where there is something to say.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Output(_) | Self::File { .. } => None,
        }
    }

    /// Whether the reader of our output went away.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
