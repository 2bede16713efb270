//! Calls in the form in which other tools compare them.

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgauge_core::{Case, Message, Pattern, Transcript};

/// A call as `DeepEval` and agentevals compare it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct ComparedCall {
    pub(super) name: String,
    /// `None` where nothing was given, which is not the same as no arguments.
    #[serde(default, alias = "inputParameters", alias = "args")]
    pub(super) arguments: Option<Map<String, Value>>,
    #[serde(default, rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) output: Value,
}

impl ComparedCall {
    /// What kind of tool it is.
    pub(super) fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or("FUNCTION")
    }
}

/// The expected calls: those that the other tool's file lists, else those of the case, as far as
/// they are plain values.
pub(super) fn expected_calls(case: &Case, tool: &str) -> Option<Vec<ComparedCall>> {
    if let Some(own) = case.expectation.more.get(tool) {
        return Vec::deserialize(own.get("expected_tools")?).ok();
    }
    let calls = case.expectation.calls.as_ref()?.iter();
    calls
        .map(|call| {
            let value = |(key, pattern): (&String, &Pattern)| Some((key.clone(), pattern.value()?));
            let arguments: Option<Map<String, Value>> = call.arguments.iter().map(value).collect();
            let (name, arguments) = (call.name.clone(), Some(arguments?));
            Some(ComparedCall { name, arguments, ..ComparedCall::default() })
        })
        .collect()
}

/// The calls of a transcript with what the tools answered.
pub(super) fn made_calls(transcript: &Transcript) -> Vec<ComparedCall> {
    let answer = |id: Option<&str>| {
        transcript.messages.iter().find_map(|message| match message {
            Message::Tool(message) if Some(message.call_id.as_str()) == id => {
                Some(Value::from(message.content.as_str()))
            }
            _ => None,
        })
    };
    let made = transcript.calls().map(|call| ComparedCall {
        name: call.name.clone(),
        arguments: call.arguments.as_object().cloned(),
        kind: None,
        output: answer(call.id.as_deref()).unwrap_or_default(),
    });
    made.collect()
}
