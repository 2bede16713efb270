//! How many prompt tokens a server read, beside how many it had to.

use serde::{Deserialize, Serialize};

/// How many prompt tokens a server read in a run, beside how many it had to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptReads {
    /// Tokens that came from no cache, those of prompts read in advance included.
    pub anew: u64,
    /// The least possible: each prompt once for each slot that was used, and of every request
    /// what no earlier one began with.
    pub least: u64,
}

impl PromptReads {
    /// The sum of both, for a run that was resumed.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            anew: self.anew.saturating_add(other.anew),
            least: self.least.saturating_add(other.least),
        }
    }
}
