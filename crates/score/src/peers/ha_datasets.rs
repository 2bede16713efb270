//! The labels of the benchmark that `ha-datasets` imports: up to four tests of a trial, each passed
//! or not.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::python::equal;
use super::{Mark, PeerVerdict};
use crate::Evidence;
use crate::python_text::python_text;

/// What a task expects: `expectation.more.ha_datasets`.
#[derive(Debug, Default, Deserialize)]
struct Task {
    #[serde(default, rename = "expect_changes")]
    changes: Value,
    #[serde(default, rename = "expect_response")]
    response: Value,
    #[serde(default, rename = "expect_tool_call")]
    tool_call: Value,
}

/// What the file of the trial says: the case's metadata under `ha_datasets`.
#[derive(Debug, Default, Deserialize)]
struct Ended {
    #[serde(default)]
    unexpected_states: Value,
    #[serde(default)]
    response: Option<String>,
    #[serde(default)]
    first_call: Value,
    /// The labels that were recorded, by the name of the test.
    #[serde(default)]
    labels: BTreeMap<String, bool>,
}

pub(super) fn judge(evidence: &Evidence<'_>) -> PeerVerdict {
    let case = evidence.case;
    let task = case.expectation.more.get("ha_datasets");
    let ended = case.metadata.get("ha_datasets");
    let (Some(task), Some(ended)) = (task, ended) else { return PeerVerdict::NothingExpected };
    let (Ok(task), Ok(ended)) = (Task::deserialize(task), Ended::deserialize(ended)) else {
        return PeerVerdict::NothingExpected;
    };
    let tests = tests(&task, &ended);
    if tests.is_empty() {
        return PeerVerdict::NothingExpected;
    }
    let failed: Vec<&str> =
        tests.iter().filter(|(_, passed)| !passed).map(|(test, _)| *test).collect();
    let mut mark = match failed.as_slice() {
        [] => Mark::right(),
        failed => Mark { reason: failed.join(", "), ..Mark::default() },
    };
    let (mut compared, mut different) = (0, 0);
    for (test, passed) in tests {
        mark.measure(test, f64::from(u8::from(passed)));
        if let Some(recorded) = ended.labels.get(&format!("eval-test_{test}")) {
            compared += 1;
            different += i32::from(*recorded != passed);
        }
    }
    if compared > 0 {
        mark.measure("checks_compared", f64::from(compared));
        mark.measure("checks_different", f64::from(different));
    }
    PeerVerdict::Mark(mark)
}

/// The tests that apply, each with whether it is passed.
fn tests(task: &Task, ended: &Ended) -> Vec<(&'static str, bool)> {
    let mut tests = Vec::new();
    let unexpected = is_true(&ended.unexpected_states);
    if is_true(&task.changes) {
        // A reply that says sorry is held to be wrong, whatever became of the home.
        let sorry = ended.response.as_ref().is_none_or(|reply| reply.contains("Sorry"));
        tests.push(("expected_states", !unexpected && !sorry));
    } else if unexpected {
        // Without an expected change the test is left out, unless something changed.
        tests.push(("expected_states", false));
    }
    if is_true(&task.response) {
        let texts = match &task.response {
            Value::Array(texts) => texts.iter().map(python_text).collect(),
            one => vec![python_text(one)],
        };
        let reply = ended.response.as_deref().unwrap_or_default().to_lowercase();
        let found = texts.iter().any(|text| reply.contains(&text.to_lowercase()));
        tests.push(("expect_response", found));
    }
    if is_true(&task.tool_call) {
        let of = |call: &Value, key: &str| call.get(key).cloned().unwrap_or_default();
        let same = |key: &str| {
            is_true(&ended.first_call)
                && equal_or_null(&of(&task.tool_call, key), &of(&ended.first_call, key))
        };
        tests.push(("expect_llm_tool_call_name", same("tool_name")));
        if is_true(&of(&task.tool_call, "tool_args")) {
            tests.push(("expect_llm_tool_call_args", same("tool_args")));
        }
    }
    tests
}

fn equal_or_null(a: &Value, b: &Value) -> bool {
    (a.is_null() && b.is_null()) || equal(a, b)
}

/// Python's `bool(value)`.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}
