//! Why tables could not be written.

use std::io;
use std::path::{Path, PathBuf};

use toolgauge_log::OutputError;

/// Why tables could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The build lacks the format.
    #[error("this toolgauge was built without {format} files")]
    NotBuilt {
        /// The format.
        format: &'static str,
    },
    /// The folder is a file.
    #[error("cannot write tables into `{}`: it is a file", folder.display())]
    NotAFolder {
        /// Where the tables should go.
        folder: PathBuf,
    },
    /// The system refused.
    #[error("cannot write `{}`", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written there.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The library of Parquet or Arrow failed.
    #[error("cannot write `{}`: {why}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What the library said.
        why: String,
    },
}

impl TableError {
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    #[cfg(feature = "files")]
    pub(crate) fn format<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> Self {
        move |error| Self::Format { path: path.to_owned(), why: error.to_string() }
    }
}
