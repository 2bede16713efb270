//! An Anthropic-style answer read into a reply.

use serde_json::Value;
use toolgauge_core::Oddity;

use super::thoughts::Thoughts;
use super::{message, stream};
use crate::body::{BodyShape, BodyText};
use crate::client::ReplyReading;
use crate::draft::{ReplyDraft, draft_of_error};
use crate::error_report::ErrorReport;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::loose::Loose;
use crate::oddities::Oddities;
use crate::quote::quote;
use toolgauge_core::Reply;

/// Reads what came back, whatever it is.
pub(super) fn read(
    exchange: &HttpExchange,
    reading: ReplyReading<'_>,
    thoughts: &Thoughts,
) -> Result<Reply, AttemptFailure> {
    let body = BodyText::of(exchange);
    if !exchange.is_success() {
        let draft =
            draft_of_error(&body.error_report(exchange), exchange.status, exchange.retry_after)?;
        return draft.into_reply(reading.tools);
    }
    let oddities = body.oddities(reading.streamed);
    let (draft, blocks) = match body.shape {
        BodyShape::Json => whole(&body, exchange, reading, oddities)?,
        BodyShape::Events => stream::assemble(&body, exchange, reading, oddities)?,
        BodyShape::Html | BodyShape::Empty | BodyShape::Other => {
            return Err(body.unreadable(exchange));
        }
    };
    if let Some(id) = draft.calls.first().and_then(|call| call.id.as_deref()) {
        // The protocol wants the thoughts back, unchanged, with the answers to the calls they led
        // to.
        thoughts.keep(id, blocks);
    }
    draft.into_reply(reading.tools)
}

fn whole(
    body: &BodyText<'_>,
    exchange: &HttpExchange,
    reading: ReplyReading<'_>,
    mut oddities: Oddities,
) -> Result<(ReplyDraft, Vec<Value>), AttemptFailure> {
    let json = Loose::parse(&body.text).map_err(|error| body.broken(exchange, &error))?;
    // Asked in this order: an answer with content is an answer, even if a proxy adds an error
    // field.
    if !matches!(json.get("content"), Loose::List(_) | Loose::Text(_)) {
        if let Some(report) = ErrorReport::of(&json) {
            let draft = draft_of_error(&report, report.implied_status(), exchange.retry_after)?;
            return Ok((draft, Vec::new()));
        }
        let message = format!("the answer holds no content: {}", quote(&body.text));
        return Err(AttemptFailure::of_shape(json.has("content"), message));
    }
    oddities.note_if(exchange.cut.is_some(), Oddity::TruncatedStream);
    let mut draft = message::read(&json, oddities);
    if reading.keep {
        draft.response = Some(json.to_value());
    }
    Ok((draft, message::thinking(&json)))
}
