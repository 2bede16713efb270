//! One request to the subject and its answer, with timings and token counts.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Oddity;
use crate::seconds::{self, optional_seconds};

/// One request to the subject and its answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The name the server gave for the model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The address that answered, where several servers were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
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
    /// The tries that came to nothing before the one that was answered, where that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated: Vec<FailedAttempt>,
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

/// An HTTP try, or a run of a command, that came to nothing and was repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedAttempt {
    /// Why, in few words of toolgauge's own, so that like failures can be counted: `HTTP 500`.
    pub reason: String,
    /// How long it took. The time is part of [`Timings::queued`].
    #[serde(with = "seconds")]
    pub time: Duration,
}

impl FailedAttempt {
    /// The time of all of these together.
    pub fn time_of(attempts: &[Self]) -> Duration {
        let times = attempts.iter().map(|attempt| attempt.time);
        times.fold(Duration::ZERO, Duration::saturating_add)
    }
}

/// How long the parts of a turn took, told apart. In seconds on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Before the last attempt: rate limits, concurrency, failed attempts and back-off.
    #[serde(with = "seconds")]
    pub queued: Duration,
    /// From sending the request to the first piece of the answer; unknown when not streamed.
    #[serde(default, with = "optional_seconds", skip_serializing_if = "Option::is_none")]
    pub first_token: Option<Duration>,
    /// From sending the request (its last attempt) to the end of the answer.
    #[serde(with = "seconds")]
    pub total: Duration,
    /// To the first word that is said. Of a turn it is only known where the subject calls tools
    /// itself; [`Transcript::first_word`](crate::Transcript::first_word) knows it of a trial.
    #[serde(default, with = "optional_seconds", skip_serializing_if = "Option::is_none")]
    pub first_word: Option<Duration>,
    /// To the end of the last call, known as `first_word` is.
    #[serde(default, with = "optional_seconds", skip_serializing_if = "Option::is_none")]
    pub last_act: Option<Duration>,
    /// How long the server takes to read the whole prompt, if it has nothing of it in its cache.
    /// No other time includes it. Known of the first turn of a trial on a llama.cpp server.
    #[serde(default, with = "optional_seconds", skip_serializing_if = "Option::is_none")]
    pub cold_prompt: Option<Duration>,
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
    /// All tokens that were read and written, as far as they were counted.
    pub fn total(self) -> u64 {
        self.input.unwrap_or(0).saturating_add(self.output.unwrap_or(0))
    }

    /// The sum of two counts; unknown only where both are.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            // Servers may count what they like; a sum that wrapped would look like a small one.
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_tokens_never_looks_like_a_small_one() {
        let count = Some(1 << 63);
        let turn = Usage { input: count, output: Some(5), cached: count, reasoning: None };
        let sum = [turn; 4].into_iter().fold(Usage::default(), Usage::plus);
        assert_eq!((sum.input, sum.cached), (Some(u64::MAX), Some(u64::MAX)));
        assert_eq!((sum.output, sum.reasoning, sum.total()), (Some(20), None, u64::MAX));
    }
}
