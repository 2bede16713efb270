//! What can be wrong with an inventory file.

use std::fmt;
use std::io;
use std::path::PathBuf;

use toolgauge_document::SyntaxProblem;

/// Why an inventory could not be read.
#[derive(Debug, thiserror::Error)]
pub enum InventoryError {
    /// The file itself could not be read.
    #[error("cannot read inventory `{}`: {source}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file does not describe a home; every problem is listed.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
}

/// One thing that is wrong or odd in an inventory, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, as it was named.
    pub origin: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    /// A text that is neither YAML nor JSON.
    pub(crate) fn syntax(origin: &str, problem: SyntaxProblem) -> Self {
        let SyntaxProblem { line, message, .. } = problem;
        Self { origin: origin.to_owned(), line, message: format!("not YAML: {message}") }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.origin, self.line, self.message)
    }
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
