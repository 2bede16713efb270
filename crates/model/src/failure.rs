//! Why one attempt came to nothing, and whether another one is worth it.

use std::time::Duration;

use toolgauge_core::{FailureKind, TrialFailure};

use crate::loose::Loose;
use crate::overflow::is_overflow;

/// How much of a server's own words is repeated in a message.
const LONGEST_QUOTE: usize = 300;

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

    /// What the trial is told after so many attempts.
    pub(crate) fn into_trial_failure(self, attempts: u32) -> TrialFailure {
        let message = match attempts {
            0 | 1 => self.message,
            many => format!("{} (after {many} attempts)", self.message),
        };
        TrialFailure { kind: self.kind, message }
    }
}

/// What a server says about an error: its words, and the names it gives to the kind of error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorReport {
    /// The message for people.
    pub(crate) message: String,
    /// The type and code, as far as they are texts.
    pub(crate) names: Vec<String>,
    /// The HTTP status repeated in the body.
    pub(crate) status: Option<u16>,
}

impl ErrorReport {
    /// Reads the error object of any of the servers in use, whether the error is an object, a
    /// text or a list, and whatever it stands under. `None` when the body reports no error.
    pub(crate) fn of(body: &Loose<'_>) -> Option<Self> {
        let error = body.first_of(&["error", "detail"]);
        let error = match error {
            Loose::Object(_) => error,
            Loose::Text(text) => return Some(Self { message: quote(text), ..Self::default() }),
            Loose::Null if body.get("object").text() == Some("error") => body,
            Loose::Null | Loose::Bool(false) => return None,
            other => {
                return Some(Self {
                    message: quote(&other.to_value().to_string()),
                    ..Self::default()
                });
            }
        };
        let message = error.first_of(&["message", "msg", "detail"]);
        let mut message = match message.text() {
            Some(text) => quote(text),
            None => quote(&error.to_value().to_string()),
        };
        // A router says that somebody failed, and only here why.
        if let Some(raw) = error.get("metadata").get("raw").some_text() {
            message = format!("{message}: {}", quote(raw));
        }
        let named = [error.get("type"), error.get("code"), body.get("type")];
        let names = named.iter().filter_map(|name| name.some_text()).map(str::to_owned).collect();
        let status = error.first_of(&["code", "status"]).count();
        Some(Self { message, names, status: status.and_then(|code| u16::try_from(code).ok()) })
    }

    /// The error a choice reports about itself, as routers do when the server behind them fails.
    pub(crate) fn of_choice(choice: &Loose<'_>) -> Option<Self> {
        let failed = choice.get("finish_reason").text() == Some("error");
        let words = || Self { message: "the finish reason is `error`".into(), ..Self::default() };
        let report = choice.get("error").is_object().then(|| Self::of(choice)).flatten();
        report.or_else(|| failed.then(words))
    }

    /// Whether the error is of a kind, as the server names it.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Whether the error is the model's and not the server's: llama.cpp (and what is built on
    /// it) answers so when the model wrote a call that its parser cannot read. The text is all
    /// there is to tell it by.
    pub(crate) fn is_unreadable_output(&self) -> bool {
        self.message.contains("does not match the expected peg-")
    }

    /// The HTTP status an error stands for that came without one, inside a good answer.
    pub(crate) fn implied_status(&self) -> u16 {
        let named = [
            ("invalid_request_error", 400),
            ("authentication_error", 401),
            ("permission_error", 403),
            ("not_found_error", 404),
            ("rate_limit_error", 429),
            ("rate_limit_exceeded", 429),
            ("overloaded_error", 529),
        ];
        let by_name = || named.iter().find(|(name, _)| self.is(name)).map(|(_, status)| *status);
        // Whatever else breaks in the middle of an answer is the server's.
        self.status.filter(|status| (400..600).contains(status)).or_else(by_name).unwrap_or(500)
    }

    /// The failure such an error makes, with the HTTP status it came with.
    pub(crate) fn into_failure(self, status: u16, retry_after: Option<Duration>) -> AttemptFailure {
        let retry = retry_after.map_or(Retry::Soon, Retry::After);
        let (kind, retry) = match status {
            _ if is_overflow(&self, status) => (FailureKind::ContextOverflow, Retry::Never),
            401 | 403 => (FailureKind::Unauthorized, Retry::Never),
            408 => (FailureKind::Timeout, retry),
            425 => (FailureKind::Refused, retry),
            429 => (FailureKind::RateLimited, retry),
            500.. => (FailureKind::Server, retry),
            _ => (FailureKind::Refused, Retry::Never),
        };
        let message = match self.message.as_str() {
            "" => format!("HTTP status {status}"),
            words => format!("HTTP status {status}: {words}"),
        };
        AttemptFailure { kind, message, retry }
    }
}

/// The beginning of a text, on one line, without control characters.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !quoted.is_empty() {
            quoted.push(' ');
        }
        quoted.extend(word.chars().take(LONGEST_QUOTE + 1));
        if let Some((cut, _)) = quoted.char_indices().nth(LONGEST_QUOTE) {
            quoted.truncate(cut);
            quoted.push('…');
            break;
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(status: u16, body: &str) -> AttemptFailure {
        let report = ErrorReport::of(&Loose::parse(body).unwrap()).unwrap();
        report.into_failure(status, None)
    }

    #[test]
    fn error_bodies_of_every_server_are_read() {
        for (body, message) in [
            (r#"{"error":{"message":"no","type":"t","code":400}}"#, "HTTP status 400: no"),
            (r#"{"error":"no"}"#, "HTTP status 400: no"),
            (r#"{"object":"error","message":"no","code":400}"#, "HTTP status 400: no"),
            (r#"{"detail":"no"}"#, "HTTP status 400: no"),
            (r#"{"detail":[{"msg":"no"}]}"#, r#"HTTP status 400: [{"msg":"no"}]"#),
            (r#"{"type":"error","error":{"type":"x","message":"no"}}"#, "HTTP status 400: no"),
            (r#"{"error":{}}"#, "HTTP status 400: {}"),
        ] {
            assert_eq!(failure(400, body).message, message, "{body}");
        }
    }

    #[test]
    fn a_body_without_an_error_reports_none() {
        for body in [r#"{"error":null,"choices":[]}"#, "{}", "[]", "3", r#"{"error":false}"#] {
            assert_eq!(ErrorReport::of(&Loose::parse(body).unwrap()), None, "{body}");
        }
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
            (503, FailureKind::Server, Retry::Soon),
            (529, FailureKind::Server, Retry::Soon),
        ] {
            let failure = failure(status, body);
            assert_eq!((failure.kind, failure.retry), (kind, retry), "{status}");
        }
    }

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(quote(" a\n\tb\u{0}c "), "a b c");
        assert_eq!(quote(&"é".repeat(10_000)).chars().count(), LONGEST_QUOTE + 1);
        assert_eq!(quote(&"x y ".repeat(10_000)).chars().count(), LONGEST_QUOTE + 1);
    }
}
