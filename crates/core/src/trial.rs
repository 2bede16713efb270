//! One execution of a case, with all that came of it.

use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Case, Outcome, Transcript, TrialId};

/// One execution of a case: what was asked, what happened, and what the scorers say of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The case as it was put, with what it expects.
    pub case: Arc<Case>,
    /// Which execution of the case this is, counted from 1.
    pub number: u32,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// What was said and called.
    pub transcript: Transcript,
    /// The judgements, by scorer; the first one is the run's own measure.
    pub outcomes: IndexMap<String, Outcome>,
}

impl Trial {
    /// The name of the trial.
    pub fn id(&self) -> TrialId {
        TrialId { case: self.case.id.clone(), trial: self.number }
    }

    /// The judgement that counts: that of the first scorer.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcomes.values().next()
    }
}
