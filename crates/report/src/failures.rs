//! What trials failed by, in the words that were left.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{Cause, FailureKind, Outcome, TrialFailure, without_ids};
use toolgauge_log::TrialSummary;

use crate::harmless::line_within;
use crate::number::counted;
use crate::standing::GRADED_SCORER;

/// So many different messages are told apart; more come from servers that never say the same
/// thing twice, and are counted by their kind alone.
const MESSAGES: usize = 100;

/// The scorers of answers. To the others silence is a mistake like any other: a voice assistant
/// that neither calls nor speaks.
const ANSWER_SCORERS: [&str; 2] = [GRADED_SCORER, "keywords"];

/// How many trials failed in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    /// The kind of failure.
    pub kind: FailureKind,
    /// What happened; `…` stands for numbers and identifiers that differ from trial to trial. Empty
    /// for all that came after very many different messages.
    pub message: String,
    /// How many trials failed so.
    pub trials: usize,
}

/// Counts failures as trials come in: by their kind and by the message without numbers and
/// identifiers. The message itself is kept as long as all are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failures(IndexMap<(FailureKind, String), (Option<String>, usize)>);

impl Failures {
    /// Takes note of how a trial failed. A limit that the subject reached, and a run that was
    /// stopped, are no failures of this kind.
    pub(crate) fn add(&mut self, trial: &TrialSummary) {
        match (&trial.failure, failed_answer(trial)) {
            (Some(TrialFailure { kind, message }), _) => self.note(*kind, message),
            (None, Some(words)) => self.note(FailureKind::Reported, words),
            (None, None) => {}
        }
    }

    fn note(&mut self, kind: FailureKind, message: &str) {
        if matches!(kind, FailureKind::LimitReached | FailureKind::Interrupted) {
            return;
        }
        let mut key = (kind, without_ids(message));
        if self.0.len() >= MESSAGES && !self.0.contains_key(&key) {
            key.1.clear();
        }
        let (same, trials) = self.0.entry(key).or_insert_with(|| (Some(message.to_owned()), 0));
        // What is printed must not depend on which of them came first.
        same.take_if(|same| same != message);
        *trials += 1;
    }

    /// The failures, the most frequent first.
    pub(crate) fn counted(&self) -> Vec<FailureCount> {
        type Entry<'a> = (&'a (FailureKind, String), &'a (Option<String>, usize));
        let count = |((kind, folded), (same, trials)): Entry<'_>| FailureCount {
            kind: *kind,
            message: same.as_ref().filter(|_| !folded.is_empty()).unwrap_or(folded).clone(),
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

    /// The most frequent failures in words, at most so many, and how many trials failed otherwise.
    pub(crate) fn lines(counts: &[FailureCount], most: usize) -> Vec<String> {
        let line = |failure: &FailureCount| {
            let (trials, kind) = (counted(failure.trials, "trial"), failure.kind.name());
            let words = match failure.message.as_str() {
                "" => kind.to_owned(),
                message => format!("{kind}: {message}"),
            };
            format!("{trials}: {}", line_within(&words, 240))
        };
        let mut lines: Vec<String> = counts.iter().take(most).map(line).collect();
        let more: usize = counts.iter().skip(most).map(|more| more.trials).sum();
        if more > 0 {
            lines.push(format!("{} in other ways", counted(more, "trial")));
        }
        lines
    }
}

/// What stands in the place of an answer, in words: nothing, or an error. Such a trial did not
/// fail by itself; the scorers say so.
pub(crate) fn failed_answer(trial: &TrialSummary) -> Option<&'static str> {
    if trial.failure.is_some() {
        return None;
    }
    let judged = ANSWER_SCORERS.iter().filter_map(|name| trial.outcomes.get(*name));
    // An empty answer or `None` may be right.
    let scores = judged.filter_map(Outcome::score).filter(|score| score.value < 1.0);
    scores.flat_map(|score| &score.losses).find_map(|loss| match loss.cause {
        Cause::MissingText => Some("empty answer"),
        Cause::ErrorAnswered => Some("error as the answer"),
        _ => None,
    })
}
