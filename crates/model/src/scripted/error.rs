//! What can be wrong with a script.

/// Why a script could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// A line is not what a script is made of.
    #[error("line {line}: {reason}")]
    Unreadable {
        /// Which line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Two lines answer the same conversation.
    #[error("line {line}: `{key}` is answered a second time")]
    Repeated {
        /// The second of the lines.
        line: usize,
        /// Which case or request.
        key: String,
    },
    /// A line both answers and fails, or does neither.
    #[error("line {line}: give one of `text` or `calls`, `response`, `fail`, `turns`")]
    Undecided {
        /// The line of the script, counted from 1.
        line: usize,
    },
    /// A recorded response holds no answer.
    #[error("line {line}: the response cannot be read: {reason}")]
    Response {
        /// The line of the script, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The script has no answer at all.
    #[error("the script is empty")]
    Empty,
}
