//! What toolgauge keeps under `toolgauge` in the dictionaries that Inspect leaves open.
//!
//! Each record exists twice: as written, and as read. Both borrow what they can.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use toolgauge_core::{
    Background, Expectation, FailedAttempt, FailureKind, Oddity, Outcome, SchemaViolation,
    ServerTimings, StopReason, Timings, Tool, ToolTime, Trial, TrialFailure, Turn, UnscoredReason,
    Usage,
};

use super::lenient::{LentName, OWN_RECORD};
use crate::TrialSummary;

/// The version of what is written here. Readers know all versions up to this one.
pub(crate) const FORMAT: u32 = 1;

/// Where a reader finds the messages of the transcript.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MessagesPlace {
    /// Among the sample's messages, after the input.
    #[default]
    Messages,
    /// It is one message, the sample's output, which stands nearer to the beginning.
    Output,
}

/// `sample.metadata.toolgauge` on its way out, without what depends on the scorers.
#[derive(Serialize)]
pub(crate) struct SampleExtras<'a> {
    started: Timestamp,
    ended: Timestamp,
    said: MessagesPlace,
    /// Whether the messages begin with the run's system prompt.
    system: bool,
    expectation: &'a Expectation,
    /// The case's own tools, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<&'a [Tool]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    #[serde(skip_serializing_if = "map_is_empty")]
    case: &'a Map<String, Value>,
    turns: Turns<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a TrialFailure>,
    #[serde(skip_serializing_if = "background_is_empty")]
    background: &'a Background,
    /// A tag by the name of `toolgauge`, which has no place beside this record.
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<&'a str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn map_is_empty(map: &&Map<String, Value>) -> bool {
    map.is_empty()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn background_is_empty(background: &&Background) -> bool {
    background.is_empty()
}

impl<'a> SampleExtras<'a> {
    pub(crate) fn of(trial: &'a Trial, said: MessagesPlace, system: bool) -> Self {
        let case = &trial.case;
        Self {
            started: trial.started,
            ended: trial.ended,
            said,
            system,
            expectation: &case.expectation,
            tools: case.tools.as_deref(),
            group: case.group.as_deref(),
            case: &case.metadata,
            turns: Turns(&trial.transcript.turns),
            failure: trial.transcript.failure.as_ref(),
            background: &trial.transcript.background,
            tag: case.tags.get(OWN_RECORD).map(String::as_str),
        }
    }
}

/// `sample.metadata.toolgauge` as read. What tables have no column for is left as text, which
/// [`unread`] reads where it is wanted.
#[derive(Debug, Deserialize)]
pub(crate) struct SampleExtrasRecord<'a> {
    pub(crate) started: Timestamp,
    pub(crate) ended: Timestamp,
    #[serde(default)]
    pub(crate) said: MessagesPlace,
    #[serde(default)]
    pub(crate) system: bool,
    #[serde(default, borrow)]
    pub(crate) expectation: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pub(crate) tools: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pub(crate) group: Option<LentName<'a>>,
    #[serde(default, borrow)]
    pub(crate) case: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pub(crate) turns: Vec<TurnRecord<'a>>,
    #[serde(default)]
    pub(crate) failure: Option<TrialFailure>,
    #[serde(default, borrow)]
    pub(crate) background: Option<&'a RawValue>,
    #[serde(default)]
    pub(crate) unscored: Vec<UnscoredRecord>,
    #[serde(default, borrow)]
    pub(crate) tag: Option<LentName<'a>>,
}

/// Reads what was left as text.
pub(crate) fn unread<T: DeserializeOwned + Default>(
    text: Option<&RawValue>,
) -> serde_json::Result<T> {
    text.map_or_else(|| Ok(T::default()), |text| serde_json::from_str(text.get()))
}

/// Of what stood behind a trial, that which tables show.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ShownBackground {
    pub(crate) tool_times: Vec<ToolTime>,
}

/// An outcome that is no score and so has no place among the scores.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct UnscoredRecord {
    /// Its place among the outcomes.
    place: usize,
    scorer: String,
    reason: UnscoredReason,
}

