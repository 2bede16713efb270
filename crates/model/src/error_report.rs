//! What servers say about an error, in the forms they have for it.

use crate::loose::Loose;
use crate::quote::quote;

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
            // Good answers of some servers have `"error": null` or `false`.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_bodies_of_every_server_are_read() {
        for (body, message) in [
            (r#"{"error":{"message":"no","type":"t","code":400}}"#, "no"),
            (r#"{"error":"no"}"#, "no"),
            (r#"{"object":"error","message":"no","code":400}"#, "no"),
            (r#"{"detail":"no"}"#, "no"),
            (r#"{"detail":[{"msg":"no"}]}"#, r#"[{"msg":"no"}]"#),
            (r#"{"type":"error","error":{"type":"x","message":"no"}}"#, "no"),
            (r#"{"error":{}}"#, "{}"),
        ] {
            let report = ErrorReport::of(&Loose::parse(body).unwrap()).unwrap();
            assert_eq!(report.message, message, "{body}");
        }
    }

    #[test]
    fn a_body_without_an_error_reports_none() {
        for body in [r#"{"error":null,"choices":[]}"#, "{}", "[]", "3", r#"{"error":false}"#] {
            assert_eq!(ErrorReport::of(&Loose::parse(body).unwrap()), None, "{body}");
        }
    }

    #[test]
    fn what_stands_behind_a_router_is_told() {
        let raw = r#"{"error":{"message":"prompt is too long: 213462 tokens"}}"#;
        let error =
            serde_json::json!({"message": "Provider returned error", "metadata": {"raw": raw}});
        let body = serde_json::json!({"error": error}).to_string();
        let message = ErrorReport::of(&Loose::parse(&body).unwrap()).unwrap().message;
        assert_eq!(message, format!("Provider returned error: {raw}"));
    }
}
