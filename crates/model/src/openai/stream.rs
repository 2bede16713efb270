//! An OpenAI-style stream, its deltas put together again.

use std::collections::HashMap;

use serde_json::{Value, json};
use toolgauge_core::{CallOrigin, FailureKind, Oddity, ServerTimings, ToolCall, Usage};

use super::message;
use super::usage::{server_timings, usage};
use crate::arguments;
use crate::body::BodyText;
use crate::client::ReplyReading;
use crate::cut::{Cut, cut_off};
use crate::draft::{Finish, MOST_CALLS, ReplyDraft, check_number, draft_of_error};
use crate::error_report::ErrorReport;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::loose::Loose;
use crate::oddities::Oddities;
use crate::quote::quote;
use crate::sse::{Decoder, SsePiece, StreamMark};

/// What an event means for the clock: the first content, thinking or call starts the answer.
pub(super) fn sight(_name: &str, data: &str, started: bool) -> StreamMark {
    if data.trim() == "[DONE]" {
        return StreamMark::End;
    }
    if started {
        return StreamMark::Nothing;
    }
    let Ok(json) = Loose::parse(data) else { return StreamMark::Nothing };
    let token = json.get("choices").items().iter().any(|choice| {
        let delta = choice.first_of(&["delta", "message"]);
        let says =
            !message::content(message::spoken_field(delta), &mut Oddities::default()).is_empty();
        let calls = !delta.first_of(&["tool_calls", "function_call"]).items().is_empty();
        says || calls || !message::reasoning(delta).is_empty()
    });
    if token { StreamMark::Token } else { StreamMark::Nothing }
}

/// Reads a whole stream.
pub(super) fn assemble(
    body: &BodyText<'_>,
    exchange: &HttpExchange,
    reading: ReplyReading<'_>,
    oddities: Oddities,
) -> Result<ReplyDraft, AttemptFailure> {
    let mut assembly = OpenAiAssembly { oddities, ..OpenAiAssembly::default() };
    let mut decoder = Decoder::default();
    decoder.push(body.text.as_bytes(), &mut |piece| assembly.take(piece));
    decoder.finish(&mut |piece| assembly.take(piece));
    if let Some(report) = &assembly.error {
        return draft_of_error(report, report.implied_status(), exchange.retry_after);
    }
    check_number(assembly.calls.len())?;
    assembly.check_end(exchange.cut.as_ref())?;
    Ok(assembly.into_draft(reading.keep))
}

/// The parts of an answer, as far as they have come.
#[derive(Debug, Default)]
struct OpenAiAssembly {
    model: Option<String>,
    content: String,
    reasoning: String,
    calls: Vec<PartialCall>,
    /// The latest call of each index, and of each identifier.
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
    finish: Option<String>,
    usage: Usage,
    server: Option<ServerTimings>,
    oddities: Oddities,
    error: Option<ErrorReport>,
    chunks: usize,
    done: bool,
}

/// A call whose arguments are still coming in.
#[derive(Debug, Default)]
struct PartialCall {
    id: Option<String>,
    name: String,
    arguments: String,
    /// Arguments that came as JSON and not as text.
    whole: Option<Value>,
}

impl OpenAiAssembly {
    fn take(&mut self, piece: SsePiece<'_>) {
        match piece {
            SsePiece::Event { data, .. } if data.trim() == "[DONE]" => self.done = true,
            SsePiece::Event { name, data } => match Loose::parse(data) {
                Ok(chunk) => self.take_chunk(&chunk, name),
                Err(_) => self.oddities.note(Oddity::UnreadableChunk),
            },
            SsePiece::Error(text) => self.take_error(text),
            SsePiece::Stray(text) => match Loose::parse(text) {
                Ok(chunk) => self.take_chunk(&chunk, ""),
                Err(_) => self.oddities.note(Oddity::UnreadableChunk),
            },
        }
    }

    /// An error is an error whether it comes as an object or as words.
    fn take_error(&mut self, text: &str) {
        let told = Loose::parse(text).ok();
        let report = told.as_ref().and_then(|json| {
            ErrorReport::of(json)
                .or_else(|| ErrorReport::of(&Loose::Object(vec![("error".into(), json.clone())])))
        });
        let words = || ErrorReport { message: quote(text), ..ErrorReport::default() };
        self.error.get_or_insert(report.unwrap_or_else(words));
    }

    fn take_chunk(&mut self, chunk: &Loose<'_>, name: &str) {
        let choices = chunk.get("choices").items();
        // A chunk with choices is a piece of an answer; only its choices can then hold an error.
        let own = if choices.is_empty() { ErrorReport::of(chunk) } else { None };
        if let Some(report) = own.or_else(|| choices.iter().find_map(ErrorReport::of_choice)) {
            self.error.get_or_insert(report);
            return;
        }
        if name == "error" {
            let message = quote(&chunk.to_value().to_string());
            self.error.get_or_insert(ErrorReport { message, ..ErrorReport::default() });
            return;
        }
        if self.model.is_none() {
            self.model = chunk.get("model").some_text().map(str::to_owned);
        }
        if chunk.get("usage").is_object() || chunk.get("timings").is_object() {
            // Servers that send counts with every chunk send running totals, so the last one
            // counts.
            self.usage = usage(chunk);
        }
        self.server = server_timings(chunk.get("timings")).or(self.server);
        for choice in choices {
            self.chunks += 1;
            match choice.get("index").count() {
                None | Some(0) => self.take_choice(choice),
                Some(_) => self.oddities.note(Oddity::SeveralChoices),
            }
        }
    }

