//! How a run ended.

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// It came to its end. Some trials may be unscored.
    Success,
    /// It was interrupted.
    Cancelled,
    /// It was stopped by an error.
    Error {
        /// What happened.
        message: String,
    },
}
