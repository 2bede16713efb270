//! Every recorded call gives the recorded answer and the recorded changes.

use serde_json::Value;

use super::homes::{fixture, recorded, world};
use toolgauge_home_assistant::Profile;

/// Takes out of a value what no two runs share: moments, and the ids of timers and devices.
/// Results of several entities come in the order they finish, so lists of targets are sorted.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Object(entries) => Value::Object(
            entries
                .iter()
                .map(|(key, value)| match (key.as_str(), value) {
                    ("id" | "device_id", Value::String(id))
                        if !id.contains(['.', '_']) && id.len() > 20 =>
                    {
                        (key.clone(), Value::String("some id".into()))
                    }
                    ("success" | "failed", Value::Array(targets)) => {
                        let mut targets: Vec<Value> = targets.iter().map(comparable).collect();
                        targets.sort_by_key(ToString::to_string);
                        (key.clone(), Value::Array(targets))
                    }
                    _ => (key.clone(), comparable(value)),
                })
                .collect(),
        ),
        Value::Array(values) => Value::Array(values.iter().map(comparable).collect()),
        Value::String(text) => Value::String(without_moments(text)),
        other => other.clone(),
    }
}

/// Replaces every `2026-11-15T01:59:57.234487+00:00`.
fn without_moments(text: &str) -> String {
    let is_moment =
        |word: &str| word.len() == 32 && word.starts_with("2026-11-15") && word.ends_with("+00:00");
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("2026-11-15") {
        out.push_str(&rest[..at]);
        if let Some(word) = rest.get(at..at + 32).filter(|word| is_moment(word)) {
            out.push_str("<moment>");
            rest = &rest[at + word.len()..];
        } else {
            out.push_str(&rest[at..at + 10]);
            rest = &rest[at + 10..];
        }
    }
    out + rest
}

#[test]
fn every_recorded_call_gives_the_recorded_answer_and_changes() {
    let world = world(&recorded(), Profile::V2026_10);
    let calls: Vec<Value> = serde_json::from_str(&fixture("golden-calls.json")).unwrap();
    assert_eq!(calls.len(), 119);
    let mut home = world.home(None).unwrap();
    let mut wrong = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        let satellite = call["satellite"].as_str().filter(|name| *name != "nodev");
        world.go_to(&mut home, satellite).unwrap();
        if call.get("continues_previous_state") != Some(&Value::Bool(true)) {
            home.reset();
        }
        let before = home.clone();
        let Value::Object(arguments) = &call["args"] else { panic!("call {number} has arguments") };
        let reply = home.execute(call["tool"].as_str().unwrap(), arguments);
        let answer: Value = serde_json::from_str(&reply.content).unwrap();
        let changes = serde_json::to_value(home.changes_since(&before)).unwrap();
        for (what, got, wanted) in [
            ("answer", &answer, &call["tool_message_content"]),
            ("changes", &changes, &call["state_changes"]),
        ] {
            if comparable(got) != comparable(wanted) {
                wrong.push(format!(
                    "call {number} {}: {what}\n  got    {got}\n  wanted {wanted}",
                    call["tool"]
                ));
            }
        }
        assert_eq!(reply.failed, answer["error"] == Value::Bool(true), "call {number}");
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// An answer is compact JSON with its keys in the recorded order.
#[test]
fn answers_are_written_as_they_go_over_the_wire() {
    let mut home = world(&recorded(), Profile::V2026_10).home(Some("dev")).unwrap();
    let Value::Object(arguments) = serde_json::json!({"name": "Toaster"}) else { unreachable!() };
    assert_eq!(
        home.execute("intent__HassTurnOn", &arguments).content,
        r#"{"data":{"error":"MatchFailedError","error_text":"No entities matched the name (given name 'Toaster')"},"error":true}"#
    );
    let Value::Object(arguments) = serde_json::json!({"name": "Kitchen ceiling light"}) else {
        unreachable!()
    };
    assert_eq!(
        home.execute("intent__HassTurnOn", &arguments).content,
        r#"{"data":{"speech":{},"response_type":"action_done","data":{"success":[{"name":"Kitchen ceiling light","type":"entity","id":"light.kitchen_ceiling_light"}],"failed":[]}},"error":false}"#
    );
}
