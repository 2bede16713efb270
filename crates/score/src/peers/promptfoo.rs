//! promptfoo's assertion `tool-call-f1`: the sets of names that were called and expected.

use std::collections::BTreeSet;

use serde_json::Value;

use super::called::{expected_calls, made_calls};
use super::{Mark, PeerVerdict};
use crate::Evidence;

/// The least F1 that passes where nobody says so.
const THRESHOLD: f64 = 1.0;

/// The names in an output as promptfoo finds them, and those expected. An assertion may have a
/// threshold of its own, and may be inverted: `not-tool-call-f1` passes below it.
pub(super) fn judge(evidence: &Evidence<'_>, threshold: Option<f64>) -> PeerVerdict {
    let own = evidence.case.expectation.more.get("promptfoo_tool_call_f1");
    let expected: Option<BTreeSet<String>> = match own {
        Some(own) => expected_names(own.get("value").unwrap_or(&Value::Null)),
        None => expected_calls(evidence.case, "promptfoo_tool_call_f1")
            .map(|calls| calls.into_iter().map(|call| call.name.to_owned()).collect()),
    };
    let Some(expected) = expected else { return PeerVerdict::NothingExpected };
    if expected.is_empty() {
        return PeerVerdict::Elsewhere("promptfoo stops with an error where no name is expected");
    }
    let output = evidence.case.metadata.get("promptfoo").and_then(|own| own.get("output"));
    let called: BTreeSet<String> = match output {
        Some(output) => names_in(output),
        None => {
            made_calls(evidence.transcript).into_iter().map(|call| call.name.to_owned()).collect()
        }
    };
    let f1 = f1(&called, &expected);
    let set = || own?.get("threshold")?.as_f64();
    let threshold = threshold.or_else(set).unwrap_or(THRESHOLD);
    let kind = own.and_then(|own| own.get("type")).and_then(Value::as_str).unwrap_or_default();
    let is_inverse = kind.starts_with("not-");
    let passed = f64::from(u8::from((f1 >= threshold) != is_inverse));
    // The F1 of names that must not be called is no mark: it is highest where all were.
    let value = if is_inverse { passed } else { f1 };
    let reason = match value {
        value if value >= 1.0 => String::new(),
        _ => format!("F1 of the names is {f1:.3}"),
    };
    let mut mark = Mark { value, reason, ..Mark::default() };
    mark.measure("passed", passed);
    PeerVerdict::Mark(mark)
}

#[expect(clippy::cast_precision_loss, reason = "an answer has few calls")]
fn f1(called: &BTreeSet<String>, expected: &BTreeSet<String>) -> f64 {
    let both = called.intersection(expected).count() as f64;
    let part = |of: &BTreeSet<String>| if of.is_empty() { 0.0 } else { both / of.len() as f64 };
    let (precision, recall) = (part(called), part(expected));
    let sum = precision + recall;
    if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }
}

/// A list of names, or a text of names with commas between them.
fn expected_names(value: &Value) -> Option<BTreeSet<String>> {
    match value {
        Value::Array(names) => Some(names.iter().map(text_of).collect()),
        Value::String(names) => Some(names.split(',').map(|name| name.trim().to_owned()).collect()),
        _ => None,
    }
}

/// JavaScript's `String(value)`, for scalars.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The names that promptfoo finds in an output: text is read as JSON, whole or line by line.
fn names_in(output: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    match output {
        Value::String(text) => {
            if let Ok(value) = serde_json::from_str::<Value>(text) {
                // A text within a text is shorter each time, so that this comes to an end.
                names.extend(names_in(&value));
            } else {
                let lines = text.split('\n').map(str::trim);
                for line in lines.filter(|line| line.starts_with(['{', '['])) {
                    if let Ok(value) = serde_json::from_str::<Value>(line) {
                        names.extend(names_in(&value));
                    }
                }
            }
        }
        Value::Array(items) => names.extend(items.iter().filter_map(name_of_item)),
        Value::Object(_) => names_of_object(output, &mut names),
        _ => {}
    }
    names
}

/// The value under a key if JavaScript calls it an object: an object or a list.
fn object_at<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    value.get(key).filter(|found| found.is_object() || found.is_array())
}

fn name_at(value: &Value) -> Option<String> {
    value.get("name").and_then(Value::as_str).map(str::to_owned)
}

