//! Why a trial came to nothing.

use serde::{Deserialize, Serialize};

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
    /// The server could not answer yet, or no longer: it loads its model, stands behind a proxy
    /// that does not reach it (502, 503), or refuses connections because it is being restarted.
    Unavailable,
    /// The server failed (any other 5xx).
    Server,
    /// The answer was cut off in the middle.
    Truncated,
    /// The answer was not what the protocol asks for: HTML, broken JSON, no choice.
    UnreadableAnswer,
    /// The answer was larger than the limit.
    TooLarge,
    /// Another model answered than the one that was asked for.
    OtherModel,
    /// The subject answered that it failed: an error in the place of an answer.
    Reported,
    /// The trial's own limit on turns, tokens or time was reached.
    LimitReached,
    /// The world could not answer a call: a server of its tools crashed or hung, or the call was
    /// not recorded.
    World,
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
            Self::Unavailable => "unavailable",
            Self::Server => "server",
            Self::Truncated => "truncated",
            Self::UnreadableAnswer => "unreadable_answer",
            Self::TooLarge => "too_large",
            Self::OtherModel => "other_model",
            Self::Reported => "reported",
            Self::LimitReached => "limit_reached",
            Self::World => "world",
            Self::Interrupted => "interrupted",
            Self::Internal => "internal",
        }
    }
}
