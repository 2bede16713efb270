//! Requests that were repeated because the first try came to nothing.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_log::TrialSummary;

use crate::harmless;

/// So many different reasons are told apart, so that a log somebody made cannot fill the memory.
const REASONS: usize = 100;

/// How many tries of a run came to nothing and were repeated, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RepeatCount {
    /// All of them; logs of other programs do not say why.
    pub all: u64,
    /// How many for each reason, the most frequent first.
    pub reasons: IndexMap<String, u64>,
}

impl RepeatCount {
    pub(crate) fn add(&mut self, trial: &TrialSummary) {
        // Each turn takes one attempt at least; the rest were repeated.
        self.all += u64::from(trial.attempts.saturating_sub(trial.turns));
        for attempt in &trial.repeated {
            if self.reasons.len() < REASONS || self.reasons.contains_key(&attempt.reason) {
                *self.reasons.entry(attempt.reason.clone()).or_default() += 1;
            }
        }
        if !trial.repeated.is_empty() {
            // Trials end in any order; what is printed must not depend on it.
            self.reasons.sort_by(|a, m, b, n| n.cmp(m).then_with(|| a.cmp(b)));
        }
    }

    /// Whether every first try was answered.
    pub fn is_none(&self) -> bool {
        self.all == 0
    }

    /// How many requests were repeated and why, in a line; nothing if none was.
    pub fn words(&self) -> Option<String> {
        let count = match self.all {
            0 => return None,
            1 => "1 request was repeated".to_owned(),
            all => format!("{all} requests were repeated"),
        };
        let reason = |(reason, count): (&String, &u64)| format!("{count} × {reason}");
        let reasons: Vec<String> = self.reasons.iter().map(reason).collect();
        if reasons.is_empty() {
            return Some(count);
        }
        Some(harmless::line_within(&format!("{count}: {}", reasons.join(", ")), 240).into_owned())
    }
}
