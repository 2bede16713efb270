//! The worked examples of `docs/scoring.md`, and its list of causes; the patterns of `docs/suites.md`.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use serde_json::{Value, json};
use toolgauge_core::{
    AssistantMessage, Case, Cause, Expectation, Pattern, ResponseKind, Score, Tool, ToolCall,
    Transcript,
};
use toolgauge_score::Scorer;

const PAGE: &str = include_str!("../../../../docs/scoring.md");
const SUITES: &str = include_str!("../../../../docs/suites.md");

/// The score of calls, each written as a tool and its arguments.
fn score(scorer: &str, wanted: &Value, made: &Value) -> Score {
    let expectation = Expectation {
        calls: Some(serde_json::from_value(wanted.clone()).unwrap()),
        response: Some(ResponseKind::Action),
        ..Expectation::default()
    };
    let case = Case { expectation, ..Case::new("c", "a sentence") };
    let call = |call: &Value| {
        let arguments = call["arguments"].as_object().unwrap().clone();
        ToolCall::new(call["name"].as_str().unwrap(), arguments)
    };
    let calls = made.as_array().unwrap().iter().map(call).collect();
    let message = AssistantMessage { calls, ..AssistantMessage::default() };
    let tool = |name| serde_json::from_value(json!({"name": name})).unwrap();
    let tools: [Tool; 3] = ["turn_on", "turn_off", "book"].map(tool);
    let scorer = Scorer::by_name(scorer).unwrap();
    scorer.score(&case, &tools, &Transcript::of(message)).score().unwrap().clone()
}

fn named(name: &str, lamp: &str) -> Value {
    json!({"name": name, "arguments": {"name": lamp}})
}

#[test]
fn the_table_of_verdicts_is_true() {
    let wanted = json!([named("turn_on", "Lamp")]);
    let rows = [
        (json!([named("turn_on", "Lamp")]), "C C C C C C", ""),
        (json!([named("turn_on", "Fan")]), "C I C C C C", "wrong value"),
        (json!([named("turn_off", "Lamp")]), "I I C C C C", "wrong tool"),
        (json!([named("turn_on", "Lamp"), named("turn_off", "Fan")]), "I C I C C C", "extra call"),
        (json!([]), "I I I N N I", "should have called"),
    ];
    for (made, verdicts, cause) in rows {
        let score = score("tool_calls", &wanted, &made);
        let letters: Vec<_> = score.dimensions.values().map(|v| v.letter().to_string()).collect();
        assert_eq!(letters.join(" "), verdicts);
        let causes: Vec<_> = score.losses.iter().map(|loss| loss.cause.words()).collect();
        assert!(causes.join(", ").starts_with(cause), "{causes:?}");
        assert!(PAGE.contains(&format!("| {verdicts} | {cause}")));
    }
}

#[test]
fn the_worked_example_of_partial_credit_is_true() {
    let book =
        |to: &str| json!([{"name": "book", "arguments": {"from": "JFK", "to": to, "seats": 2}}]);
    for scorer in ["partial", "tau"] {
        let score = score(scorer, &book("SEA"), &book("LAX"));
        assert!((score.value - 0.8).abs() < 1e-12);
        assert_eq!(score.losses.len(), 1);
        assert_eq!(score.losses[0].path.to_string(), "to");
        assert!((score.losses[0].points - 0.2).abs() < 1e-12);
    }
}

#[test]
fn the_example_of_the_two_pairings_is_true() {
    let twice = json!([named("turn_on", "A"), named("turn_on", "A")]);
    let once = json!([named("turn_on", "A")]);
    assert!((score("tau", &twice, &once).value - 1.0).abs() < f64::EPSILON);
    assert!((score("partial", &twice, &once).value - 0.5).abs() < f64::EPSILON);
}

#[test]
fn every_cause_rule_and_scorer_is_on_the_page() {
    for cause in Cause::ALL {
        assert!(PAGE.contains(&format!("| `{}` |", cause.name())), "{}", cause.name());
    }
    for rule in Pattern::RULES {
        assert!(SUITES.contains(&format!("| `{{{rule}: ")), "{rule}");
    }
    for scorer in Scorer::names() {
        assert!(PAGE.contains(&format!("| `{scorer}`")), "{scorer}");
    }
}
