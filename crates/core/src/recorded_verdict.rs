//! What another tool said of a trial that was imported from it.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::Transcript;

/// The verdict of another tool, as its result file has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedVerdict {
    /// The scorer that judges by that tool's rule: `bfcl`.
    pub scorer: String,
    /// From 0 (wrong) to 1 (right); `None` where the tool gave no mark.
    pub value: Option<f64>,
    /// Why, in the tool's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Why the verdict cannot be computed anew for this trial, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// Numbers beside the verdict.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub measures: IndexMap<String, f64>,
}

impl RecordedVerdict {
    /// A verdict of right or wrong.
    pub fn of(scorer: impl Into<String>, right: bool) -> Self {
        let value = Some(f64::from(u8::from(right)));
        Self { scorer: scorer.into(), value, ..Self::default() }
    }

    /// The same with the reason that the tool gives.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }
}

impl Transcript {
    /// The verdict that was recorded for a scorer, if there is one.
    pub fn recorded(&self, scorer: &str) -> Option<&RecordedVerdict> {
        self.background.recorded.iter().find(|verdict| verdict.scorer == scorer)
    }
}
