//! Transcripts in which the right calls are made, to judge what is said beside them.

use serde_json::{Map, json};
use toolgauge_core::{
    Arguments, AssistantMessage, Background, CallOrigin, Case, ExpectedCall, Message, Pattern,
    ToolCall, ToolMessage, Transcript,
};
use toolgauge_runner::proved;
use toolgauge_score::{found_in, rehearsals};
use toolgauge_world::{World, WorldState};

/// A trial in which these calls are made and answered, and then the reply is said.
pub fn transcript(calls: Vec<ToolCall>, reply: &str, case: &Case, world: &dyn World) -> Transcript {
    let calls: Vec<ToolCall> = calls
        .into_iter()
        .enumerate()
        .map(|(at, call)| ToolCall {
            id: Some(format!("call_{at}")),
            origin: CallOrigin::Structured,
            ..call
        })
        .collect();
    let mut messages = Vec::new();
    if !calls.is_empty() {
        let mut state = world.rehearse(case);
        let answers: Vec<Message> = calls.iter().map(|call| answer(call, state.as_mut())).collect();
        messages
            .push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
        messages.extend(answers);
    }
    let content = reply.to_owned();
    messages.push(Message::Assistant(AssistantMessage { content, ..AssistantMessage::default() }));
    let background = Background { proved: proved(world, case), ..Background::default() };
    Transcript { messages, background, ..Transcript::default() }
}

fn answer(call: &ToolCall, state: &mut dyn WorldState) -> Message {
    let reply = state.call(call);
    Message::Tool(ToolMessage {
        call_id: call.id.clone().unwrap_or_default(),
        name: call.name.clone(),
        content: reply.content,
        failed: reply.failed,
    })
}

/// The calls of the first accepted answer. A question that names its tools alone is answered by
/// what proves it.
pub fn expected_calls(case: &Case) -> Vec<ToolCall> {
    if let Some(calls) = rehearsals(case, &Transcript::default()).into_iter().next() {
        return with_texts(calls, case);
    }
    let Some(answer) = case.expectation.answer.as_deref() else { return Vec::new() };
    let object = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
    let mut calls = Vec::new();
    for proof in &answer.proof {
        if let Some(sql) = &proof.sql {
            calls.push(ToolCall::new("query_database", object(json!({ "sql": sql }))));
        }
        if let Some(passage) = &proof.passage {
            let query = object(json!({ "query": passage }));
            calls.push(ToolCall::new("search_document_content", query));
        }
    }
    for tool in answer.tools.iter().flatten() {
        if !calls.iter().any(|call| call.name == *tool) {
            // A search needs words, and a query needs a statement.
            let arguments = match tool.as_str() {
                "search_document_content" => object(json!({ "query": case.sentence() })),
                "query_database" => object(json!({ "sql": "SELECT 1" })),
                _ => Map::new(),
            };
            calls.push(ToolCall::new(tool.clone(), arguments));
        }
    }
    calls
}

/// The calls, with words of the request where an expression says what a text must look like: those
/// that it finds, or all of them.
fn with_texts(calls: Vec<ToolCall>, case: &Case) -> Vec<ToolCall> {
    // A case may have alternatives alone, and their texts are as they are.
    let Some(expected) = &case.expectation.calls else { return calls };
    let filled = |(mut call, expected): (ToolCall, &ExpectedCall)| {
        for (name, pattern) in &expected.arguments {
            if let (Pattern::Regex { regex, .. }, Arguments::Object(given)) =
                (pattern, &mut call.arguments)
            {
                let sentence = case.sentence();
                let text = found_in(regex, sentence).unwrap_or(sentence);
                given.entry(name.clone()).or_insert_with(|| json!(text));
            }
        }
        call
    };
    calls.into_iter().zip(expected).map(filled).collect()
}
