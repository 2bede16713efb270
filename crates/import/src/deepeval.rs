//! Test runs of `DeepEval`.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolgauge_core::{
    AssistantMessage, Case, Expectation, ExpectedAnswer, ExpectedCall, Message, ToolMessage,
    Transcript,
};

use crate::any_json::AnyJson;
use crate::field::{digest, first_text, get, list, name, recorded, seconds, split, text};
use crate::json_reader::JsonReader;
use crate::python_json::Node;
use crate::record_run::{ReadTrial, RecordFormat, RunName, RunOf, find_runs as find_record_runs};
use crate::{ImportError, ImportedRun, ImportedTrial, ResultKind, chat};

/// The run in a file: its test cases, and its conversations where it has any.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let is_wrapped = is_wrapped(path)?;
    let format = RecordFormat {
        kind: ResultKind::DeepEval,
        suite: "deepeval",
        scorer: "deepeval",
        further: &["tool_calls", "partial"],
        within: Some(if is_wrapped { &["testRunData", "testCases"] } else { &["testCases"] }),
        beside: &["conversationalTestCases"],
        run: RunOf::File(RunName::of("deepeval")),
        trial: ReadTrial::Node(trial),
    };
    find_record_runs(path, format)
}

/// Whether the test run is a member of the file, rather than the file itself.
fn is_wrapped(path: &Path) -> Result<bool, ImportError> {
    let mut reader = JsonReader::open(path, ResultKind::DeepEval)?;
    if reader.peek()? != Some(b'{') {
        return Ok(false);
    }
    reader.begin(b'{')?;
    while let Some(key) = reader.key()? {
        match key.as_str() {
            "testRunData" => return Ok(true),
            "testCases" => return Ok(false),
            _ => reader.skip()?,
        }
    }
    Ok(false)
}

fn trial(record: &Node<'_>) -> Result<ImportedTrial, String> {
    if get(record, "metricsData").is_none() && get(record, "input").is_none() {
        return Err("holds a test case without `input` and `metricsData`".into());
    }
    let input = text(record, "input").unwrap_or_default();
    let id = first_text(record, &["name"]).map_or_else(|| digest(input), str::to_owned);
    let turns = list(record, "turns");
    let (mut case, mut transcript) = if turns.is_empty() {
        single(&id, record, input)
    } else {
        split(&id, turns.iter().flat_map(chat::from_message).collect())
    };
    case.expectation = expectation(record);
    let own = [("tools_called", "toolsCalled"), ("order", "order")];
    let own = own.map(|(name, key)| {
        (name.to_owned(), get(record, key).map(Node::value).unwrap_or_default())
    });
    case.metadata.insert("deepeval".into(), Map::from_iter(own).into());
    let total = seconds(get(record, "runDuration").and_then(number));
    if let Some(turn) = transcript.turns.last_mut() {
        turn.timings.total = total;
    }
    for metric in list(record, "metricsData").iter().map(Node::value) {
        let metric = &metric;
        let title = text(metric, "name").unwrap_or("metric");
        // This one is computed anew by the scorer of that name.
        let scorer = match title.to_lowercase().replace(' ', "_").as_str() {
            "tool_correctness" | "toolcorrectness" => "deepeval".to_owned(),
            other => other.to_owned(),
        };
        let score = get(metric, "score").unwrap_or(&Value::Null);
        let reason = first_text(metric, &["error", "reason"]).unwrap_or_default();
        let mut verdict = recorded(&scorer, score, reason);
        if get(metric, "error").is_some_and(|error| !error.is_null()) {
            verdict.value = None;
        }
        for key in ["threshold", "success"] {
            let value = get(metric, key).and_then(|value| match value {
                Value::Bool(right) => Some(f64::from(u8::from(*right))),
                other => other.as_f64(),
            });
            verdict.measures.extend(value.map(|value| (key.to_owned(), value)));
        }
        transcript.background.recorded.push(verdict);
    }
    Ok(ImportedTrial { case: Arc::new(case), number: 0, transcript })
}

/// A question and its answer, with the calls before it.
fn single(id: &str, record: &Node<'_>, input: &str) -> (Case, Transcript) {
    let mut messages = Vec::new();
    let called = list(record, "toolsCalled");
    let mut calls: Vec<_> = called.iter().filter_map(chat::call).collect();
    for (place, call) in calls.iter_mut().enumerate() {
        call.id = Some(format!("call-{}", place + 1));
    }
    let answers = calls.iter().zip(called).filter_map(|(call, made)| {
        Some(Message::Tool(ToolMessage {
            call_id: call.id.clone()?,
            name: call.name.clone(),
            content: name(Some(get(made, "output").filter(|output| !output.is_nothing())?)),
            failed: false,
        }))
    });
    let answers: Vec<Message> = answers.collect();
    if !calls.is_empty() {
        messages.push(Message::Assistant(AssistantMessage { calls, ..Default::default() }));
    }
    messages.extend(answers);
    if let Some(content) = text(record, "actualOutput") {
        let content = content.to_owned();
        messages.push(Message::Assistant(AssistantMessage { content, ..Default::default() }));
    }
    let mut transcript = Transcript { messages, ..Transcript::default() };
    let sources = list(record, "retrievalContext").iter().map(|source| name(Some(source)));
    transcript.background.add_sources(sources);
    (Case::new(id, input), transcript)
}

fn number(node: &Node<'_>) -> Option<f64> {
    node.to_value().as_f64()
}

fn expectation(record: &Node<'_>) -> Expectation {
    let mut expectation = Expectation::default();
    let expected = get(record, "expectedTools").map(Node::value);
    if let Some(Value::Array(expected)) = expected {
        let calls = expected.iter().filter_map(|call| {
            let arguments = get(call, "inputParameters").and_then(Value::as_object);
            Some(ExpectedCall::plain(text(call, "name")?, arguments))
        });
        expectation.calls = Some(calls.collect());
        let own = Map::from_iter([("expected_tools".to_owned(), expected.into())]);
        expectation.more.insert("deepeval".into(), own.into());
    }
    if let Some(reference) = text(record, "expectedOutput") {
        let reference = Some(reference.to_owned());
        expectation.answer = Some(Box::new(ExpectedAnswer { reference, ..Default::default() }));
    }
    expectation
}
