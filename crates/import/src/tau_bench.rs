//! Results of τ-bench as runs: a list with an object for each task and trial.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use toolgauge_core::{
    Expectation, ExpectedAnswer, FailureKind, Keyword, Message, RecordedVerdict, TrialFailure,
};

use crate::field::{list, name, split, text};
use crate::record_run::{ReadTrial, RecordFormat, RunName, RunOf, find_runs as find_record_runs};
use crate::tau::expected_call;
use crate::{ImportError, ImportedRun, ImportedTrial, ResultKind, chat};

/// The run in a results file. The model is in none of its records, only in the file's name.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let model = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let format = RecordFormat {
        kind: ResultKind::TauBench,
        suite: "tau-bench",
        scorer: "tau_bench",
        // The rule of `toolgauge partial`, which agrees with the programs made for these files.
        further: &["tau"],
        within: None,
        beside: &[],
        run: RunOf::File(RunName::of(model)),
        trial: ReadTrial::value(trial),
    };
    find_record_runs(path, format)
}

fn trial(record: &Value) -> Result<ImportedTrial, String> {
    if record.get("task_id").is_none() || record.get("reward").is_none() {
        return Err("holds a record that lacks `task_id` or `reward`".into());
    }
    let none = Value::Null;
    let info = record.get("info").unwrap_or(&none);
    let task = info.get("task").unwrap_or(&none);
    let messages = list(record, "traj").iter().flat_map(chat::from_message).collect();
    // The rules of the agent and what the simulated user says first are what it is asked.
    let (mut case, mut transcript) = split(&name(record.get("task_id")), messages);
    if case.input.is_empty() {
        case.input = vec![Message::user(text(task, "instruction").unwrap_or_default())];
    }
    case.expectation = expectation(task);
    let reward_info = info.get("reward_info").unwrap_or(&none);
    let own = json!({
        "ended": !reward_info.is_null(),
        "error": info.get("error").is_some(),
        "outputs": reward_info.pointer("/info/outputs"),
        "user_cost": info.get("user_cost"),
    });
    case.metadata.insert("tau_bench".into(), own);
    let is_missing = !record.get("traj").is_some_and(Value::is_array);
    let missing = is_missing.then(|| "there is no list `traj`".to_owned());
    let failure = info.get("error").map(|error| name(Some(error))).or(missing);
    transcript.failure = failure.map(|message| TrialFailure {
        kind: FailureKind::Server,
        message: message.chars().take(500).collect(),
    });
    transcript.background.recorded.push(verdict(record, reward_info));
    // Older files have no number, and repeat their tasks in order.
    let number =
        record.get("trial").and_then(Value::as_u64).map_or(0, |trial| trial.saturating_add(1));
    let number = u32::try_from(number).unwrap_or(0);
    Ok(ImportedTrial { case: Arc::new(case), number, transcript })
}

fn expectation(task: &Value) -> Expectation {
    let calls = match task.get("actions") {
        Some(Value::Array(actions)) => {
            Some(actions.iter().map(|action| expected_call(action.clone()).0).collect())
        }
        // As Python reads it.
        Some(Value::Null) => Some(Vec::new()),
        _ => None,
    };
    let outputs = list(task, "outputs").iter();
    let keywords = outputs.map(|output| Keyword::Text(name(Some(output)))).collect();
    let answer = ExpectedAnswer { keywords, ..ExpectedAnswer::default() };
    let mut expectation = Expectation {
        calls,
        answer: (answer != ExpectedAnswer::default()).then(|| Box::new(answer)),
        ..Expectation::default()
    };
    let own = json!({"outputs": list(task, "outputs")});
    expectation.more.insert("tau_bench".into(), own);
    expectation
}

/// The reward with the components that τ-bench recorded: that of the database, or of the texts.
fn verdict(record: &Value, reward_info: &Value) -> RecordedVerdict {
    let reward = record.get("reward").and_then(Value::as_f64);
    let mut verdict = RecordedVerdict {
        scorer: "tau_bench".into(),
        value: reward.map(|reward| reward.clamp(0.0, 1.0)),
        ..RecordedVerdict::default()
    };
    for component in ["r_actions", "r_outputs"] {
        let value = reward_info.get("info").and_then(|info| info.get(component));
        let value = value.and_then(|value| match value {
            Value::Bool(right) => Some(f64::from(u8::from(*right))),
            number => number.as_f64(),
        });
        if let Some(value) = value {
            verdict.measures.insert(component.to_owned(), value);
        }
    }
    verdict
}
