//! An OpenAI-style answer, as servers really send it, read into a reply.

use toolgauge_core::Oddity;

use super::message::{calls, content, reasoning, spoken_field};
use super::stream;
use super::usage::{server_timings, usage};
use crate::body::{BodyShape, BodyText};
use crate::client::ReplyReading;
use crate::draft::{Finish, ReplyDraft, draft_of_error};
use crate::error_report::ErrorReport;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::loose::{Loose, without_huge_numbers, without_lone_surrogates};
use crate::oddities::Oddities;
use crate::quote::quote;
use toolgauge_core::Reply;

/// Reads what came back, whatever it is.
pub(super) fn read(
    exchange: &HttpExchange,
    reading: ReplyReading<'_>,
) -> Result<Reply, AttemptFailure> {
    let body = BodyText::of(exchange);
    if !exchange.is_success() {
        let draft =
            draft_of_error(&body.error_report(exchange), exchange.status, exchange.retry_after)?;
        return draft.into_reply(reading.tools);
    }
    let oddities = body.oddities(reading.streamed);
    let draft = match body.shape {
        BodyShape::Json => json_draft(&body, exchange, reading, oddities)?,
        BodyShape::Events => stream::assemble(&body, exchange, reading, oddities)?,
        BodyShape::Html | BodyShape::Empty | BodyShape::Other => {
            return Err(body.unreadable(exchange));
        }
    };
    draft.into_reply(reading.tools)
}

fn json_draft(
    body: &BodyText<'_>,
    exchange: &HttpExchange,
    reading: ReplyReading<'_>,
    mut oddities: Oddities,
) -> Result<ReplyDraft, AttemptFailure> {
    let repaired;
    let json = match Loose::parse(&body.text) {
        Ok(json) => json,
        Err(error) => {
            repaired = without_huge_numbers(&without_lone_surrogates(&body.text));
            // The first error is reported: it is about what the server sent, not about our repair.
            let json = Loose::parse(&repaired).map_err(|_| body.broken(exchange, &error))?;
            oddities.note(Oddity::InvalidUtf8);
            json
        }
    };
    // A body that is cut off and yet complete lacks nothing.
    oddities.note_if(exchange.cut.is_some(), Oddity::TruncatedStream);
    let mut draft = match of_completion(&json, oddities) {
        Ok(draft) => draft,
        Err(Unread::Reports(report)) => {
            draft_of_error(&report, report.implied_status(), exchange.retry_after)?
        }
        Err(Unread::Lacks(failure)) => return Err(failure),
    };
    if reading.keep {
        draft.response = Some(json.to_value());
    }
    Ok(draft)
}

/// Why a completion could not be read.
#[derive(Debug)]
enum Unread {
    /// It reports an error.
    Reports(ErrorReport),
    /// It has no message.
    Lacks(AttemptFailure),
}

/// Reads a whole completion.
fn of_completion(json: &Loose<'_>, mut oddities: Oddities) -> Result<ReplyDraft, Unread> {
    let choices = json.get("choices").items();
    oddities.note_if(choices.len() > 1, Oddity::SeveralChoices);
    // Routers report a failure of the model behind them inside a choice, with status 200.
    if let Some(report) = choices.first().and_then(ErrorReport::of_choice) {
        return Err(Unread::Reports(report));
    }
    let message = match choices.iter().map(message_of).find(|message| message.is_object()) {
        Some(message) => message,
        None => match message_of(json) {
            message if message.is_object() => {
                oddities.note(Oddity::NoChoice);
                message
            }
            _ => return Err(without_message(json)),
        },
    };
    // Ollama's own form has no choices, and its fields stand at the top.
    let first = choices.first().unwrap_or(json);
    let finish = first.first_of(&["finish_reason", "stop_reason", "done_reason"]);
    let mut draft = ReplyDraft {
        model: json.get("model").some_text().map(str::to_owned),
        content: content(spoken_field(message), &mut oddities).into_owned(),
        reasoning: reasoning(message).into_owned(),
        calls: calls(message, &mut oddities),
        finish: finish.text().map_or(Finish::Unsaid, Finish::named),
        usage: usage(json),
        server: server_timings(json.get("timings")),
        ..ReplyDraft::default()
    };
    draft.oddities = oddities;
    Ok(draft)
}

fn message_of<'a, 'b>(choice: &'a Loose<'b>) -> &'a Loose<'b> {
    choice.first_of(&["message", "delta"])
}

fn without_message(json: &Loose<'_>) -> Unread {
    if let Some(report) = ErrorReport::of(json) {
        return Unread::Reports(report);
    }
    let message = format!("the answer holds no choice: {}", quote(&json.to_value().to_string()));
    Unread::Lacks(AttemptFailure::of_shape(json.has("choices"), message))
}
