//! Reads the samples and summaries that Inspect itself wrote.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use toolgauge_core::{
    Case, CaseId, Expectation, FailureKind, Message, Oddity, Outcome, Tags, Timings, Transcript,
    Trial, TrialFailure, TrialId, Turn, UnscoredReason, Usage,
};

use super::header::ErrorRecord;
use super::lenient::{LenientNumber, Text};
use super::message::ChatMessageRecord;
use super::own::InputRecord;
use super::pool::{Bodies, EventsData, Pool};
use super::score::ScoreRecord;
use super::wording::stop_from;
use crate::TrialSummary;

/// A sample as Inspect wrote it.
#[derive(Debug, Deserialize)]
pub(crate) struct ForeignSample<'a> {
    id: Text,
    epoch: u32,
    #[serde(default, borrow)]
    input: InputRecord<'a>,
    #[serde(default)]
    target: Value,
    #[serde(default, borrow)]
    messages: Vec<ChatMessageRecord<'a>>,
    #[serde(default, borrow)]
    output: ForeignOutputRecord<'a>,
    #[serde(default, borrow)]
    scores: Option<IndexMap<String, ScoreRecord<'a>>>,
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
    #[serde(default, borrow)]
    events: Vec<&'a RawValue>,
    #[serde(default)]
    attachments: HashMap<String, String>,
    #[serde(default)]
    events_data: Option<EventsData>,
    #[serde(default)]
    started_at: Option<Text>,
    #[serde(default)]
    completed_at: Option<Text>,
    #[serde(default)]
    total_time: LenientNumber,
    #[serde(default)]
    error: Option<ErrorRecord>,
    #[serde(default)]
    limit: Option<LimitRecord>,
}

#[derive(Debug, Deserialize)]
struct LimitRecord {
    #[serde(default)]
    r#type: String,
}

#[derive(Debug, Default, Deserialize)]
struct ForeignOutputRecord<'a> {
    #[serde(default)]
    model: String,
    #[serde(default, borrow)]
    choices: Vec<ForeignChoiceRecord<'a>>,
    #[serde(default)]
    usage: Option<ForeignUsageRecord>,
    #[serde(default)]
    time: LenientNumber,
}

#[derive(Debug, Deserialize)]
struct ForeignChoiceRecord<'a> {
    #[serde(borrow)]
    message: ChatMessageRecord<'a>,
    #[serde(default)]
    stop_reason: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct ForeignUsageRecord {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    input_tokens_cache_read: Option<u64>,
    #[serde(default)]
    reasoning_tokens: Option<u64>,
}

impl From<ForeignUsageRecord> for Usage {
    fn from(record: ForeignUsageRecord) -> Self {
        Self {
            input: record.input_tokens,
            output: record.output_tokens,
            cached: record.input_tokens_cache_read,
            reasoning: record.reasoning_tokens,
        }
    }
}

/// Which kind an event is; the rest is read only of model events.
#[derive(Debug, Deserialize)]
struct EventKind<'a> {
    #[serde(default, borrow)]
    event: std::borrow::Cow<'a, str>,
}

#[derive(Debug, Deserialize)]
struct ModelEventRecord<'a> {
    #[serde(default, borrow)]
    output: ForeignOutputRecord<'a>,
    #[serde(default)]
    call: Option<Bodies>,
    #[serde(default)]
    retries: Option<u32>,
    #[serde(default)]
    working_time: LenientNumber,
}

