//! The parts of an OpenAI-style message, whole or a delta of one.

use std::borrow::Cow;

use toolgauge_core::{CallOrigin, Oddity, ToolCall};

use crate::arguments;
use crate::loose::Loose;
use crate::oddities::Oddities;

/// What a message says; a refusal has a field of its own, beside empty content.
pub(super) fn spoken_field<'a, 'b>(message: &'a Loose<'b>) -> &'a Loose<'b> {
    let refused = message.get("refusal").some_text().is_some();
    let content = message.get("content");
    let empty = content.is_null() || content.text() == Some("");
    if refused && empty { message.get("refusal") } else { content }
}

/// The text of a message: a string, or a list of parts of which the texts count.
pub(super) fn content<'a>(content: &'a Loose<'_>, oddities: &mut Oddities) -> Cow<'a, str> {
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
pub(super) fn reasoning<'a>(message: &'a Loose<'_>) -> Cow<'a, str> {
    let named = ["reasoning_content", "reasoning", "thinking"];
    let plain = named.iter().find_map(|name| message.get(name).some_text());
    match plain {
        Some(text) => Cow::Borrowed(text),
        None => message.get("reasoning_details").items().iter().map(part_text).collect(),
    }
}

/// The calls of a message, in the place of today or in that of old.
pub(super) fn calls(message: &Loose<'_>, oddities: &mut Oddities) -> Vec<ToolCall> {
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
