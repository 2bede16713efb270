//! Calls as BFCL keeps them: `{"name": "{\"argument\": 1}"}`.

use serde_json::Value;
use toolgauge_core::{Arguments, AssistantMessage, CallOrigin, Malformation, ToolCall};

use crate::python_json::parse;

/// What a model said in one step: a list of calls, or text.
pub(super) fn message(step: &Value) -> AssistantMessage {
    match step {
        Value::String(text) => AssistantMessage { content: text.clone(), ..Default::default() },
        Value::Array(items) => match items.iter().map(call).collect::<Option<Vec<_>>>() {
            Some(calls) => AssistantMessage { calls, ..Default::default() },
            // Something that is no call makes the whole answer unreadable to BFCL.
            None => AssistantMessage { calls: vec![unreadable(step)], ..Default::default() },
        },
        Value::Object(_) => message(&Value::Array(vec![step.clone()])),
        other => AssistantMessage { content: other.to_string(), ..Default::default() },
    }
}

/// A call; of an object with several keys BFCL takes the first.
fn call(item: &Value) -> Option<ToolCall> {
    let (name, arguments) = item.as_object()?.iter().next()?;
    let arguments = match arguments {
        Value::String(text) => read_arguments(text),
        Value::Object(object) => Arguments::Object(object.clone()),
        other => Arguments::from_text(&other.to_string()),
    };
    Some(ToolCall { id: None, name: name.clone(), arguments, origin: CallOrigin::Structured })
}

/// Arguments as Python reads them. Unlike elsewhere, no text at all is malformed.
fn read_arguments(text: &str) -> Arguments {
    match parse(text.as_bytes()) {
        Ok(Value::Object(object)) => Arguments::Object(object),
        Ok(other) => {
            let kind = if other.is_array() { "a list" } else { "a scalar" };
            Arguments::malformed(text, Malformation::NotAnObject(kind.into()))
        }
        Err(stop) => {
            let why = format!("{} is expected at byte {}", stop.wanted, stop.at);
            Arguments::malformed(text, Malformation::NotJson(why))
        }
    }
}

fn unreadable(step: &Value) -> ToolCall {
    let why = Malformation::NotAnObject("something that is no call".into());
    let arguments = Arguments::malformed(step.to_string(), why);
    ToolCall { id: None, name: String::new(), arguments, origin: CallOrigin::Structured }
}