impl ForeignSample<'_> {
    /// The trial that the sample amounts to.
    pub(crate) fn into_trial(self) -> Trial {
        let data = self.events_data.unwrap_or_default();
        let pool = Pool { data, attachments: self.attachments };
        let resolve = |text| pool.resolve(text);
        let mut turns: Vec<Turn> =
            self.events.iter().filter_map(|event| model_turn(event, &pool)).collect();
        let messages = self.messages.into_iter().map(|message| message.into_message(resolve));
        let given = self.input.into_messages();
        let (mut input, mut said) = split(messages.collect(), given.len());
        // Some logs keep no messages: then input and last answer are all that is left.
        if input.is_empty() && said.is_empty() {
            input = given;
            let last = self.output.choices.into_iter().next();
            said.extend(last.map(|c| Message::Assistant(c.message.into_assistant(resolve))));
        } else if turns.is_empty() {
            turns.extend(output_turn(&self.output));
        }
        let failure = failure(self.error, self.limit);
        let started = time(self.started_at.as_ref()).unwrap_or(Timestamp::UNIX_EPOCH);
        let lasted = self.total_time.0.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let ended = time(self.completed_at.as_ref())
            .or_else(|| started.checked_add(lasted.unwrap_or_default()).ok())
            .unwrap_or(started);
        let mut metadata = self.metadata.unwrap_or_default();
        let tags = tags(&metadata);
        // After the tags are made: a target is no property to slice by.
        metadata.insert("target".into(), self.target);
        let case = Case {
            id: CaseId::new(self.id.0),
            input,
            expectation: Expectation::default(),
            tools: None,
            tags,
            group: None,
            metadata: metadata.into(),
        };
        // A trial notes what is odd with its turns, so that the last one carries it.
        if let Some(last) = turns.last_mut() {
            last.oddities.extend(score_oddity(self.scores.as_ref()));
        }
        let outcomes = outcomes(self.scores, failure.as_ref());
        Trial {
            case: Arc::new(case),
            number: self.epoch,
            started,
            ended,
            transcript: Transcript { messages: said, turns, failure, ..Transcript::default() },
            outcomes,
        }
    }
}

/// Where the conversation given ends and the subject begins.
fn split(mut messages: Vec<Message>, input: usize) -> (Vec<Message>, Vec<Message>) {
    let given = |message: &Message| !matches!(message, Message::Assistant(_) | Message::Tool(_));
    let start = messages
        .iter()
        .enumerate()
        // An input may itself contain turns of an assistant, so those before its end are not
        // counted.
        .position(|(place, message)| place >= input && !given(message));
    let said = messages.split_off(start.unwrap_or(messages.len()));
    (messages, said)
}

fn model_turn(event: &RawValue, pool: &Pool) -> Option<Turn> {
    let event = event.get();
    let kind: EventKind<'_> = serde_json::from_str(event).ok()?;
    if kind.event != "model" {
        return None;
    }
    let event: ModelEventRecord<'_> = serde_json::from_str(event).ok()?;
    let call = event.call.unwrap_or_default();
    // Versions differ in where they put the time; the output's own is the time of the model alone.
    let seconds = event.output.time.0.or(event.working_time.0).or(call.time.0);
    let (request, response) = pool.restore(call);
    Some(Turn {
        attempts: event.retries.unwrap_or(0).saturating_add(1),
        request,
        response,
        ..turn(&event.output, seconds)
    })
}

fn output_turn(output: &ForeignOutputRecord<'_>) -> Option<Turn> {
    if output.choices.is_empty() && output.usage.is_none() {
        return None;
    }
    Some(Turn { attempts: 1, ..turn(output, output.time.0) })
}

fn turn(output: &ForeignOutputRecord<'_>, seconds: Option<f64>) -> Turn {
    let total = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let choice = output.choices.first();
    Turn {
        model: Some(output.model.clone()).filter(|model| !model.is_empty()),
        timings: Timings { total: total.unwrap_or_default(), ..Timings::default() },
        usage: output.usage.unwrap_or_default().into(),
        stop: stop_from(choice.and_then(|c| c.stop_reason.as_deref()).unwrap_or_default()),
        ..Turn::default()
    }
}

