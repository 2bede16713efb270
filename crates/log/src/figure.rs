//! A figure that the head of a log tells.

/// One figure of a log's header.
#[derive(Clone, Debug, PartialEq)]
pub struct HeaderFigure {
    /// The score: a scorer's, or a dimension's.
    pub score: String,
    /// The metric: `mean`, `accuracy`, `stderr`.
    pub metric: String,
    /// Its value as the header has it.
    pub value: f64,
}
