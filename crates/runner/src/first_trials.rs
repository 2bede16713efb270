//! The first trials of a run: when all of them fail alike, the set-up is wrong and not the subject.
//!
//! A wrong address, a wrong place for the text or a server without tools fails every trial in the
//! same way. Such trials are held back until one ends otherwise; if none does, the run stops
//! before anything was written down.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;
use toolgauge_core::{FailureKind, StopReason, SubjectIdentity, Trial, TrialFailure, without_ids};
use toolgauge_score::error_in_answer;

use crate::plan::Plan;

/// So many trials must end in the same error of the subject's own before that is its set-up, where
/// further trials follow: a suite may hold a question or two that are meant to be answered with an
/// error.
const FEWEST_OWN_ERRORS: usize = 3;

/// Lets trials start, unless those that have ended so far make it doubtful that any can succeed.
pub(crate) struct FirstTrialsGate {
    is_open: watch::Sender<bool>,
    /// How many trials of each arm were started.
    started: Vec<AtomicUsize>,
}

impl FirstTrialsGate {
    pub(crate) fn new(arms: usize) -> Self {
        let started = std::iter::repeat_with(AtomicUsize::default).take(arms).collect();
        Self { is_open: watch::Sender::new(true), started }
    }

    /// Waits until a trial of this arm may start.
    pub(crate) async fn pass(&self, arm: usize) {
        let mut is_open = self.is_open.subscribe();
        // The sender lives as long as the gate, so that waiting cannot fail.
        let _ = is_open.wait_for(|open| *open).await;
        // Counted without an order: the reader compares it on the same task that drives the trials.
        self.started[arm].fetch_add(1, Ordering::Relaxed);
    }
}

/// The trials held back on every arm.
pub(crate) struct FirstTrials<'a> {
    gate: &'a FirstTrialsGate,
    arms: Vec<FirstOfArm>,
}

/// The first trials of one arm.
struct FirstOfArm {
    /// After how many equal failures the run stops; `None` once a trial ended otherwise.
    needed: Option<NeededFailures>,
    answers: AnswerKind,
    likeness: Option<FailureLikeness>,
    #[expect(clippy::vec_box, reason = "events hold trials in boxes; these are passed on")]
    held: Vec<Box<Trial>>,
}

/// How many equal failures stop a run.
#[derive(Clone, Copy, Debug)]
struct NeededFailures {
    infrastructure: usize,
    own_errors: usize,
}

impl NeededFailures {
    /// Of an arm with so many trials to come: a short plan can never reach more, and its trials
    /// would be held back to the end. Of a part of a run, further trials follow elsewhere.
    fn of(planned: usize, same_failures: usize, is_part: bool) -> Option<Self> {
        let infrastructure = same_failures.min(planned);
        let own_errors = same_failures.max(FEWEST_OWN_ERRORS);
        let own_errors = if is_part { own_errors } else { own_errors.min(planned) };
        (infrastructure > 0).then_some(Self { infrastructure, own_errors })
    }

    fn like(self, likeness: &FailureLikeness) -> usize {
        match likeness {
            FailureLikeness::Infrastructure(_) => self.infrastructure,
            FailureLikeness::OwnError(_) => self.own_errors,
        }
    }
}

/// What trials that fail alike have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
enum FailureLikeness {
    /// The kind of a failure that happened to the subject.
    Infrastructure(FailureKind),
    /// The words of an error that the subject gave as its answer, without identifiers: those of
    /// requests differ each time.
    OwnError(String),
}

/// Which answers of a subject count as failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerKind {
    /// A chatbot's: an empty text and an error in the place of an answer.
    Chatbot,
    /// Those of a model on a server: a reply with neither text nor calls.
    Model,
    /// Those of a script or of a policy: whatever it says, it was meant to.
    Scripted,
}

impl AnswerKind {
    fn of(subject: &SubjectIdentity) -> Self {
        match subject.base_url {
            _ if subject.calls_its_own_tools() => Self::Chatbot,
            Some(_) => Self::Model,
            None => Self::Scripted,
        }
    }
}

/// What to do after a trial.
pub(crate) enum Next {
    /// Report these trials, and go on.
    #[expect(clippy::vec_box, reason = "events hold trials in boxes; these are passed on")]
    Report(Vec<Box<Trial>>),
    /// Stop: so many trials failed in this way, and none otherwise.
    Stop(SameFailures),
}

/// What every one of the first trials ran into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameFailures {
    /// How many trials did.
    pub trials: usize,
    /// What they ran into; all of it where one kind of failure came in several words.
    pub failure: TrialFailure,
    /// Whether all came in the same words, but for numbers and identifiers.
    pub in_same_words: bool,
}

