//! An Anthropic-style answer read into a reply.

use serde_json::Value;
use toolgauge_core::{Arguments, CallOrigin, FailureKind, Oddity, ToolCall, Usage};

use super::stream;
use super::thoughts::Thoughts;
use crate::Reply;
use crate::arguments;
use crate::body::{Body, Shape};
use crate::draft::{Draft, Finish, told};
use crate::error_report::ErrorReport;
use crate::failure::AttemptFailure;
use crate::http::Exchange;
use crate::line::Reading;
use crate::loose::{Loose, to_map};
use crate::oddities::Oddities;
use crate::openai::{identifier, server_timings};
use crate::quote::quote;

/// Reads what came back, whatever it is.
pub(super) fn read(
    exchange: &Exchange,
    reading: Reading<'_>,
    thoughts: &Thoughts,
) -> Result<Reply, AttemptFailure> {
    let body = Body::of(exchange);
    if !(200..300).contains(&exchange.status) {
        let draft = told(&body.error_report(exchange), exchange.status, exchange.retry_after)?;
        return Ok(draft.into_reply(reading.tools));
    }
    let mut oddities = Oddities::default();
    oddities.note_if(body.lossy, Oddity::InvalidUtf8);
    oddities.note_if(body.is_mislabelled(reading.streamed), Oddity::WrongContentType);
    let (draft, blocks) = match body.shape {
        Shape::Json => whole(&body, exchange, reading, oddities)?,
        Shape::Events => stream::assemble(&body, exchange, reading, oddities)?,
        Shape::Html | Shape::Empty | Shape::Other => return Err(body.unreadable(exchange)),
    };
    if let Some(id) = draft.calls.first().and_then(|call| call.id.as_deref()) {
        thoughts.keep(id, blocks);
    }
    Ok(draft.into_reply(reading.tools))
}

fn whole(
    body: &Body<'_>,
    exchange: &Exchange,
    reading: Reading<'_>,
    mut oddities: Oddities,
) -> Result<(Draft, Vec<Value>), AttemptFailure> {
    let json = Loose::parse(&body.text).map_err(|error| body.broken(exchange, &error))?;
    if !matches!(json.get("content"), Loose::List(_) | Loose::Text(_)) {
        if let Some(report) = ErrorReport::of(&json) {
            let draft = told(&report, report.implied_status(), exchange.retry_after)?;
            return Ok((draft, Vec::new()));
        }
        let message = format!("the answer holds no content: {}", quote(&body.text));
        return Err(AttemptFailure::passing(FailureKind::UnreadableAnswer, message));
    }
    oddities.note_if(exchange.cut.is_some(), Oddity::TruncatedStream);
    let mut draft = of_message(&json, oddities);
    if reading.keep {
        draft.response = Some(json.to_value());
    }
    Ok((draft, thinking(&json)))
}

/// The blocks of thinking that are signed, as they came.
pub(super) fn thinking(json: &Loose<'_>) -> Vec<Value> {
    let signed =
        json.get("content").items().iter().filter(|block| match block.get("type").text() {
            Some("thinking") => block.get("signature").some_text().is_some(),
            Some("redacted_thinking") => true,
            _ => false,
        });
    signed.map(Loose::to_value).collect()
}

/// Reads a whole message.
pub(super) fn of_message(json: &Loose<'_>, oddities: Oddities) -> Draft {
    let mut draft = Draft {
        model: json.get("model").some_text().map(str::to_owned),
        finish: json.get("stop_reason").text().map_or(Finish::Unsaid, Finish::named),
        usage: usage(json.get("usage")),
        server: server_timings(json.get("timings")),
        oddities,
        ..Draft::default()
    };
    if let Some(text) = json.get("content").text() {
        text.clone_into(&mut draft.content);
    }
    for block in json.get("content").items() {
        match block.get("type").text() {
            Some("tool_use") => draft.calls.push(call(block, &mut draft.oddities)),
            Some("thinking") => {
                draft.reasoning.push_str(block.get("thinking").text().unwrap_or_default());
            }
            _ => draft.content.push_str(block.get("text").text().unwrap_or_default()),
        }
    }
    draft
}

fn call(block: &Loose<'_>, oddities: &mut Oddities) -> ToolCall {
    let arguments = match block.get("input") {
        Loose::Object(fields) => Arguments::Object(to_map(fields)),
        other => arguments::read(other, oddities),
    };
    ToolCall {
        id: identifier(block.get("id")),
        name: block.get("name").text().unwrap_or_default().to_owned(),
        arguments,
        origin: CallOrigin::Structured,
    }
}

/// Token counts. The protocol counts the cached part of a prompt apart from the rest of it; a
/// prompt's tokens are all of them.
pub(super) fn usage(usage: &Loose<'_>) -> Usage {
    let cached = usage.get("cache_read_input_tokens").count();
    let stored = usage.get("cache_creation_input_tokens").count();
    let fresh = usage.get("input_tokens").count();
    Usage {
        input: fresh.map(|fresh| fresh + cached.unwrap_or(0) + stored.unwrap_or(0)),
        output: usage.get("output_tokens").count(),
        cached,
        reasoning: None,
    }
}