/// The name in an item of a list, by the first form that it has, even if that has no name.
fn name_of_item(item: &Value) -> Option<String> {
    let is_tool_use = item.get("type").and_then(Value::as_str) == Some("tool_use");
    if let Some(name) = name_at(item).filter(|_| is_tool_use) {
        return Some(name);
    }
    match object_at(item, "functionCall").or_else(|| object_at(item, "function")) {
        Some(call) => name_at(call),
        None => name_at(item),
    }
}

fn names_of_object(value: &Value, names: &mut BTreeSet<String>) {
    if let Some(calls) = value.get("tool_calls").and_then(Value::as_array) {
        for call in calls {
            names.extend(object_at(call, "function").and_then(name_at));
            names.extend(name_at(call));
        }
        return;
    }
    let is_tool_use = value.get("type").and_then(Value::as_str) == Some("tool_use");
    if let Some(name) = name_at(value).filter(|_| is_tool_use) {
        names.insert(name);
    } else if let Some(call) = object_at(value, "functionCall") {
        names.extend(name_at(call));
    } else if let Some(call) = object_at(value, "toolCall") {
        let calls = call.get("functionCalls").and_then(Value::as_array).into_iter().flatten();
        names.extend(calls.filter_map(name_at));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::{Case, Transcript};

    use super::*;

    /// The mark of an output that calls `f`, and whether it passed.
    fn judged(assertion: Value, threshold: Option<f64>) -> (f64, f64) {
        let mut case = Case::new("a", "Go.");
        case.expectation.more.insert("promptfoo_tool_call_f1".into(), assertion);
        case.metadata.insert("promptfoo".into(), json!({"output": [{"name": "f"}]}));
        let transcript = Transcript::default();
        match judge(&Evidence::new(&case, &[], &transcript), threshold) {
            PeerVerdict::Mark(mark) => (mark.value, mark.measures["passed"]),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_inverted_assertion_passes_where_the_tool_is_not_called() {
        let forbids = |names: Value| json!({"type": "not-tool-call-f1", "value": names});
        assert_eq!(judged(forbids(json!(["g"])), None), (1.0, 1.0));
        assert_eq!(judged(forbids(json!(["f"])), None), (0.0, 0.0));
        // Below the threshold it passes, though one of the two was called.
        assert_eq!(judged(forbids(json!("f, g")), None), (1.0, 1.0));
    }

    #[test]
    fn an_assertion_has_a_threshold_of_its_own() {
        let asks = json!({"type": "tool-call-f1", "value": ["f", "g"], "threshold": 0.6});
        let (mark, passed) = judged(asks.clone(), None);
        assert!((mark - 2.0 / 3.0).abs() < 1e-12 && passed >= 1.0);
        let (_, passed) = judged(asks, Some(1.0));
        assert!(passed <= 0.0, "an option counts before it");
    }

    fn names(output: &Value) -> Vec<String> {
        names_in(output).into_iter().collect()
    }

    #[test]
    fn names_are_found_in_the_forms_of_several_servers() {
        let openai = json!({"tool_calls": [{"function": {"name": "f"}}, {"name": "g"}]});
        assert_eq!(names(&openai), ["f", "g"]);
        assert_eq!(names(&json!(openai.to_string())), ["f", "g"]);
        let text = "Let me look.\n\n {\"type\": \"tool_use\", \"name\": \"f\"}\n[broken";
        assert_eq!(names(&json!(text)), ["f"]);
        assert_eq!(names(&json!({"functionCall": {"name": "f"}})), ["f"]);
        assert_eq!(names(&json!({"toolCall": {"functionCalls": [{"name": "f"}]}})), ["f"]);
        let list = json!([{"type": "text"}, {"type": "tool_use", "name": "f"}, {"name": "g"}]);
        assert_eq!(names(&list), ["f", "g"]);
        // The content of an Anthropic message is not looked into.
        assert!(names(&json!({"content": [{"type": "tool_use", "name": "f"}]})).is_empty());
        assert!(names(&json!([{"function": {}, "name": "f"}])).is_empty());
    }

    #[test]
    fn expected_names_are_a_list_or_a_text() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(expected_names(&json!(["f", 1])), Some(set(&["f", "1"])));
        assert_eq!(expected_names(&json!("f, g")), Some(set(&["f", "g"])));
        assert_eq!(expected_names(&json!(null)), None);
    }
}
