//! An Anthropic-style answer read into a reply.

use serde_json::Value;
use toolgauge_core::{FailureKind, Oddity};

use super::thoughts::Thoughts;
use super::{message, stream};
use crate::body::{Body, Shape};
use crate::draft::{Draft, told};
use crate::error_report::ErrorReport;
use crate::exchange::Exchange;
use crate::failure::AttemptFailure;
use crate::line::Reading;
use crate::loose::Loose;
use crate::oddities::Oddities;
use crate::quote::quote;
use toolgauge_core::Reply;

/// Reads what came back, whatever it is.
pub(super) fn read(
    exchange: &Exchange,
    reading: Reading<'_>,
    thoughts: &Thoughts,
) -> Result<Reply, AttemptFailure> {
    let body = Body::of(exchange);
    if !exchange.is_success() {
        let draft = told(&body.error_report(exchange), exchange.status, exchange.retry_after)?;
        return draft.into_reply(reading.tools);
    }
    let oddities = body.oddities(reading.streamed);
    let (draft, blocks) = match body.shape {
        Shape::Json => whole(&body, exchange, reading, oddities)?,
        Shape::Events => stream::assemble(&body, exchange, reading, oddities)?,
        Shape::Html | Shape::Empty | Shape::Other => return Err(body.unreadable(exchange)),
    };
    if let Some(id) = draft.calls.first().and_then(|call| call.id.as_deref()) {
        thoughts.keep(id, blocks);
    }
    draft.into_reply(reading.tools)
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
    let mut draft = message::read(&json, oddities);
    if reading.keep {
        draft.response = Some(json.to_value());
    }
    Ok((draft, message::thinking(&json)))
}
