//! The file of one trial.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolgauge_core::{
    AssistantMessage, Case, Expectation, ExpectedAnswer, ExpectedCall, Keyword, Message,
    RecordedVerdict, StateChange, Timings, ToolMessage, Transcript, Turn,
};

use super::report::{Labels, TestLabel};
use crate::field::{list, name, seconds, text};
use crate::{ImportedTrial, chat};

/// Whether a file is that of a trial.
pub(super) fn is_trial(file: &Value) -> bool {
    file.get("task_id").is_some() && file.pointer("/context/conversation_trace").is_some()
}

pub(super) fn trial(file: &Value, labels: &Labels) -> Result<ImportedTrial, String> {
    if !is_trial(file) {
        return Err("it has no `task_id` and `conversation_trace`".into());
    }
    let task_id = name(file.get("task_id"));
    // The last number is that of the repetition; a run without repetitions has none.
    let numbered = task_id.rsplit_once('-');
    let numbered = numbered.and_then(|(case, number)| Some((case, number.parse::<u32>().ok()?)));
    let (id, number) = numbered.map_or((task_id.as_str(), 0), |(id, n)| (id, n.saturating_add(1)));
    let none = Value::Null;
    let task = file.get("task").unwrap_or(&none);
    let trace = file.get("context").map(|context| list(context, "conversation_trace"));
    let trace = trace.unwrap_or_default();
    let mut case = Case::new(id, text(task, "input_text").unwrap_or_default());
    if let Some(prompt) = system_prompt(trace) {
        case.input.insert(0, Message::system(prompt));
    }
    let categories = match file.get("category") {
        Some(Value::Array(several)) => several.iter().map(|it| name(Some(it))).collect(),
        one => vec![name(one)],
    };
    case.tags.insert("category".into(), categories.join("+"));
    case.expectation = expectation(task);
    let response = file.get("response").unwrap_or(&none);
    let labels = labels.of(&task_id);
    let named = labels.iter().filter_map(|label| Some((label.test.clone()?, label.is_good.into())));
    let own = json!({
        "unexpected_states": file.pointer("/context/unexpected_states"),
        "response": response,
        "first_call": first_call(trace),
        "labels": named.collect::<Map<String, Value>>(),
    });
    case.metadata.insert("ha_datasets".into(), own);
    let duration = file.pointer("/context/duration_ms").and_then(Value::as_f64);
    let total = seconds(duration.map(|ms| ms / 1000.0));
    let timings = Timings { total, ..Timings::default() };
    let mut transcript = Transcript {
        messages: messages(trace, response),
        turns: vec![Turn { timings, attempts: 1, ..Turn::default() }],
        ..Transcript::default()
    };
    transcript.background.recorded.extend(verdict(labels));
    transcript.background.changes = changes(file);
    Ok(ImportedTrial { case: Arc::new(case), number, transcript })
}

/// What ended otherwise than it should.
fn changes(file: &Value) -> Vec<StateChange> {
    let states = file.pointer("/context/unexpected_states").and_then(Value::as_object);
    let change = |(thing, state): (&String, &Value)| StateChange {
        thing: thing.clone(),
        after: state.get("got").cloned().unwrap_or_default(),
        expected: state.get("expected").cloned(),
        ..StateChange::default()
    };
    states.into_iter().flatten().map(change).collect()
}

/// Right if every test of the trial was passed.
fn verdict(labels: &[TestLabel]) -> Option<RecordedVerdict> {
    if labels.is_empty() {
        return None;
    }
    let failed = labels.iter().filter(|label| !label.is_good);
    let is_right = failed.clone().next().is_none();
    let failed: Vec<&str> = failed.filter_map(|label| label.test.as_deref()).collect();
    let mut verdict = RecordedVerdict::of("ha_datasets", is_right).because(failed.join(", "));
    if labels.iter().any(|label| label.test.is_none()) {
        verdict.only = Some("the report does not say which test its label is of".into());
    }
    Some(verdict)
}

fn events<'a>(trace: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let of_kind = move |event: &&Value| text(*event, "event_type") == Some(kind);
    trace.iter().filter(of_kind).filter_map(|event| event.get("data"))
}

fn told(trace: &[Value]) -> &[Value] {
    events(trace, "agent_detail").last().map(|data| list(data, "messages")).unwrap_or_default()
}

fn system_prompt(trace: &[Value]) -> Option<&str> {
    let first = told(trace).iter().find(|message| text(*message, "role") == Some("system"))?;
    text(first, "content")
}

fn first_call(trace: &[Value]) -> Option<&Value> {
    events(trace, "tool_call").next()
}

/// The calls in order, each with what the tool answered, and the reply.
fn messages(trace: &[Value], response: &Value) -> Vec<Message> {
    let is_answer = |message: &&Value| text(*message, "role") == Some("tool_result");
    let mut answers = told(trace).iter().filter(is_answer);
    let mut messages = Vec::new();
    for (place, made) in events(trace, "tool_call").enumerate() {
        let Some(mut call) = chat::call(made) else { continue };
        let id = format!("call-{}", place + 1);
        call.id = Some(id.clone());
        let name_called = call.name.clone();
        let calls = vec![call];
        messages.push(Message::Assistant(AssistantMessage { calls, ..Default::default() }));
        // Answers carry other identifiers, and come in the order of the calls.
        if let Some(answer) = answers.next() {
            messages.push(Message::Tool(ToolMessage {
                call_id: id,
                name: name_called,
                content: name(answer.get("tool_result")),
                failed: answer.pointer("/tool_result/error").is_some(),
            }));
        }
    }
    let content = name(Some(response));
    messages.push(Message::Assistant(AssistantMessage { content, ..Default::default() }));
    messages
}

fn expectation(task: &Value) -> Expectation {
    let mut expectation = Expectation::default();
    let texts: Vec<String> = match task.get("expect_response") {
        Some(Value::Array(texts)) => texts.iter().map(|it| name(Some(it))).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    };
    if !texts.is_empty() {
        let keywords = vec![Keyword::AnyOf(texts)];
        expectation.answer = Some(Box::new(ExpectedAnswer { keywords, ..Default::default() }));
    }
    if let Some(expected) = task.get("expect_tool_call").filter(|it| it.is_object()) {
        let arguments = expected.get("tool_args").and_then(Value::as_object);
        let call = ExpectedCall::plain(name(expected.get("tool_name")), arguments);
        expectation.calls = Some(vec![call]);
    }
    let mut own = task.clone();
    if let Some(members) = own.as_object_mut() {
        members.shift_remove("input_text");
    }
    expectation.more.insert("ha_datasets".into(), own);
    expectation
}
