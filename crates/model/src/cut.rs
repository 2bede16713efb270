//! Answers that end before their end.

use std::time::Duration;

use toolgauge_core::FailureKind;

use crate::failure::AttemptFailure;

/// Why a body ends before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The connection broke.
    Broken(String),
    /// The connection stands, and nothing came through it for so long.
    Silent(Duration),
}

impl Cut {
    /// The failure it makes of an answer that is not whole. Either may go better next time.
    pub(crate) fn failure(&self) -> AttemptFailure {
        match self {
            Self::Broken(why) => cut_off(why),
            Self::Silent(idle) => {
                let message = format!("the stream fell silent: nothing more came for {idle:?}");
                AttemptFailure::passing(FailureKind::Timeout, message)
            }
        }
    }
}

/// The failure of an answer that was cut off.
pub(crate) fn cut_off(why: &str) -> AttemptFailure {
    AttemptFailure::passing(FailureKind::Truncated, format!("the answer was cut off: {why}"))
}
