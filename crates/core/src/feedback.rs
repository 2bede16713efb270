//! What people say about trials.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{CaseId, RunId, TrialId};

/// Whether somebody liked an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thumb {
    /// They did.
    Up,
    /// They did not.
    Down,
}

impl Thumb {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
        }
    }

    /// The thumb of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Up, Self::Down].into_iter().find(|thumb| thumb.name() == name)
    }
}

/// What one person thinks of one trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// The run the trial belongs to.
    pub run: RunId,
    /// The suite of the run.
    pub suite: String,
    /// The case that the trial is of.
    pub case: CaseId,
    /// Which execution of the case, counted from 1.
    pub trial: u32,
    /// Who says so; empty where nobody gave a name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// Whether they liked it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumb: Option<Thumb>,
    /// What they have to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What the answer should have been: an answer in words, or an expectation as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<String>,
    /// When they said so.
    pub at: Timestamp,
}

impl Feedback {
    /// The trial it is about.
    pub fn trial_id(&self) -> TrialId {
        TrialId { case: self.case.clone(), trial: self.trial }
    }
}