impl<'a> FirstTrials<'a> {
    /// Watches the first `same_failures` trials of each arm, or all where there are fewer.
    /// Zero watches none.
    pub(crate) fn of(
        plan: &Plan,
        same_failures: usize,
        is_part: bool,
        gate: &'a FirstTrialsGate,
    ) -> Self {
        let arm = |(at, arm): (usize, &crate::Arm)| {
            let planned = plan.jobs.iter().filter(|job| job.arm == at).count();
            FirstOfArm {
                needed: NeededFailures::of(planned, same_failures, is_part),
                answers: AnswerKind::of(&arm.subject.identity()),
                likeness: None,
                held: Vec::new(),
            }
        };
        Self { gate, arms: plan.arms.iter().enumerate().map(arm).collect() }
    }

    /// Takes note of a trial that ended.
    pub(crate) fn note(&mut self, arm: usize, trial: Box<Trial>) -> Next {
        let first = &mut self.arms[arm];
        let Some(needed) = first.needed else { return Next::Report(vec![trial]) };
        let likeness = likeness(&trial, first.answers);
        let alike = first.held.is_empty() || first.likeness == likeness;
        // Held also if it ends the watch, so that all are reported in the order they ended.
        first.held.push(trial);
        let Some(likeness) = likeness.filter(|_| alike) else {
            first.needed = None;
            let reported = std::mem::take(&mut first.held);
            // Trials that were held at the gate may start: this one shows that the set-up works.
            self.gate.is_open.send_if_modified(|open| !std::mem::replace(open, true));
            return Next::Report(reported);
        };
        let needed = needed.like(&likeness);
        first.likeness = Some(likeness);
        if first.held.len() < needed {
            return Next::Report(Vec::new());
        }
        // Quick failures must not hide that slower trials, under way since the start, succeed.
        self.gate.is_open.send_replace(false);
        if self.gate.started[arm].load(Ordering::Relaxed) > first.held.len() {
            return Next::Report(Vec::new());
        }
        Next::Stop(same_failures(&first.held))
    }

    /// The trials that are still held back, with their arms.
    pub(crate) fn into_held(self) -> impl Iterator<Item = (usize, Box<Trial>)> {
        let arms = self.arms.into_iter().enumerate();
        arms.flat_map(|(at, arm)| arm.held.into_iter().map(move |trial| (at, trial)))
    }
}

/// What a trial would share with others that fail alike; `None` if it did not fail, or failed by
/// a limit of its own.
fn likeness(trial: &Trial, answers: AnswerKind) -> Option<FailureLikeness> {
    if let Some(failure) = &trial.transcript.failure {
        return match failure.kind {
            FailureKind::LimitReached | FailureKind::Interrupted => None,
            FailureKind::Reported => Some(FailureLikeness::OwnError(without_ids(&failure.message))),
            kind => Some(FailureLikeness::Infrastructure(kind)),
        };
    }
    let text = trial.transcript.final_text().trim();
    let is_failure = match answers {
        // An empty answer may stand at another place.
        AnswerKind::Chatbot => error_in_answer(text).is_some(),
        // What a bare model says is its own. Where it says and calls nothing, a filter, a chat
        // template or a parser of reasoning may have taken its words.
        AnswerKind::Model => {
            let says_nothing = text.is_empty() && trial.transcript.calls().next().is_none();
            says_nothing || stop_of(trial) == Some(StopReason::ContentFilter)
        }
        AnswerKind::Scripted => false,
    };
    is_failure.then(|| FailureLikeness::OwnError(without_ids(&answer_failure(trial))))
}

/// What trials that failed alike have run into.
fn same_failures(held: &[Box<Trial>]) -> SameFailures {
    let mut failure = failure_of(&held[0]);
    let mut messages: Vec<(String, String, usize)> = Vec::new();
    for message in held.iter().map(|trial| failure_of(trial).message) {
        let folded = without_ids(&message);
        match messages.iter_mut().find(|(known, ..)| *known == folded) {
            Some((.., count)) => *count += 1,
            None => messages.push((folded, message, 1)),
        }
    }
    let in_same_words = messages.len() == 1;
    if !in_same_words {
        let told = messages.iter().map(|(_, message, count)| format!("{count} × {message}"));
        failure.message = told.collect::<Vec<_>>().join("; ");
    }
    SameFailures { trials: held.len(), failure, in_same_words }
}

fn failure_of(trial: &Trial) -> TrialFailure {
    let answered = || TrialFailure { kind: FailureKind::Reported, message: answer_failure(trial) };
    trial.transcript.failure.clone().unwrap_or_else(answered)
}

/// Why the subject stopped in its last turn.
fn stop_of(trial: &Trial) -> Option<StopReason> {
    trial.transcript.turns.last().map(|turn| turn.stop)
}

/// What is wrong with an answer, in the words of the subject where it has some.
fn answer_failure(trial: &Trial) -> String {
    match (trial.transcript.final_text().trim(), stop_of(trial)) {
        (_, Some(StopReason::ContentFilter)) => "a content filter ended the answer".to_owned(),
        ("", Some(StopReason::MaxTokens)) => {
            "the answer is empty: the limit on tokens was reached before it".to_owned()
        }
        ("", _) => "the answer is empty".to_owned(),
        (text, _) => text.chars().take(200).collect(),
    }
}
