//! Trajectories of agents in the form of Harbor (ATIF): one object, or one a line.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::{AssistantMessage, Message, ToolMessage, Turn};

use crate::field::{digest, first_text, list, name, split, text, usage};
use crate::record_run::{ReadTrial, RecordFormat, RunName, RunOf, find_runs as find_record_runs};
use crate::{ImportError, ImportedRun, ImportedTrial, ResultKind, chat};

/// The runs in a file: one for each agent and model.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let format = RecordFormat {
        kind: ResultKind::Atif,
        suite: "atif",
        scorer: "tool_calls",
        further: &[],
        within: None,
        beside: &[],
        run: RunOf::Record(&["agent"], |record| {
            let agent = record.get("agent").unwrap_or(&Value::Null);
            RunName::of(first_text(agent, &["model_name", "name"]).unwrap_or_default())
        }),
        trial: ReadTrial::value(trial),
    };
    find_record_runs(path, format)
}

fn trial(record: &Value) -> Result<ImportedTrial, String> {
    let steps = record.get("steps").and_then(Value::as_array);
    let steps = steps.ok_or("holds a trajectory without `steps`")?;
    let mut messages = Vec::new();
    let mut turns = Vec::new();
    for step in steps {
        let content = match step.get("message") {
            Some(parts @ Value::Array(_)) => chat::plain(parts),
            other => name(other),
        };
        match text(step, "source") {
            Some("user") => messages.push(Message::User { content }),
            Some("system") => messages.push(Message::System { content }),
            _ => {
                let calls = list(step, "tool_calls").iter().filter_map(chat::call).collect();
                let reasoning = text(step, "reasoning_content").map(str::to_owned);
                messages.push(Message::Assistant(AssistantMessage { content, reasoning, calls }));
                turns.push(turn(step));
            }
        }
        let results = step.get("observation").map(|seen| list(seen, "results"));
        messages.extend(results.unwrap_or_default().iter().map(|result| {
            Message::Tool(ToolMessage {
                call_id: name(result.get("source_call_id")),
                name: String::new(),
                content: match result.get("content") {
                    Some(parts @ Value::Array(_)) => chat::plain(parts),
                    other => name(other),
                },
                failed: false,
            })
        }));
    }
    let id = first_text(record, &["session_id", "trajectory_id"]);
    let id = id.map_or_else(|| digest(&record.to_string()), str::to_owned);
    let (case, mut transcript) = split(&id, messages);
    transcript.turns = turns;
    Ok(ImportedTrial { case: Arc::new(case), number: 0, transcript })
}

fn turn(step: &Value) -> Turn {
    Turn {
        model: text(step, "model_name").map(str::to_owned),
        usage: usage(step.get("metrics")),
        attempts: 1,
        ..Turn::default()
    }
}
