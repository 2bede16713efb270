//! What can be wrong with a results file as a whole.

use std::fmt;
use std::io;

/// A place in a text file, counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The line.
    pub line: u64,
    /// The character within the line.
    pub column: u64,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a file could not be read as tau-bench results.
#[derive(Debug, thiserror::Error)]
pub enum TauError {
    /// The system could not read on.
    #[error("it could not be read")]
    Read(#[source] io::Error),
    /// There is nothing in it.
    #[error("it is empty; expected a JSON list of tasks")]
    Empty,
    /// It holds bytes that are not UTF-8.
    #[error("{place}: not UTF-8 text")]
    NotUtf8 {
        /// The first such byte.
        place: TextPosition,
    },
    /// It is JSON, but not a list.
    #[error("{place}: expected a JSON list of tasks, found {found}")]
    NotAList {
        /// Where it begins.
        place: TextPosition,
        /// What it is.
        found: String,
    },
    /// None of its objects has anything that a task has.
    #[error("none of its {objects} objects has a `traj`, a `reward` or `info.task.actions`")]
    NoTasks {
        /// How many there are.
        objects: u64,
    },
    /// The list holds something else than objects.
    #[error("{place}: expected task {index} of the list to be an object, found {found}")]
    NotAnObject {
        /// Where the item begins.
        place: TextPosition,
        /// Its number in the list, counted from 0.
        index: u64,
        /// What it is.
        found: String,
    },
    /// It is not JSON.
    #[error("{place}: not JSON: expected {wanted}, found {found}")]
    Syntax {
        /// The first character that does not fit.
        place: TextPosition,
        /// What should have stood there.
        wanted: &'static str,
        /// What stands there.
        found: String,
    },
    /// It ends too early.
    #[error("{place}: cut off: expected {wanted}, found the end of the file")]
    Truncated {
        /// The end.
        place: TextPosition,
        /// What should have come.
        wanted: &'static str,
    },
    /// Something comes after the list.
    #[error("{place}: expected nothing after the list of tasks, found {found}")]
    Trailing {
        /// Where it begins.
        place: TextPosition,
        /// What it is.
        found: String,
    },
}

/// What a value is, by the character it begins with.
pub(super) fn describe(text: &str) -> String {
    match text.chars().next() {
        None => "the end of the file".to_owned(),
        Some('{') => "an object".to_owned(),
        Some('[') => "a list".to_owned(),
        Some('"') => "a string".to_owned(),
        Some('0'..='9' | '-') => "a number".to_owned(),
        Some(_) if text.starts_with("true") || text.starts_with("false") => "a boolean".to_owned(),
        Some(_) if text.starts_with("null") => "null".to_owned(),
        Some(_) if text.starts_with("NaN") || text.starts_with("Infinity") => "a number".to_owned(),
        Some(other) => describe_character(other),
    }
}

/// A single character, printable.
pub(super) fn describe_character(character: char) -> String {
    if character.is_control() || character == '`' {
        format!("the character U+{:04X}", u32::from(character))
    } else {
        format!("`{character}`")
    }
}
