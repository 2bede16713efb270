//! What rows are made of: a log's head, and a trial as its sample or its summary tells it.

use std::borrow::Cow;
use std::ops::Deref;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use toolgauge_core::{Run, StopReason, TrialFailure, Usage};
use toolgauge_log::{
    MessageRecord, NamedRecords, OutcomeRecord, RunStatus, TrialRecord, TrialSummary,
};
use toolgauge_report::{Thresholds, TokenPrice};

/// How many characters of a case's sentence a table has, as lists of summaries have.
const SENTENCE: usize = 200;

/// What all rows of a log share.
#[derive(Debug)]
pub struct LogFacts {
    /// The log, as it was named.
    pub(crate) log: String,
    pub(crate) run: Run,
    pub(crate) cases: usize,
    pub(crate) scorers: String,
    /// How the run ended, as the log calls it.
    pub(crate) status: Option<&'static str>,
    pub(crate) date: jiff::civil::Date,
    pub(crate) grading: Grading,
}

/// What the settings say of a run: which scores pass, and what tokens of its subject cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grading {
    /// Which scores pass.
    pub thresholds: Thresholds,
    /// What tokens cost, where that is known.
    pub price: Option<TokenPrice>,
}

impl LogFacts {
    /// The facts of a log, by the name that somebody has for it.
    pub fn new(
        name: impl Into<String>,
        run: &Run,
        status: Option<&RunStatus>,
        grading: Grading,
    ) -> Self {
        let status = status.map(|status| match status {
            RunStatus::Success => "success",
            RunStatus::Cancelled => "cancelled",
            RunStatus::Error { .. } => "error",
        });
        Self {
            log: name.into(),
            cases: run.cases.len(),
            scorers: run.scorers.join(","),
            status,
            date: run.created.to_zoned(TimeZone::UTC).date(),
            // The list of cases may be as long as the run.
            run: run.without_cases(),
            grading,
        }
    }

    /// The log, as it was named.
    pub fn name(&self) -> &str {
        &self.log
    }

    /// The run, without the list of its cases.
    pub fn run(&self) -> &Run {
        &self.run
    }
}

/// What tables say of a trial.
#[derive(Clone, Debug)]
pub struct TrialFacts<'a> {
    pub(crate) case: &'a str,
    pub(crate) number: u32,
    pub(crate) sentence: &'a str,
    pub(crate) tags: Held<'a, NamedRecords<'a, Cow<'a, str>>>,
    pub(crate) group: Option<&'a str>,
    pub(crate) outcomes: Held<'a, NamedRecords<'a, OutcomeRecord<'a>>>,
    pub(crate) failure: Option<&'a TrialFailure>,
    pub(crate) started: Timestamp,
    pub(crate) ended: Timestamp,
    /// How long its turns took together, where that is known.
    pub(crate) time: Option<Duration>,
    pub(crate) first_token: Option<Duration>,
    pub(crate) usage: Usage,
    pub(crate) stop: StopReason,
    pub(crate) turns: usize,
    pub(crate) calls: usize,
    pub(crate) attempts: u32,
    /// The trial itself, if its sample was read.
    pub(crate) sample: Option<&'a TrialRecord<'a>>,
}

/// What is borrowed where it is there already, and made where it is not. Unlike a `Cow`, it may be
/// taken for one of a shorter life.
#[derive(Clone, Debug)]
pub(crate) enum Held<'a, T> {
    Lent(&'a T),
    Made(T),
}

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Lent(value) => value,
            Self::Made(value) => value,
        }
    }
}

impl<'a> TrialFacts<'a> {
    /// The name and the judgement of the scorer that counts, the first one.
    pub(crate) fn first(&self) -> Option<(&str, &OutcomeRecord<'a>)> {
        self.outcomes.first().map(|(name, outcome)| (&**name, outcome))
    }
}

impl<'a> From<&'a TrialSummary> for TrialFacts<'a> {
    fn from(trial: &'a TrialSummary) -> Self {
        let lent = |text: &'a String| Cow::Borrowed(text.as_str());
        Self {
            case: trial.id.case.as_str(),
            number: trial.id.trial,
            sentence: shortened(&trial.sentence),
            tags: Held::Made(
                trial.tags.iter().map(|(name, tag)| (lent(name), lent(tag))).collect(),
            ),
            group: trial.group.as_deref(),
            outcomes: Held::Made(
                trial.outcomes.iter().map(|(name, it)| (lent(name), it.into())).collect(),
            ),
            failure: trial.failure.as_ref(),
            started: trial.started,
            ended: trial.ended,
            time: trial.latency(),
            first_token: trial.timings.first_token,
            usage: trial.usage,
            stop: trial.stop,
            turns: usize::try_from(trial.turns).unwrap_or(usize::MAX),
            calls: usize::try_from(trial.calls).unwrap_or(usize::MAX),
            attempts: trial.attempts,
            sample: None,
        }
    }
}

impl<'a> From<&'a TrialRecord<'a>> for TrialFacts<'a> {
    fn from(trial: &'a TrialRecord<'a>) -> Self {
        let turns = &trial.turns;
        let times = turns.iter().map(|turn| turn.timings.total);
        let time = times.fold(Duration::ZERO, Duration::saturating_add);
        let calls = trial.messages.iter().map(|message| match message {
            MessageRecord::Assistant(message) => message.calls.len(),
            _ => 0,
        });
        Self {
            case: &trial.case,
            number: trial.number,
            sentence: shortened(trial.sentence()),
            tags: Held::Lent(&trial.tags),
            group: trial.group.as_deref(),
            outcomes: Held::Lent(&trial.outcomes),
            failure: trial.failure.as_ref(),
            started: trial.started,
            ended: trial.ended,
            // Logs without times have zeros, which are no measurement.
            time: Some(time).filter(|time| !time.is_zero()),
            first_token: turns.first().and_then(|turn| turn.timings.first_token),
            usage: turns.iter().fold(Usage::default(), |sum, turn| sum.plus(turn.usage())),
            stop: turns.last().map(|turn| turn.stop).unwrap_or_default(),
            turns: turns.len(),
            calls: calls.sum(),
            attempts: turns.iter().map(|turn| turn.attempts).sum(),
            sample: Some(trial),
        }
    }
}

fn shortened(text: &str) -> &str {
    // No text has more characters than bytes.
    if text.len() <= SENTENCE {
        return text;
    }
    text.char_indices().nth(SENTENCE).map_or(text, |(end, _)| &text[..end])
}