/// The outcomes that Inspect's scores leave out.
pub(crate) fn unscored(outcomes: &IndexMap<String, Outcome>) -> Vec<UnscoredRecord> {
    let places = outcomes.iter().enumerate();
    let missing = places.filter_map(|(place, (scorer, outcome))| {
        let reason = match outcome {
            Outcome::Scored(score) if score.value.is_finite() => return None,
            // A scorer that gives no number has a defect; the log must still open.
            Outcome::Scored(score) => UnscoredReason::Failed(TrialFailure {
                kind: FailureKind::Internal,
                message: format!("the scorer gave {}", score.value),
            }),
            Outcome::Unscored(reason) => reason.clone(),
        };
        Some(UnscoredRecord { place, scorer: scorer.clone(), reason })
    });
    missing.collect()
}

/// Puts the outcomes that are no scores back in their places.
pub(crate) fn insert_unscored<K: From<String> + Hash + Eq, T, S: BuildHasher>(
    outcomes: &mut IndexMap<K, T, S>,
    unscored: Vec<UnscoredRecord>,
    outcome: impl Fn(UnscoredReason) -> T,
) {
    for record in unscored {
        // Records are in rising order of place, so inserting them one by one restores the order. A
        // place beyond the end comes from a log that somebody changed.
        let place = record.place.min(outcomes.len());
        outcomes.shift_insert(place, record.scorer.into(), outcome(record.reason));
    }
}

struct Turns<'a>(&'a [Turn]);

impl Serialize for Turns<'_> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(TurnOut::of))
    }
}

/// A turn without its bodies, which stand in the model's event.
#[derive(Serialize)]
struct TurnOut<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'a str>,
    timings: Timings,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<ServerTimings>,
    usage: UsageRecord,
    stop: StopReason,
    attempts: u32,
    #[serde(skip_serializing_if = "slice_is_empty")]
    repeated: &'a [FailedAttempt],
    #[serde(skip_serializing_if = "slice_is_empty")]
    oddities: &'a [Oddity],
    #[serde(skip_serializing_if = "BodyForm::is_no")]
    request: BodyForm,
    #[serde(skip_serializing_if = "BodyForm::is_no")]
    response: BodyForm,
}

fn slice_is_empty<T>(items: &[T]) -> bool {
    items.is_empty()
}

impl<'a> TurnOut<'a> {
    fn of(turn: &'a Turn) -> Self {
        Self {
            model: turn.model.as_deref(),
            address: turn.address.as_deref(),
            timings: turn.timings,
            server: turn.server,
            usage: turn.usage.into(),
            stop: turn.stop,
            attempts: turn.attempts,
            repeated: &turn.repeated,
            oddities: &turn.oddities,
            request: BodyForm::of(turn.request.as_ref()),
            response: BodyForm::of(turn.response.as_ref()),
        }
    }
}

/// Tokens, with only those counts written that are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct UsageRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) input: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) output: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cached: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reasoning: Option<u64>,
}

impl From<Usage> for UsageRecord {
    fn from(usage: Usage) -> Self {
        let Usage { input, output, cached, reasoning } = usage;
        Self { input, output, cached, reasoning }
    }
}

impl From<UsageRecord> for Usage {
    fn from(record: UsageRecord) -> Self {
        let UsageRecord { input, output, cached, reasoning } = record;
        Self { input, output, cached, reasoning }
    }
}

/// A turn as read, without its bodies.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct TurnRecord<'a> {
    #[serde(default, borrow)]
    pub(super) model: Option<LentName<'a>>,
    #[serde(default, borrow)]
    pub(super) address: Option<LentName<'a>>,
    /// How long its parts took.
    #[serde(default)]
    pub timings: Timings,
    /// What the server says about its own speed.
    #[serde(default)]
    pub server: Option<ServerTimings>,
    #[serde(default)]
    pub(super) usage: UsageRecord,
    /// Why the subject stopped writing.
    #[serde(default)]
    pub stop: StopReason,
    /// How many HTTP tries it took.
    #[serde(default)]
    pub attempts: u32,
    #[serde(default)]
    pub(super) repeated: Vec<FailedAttempt>,
    /// What was odd about the answer.
    #[serde(default)]
    pub oddities: Vec<Oddity>,
    #[serde(default)]
    pub(crate) request: BodyForm,
    #[serde(default)]
    pub(crate) response: BodyForm,
}