    fn take_choice(&mut self, choice: &Loose<'_>) {
        if let Some(reason) = choice.get("finish_reason").some_text() {
            self.finish = Some(reason.to_owned());
        }
        let delta = choice.first_of(&["delta", "message"]);
        self.content.push_str(&message::content(message::spoken_field(delta), &mut self.oddities));
        self.reasoning.push_str(&message::reasoning(delta));
        for call in delta.get("tool_calls").items() {
            self.take_call(call);
        }
        if delta.get("function_call").is_object() {
            self.take_call(delta.get("function_call"));
        }
    }

    fn take_call(&mut self, delta: &Loose<'_>) {
        // Nobody reads what comes behind: the answer is refused.
        if self.calls.len() > MOST_CALLS {
            return;
        }
        let function = delta.get("function");
        let function = if function.is_object() { function } else { delta };
        let (id, name) = (message::identifier(delta.get("id")), function.get("name").some_text());
        let at = self.place_of(delta.get("index").count(), id.as_deref(), name);
        let call = &mut self.calls[at];
        if let (None, Some(id)) = (&call.id, id) {
            self.by_id.insert(id.clone(), at);
            call.id = Some(id);
        }
        // Some servers repeat the name with every piece, others send it in pieces.
        if let Some(name) = name.filter(|name| *name != call.name) {
            call.name.push_str(name);
        }
        match function.first_of(&["arguments", "parameters"]) {
            Loose::Null => {}
            Loose::Text(piece) => call.arguments.push_str(piece),
            whole => call.whole = Some(whole.to_value()),
        }
    }

    /// Which call a piece belongs to. With an index that is the latest call of that index, unless
    /// another identifier says it is a new one (some servers give every call the index 0).
    /// Without an index, a new identifier or a name starts a new call.
    fn place_of(&mut self, index: Option<u64>, id: Option<&str>, name: Option<&str>) -> usize {
        let known = match (index, id) {
            (Some(index), _) => self.by_index.get(&index).copied(),
            (None, Some(id)) => self.by_id.get(id).copied(),
            (None, None) if name.is_some() => None,
            (None, None) => self.calls.len().checked_sub(1),
        };
        let same = known.filter(|at| {
            let call = &self.calls[*at];
            let other_id = id.is_some() && call.id.is_some() && call.id.as_deref() != id;
            !(other_id && name.is_some())
        });
        same.unwrap_or_else(|| {
            self.calls.push(PartialCall::default());
            let at = self.calls.len() - 1;
            if let Some(index) = index {
                self.by_index.insert(index, at);
            }
            at
        })
    }

    /// A stream that ends without its marker is complete if the model was done.
    fn check_end(&mut self, cut: Option<&Cut>) -> Result<(), AttemptFailure> {
        if !self.done && self.finish.is_none() {
            let short = || cut_off("the stream ends without a finish reason");
            return Err(cut.map_or_else(short, Cut::failure));
        }
        // A stream of nothing but `[DONE]` is no empty answer; something went wrong before it.
        if self.chunks == 0 {
            return Err(AttemptFailure::passing(
                FailureKind::UnreadableAnswer,
                "the stream holds no choice",
            ));
        }
        self.oddities.note_if(!self.done, Oddity::TruncatedStream);
        Ok(())
    }

    fn into_draft(self, keep: bool) -> ReplyDraft {
        let response = keep.then(|| self.as_completion());
        let mut oddities = self.oddities;
        let calls = self.calls.into_iter().map(|call| call.into_call(&mut oddities)).collect();
        ReplyDraft {
            model: self.model,
            content: self.content,
            reasoning: self.reasoning,
            calls,
            finish: self.finish.as_deref().map_or(Finish::Unsaid, Finish::named),
            usage: self.usage,
            server: self.server,
            oddities,
            response,
        }
    }

    /// The completion the stream amounts to, for the transcript.
    fn as_completion(&self) -> Value {
        let calls: Vec<Value> = self.calls.iter().map(PartialCall::to_value).collect();
        let mut message = json!({"role": "assistant", "content": self.content});
        if !self.reasoning.is_empty() {
            message["reasoning_content"] = json!(self.reasoning);
        }
        if !calls.is_empty() {
            message["tool_calls"] = json!(calls);
        }
        let choice = json!({"index": 0, "finish_reason": self.finish, "message": message});
        json!({
            "object": "chat.completion",
            "model": self.model,
            "choices": [choice],
            "usage": {
                "prompt_tokens": self.usage.input,
                "completion_tokens": self.usage.output,
                "prompt_tokens_details": {"cached_tokens": self.usage.cached},
                "completion_tokens_details": {"reasoning_tokens": self.usage.reasoning},
            },
        })
    }
}

impl PartialCall {
    fn to_value(&self) -> Value {
        let arguments = self.whole.clone().unwrap_or_else(|| json!(self.arguments));
        let function = json!({"name": self.name, "arguments": arguments});
        json!({"id": self.id, "type": "function", "function": function})
    }

    fn into_call(self, oddities: &mut Oddities) -> ToolCall {
        let arguments = match self.whole {
            Some(Value::Object(object)) if self.arguments.is_empty() => {
                oddities.note(Oddity::ArgumentsAsObject);
                toolgauge_core::Arguments::Object(object)
            }
            Some(other) => {
                toolgauge_core::Arguments::from_text(&(self.arguments + &other.to_string()))
            }
            None => arguments::from_text(&self.arguments, oddities),
        };
        ToolCall { id: self.id, name: self.name, arguments, origin: CallOrigin::Structured }
    }
}
