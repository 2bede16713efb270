//! An Anthropic-style stream, its blocks put together again.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolgauge_core::{FailureKind, Oddity};

use super::message;
use crate::body::BodyText;
use crate::client::ReplyReading;
use crate::cut::{Cut, cut_off};
use crate::draft::{ReplyDraft, draft_of_error};
use crate::error_report::ErrorReport;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::loose::Loose;
use crate::oddities::Oddities;
use crate::quote::quote;
use crate::sse::{Decoder, SsePiece, StreamMark};

/// What an event means for the clock: the first piece of a block starts the answer.
pub(super) fn sight(name: &str, data: &str, started: bool) -> StreamMark {
    match name {
        "message_stop" => StreamMark::End,
        "content_block_delta" if !started => StreamMark::Token,
        // A call is a piece of the answer as soon as it is named.
        "content_block_start" if !started && data.contains("\"tool_use\"") => StreamMark::Token,
        _ => StreamMark::Nothing,
    }
}

/// Reads a whole stream.
pub(super) fn assemble(
    body: &BodyText<'_>,
    exchange: &HttpExchange,
    reading: ReplyReading<'_>,
    oddities: Oddities,
) -> Result<(ReplyDraft, Vec<Value>), AttemptFailure> {
    let mut assembly = AnthropicAssembly { oddities, ..AnthropicAssembly::default() };
    let mut decoder = Decoder::default();
    decoder.push(body.text.as_bytes(), &mut |piece| assembly.take(piece));
    decoder.finish(&mut |piece| assembly.take(piece));
    if let Some(report) = &assembly.error {
        let draft = draft_of_error(report, report.implied_status(), exchange.retry_after)?;
        return Ok((draft, Vec::new()));
    }
    assembly.check_end(exchange.cut.as_ref())?;
    let whole = assembly.as_message();
    // Put together as the message a server would have sent at once, so that one reader serves both
    // ways.
    let text = whole.to_string();
    let json = Loose::parse(&text).unwrap_or_default();
    let mut draft = message::read(&json, assembly.oddities);
    let thinking = message::thinking(&json);
    draft.response = reading.keep.then_some(whole);
    Ok((draft, thinking))
}

/// The parts of a message, as far as they have come.
#[derive(Debug, Default)]
struct AnthropicAssembly {
    message: Value,
    blocks: BTreeMap<u64, StreamBlock>,
    stop_reason: Option<String>,
    usage: serde_json::Map<String, Value>,
    oddities: Oddities,
    error: Option<ErrorReport>,
    done: bool,
}

/// One block of a message.
#[derive(Debug, Default)]
struct StreamBlock {
    start: Value,
    text: String,
    thinking: String,
    signature: String,
    input: String,
}

impl AnthropicAssembly {
    fn take(&mut self, piece: SsePiece<'_>) {
        let (name, text) = match piece {
            SsePiece::Event { name, data } => (name, data),
            SsePiece::Error(text) => ("error", text),
            SsePiece::Stray(text) => ("", text),
        };
        match Loose::parse(text) {
            Ok(json) => self.take_event(name, &json),
            Err(_) if name == "error" => self.fail(quote(text)),
            // The end mark of another protocol, which compatible servers send as well.
            Err(_) if text.trim() == "[DONE]" => {}
            Err(_) => self.oddities.note(Oddity::UnreadableChunk),
        }
    }

    fn fail(&mut self, message: String) {
        self.error.get_or_insert(ErrorReport { message, ..ErrorReport::default() });
    }

    fn take_event(&mut self, name: &str, json: &Loose<'_>) {
        let kind = json.get("type").some_text().unwrap_or(name);
        match kind {
            "message_start" => {
                self.message = json.get("message").to_value();
                self.take_usage(json.get("message").get("usage"));
            }
            "content_block_start" => {
                self.block(json).start = json.get("content_block").to_value();
            }
            "content_block_delta" => self.take_delta(json),
            "message_delta" => {
                let reason = json.get("delta").get("stop_reason").some_text();
                // A later event without a reason must not take away the one that came before.
                self.stop_reason = reason.map(str::to_owned).or(self.stop_reason.take());
                self.take_usage(json.get("usage"));
            }
            "message_stop" => self.done = true,
            _ => {
                if let Some(report) = ErrorReport::of(json) {
                    self.error.get_or_insert(report);
                } else if name == "error" {
                    self.fail(quote(&json.to_value().to_string()));
                }
            }
        }
    }

    fn block(&mut self, json: &Loose<'_>) -> &mut StreamBlock {
        self.blocks.entry(json.get("index").count().unwrap_or(0)).or_default()
    }

    fn take_delta(&mut self, json: &Loose<'_>) {
        let delta = json.get("delta");
        let block = self.block(json);
        block.text.push_str(delta.get("text").text().unwrap_or_default());
        block.thinking.push_str(delta.get("thinking").text().unwrap_or_default());
        block.signature.push_str(delta.get("signature").text().unwrap_or_default());
        block.input.push_str(delta.get("partial_json").text().unwrap_or_default());
    }

    /// Later counts replace earlier ones; those that do not come again stay.
    fn take_usage(&mut self, usage: &Loose<'_>) {
        if let Loose::Object(fields) = usage {
            let known = fields.iter().filter(|(_, value)| !value.is_null());
            self.usage
                .extend(known.map(|(key, value)| (Cow::into_owned(key.clone()), value.to_value())));
        }
    }

    fn check_end(&mut self, cut: Option<&Cut>) -> Result<(), AttemptFailure> {
        // Either sign of an end will do; some servers send only one of them.
        if !self.done && self.stop_reason.is_none() {
            let short = || cut_off("the stream ends without a stop reason");
            return Err(cut.map_or_else(short, Cut::failure));
        }
        if self.blocks.is_empty() && self.message.is_null() {
            let message = "the stream holds no message";
            return Err(AttemptFailure::passing(FailureKind::UnreadableAnswer, message));
        }
        self.oddities.note_if(!self.done, Oddity::TruncatedStream);
        Ok(())
    }

    /// The message the stream amounts to.
    fn as_message(&self) -> Value {
        let blocks: Vec<Value> = self.blocks.values().map(StreamBlock::to_value).collect();
        json!({
            "type": "message",
            "role": "assistant",
            "model": self.message.get("model"),
            "content": blocks,
            "stop_reason": self.stop_reason,
            "usage": self.usage,
        })
    }
}

impl StreamBlock {
    fn to_value(&self) -> Value {
        let start = |key: &str| self.start.get(key).and_then(Value::as_str).unwrap_or_default();
        match start("type") {
            "tool_use" => json!({
                "type": "tool_use",
                "id": start("id"),
                "name": start("name"),
                "input": self.input(),
            }),
            "thinking" => json!({
                "type": "thinking",
                "thinking": format!("{}{}", start("thinking"), self.thinking),
                "signature": format!("{}{}", start("signature"), self.signature),
            }),
            "redacted_thinking" => self.start.clone(),
            _ => json!({"type": "text", "text": format!("{}{}", start("text"), self.text)}),
        }
    }

    /// The input of a call: what came in pieces, as an object if it is one.
    fn input(&self) -> Value {
        if self.input.trim().is_empty() {
            return self.start.get("input").cloned().unwrap_or_else(|| json!({}));
        }
        match serde_json::from_str(&self.input) {
            Ok(Value::Object(object)) => Value::Object(object),
            _ => Value::String(self.input.clone()),
        }
    }
}