impl TurnRecord<'_> {
    /// The name the server gave for the model that answered.
    pub fn model(&self) -> Option<&str> {
        self.model.as_ref().map(|name| &*name.0)
    }

    /// The address that answered, where several servers were asked.
    pub fn address(&self) -> Option<&str> {
        self.address.as_ref().map(|name| &*name.0)
    }

    /// The tokens that were read and written.
    pub fn usage(&self) -> Usage {
        self.usage.into()
    }

    /// The turn, with the bodies as its event has them.
    pub(crate) fn into_turn(self, request: Option<Value>, response: Option<Value>) -> Turn {
        Turn {
            model: self.model.map(|name| name.0.into_owned()),
            address: self.address.map(|name| name.0.into_owned()),
            timings: self.timings,
            server: self.server,
            usage: self.usage.into(),
            stop: self.stop,
            attempts: self.attempts,
            repeated: self.repeated,
            oddities: self.oddities,
            request: self.request.unwrap(request),
            response: self.response.unwrap(response),
        }
    }
}

impl From<Turn> for TurnRecord<'_> {
    fn from(turn: Turn) -> Self {
        Self {
            request: BodyForm::of(turn.request.as_ref()),
            response: BodyForm::of(turn.response.as_ref()),
            model: turn.model.map(|name| LentName(Cow::Owned(name))),
            address: turn.address.map(|name| LentName(Cow::Owned(name))),
            timings: turn.timings,
            server: turn.server,
            usage: turn.usage.into(),
            stop: turn.stop,
            attempts: turn.attempts,
            repeated: turn.repeated,
            oddities: turn.oddities,
        }
    }
}

/// Whether a body is kept in the model's event, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BodyForm {
    /// It is not.
    #[default]
    No,
    /// As it is: it is an object, as Inspect demands.
    Whole,
    /// Under `body`, because it is something else.
    Wrapped,
}

impl BodyForm {
    pub(crate) fn of(body: Option<&Value>) -> Self {
        match body {
            None => Self::No,
            Some(Value::Object(_)) => Self::Whole,
            Some(_) => Self::Wrapped,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
    fn is_no(&self) -> bool {
        *self == Self::No
    }

    fn unwrap(self, body: Option<Value>) -> Option<Value> {
        match (self, body) {
            (Self::Whole, body) => body,
            (Self::Wrapped, Some(Value::Object(mut object))) => object.shift_remove("body"),
            _ => None,
        }
    }
}

/// `metadata.toolgauge` of a sample's summary.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SummaryExtras {
    pub(crate) started: Timestamp,
    pub(crate) ended: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) gold: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<TrialFailure>,
    #[serde(default)]
    pub(crate) timings: Timings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) server: Option<ServerTimings>,
    #[serde(default)]
    pub(crate) usage: UsageRecord,
    #[serde(default)]
    pub(crate) stop: StopReason,
    #[serde(default)]
    pub(crate) turns: u32,
    #[serde(default)]
    pub(crate) attempts: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) repeated: Vec<FailedAttempt>,
    #[serde(default)]
    pub(crate) calls: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) oddities: Vec<Oddity>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tool_times: Vec<ToolTime>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) result_tokens: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) violations: Vec<SchemaViolation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unscored: Vec<UnscoredRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tag: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl SummaryExtras {
    pub(crate) fn of(summary: &TrialSummary) -> Self {
        Self {
            started: summary.started,
            ended: summary.ended,
            group: summary.group.clone(),
            gold: summary.gold.clone(),
            failure: summary.failure.clone(),
            timings: summary.timings,
            server: summary.server,
            usage: summary.usage.into(),
            stop: summary.stop,
            turns: summary.turns,
            attempts: summary.attempts,
            repeated: summary.repeated.clone(),
            calls: summary.calls,
            oddities: summary.oddities.clone(),
            tool_times: summary.tool_times.clone(),
            result_tokens: summary.result_tokens,
            violations: summary.violations.clone(),
            unscored: unscored(&summary.outcomes),
            tag: summary.tags.get(OWN_RECORD).cloned(),
        }
    }
}
