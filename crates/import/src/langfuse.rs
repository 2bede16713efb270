//! Traces of Langfuse: one object with a trace and its observations, or a list of observations.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use toolgauge_core::{CallOrigin, Message, RecordedVerdict, ToolCall, Turn};

use crate::field::{list, name, recorded, start, text, unwrapped, usage};
use crate::glance::Glance;
use crate::records::Records;
use crate::spans::{ModelSpan, Span, SpanRole, ToolSpan, trials};
use crate::{ImportError, ImportedRun, ResultKind, chat, memory_run};

/// The runs in a file: one for each model.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let is_trace = Glance::at(path)?.has("observations");
    let within: Option<&[&str]> = is_trace.then_some(&["observations"]);
    let keep = &["trace", "id", "sessionId", "scores"];
    let mut records = Records::open(path, ResultKind::Langfuse, within, keep)?;
    let mut spans = Vec::new();
    for record in records.by_ref() {
        spans.push(span(&record?));
    }
    // The trace stands beside its observations, or around them.
    let whole = Value::Object(std::mem::take(&mut records.beside));
    let trace = whole.get("trace").unwrap_or(&whole);
    let id = name(trace.get("id"));
    let session = text(trace, "sessionId").map(str::to_owned);
    let mut verdicts: HashMap<String, Vec<RecordedVerdict>> = HashMap::new();
    for score in list(trace, "scores") {
        let value = score.get("value").unwrap_or(&Value::Null);
        let scorer = text(score, "name").unwrap_or("score");
        let reason = text(score, "comment").unwrap_or_default();
        verdicts.entry(id.clone()).or_default().push(recorded(scorer, value, reason));
    }
    for span in &mut spans {
        span.group = span.group.take().or_else(|| session.clone());
        if span.trace.is_empty() {
            span.trace.clone_from(&id);
        }
    }
    memory_run::by_model(path, ResultKind::Langfuse, trials(spans, &verdicts))
}

fn span(observation: &Value) -> Span {
    Span {
        trace: name(observation.get("traceId")),
        id: name(observation.get("id")),
        parent: text(observation, "parentObservationId").map(str::to_owned),
        start: start(observation.get("startTime")),
        role: role(observation),
        case: text(observation, "datasetItemId").map(str::to_owned),
        group: text(observation, "sessionId").map(str::to_owned),
    }
}

fn role(observation: &Value) -> SpanRole {
    let given = |key: &str| observation.get(key).map(unwrapped).unwrap_or_default();
    match text(observation, "type") {
        Some("GENERATION") => {
            let input = given("input");
            let tools = input.get("tools").map(chat::tools).unwrap_or_default();
            SpanRole::Model(Box::new(ModelSpan {
                model: text(observation, "model").unwrap_or_default().to_owned(),
                input: asked(&input),
                output: chat::messages(&*given("output")),
                tools,
                turn: Turn {
                    usage: usage(observation.get("usageDetails")),
                    attempts: 1,
                    ..Turn::default()
                },
            }))
        }
        Some("TOOL") => {
            let output = given("output");
            let input = given("input");
            SpanRole::Tool(Box::new(ToolSpan {
                call: ToolCall {
                    id: None,
                    name: text(observation, "name").unwrap_or_default().to_owned(),
                    arguments: chat::arguments(Some(&*input)),
                    origin: CallOrigin::Structured,
                },
                is_bare: input.is_null(),
                answer: (!output.is_null()).then(|| name(Some(&*output))),
                failed: text(observation, "level") == Some("ERROR"),
            }))
        }
        _ => SpanRole::Other,
    }
}

/// What a model was asked: messages, or a text.
fn asked(input: &Value) -> Vec<Message> {
    match input {
        Value::String(text) => vec![Message::user(text)],
        Value::Null => Vec::new(),
        other => chat::messages(other)
            .into_iter()
            .map(|message| match message {
                // What is in no known form was not said by the subject.
                Message::Assistant(said) if said.calls.is_empty() && other.is_object() => {
                    Message::user(said.content)
                }
                other => other,
            })
            .collect(),
    }
}
