//! Everything said and called in a trial, with timings, token counts and what went wrong.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Background, Message, ToolCall};

/// Everything that happened in one trial after the case was put to the subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// What was said after the case's own input: the subject's messages and the tools' answers.
    pub messages: Vec<Message>,
    /// One entry for each request that was answered, in order.
    #[serde(default)]
    pub turns: Vec<Turn>,
    /// Why the trial ended before the subject was done, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<TrialFailure>,
    /// What stood behind the answers, where that is known.
    #[serde(default, skip_serializing_if = "Background::is_empty")]
    pub background: Background,
}

impl Transcript {
    /// A transcript of one message, as a captured single turn leaves it.
    pub fn of(message: crate::AssistantMessage) -> Self {
        Self { messages: vec![Message::Assistant(message)], ..Self::default() }
    }

    /// Every call the subject made, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.messages.iter().flat_map(|message| match message {
            Message::Assistant(message) => message.calls.as_slice(),
            _ => &[],
        })
    }

    /// The text of the subject's last message; empty when it said nothing.
    pub fn final_text(&self) -> &str {
        let said = self.messages.iter().rev().find_map(|message| match message {
            Message::Assistant(message) => Some(message.content.as_str()),
            _ => None,
        });
        said.unwrap_or_default()
    }

    /// The tokens of all turns together.
    pub fn usage(&self) -> Usage {
        self.turns.iter().fold(Usage::default(), |sum, turn| sum.plus(turn.usage))
    }
}

/// One request to the subject and its answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The name the server gave for the model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How long the parts of the turn took.
    #[serde(default)]
    pub timings: Timings,
    /// What the server says about its own speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerTimings>,
    /// The tokens that were read and written.
    #[serde(default)]
    pub usage: Usage,
    /// Why the subject stopped writing.
    #[serde(default)]
    pub stop: StopReason,
    /// How many HTTP tries the turn took; 1 when the first one was answered.
    #[serde(default)]
    pub attempts: u32,
    /// What was odd about the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub oddities: Vec<Oddity>,
    /// The request body as sent, when it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
    /// The response body as received (a stream: its chunks put together), when it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Value>,
}

/// How long the parts of a turn took, told apart. In seconds on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Waiting for a free place: rate limits, concurrency, back-off between attempts.
    #[serde(with = "seconds")]
    pub queued: Duration,
    /// From sending the request to the first piece of the answer; unknown when not streamed.
    #[serde(default, with = "optional_seconds", skip_serializing_if = "Option::is_none")]
    pub first_token: Option<Duration>,
    /// From sending the request (its last attempt) to the end of the answer.
    #[serde(with = "seconds")]
    pub total: Duration,
}

/// What a server reports about its own speed (llama.cpp's `timings`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerTimings {
    /// Tokens per second while reading the prompt.
    pub prompt_per_second: Option<f64>,
    /// Tokens per second while writing the answer.
    pub generated_per_second: Option<f64>,
}

/// Tokens read and written; `None` where the server does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input: Option<u64>,
    /// Tokens written, those of reasoning included.
    pub output: Option<u64>,
    /// Those tokens of the prompt that came from a cache.
    pub cached: Option<u64>,
    /// Those tokens written that were reasoning.
    pub reasoning: Option<u64>,
}

impl Usage {
    /// The sum of two counts; unknown only where both are.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0) + b.unwrap_or(0)),
        };
        Self {
            input: add(self.input, other.input),
            output: add(self.output, other.output),
            cached: add(self.cached, other.cached),
            reasoning: add(self.reasoning, other.reasoning),
        }
    }
}

/// Why a subject stopped writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It was done.
    Stop,
    /// It called tools and waits for their answers.
    ToolCalls,
    /// The limit on written tokens was reached.
    MaxTokens,
    /// The model's context was full.
    ContextFull,
    /// A filter took over.
    ContentFilter,
    /// The server did not say, or said something unknown.
    #[default]
    Unknown,
}