fn failure(error: Option<ErrorRecord>, limit: Option<LimitRecord>) -> Option<TrialFailure> {
    let error = error.map(|error| TrialFailure {
        kind: FailureKind::Internal,
        message: format!("Inspect AI: {}", error.message),
    });
    // An error says more than a limit, and a sample may have met both.
    error.or_else(|| {
        let message = format!("Inspect AI: {} limit", limit?.r#type);
        Some(TrialFailure { kind: FailureKind::LimitReached, message })
    })
}

fn outcomes(
    scores: Option<IndexMap<String, ScoreRecord<'_>>>,
    failure: Option<&TrialFailure>,
) -> IndexMap<String, Outcome> {
    let scores = scores.unwrap_or_default();
    let mut outcomes: IndexMap<_, _> =
        scores.into_iter().flat_map(|(name, score)| score.into_foreign(name)).collect();
    // A sample that broke has no scores; the trial still has to say why.
    if let (true, Some(failure)) = (outcomes.is_empty(), failure) {
        let reason = UnscoredReason::Failed(failure.clone());
        outcomes.insert("error".into(), Outcome::Unscored(reason));
    }
    outcomes
}

/// What is odd about the scores, if anything is.
fn score_oddity(scores: Option<&IndexMap<String, ScoreRecord<'_>>>) -> Option<Oddity> {
    scores?.values().any(ScoreRecord::is_word).then_some(Oddity::ScoreIsAWord)
}

/// The longest text that may be the name of a slice, in characters.
const LONGEST_TAG: usize = 60;

/// Those entries of the metadata that are plain enough to slice by.
fn tags(metadata: &Map<String, Value>) -> Tags {
    let is_name = |text: &str| text.chars().nth(LONGEST_TAG).is_none() && !text.contains('\n');
    let scalars = metadata.iter().filter_map(|(name, value)| {
        let value = match value {
            // A paragraph is the value of its own sample alone, and no table has room for it.
            Value::String(text) if !is_name(text) => return None,
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        };
        Some((name.clone(), value))
    });
    scalars.collect()
}

fn time(text: Option<&Text>) -> Option<Timestamp> {
    text?.0.parse().ok()
}

/// A summary as Inspect wrote it.
#[derive(Debug, Deserialize)]
pub(crate) struct ForeignSummary<'a> {
    id: Text,
    epoch: u32,
    #[serde(default, borrow)]
    input: InputRecord<'a>,
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
    #[serde(default, borrow)]
    scores: Option<IndexMap<String, ScoreRecord<'a>>>,
    #[serde(default)]
    model_usage: Option<IndexMap<String, ForeignUsageRecord>>,
    #[serde(default)]
    started_at: Option<Text>,
    #[serde(default)]
    completed_at: Option<Text>,
    #[serde(default)]
    total_time: LenientNumber,
    #[serde(default)]
    working_time: LenientNumber,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    limit: Option<String>,
    #[serde(default)]
    retries: Option<u32>,
}

impl ForeignSummary<'_> {
    /// The summary in toolgauge's words. What only the sample knows is left at its default.
    pub(crate) fn into_summary(self) -> TrialSummary {
        let error = self.error.map(|message| ErrorRecord { message });
        let failure = failure(error, self.limit.map(|r#type| LimitRecord { r#type }));
        let started = time(self.started_at.as_ref()).unwrap_or(Timestamp::UNIX_EPOCH);
        let seconds =
            |number: LenientNumber| number.0.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let lasted = seconds(self.total_time).unwrap_or_default();
        let usage = self.model_usage.unwrap_or_default().into_values();
        let sentence = match self.input.into_messages().pop() {
            Some(Message::User { content }) => content,
            _ => String::new(),
        };
        TrialSummary {
            id: TrialId { case: CaseId::new(self.id.0), trial: self.epoch },
            sentence,
            tags: tags(&self.metadata.unwrap_or_default()),
            group: None,
            gold: None,
            started,
            ended: time(self.completed_at.as_ref())
                .or_else(|| started.checked_add(lasted).ok())
                .unwrap_or(started),
            oddities: score_oddity(self.scores.as_ref()).into_iter().collect(),
            outcomes: outcomes(self.scores, failure.as_ref()),
            failure,
            timings: Timings {
                total: seconds(self.working_time).unwrap_or(lasted),
                ..Timings::default()
            },
            server: None,
            usage: usage.fold(Usage::default(), |sum, usage| sum.plus(usage.into())),
            stop: toolgauge_core::StopReason::Unknown,
            // A summary does not say how many; each trial has one at least.
            turns: 1,
            attempts: self.retries.unwrap_or(0).saturating_add(1),
            repeated: Vec::new(),
            calls: 0,
            tool_times: Vec::new(),
            result_tokens: 0,
            violations: Vec::new(),
        }
    }

    /// The id of the sample and its epoch, which together name the trial.
    pub(crate) fn trial(&self) -> (&str, u32) {
        (&self.id.0, self.epoch)
    }
}
