//! Why the work stopped, before it is known which file is to blame.

use std::io;
use std::path::Path;

use toolgauge_import::tau::TauError;

use crate::failure::{Failure, PartialFailure};

/// Why the work stopped, before it is known which file is to blame.
#[derive(Debug)]
pub(crate) enum WorkFailure {
    Results(TauError),
    Write(io::Error),
    Stopped,
}

impl WorkFailure {
    /// The failure with the files named; `None` is stdout.
    pub(crate) fn of(self, results: &Path, target: Option<&Path>) -> Failure {
        match (self, target) {
            (Self::Results(TauError::Read(error)), _) => Failure::file("read", results, error),
            (Self::Results(source), _) => {
                PartialFailure::Results { path: results.to_owned(), source }.into()
            }
            (Self::Write(error), Some(path)) => Failure::file("write", path, error),
            (Self::Write(error), None) => Failure::from(error),
            (Self::Stopped, _) => Failure::from(io::Error::from(io::ErrorKind::Interrupted)),
        }
    }
}

impl From<TauError> for WorkFailure {
    fn from(error: TauError) -> Self {
        Self::Results(error)
    }
}

impl From<io::Error> for WorkFailure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}
