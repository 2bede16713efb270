//! Rows with an answer and a reference trajectory, as `LangSmith` exports them for agentevals.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolgauge_core::{Expectation, ExpectedCall, Message};

use crate::any_json::AnyJson;
use crate::field::{digest, first_text, get, recorded, split, text};
use crate::python_json::Node;
use crate::record_run::{ReadTrial, RecordFormat, RunName, RunOf, find_runs as find_record_runs};
use crate::{ImportError, ImportedRun, ImportedTrial, ResultKind, chat};

/// Where rows name their experiment.
const EXPERIMENTS: &[&str] = &["session_name", "experiment", "experiment_name", "model"];

/// The runs in a file, one for each experiment that its rows name.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let format = RecordFormat {
        kind: ResultKind::Agentevals,
        suite: "agentevals",
        scorer: "agentevals",
        further: &["tool_calls", "partial"],
        within: None,
        beside: &[],
        run: RunOf::Record(EXPERIMENTS, |record| {
            RunName::of(first_text(record, EXPERIMENTS).unwrap_or("agentevals"))
        }),
        trial: ReadTrial::Node(trial),
    };
    find_record_runs(path, format)
}

fn trial(record: &Node<'_>) -> Result<ImportedTrial, String> {
    let (Some(outputs), Some(reference)) =
        (get(record, "outputs"), get(record, "reference_outputs"))
    else {
        return Err("holds a row without `outputs` and `reference_outputs`".into());
    };
    let inputs = get(record, "inputs").unwrap_or(&Node::Null);
    let mut said = chat::messages(outputs);
    // An answer may begin with what was asked, or the question may stand apart.
    let begins_with_question =
        matches!(said.first(), Some(Message::User { .. } | Message::System { .. }));
    let mut apart = 0;
    if !begins_with_question {
        let mut asked = question(inputs);
        apart = asked.len();
        asked.append(&mut said);
        said = asked;
    }
    let ids = ["example_id", "reference_example_id", "id"];
    let id = first_text(record, &ids);
    let id = id.map_or_else(|| digest(&inputs.value().to_string()), str::to_owned);
    let (mut case, mut transcript) = split(&id, said);
    case.expectation = expectation(chat::messages(reference));
    if apart > 0 {
        // So many messages at the beginning are not part of the trajectory that is compared.
        case.metadata.insert("agentevals".into(), json!({"question": apart}));
    }
    let feedback = get(record, "feedback").map(Node::value).unwrap_or_default();
    for (key, value) in feedback.as_object().into_iter().flatten() {
        let score = get(value, "score").unwrap_or(value);
        let reason = text(value, "comment").unwrap_or_default();
        transcript.background.recorded.push(recorded(scorer(key), score, reason));
    }
    for entry in feedback.as_array().into_iter().flatten() {
        let score = get(entry, "score").unwrap_or(&Value::Null);
        let reason = text(entry, "comment").unwrap_or_default();
        let key = text(entry, "key").unwrap_or("feedback");
        transcript.background.recorded.push(recorded(scorer(key), score, reason));
    }
    Ok(ImportedTrial { case: Arc::new(case), number: 0, transcript })
}

/// The scorer that computes a feedback anew: the rule with its default options.
fn scorer(key: &str) -> &str {
    if key == "trajectory_strict_match" { "agentevals" } else { key }
}

fn question(inputs: &Node<'_>) -> Vec<Message> {
    if let Some(messages) = get(inputs, "messages") {
        return chat::messages(messages);
    }
    match first_text(inputs, &["question", "input", "query", "prompt"]).or(inputs.as_text()) {
        Some(question) => vec![Message::user(question)],
        None if inputs.is_nothing() => Vec::new(),
        None => vec![Message::user(inputs.value().to_string())],
    }
}

fn expectation(reference: Vec<Message>) -> Expectation {
    let calls = reference.iter().flat_map(|message| match message {
        Message::Assistant(message) => message.calls.as_slice(),
        _ => &[],
    });
    let calls =
        calls.map(|call| ExpectedCall::plain(call.name.as_str(), call.arguments.as_object()));
    let mut expectation = Expectation { calls: Some(calls.collect()), ..Expectation::default() };
    let reference: Vec<Value> = reference.into_iter().map(Message::into_openai_parsed).collect();
    let own = Map::from_iter([("reference".to_owned(), reference.into())]);
    expectation.more.insert("agentevals".into(), own.into());
    expectation
}
