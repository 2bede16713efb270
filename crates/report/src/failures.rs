//! What trials failed by, in the words that were left.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{FailureKind, TrialFailure};

/// So many different messages are told apart; more come from servers that never say the same
/// thing twice, and are counted by their kind alone.
const MESSAGES: usize = 100;

/// How many trials failed in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    /// The kind of failure.
    pub kind: FailureKind,
    /// What happened; empty for all that came after very many different messages.
    pub message: String,
    /// How many trials failed so.
    pub trials: usize,
}

/// Counts failures as trials come in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failures(IndexMap<(FailureKind, String), usize>);

impl Failures {
    /// Takes note of how a trial failed. A limit that the subject reached, and a run that was
    /// stopped, are no failures of this kind.
    pub(crate) fn add(&mut self, failure: &TrialFailure) {
        if matches!(failure.kind, FailureKind::LimitReached | FailureKind::Interrupted) {
            return;
        }
        let mut key = (failure.kind, failure.message.clone());
        if self.0.len() >= MESSAGES && !self.0.contains_key(&key) {
            key.1.clear();
        }
        *self.0.entry(key).or_default() += 1;
    }

    /// The failures, the most frequent first.
    pub(crate) fn counted(&self) -> Vec<FailureCount> {
        let count = |((kind, message), trials): (&(FailureKind, String), &usize)| FailureCount {
            kind: *kind,
            message: message.clone(),
            trials: *trials,
        };
        let mut counts: Vec<FailureCount> = self.0.iter().map(count).collect();
        // Trials end in any order; what is printed must not depend on it.
        counts.sort_by(|a, b| {
            let name = |count: &FailureCount| (count.kind, count.message.clone());
            b.trials.cmp(&a.trials).then_with(|| name(a).cmp(&name(b)))
        });
        counts
    }
}