/// Something a server did that the protocol does not foresee; recorded, never fatal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Oddity {
    /// Arguments came as an object where the protocol has a string.
    ArgumentsAsObject,
    /// Arguments came as a string that holds JSON in a string.
    ArgumentsDoublyEncoded,
    /// Arguments came empty.
    ArgumentsEmpty,
    /// Arguments came twice in a row, as if two streams were glued together.
    ArgumentsRepeated,
    /// A call had no identifier.
    MissingCallId,
    /// Two calls had the same identifier.
    DuplicateCallId,
    /// More than one choice came back; the first was taken.
    SeveralChoices,
    /// No choice came back.
    NoChoice,
    /// The content came as a list of parts.
    ContentAsParts,
    /// Calls were found written in the text.
    CallsInText,
    /// The finish reason contradicts the message.
    FinishReasonContradicts,
    /// The finish reason is one that nobody knows.
    UnknownFinishReason,
    /// The stream ended without its closing marker.
    TruncatedStream,
    /// The body held bytes that are not UTF-8; they were replaced.
    InvalidUtf8,
    /// The content type does not fit the body.
    WrongContentType,
    /// A part of the stream was not JSON and was left out.
    UnreadableChunk,
    /// A tool the subject says it used has no name, and was left out.
    UnreadableTool,
}

/// Why a trial ended before the subject was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialFailure {
    /// What kind of failure it was.
    pub kind: FailureKind,
    /// What happened, for a person to read. Holds no secret.
    pub message: String,
}

/// The kinds of failure, told by status and type of error, and by a server's words only where most
/// servers have nothing else for it (a prompt that does not fit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The server could not be reached, or hung up before it answered.
    Connection,
    /// No answer came in time.
    Timeout,
    /// The server asked for fewer requests until the retries were used up.
    RateLimited,
    /// The server refused the request (any other 4xx).
    Refused,
    /// The key was not accepted.
    Unauthorized,
    /// The prompt does not fit the model's context.
    ContextOverflow,
    /// The server failed (5xx).
    Server,
    /// The answer was cut off in the middle.
    Truncated,
    /// The answer was not what the protocol asks for: HTML, broken JSON, no choice.
    UnreadableAnswer,
    /// The answer was larger than the limit.
    TooLarge,
    /// The subject answered that it failed: an error in the place of an answer.
    Reported,
    /// The trial's own limit on turns, tokens or time was reached.
    LimitReached,
    /// The run was stopped before the trial ended.
    Interrupted,
    /// toolgauge itself failed; a defect worth reporting.
    Internal,
}

impl FailureKind {
    /// Whether the failure says nothing about the subject, so that the trial cannot be judged.
    ///
    /// A trial that reached its limit on turns, tokens or time was ended by what the subject
    /// did, and an error it reports is its answer; every other failure happened to it.
    pub fn is_infrastructure(self) -> bool {
        !matches!(self, Self::LimitReached | Self::Reported)
    }

    /// The name used in logs and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Timeout => "timeout",
            Self::RateLimited => "rate_limited",
            Self::Refused => "refused",
            Self::Unauthorized => "unauthorized",
            Self::ContextOverflow => "context_overflow",
            Self::Server => "server",
            Self::Truncated => "truncated",
            Self::UnreadableAnswer => "unreadable_answer",
            Self::TooLarge => "too_large",
            Self::Reported => "reported",
            Self::LimitReached => "limit_reached",
            Self::Interrupted => "interrupted",
            Self::Internal => "internal",
        }
    }
}

pub(crate) mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(value.as_secs_f64())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(from)?;
        Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }
}

mod optional_seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "the signature serde asks for")]
    pub(super) fn serialize<S: Serializer>(
        value: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(duration) => to.serialize_some(&duration.as_secs_f64()),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(from)?;
        seconds
            .map(|s| Duration::try_from_secs_f64(s).map_err(serde::de::Error::custom))
            .transpose()
    }
}
