//! What was sent and received, and a trial as a whole, as plain text.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::pages::case;
use crate::parameters::Parameters;
use crate::site::{NamedLog, find_trial, missing};

/// Answers with the text that was asked for by `what`: `request`, `response` or the trial.
pub(crate) async fn page(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let Some(row) = find_trial(&opened, &parameters) else {
        return missing("The log has no such trial.");
    };
    let trial = match opened.trial(row) {
        Ok(trial) => trial,
        Err(error) => return case::unreadable(&error),
    };
    let turn = || trial.transcript.turns.get(parameters.number("turn")?);
    match parameters.get("what") {
        Some("request") => text(turn().and_then(|turn| turn.request.as_ref())),
        Some("response") => text(turn().and_then(|turn| turn.response.as_ref())),
        _ => text(Some(&trial)),
    }
}

/// Plain text, which a browser shows as it is: its type is fixed and may not be guessed.
fn text(value: Option<&impl Serialize>) -> Response {
    let Some(value) = value else { return missing("That was not kept in the log.") };
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
