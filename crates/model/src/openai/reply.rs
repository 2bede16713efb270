//! An OpenAI-style answer, as servers really send it, read into a reply.

use std::borrow::Cow;

use toolgauge_core::{
    Arguments, CallOrigin, FailureKind, Malformation, Oddity, ServerTimings, Tool, ToolCall, Usage,
};

use super::stream;
use crate::Reply;
use crate::arguments;
use crate::body::{Body, Shape};
use crate::draft::{Draft, Finish, Oddities};
use crate::failure::{AttemptFailure, ErrorReport, quote};
use crate::http::Exchange;
use crate::loose::Loose;

/// How an answer is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    /// The tools that were offered, to recognise calls in the text by.
    pub(crate) tools: &'a [Tool],
    /// Whether a stream was asked for.
    pub(crate) streamed: bool,
    /// Whether the body is kept.
    pub(crate) keep: bool,
}

/// Reads what came back, whatever it is.
pub(crate) fn read(exchange: &Exchange, reading: Reading<'_>) -> Result<Reply, AttemptFailure> {
    if !(200..300).contains(&exchange.status) {
        return refused(exchange, reading.tools);
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

/// An answer with an error status: almost always a failure, once in a while the model's own.
fn refused(exchange: &Exchange, tools: &[Tool]) -> Result<Reply, AttemptFailure> {
    let report = Body::of(exchange).error_report(exchange);
    if report.is_unreadable_output() {
        return Ok(unreadable_output(&report).into_reply(tools));
    }
    Err(report.into_failure(exchange.status, exchange.retry_after))
}

/// The model wrote something its own server cannot read: a malformed call of nobody knows which
/// tool. It says something about the model, so it is scored.
pub(crate) fn unreadable_output(report: &ErrorReport) -> Draft {
    let why = Malformation::NotJson("the server could not read the model's output".into());
    Draft {
        calls: vec![ToolCall {
            id: None,
            name: String::new(),
            arguments: Arguments::malformed(report.message.clone(), why),
            origin: CallOrigin::Structured,
        }],
        ..Draft::default()
    }
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
        Err(Unread::Reports(report)) => told(&report, exchange)?,
        Err(Unread::Lacks(failure)) => return Err(failure),
    };
    if reading.keep {
        draft.response = Some(json.to_value());
    }
    Ok(draft)
}

/// What an error inside an answer with a good status amounts to.
pub(crate) fn told(report: &ErrorReport, exchange: &Exchange) -> Result<Draft, AttemptFailure> {
    if report.is_unreadable_output() {
        return Ok(unreadable_output(report));
    }
    // Without a status of its own, an error in a good answer is the server's.
    let status = report.status.filter(|status| (400..600).contains(status)).unwrap_or(500);
    Err(report.clone().into_failure(status, exchange.retry_after))
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
        content: content(message.get("content"), &mut oddities).into_owned(),
        reasoning: reasoning(message).into_owned(),
        calls: calls(message, &mut oddities),
        finish: finish.text().map_or(Finish::Unsaid, Finish::named),
        usage: usage(json.get("usage")),
        server: server_timings(json.get("timings")),
        ..Draft::default()
    };
    draft.oddities = oddities;
    Ok(draft)
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

/// Token counts.
pub(crate) fn usage(usage: &Loose<'_>) -> Usage {
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

/// The text with halves of surrogate pairs replaced: a server that cuts an emoji in two writes
/// such an escape, and no JSON parser takes it.
fn without_lone_surrogates(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            (Some(_), _) => 6,
            // A backslash and what it escapes, which may be another backslash.
            (None, _) => escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end),
        };
        mended.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    mended.push_str(rest);
    mended
}

/// The code unit of an escape such as `\ud83d` at the start of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_surrogate_pairs_are_replaced_and_whole_ones_kept() {
        for (text, expected) in [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""a\ud83d b""#, r#""a\ufffd b""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\\ud83d\n\u0041""#, r#""\\ud83d\n\u0041""#),
            (r#""\"#, r#""\"#),
            (r#""\ud8"#, r#""\ud8"#),
            ("\"\\é\\uéa", "\"\\é\\uéa"),
        ] {
            assert_eq!(without_lone_surrogates(text), expected);
        }
    }
}
