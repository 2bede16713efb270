//! Floors: what policies score that need no skill.

use serde::{Deserialize, Serialize};

/// A policy that treats every case alike, and its score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyScore {
    /// What a subject with this policy does, for people: `calls nothing and says "Okay."`.
    pub policy: String,
    /// Its mean score.
    pub score: f64,
}

/// The best constant policies that were found for the cases of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Floors {
    /// The best policy that never calls a tool. Its score is the floor.
    pub without_calls: PolicyScore,
    /// The best policy that makes the expected calls and says the same thing to everything. The
    /// distance from here to 1 is what the words of the replies decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_calls: Option<PolicyScore>,
}
