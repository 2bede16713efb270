//! Cases as ha-voice-bench writes them, read unchanged.
//!
//! Each row has an `utterance`, `expected_tool_calls`, alternatives and an expected response type.
//! Its answers are somebody else's: what is wrong with them is told and does not keep a suite
//! from running.

use serde_json::{Map, Value, json};
use toolgauge_core::Case;

/// The metadata that tells a case of another benchmark.
const SOURCE: &str = "source";
const NAME: &str = "ha-voice-bench";

/// Whether a case was written for another benchmark, so that its answers are not ours to mend.
pub fn is_foreign(case: &Case) -> bool {
    case.metadata.get(SOURCE).and_then(Value::as_str) == Some(NAME)
}

/// A row in the form of this suite; anything else as it is.
pub(crate) fn converted(value: Value) -> Value {
    match value {
        Value::Object(row) if row.contains_key("expected_tool_calls") => convert(row),
        other => other,
    }
}

fn convert(mut row: Map<String, Value>) -> Value {
    let mut take = |name: &str| row.shift_remove(name).unwrap_or_default();
    let response = take("expected_response_type");
    let response = kind(response.as_str().unwrap_or_default());
    let calls = calls(&take("expected_tool_calls"));
    let others = take("alternative_expected_tool_calls");
    let others = others.as_array().map_or(&[][..], Vec::as_slice);
    let alternatives: Vec<Value> =
        others.iter().map(|other| alternative(other, response)).collect();
    let mut expect = demanded(&calls);
    expect["response"] = json!(response);
    if !alternatives.is_empty() {
        expect["alternatives"] = json!(alternatives);
    }
    let (id, say, tier) = (take("id"), take("utterance"), take("inventory_tier"));
    let mut metadata = take("metadata").as_object().cloned().unwrap_or_default();
    let mut tags = json!({"kind": response});
    for (tag, value) in [
        ("tier", Some(&tier)),
        ("intent", metadata.get("intent_type")),
        ("complexity", metadata.get("complexity")),
    ] {
        if let Some(Value::String(text)) = value {
            tags[tag] = json!(text);
        }
    }
    metadata.insert(SOURCE.into(), json!(NAME));
    // What is left of the row is kept, so that nothing of another benchmark's case is lost.
    metadata.extend(row);
    json!({"id": id, "say": say, "expect": expect, "tags": tags, "metadata": metadata})
}

fn kind(name: &str) -> &str {
    match name {
        "action_done" => "action",
        "query_response" => "query",
        "text_response" => "text",
        other => other,
    }
}

fn calls(list: &Value) -> Vec<Value> {
    let call = |call: &Value| json!({"tool": call["name"], "arguments": call["arguments"]});
    list.as_array().map(|list| list.iter().map(call).collect()).unwrap_or_default()
}

fn demanded(calls: &[Value]) -> Value {
    if calls.is_empty() { json!({"no_calls": true}) } else { json!({"calls": calls}) }
}

/// An alternative with the kind of response that goes with its calls. Older files have the bare
/// calls in its place.
fn alternative(other: &Value, response: &str) -> Value {
    let calls = calls(if other.is_array() { other } else { &other["tool_calls"] });
    let mut way = demanded(&calls);
    let calls_tools = matches!(response, "action" | "query");
    match (calls.is_empty(), calls_tools) {
        (true, true) => way["response"] = json!("text"),
        (false, false) => way["response"] = json!("action"),
        _ => {}
    }
    way["quality"] = json!(other["quality"].as_str().unwrap_or("acceptable"));
    if let Value::String(reason) = &other["reason"] {
        way["reason"] = json!(reason);
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_becomes_a_case() {
        let row = json!({
            "id": "r1",
            "utterance": "lamp on",
            "expected_tool_calls": [{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}],
            "alternative_expected_tool_calls": [
                {"tool_calls": [], "quality": "acceptable", "reason": "asks"},
            ],
            "expected_response_type": "action_done",
            "inventory_tier": "small",
            "inventory_file": "home.yaml",
            "metadata": {"intent_type": "light_control"},
        });
        assert_eq!(
            converted(row),
            json!({
                "id": "r1",
                "say": "lamp on",
                "expect": {
                    "calls": [{"tool": "HassTurnOn", "arguments": {"name": "Lamp"}}],
                    "response": "action",
                    "alternatives": [{
                        "no_calls": true, "response": "text", "quality": "acceptable",
                        "reason": "asks",
                    }],
                },
                "tags": {"kind": "action", "tier": "small", "intent": "light_control"},
                "metadata": {
                    "intent_type": "light_control", "source": "ha-voice-bench",
                    "inventory_file": "home.yaml",
                },
            })
        );
    }

    #[test]
    fn an_alternative_may_be_a_bare_list_of_calls() {
        let other = json!([{"name": "HassNevermind", "arguments": {}}]);
        assert_eq!(
            alternative(&other, "text"),
            json!({
                "calls": [{"tool": "HassNevermind", "arguments": {}}],
                "response": "action", "quality": "acceptable",
            })
        );
    }

    #[test]
    fn other_rows_are_left_alone() {
        let row = json!({"id": "r1", "say": "lamp on"});
        assert_eq!(converted(row.clone()), row);
    }
}
