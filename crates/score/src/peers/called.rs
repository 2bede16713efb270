//! Calls in the form in which other tools compare them.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolgauge_core::{Arguments, Case, ExpectedCall, Message, Pattern, ToolCall, Transcript};

/// The kind of tool that is meant where none is named.
const FUNCTION: &str = "FUNCTION";

/// A call as `DeepEval` and agentevals compare it. Mostly it only points at what a file says.
#[derive(Clone, Debug)]
pub(super) struct ComparedCall<'a> {
    pub(super) name: &'a str,
    /// `None` where nothing was given, which is not the same as no arguments.
    pub(super) arguments: Option<Cow<'a, Map<String, Value>>>,
    /// What kind of tool it is.
    pub(super) kind: &'a str,
    pub(super) output: Cow<'a, Value>,
}

impl<'a> ComparedCall<'a> {
    fn new(name: &'a str, arguments: Option<Cow<'a, Map<String, Value>>>) -> Self {
        Self { name, arguments, kind: FUNCTION, output: Cow::Owned(Value::Null) }
    }

    /// A call as a file writes it.
    fn written(call: &'a Value) -> Option<Self> {
        let named = ["arguments", "inputParameters", "args"];
        let arguments = match named.iter().find_map(|key| call.get(key)) {
            None | Some(Value::Null) => None,
            Some(arguments) => Some(Cow::Borrowed(arguments.as_object()?)),
        };
        let kind = match call.get("type") {
            None | Some(Value::Null) => FUNCTION,
            Some(kind) => kind.as_str()?,
        };
        let output = call.get("output").unwrap_or(&Value::Null);
        let name = call.get("name")?.as_str()?;
        Some(Self { name, arguments, kind, output: Cow::Borrowed(output) })
    }

    /// A call of a case, as far as its arguments are plain values.
    fn expected(call: &'a ExpectedCall) -> Option<Self> {
        let value = |(key, pattern): (&String, &Pattern)| Some((key.clone(), pattern.value()?));
        let arguments: Option<Map<String, Value>> = call.arguments.iter().map(value).collect();
        Some(Self::new(&call.name, Some(Cow::Owned(arguments?))))
    }

    /// A call in OpenAI's form; its arguments are `None` where they cannot be read.
    pub(super) fn openai(call: &'a Value) -> Option<Self> {
        let function = call.as_object()?.get("function").unwrap_or(call);
        let arguments = match function.get("arguments") {
            None | Some(Value::Null) => Some(Cow::Owned(Map::new())),
            Some(Value::Object(object)) => Some(Cow::Borrowed(object)),
            Some(Value::String(text)) => match Arguments::from_text(text) {
                Arguments::Object(object) => Some(Cow::Owned(object)),
                Arguments::Malformed { .. } => None,
            },
            Some(_) => None,
        };
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        Some(Self::new(name, arguments))
    }

    /// A call that was made, whatever became of it; its arguments are `None` where they cannot be
    /// read.
    pub(super) fn alone(call: &'a ToolCall) -> Self {
        Self::new(&call.name, call.arguments.as_object().map(Cow::Borrowed))
    }

    fn made(call: &'a ToolCall, transcript: &Transcript) -> Self {
        let answer = transcript.messages.iter().find_map(|message| match message {
            Message::Tool(message) if Some(&message.call_id) == call.id.as_ref() => {
                Some(Value::from(message.content.as_str()))
            }
            _ => None,
        });
        Self { output: Cow::Owned(answer.unwrap_or_default()), ..Self::alone(call) }
    }
}

/// The calls in a list of a file; `None` if one of them is none.
pub(super) fn written_calls(list: &Value) -> Option<Vec<ComparedCall<'_>>> {
    list.as_array()?.iter().map(ComparedCall::written).collect()
}

/// The expected calls: those that the other tool's file lists, else those of the case.
pub(super) fn expected_calls<'a>(case: &'a Case, tool: &str) -> Option<Vec<ComparedCall<'a>>> {
    match case.expectation.more.get(tool) {
        Some(own) => written_calls(own.get("expected_tools")?),
        None => case.expectation.calls.as_ref()?.iter().map(ComparedCall::expected).collect(),
    }
}

/// The calls of a transcript with what the tools answered.
pub(super) fn made_calls(transcript: &Transcript) -> Vec<ComparedCall<'_>> {
    transcript.calls().map(|call| ComparedCall::made(call, transcript)).collect()
}
