//! What a task of τ² asks for.

use serde_json::Value;
use toolgauge_core::{Expectation, ExpectedAnswer, ExpectedCall, Keyword};

/// What toolgauge's own scorers expect, and under `more` what τ²'s rule needs.
pub(super) fn expectation(task: &Value) -> Expectation {
    let criteria = task.get("evaluation_criteria").cloned().unwrap_or_default();
    let list = |key: &str| criteria.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let calls: Vec<ExpectedCall> = list("actions").iter().filter_map(expected_call).collect();
    let texts = |key: &str| -> Vec<String> {
        list(key).iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let keywords: Vec<Keyword> = texts("communicate_info").into_iter().map(Keyword::Text).collect();
    let rubric = texts("nl_assertions").join("\n");
    let answer = ExpectedAnswer {
        keywords,
        rubric: (!rubric.is_empty()).then_some(rubric),
        ..ExpectedAnswer::default()
    };
    let mut expectation = Expectation {
        // A task without actions does not forbid calls.
        calls: (!calls.is_empty()).then_some(calls),
        answer: (answer != ExpectedAnswer::default()).then(|| Box::new(answer)),
        ..Expectation::default()
    };
    expectation.more.insert("tau2".into(), criteria);
    expectation
}

/// An action of the agent; those of the simulated user are not the subject's.
fn expected_call(action: &Value) -> Option<ExpectedCall> {
    if action.get("requestor").and_then(Value::as_str) == Some("user") {
        return None;
    }
    let arguments = action.get("arguments").and_then(Value::as_object);
    Some(ExpectedCall::plain(action.get("name")?.as_str()?, arguments))
}
