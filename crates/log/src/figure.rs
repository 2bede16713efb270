//! A figure that the head of a log tells.

use serde::{Deserialize, Serialize};

/// One figure of a log's header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeaderFigure {
    /// The score: a scorer's, a dimension's, or one value of a scorer that gives several.
    pub score: String,
    /// The scorer it belongs to.
    pub scorer: String,
    /// How the epochs of a sample were made one, such as `mean`, `max` or `pass_at_2`; absent where
    /// each sample ran once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reducer: Option<String>,
    /// The metric: `mean`, `accuracy`, `stderr`.
    pub metric: String,
    /// Its value as the header has it.
    pub value: f64,
}
