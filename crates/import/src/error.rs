//! Why a result file cannot be read.

use std::io;
use std::path::{Path, PathBuf};

use crate::ResultKind;

/// Why a result file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system refuses it.
    #[error("cannot read `{}`: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is of no kind that is known, or of more than one.
    #[error("`{}` is not a result file that can be imported: {seen}", path.display())]
    Unknown {
        /// The file or folder.
        path: PathBuf,
        /// What it looks like.
        seen: String,
    },
    /// It is of another kind than it was said to be.
    #[error("`{}` is not a `{}` result: {why}", path.display(), kind.name())]
    Unfit {
        /// The file or folder.
        path: PathBuf,
        /// What it was said to be, or looked like at first.
        kind: ResultKind,
        /// What it lacks.
        why: String,
    },
    /// A folder has no such questions.
    #[error("`{}` has no questions of the category `{category}`", folder.display())]
    NoQuestions {
        /// What was asked for.
        category: String,
        /// Where they were looked for.
        folder: PathBuf,
        /// The categories that are there.
        known: Vec<String>,
    },
    /// Questions that only the tool they are of can put.
    #[error("the questions of `{category}` cannot be run: {why}")]
    NotRunnable {
        /// The category.
        category: String,
        /// What they need.
        why: &'static str,
    },
    /// A line of it cannot be read.
    #[error("`{}` line {line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl ImportError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    pub(crate) fn unfit(path: &Path, kind: ResultKind, why: impl Into<String>) -> Self {
        Self::Unfit { path: path.to_owned(), kind, why: why.into() }
    }

    /// What may help, if anything does.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { .. } => {
                let kinds: Vec<&str> = ResultKind::ALL.iter().map(|kind| kind.name()).collect();
                Some(format!("results of these kinds can be imported: {}", kinds.join(", ")))
            }
            Self::NoQuestions { known, .. } if known.is_empty() => {
                Some("name the folder `bfcl_eval/data` of the package `bfcl-eval`".to_owned())
            }
            Self::NoQuestions { known, .. } => {
                Some(format!("these categories can be run: {}", known.join(", ")))
            }
            _ => None,
        }
    }
}
