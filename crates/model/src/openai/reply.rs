//! An OpenAI-style answer, as servers really send it, read into a reply.

use std::borrow::Cow;

use toolgauge_core::{CallOrigin, FailureKind, Oddity, ServerTimings, ToolCall, Usage};

use super::stream;
use crate::Reply;
use crate::arguments;
use crate::body::{Body, Shape};
use crate::draft::{Draft, Finish, told};
use crate::error_report::ErrorReport;
use crate::failure::AttemptFailure;
use crate::http::Exchange;
use crate::line::Reading;
use crate::loose::{Loose, without_lone_surrogates};
use crate::oddities::Oddities;
use crate::quote::quote;

/// Reads what came back, whatever it is.
pub(crate) fn read(exchange: &Exchange, reading: Reading<'_>) -> Result<Reply, AttemptFailure> {
    if !(200..300).contains(&exchange.status) {
        let report = Body::of(exchange).error_report(exchange);
        let draft = told(&report, exchange.status, exchange.retry_after)?;
        return Ok(draft.into_reply(reading.tools));
    }
    let body = Body::of(exchange);
    let mut oddities = Oddities::default();
    oddities.note_if(body.lossy, Oddity::InvalidUtf8);
    oddities.note_if(body.is_mislabelled(reading.streamed), Oddity::WrongContentType);
    let draft = match body.shape {
        Shape::Json => json_draft(&body, exchange, reading, oddities)?,
        Shape::Events => stream::assemble(&body, exchange, reading, oddities)?,
        Shape::Html | Shape::Empty | Shape::Other => return Err(body.unreadable(exchange)),
    };
    Ok(draft.into_reply(reading.tools))
}

fn json_draft(
    body: &Body<'_>,
    exchange: &Exchange,
    reading: Reading<'_>,
    mut oddities: Oddities,
) -> Result<Draft, AttemptFailure> {
    let repaired;
    let json = match Loose::parse(&body.text) {
        Ok(json) => json,
        Err(error) => {
            repaired = without_lone_surrogates(&body.text);
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
            told(&report, report.implied_status(), exchange.retry_after)?
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
fn of_completion(json: &Loose<'_>, mut oddities: Oddities) -> Result<Draft, Unread> {
    let choices = json.get("choices").items();
    oddities.note_if(choices.len() > 1, Oddity::SeveralChoices);
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
    let first = choices.first().unwrap_or(json);
    let finish = first.first_of(&["finish_reason", "stop_reason", "done_reason"]);
    let mut draft = Draft {
        model: json.get("model").some_text().map(str::to_owned),
        content: content(said(message), &mut oddities).into_owned(),
        reasoning: reasoning(message).into_owned(),
        calls: calls(message, &mut oddities),
        finish: finish.text().map_or(Finish::Unsaid, Finish::named),
        usage: usage(json),
        server: server_timings(json.get("timings")),
        ..Draft::default()
    };
    draft.oddities = oddities;
    Ok(draft)
}

/// What a message says; a refusal has a field of its own, beside empty content.
pub(crate) fn said<'a, 'b>(message: &'a Loose<'b>) -> &'a Loose<'b> {
    let refused = message.get("refusal").some_text().is_some();
    let content = message.get("content");
    let empty = content.is_null() || content.text() == Some("");
    if refused && empty { message.get("refusal") } else { content }
}

fn message_of<'a, 'b>(choice: &'a Loose<'b>) -> &'a Loose<'b> {
    choice.first_of(&["message", "delta"])
}

fn without_message(json: &Loose<'_>) -> Unread {
    match ErrorReport::of(json) {
        Some(report) => Unread::Reports(report),
        None => Unread::Lacks(AttemptFailure::passing(
            FailureKind::UnreadableAnswer,
            format!("the answer holds no choice: {}", quote(&json.to_value().to_string())),
        )),
    }
}

/// The text of a message: a string, or a list of parts of which the texts count.
pub(crate) fn content<'a>(content: &'a Loose<'_>, oddities: &mut Oddities) -> Cow<'a, str> {
    match content {
        Loose::Text(text) => Cow::Borrowed(text),
        Loose::List(_) | Loose::Object(_) => {
            oddities.note(Oddity::ContentAsParts);
            content.items().iter().map(part_text).collect::<String>().into()
        }
        _ => Cow::Borrowed(""),
    }
}

fn part_text<'a>(part: &'a Loose<'_>) -> &'a str {
    part.text().or_else(|| part.get("text").text()).unwrap_or_default()
}

/// The thinking a server reports apart, under any of the names in use.
pub(crate) fn reasoning<'a>(message: &'a Loose<'_>) -> Cow<'a, str> {
    let named = ["reasoning_content", "reasoning", "thinking"];
    let plain = named.iter().find_map(|name| message.get(name).some_text());
    match plain {
        Some(text) => Cow::Borrowed(text),
        None => message.get("reasoning_details").items().iter().map(part_text).collect(),
    }
}

fn calls(message: &Loose<'_>, oddities: &mut Oddities) -> Vec<ToolCall> {
    let listed = message.get("tool_calls").items().iter();
    let mut calls: Vec<ToolCall> = listed.map(|sent| call(sent, oddities)).collect();
    let legacy = message.get("function_call");
    if calls.is_empty() && legacy.is_object() {
        calls.push(call(legacy, oddities));
    }
    calls
}

/// One call; some servers leave out the `function` around name and arguments.
fn call(sent: &Loose<'_>, oddities: &mut Oddities) -> ToolCall {
    let function = sent.get("function");
    let function = if function.is_object() { function } else { sent };
    ToolCall {
        id: identifier(sent.get("id")),
        name: function.get("name").text().unwrap_or_default().to_owned(),
        arguments: arguments::read(function.first_of(&["arguments", "parameters"]), oddities),
        origin: CallOrigin::Structured,
    }
}

/// An identifier: a text that is not empty, or a number.
pub(crate) fn identifier(id: &Loose<'_>) -> Option<String> {
    match id {
        Loose::Number(number) => Some(number.to_string()),
        _ => id.some_text().map(str::to_owned),
    }
}

/// Token counts: the protocol's, or those in llama.cpp's timings where it sends no others.
pub(crate) fn usage(json: &Loose<'_>) -> Usage {
    let (usage, timings) = (json.get("usage"), json.get("timings"));
    if !usage.is_object() && timings.is_object() {
        let (fresh, cached) = (timings.get("prompt_n").count(), timings.get("cache_n").count());
        return Usage {
            input: fresh.map(|fresh| fresh + cached.unwrap_or(0)),
            output: timings.get("predicted_n").count(),
            cached,
            reasoning: None,
        };
    }
    let inside = |outer: &str, inner: &str| usage.get(outer).get(inner).count();
    Usage {
        input: usage.first_of(&["prompt_tokens", "input_tokens"]).count(),
        output: usage.first_of(&["completion_tokens", "output_tokens"]).count(),
        cached: inside("prompt_tokens_details", "cached_tokens")
            .or_else(|| usage.get("prompt_cache_hit_tokens").count()),
        reasoning: inside("completion_tokens_details", "reasoning_tokens"),
    }
}

/// What llama.cpp says about its own speed.
pub(crate) fn server_timings(timings: &Loose<'_>) -> Option<ServerTimings> {
    timings.is_object().then(|| ServerTimings {
        prompt_per_second: timings.get("prompt_per_second").number(),
        generated_per_second: timings.get("predicted_per_second").number(),
    })
}
