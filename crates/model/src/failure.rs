//! Why one attempt came to nothing, and whether another one is worth it.

use std::time::Duration;

use toolgauge_core::{FailureKind, TrialFailure};

use crate::error_report::ErrorReport;
use crate::overflow::is_overflow;

/// Whether to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// The same request would fail the same way.
    Never,
    /// Another attempt may succeed.
    Soon,
    /// Another attempt may succeed, and the server says when.
    After(Duration),
}

/// Why one attempt came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AttemptFailure {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
    pub(crate) retry: Retry,
}

impl AttemptFailure {
    /// A failure that another attempt would only repeat.
    pub(crate) fn lasting(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry: Retry::Never }
    }

    /// A failure that another attempt may get around.
    pub(crate) fn passing(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry: Retry::Soon }
    }

    /// The failure of JSON in which what is read is missing. A shape that is wrong stays wrong:
    /// another kind of server answers there. One that is right and empty may be filled next time.
    pub(crate) fn of_shape(is_right: bool, message: String) -> Self {
        let make = if is_right { Self::passing } else { Self::lasting };
        make(FailureKind::UnreadableAnswer, message)
    }

    /// The failure that a server's error makes, with the HTTP status it came with.
    pub(crate) fn reported(
        report: &ErrorReport,
        status: u16,
        retry_after: Option<Duration>,
    ) -> Self {
        let retry = retry_after.map_or(Retry::Soon, Retry::After);
        let (kind, retry) = match status {
            // Before the status: servers report a prompt that is too long with 400, 413 or 500.
            _ if is_overflow(report, status) => (FailureKind::ContextOverflow, Retry::Never),
            401 | 403 => (FailureKind::Unauthorized, Retry::Never),
            408 => (FailureKind::Timeout, retry),
            // `Too Early` asks for the same request again.
            425 => (FailureKind::Refused, retry),
            429 => (FailureKind::RateLimited, retry),
            502 | 503 => (FailureKind::Unavailable, retry),
            500.. => (FailureKind::Server, retry),
            _ => (FailureKind::Refused, Retry::Never),
        };
        let message = match report.message.as_str() {
            "" => format!("HTTP status {status}"),
            words => format!("HTTP status {status}: {words}"),
        };
        Self { kind, message, retry }
    }

    /// Why it is repeated: the message without the words of the server, so that like failures
    /// count as one.
    pub(crate) fn reason(&self) -> String {
        let mut depth = 0_u32;
        // The colon of `(exit status: 1)` belongs to the reason.
        let end = self.message.char_indices().find(|(_, sign)| {
            match sign {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            *sign == ':' && depth == 0
        });
        let reason = &self.message[..end.map_or(self.message.len(), |(at, _)| at)];
        reason.replace("HTTP status", "HTTP")
    }

    /// What the trial is told after so many attempts.
    pub(crate) fn into_trial_failure(self, attempts: u32) -> TrialFailure {
        let message = match attempts {
            0 | 1 => self.message,
            many => format!("{} (after {many} attempts)", self.message),
        };
        TrialFailure { kind: self.kind, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loose::Loose;

    fn failure(status: u16, body: &str) -> AttemptFailure {
        let report = ErrorReport::of(&Loose::parse(body).unwrap()).unwrap();
        AttemptFailure::reported(&report, status, None)
    }

    #[test]
    fn statuses_become_kinds() {
        let body = r#"{"error":{"message":"x"}}"#;
        for (status, kind, retry) in [
            (400, FailureKind::Refused, Retry::Never),
            (401, FailureKind::Unauthorized, Retry::Never),
            (403, FailureKind::Unauthorized, Retry::Never),
            (404, FailureKind::Refused, Retry::Never),
            (408, FailureKind::Timeout, Retry::Soon),
            (425, FailureKind::Refused, Retry::Soon),
            (429, FailureKind::RateLimited, Retry::Soon),
            (500, FailureKind::Server, Retry::Soon),
            (502, FailureKind::Unavailable, Retry::Soon),
            (503, FailureKind::Unavailable, Retry::Soon),
            (504, FailureKind::Server, Retry::Soon),
            (529, FailureKind::Server, Retry::Soon),
        ] {
            let failure = failure(status, body);
            assert_eq!((failure.kind, failure.retry), (kind, retry), "{status}");
        }
    }

    #[test]
    fn a_prompt_that_does_not_fit_is_not_tried_again() {
        let failure = failure(400, r#"{"error":"the input length exceeds the context length"}"#);
        assert_eq!((failure.kind, failure.retry), (FailureKind::ContextOverflow, Retry::Never));
    }

    #[test]
    fn like_failures_have_one_reason() {
        let reason = |message: &str| AttemptFailure::passing(FailureKind::Server, message).reason();
        assert_eq!(reason("HTTP status 500: no row 17"), "HTTP 500");
        assert_eq!(reason("no connection: connection reset by peer"), "no connection");
        let crash = "the command failed (exit status: 1): KeyError: 'id'";
        assert_eq!(reason(crash), "the command failed (exit status: 1)");
        assert_eq!(reason("no complete answer within 60s"), "no complete answer within 60s");
    }

    #[test]
    fn the_words_of_a_server_follow_the_status() {
        assert_eq!(failure(400, r#"{"error":"no"}"#).message, "HTTP status 400: no");
        assert_eq!(failure(502, r#"{"error":""}"#).message, "HTTP status 502");
    }
}
