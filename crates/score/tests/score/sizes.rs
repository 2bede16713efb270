//! Scorers on answers far longer than any that was meant: their time stays bounded.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgauge_core::{
    AssistantMessage, Case, Expectation, ExpectedCall, ExpectedFact, Message, Pattern,
    ResponseKind, ToolCall, ToolMessage, Transcript, WorldThing,
};
use toolgauge_score::{EndStates, Evidence, Played, Scorer};
use toolgauge_testkit::{long_or, some_of};

/// Some seconds are usual here without optimisation; without bounds it would be minutes.
const LONGEST: Duration = Duration::from_secs(30);

/// Texts made of one piece that some rule looks for.
const PIECES: &[&str] = &[
    "17 ",
    "1",
    "2026-03-05 ",
    "Kitchen light ",
    "\"Maple Court\" ",
    "Maple Court, Corner lamp and ",
    "the kitchen light is on and ",
    "is not on, but ",
    "((",
    "$1,200.50 ",
    "twenty one ",
    "half past six ",
    "leases/maple.md ",
    "Error: ",
    "é\u{301}",
    "a-",
    "I cannot ",
    "which one? ",
    "\n\n- ",
];

fn answer(text: String) -> Message {
    Message::Assistant(AssistantMessage { content: text, ..AssistantMessage::default() })
}

/// Judges, and says how long it took.
fn stopwatch(scorer: &str, evidence: &Evidence<'_>) -> Duration {
    let begun = Instant::now();
    let _ = Scorer::by_name(scorer).unwrap().judge(evidence);
    begun.elapsed()
}

/// A conversation in which a tool returned one text and the subject said another.
fn conversation(returned: &str, said: String) -> Transcript {
    let call = ToolCall { id: Some("1".into()), ..ToolCall::new("query", serde_json::Map::new()) };
    let asked = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
    let returned = ToolMessage {
        call_id: "1".to_owned(),
        name: "query".to_owned(),
        content: returned.to_owned(),
        failed: false,
    };
    let messages = vec![Message::Assistant(asked), Message::Tool(returned), answer(said)];
    Transcript { messages, ..Transcript::default() }
}

#[test]
fn an_answer_of_a_megabyte_is_judged_in_bounded_time_by_every_scorer_of_answers() {
    let mut case = Case::new("a", "What is the rent of Maple Court?");
    let expected = json!({
        "tools": ["query"],
        "keywords": ["1,200", {"any_of": ["rent", "lease"]}, {"not": "water"}, {"regex": "\\d+"}],
        "documents": {"leases/maple.md": 1.0},
    });
    case.expectation.answer = Some(Box::new(serde_json::from_value(expected).unwrap()));
    for piece in some_of(PIECES, 2) {
        let text = piece.repeat((1 << 20) / piece.len());
        let returned = piece.repeat((256 << 10) / piece.len());
        let transcript = conversation(&returned, text);
        let evidence = Evidence::new(&case, &[], &transcript);
        for scorer in ["chatbot", "keywords", "retrieval", "grounding"] {
            let taken = stopwatch(scorer, &evidence);
            assert!(taken < LONGEST, "`{scorer}` takes {taken:?} for {piece:?}");
        }
    }
}

#[test]
fn a_reply_of_a_megabyte_is_held_against_a_fact_in_bounded_time() {
    let facts = [
        json!({"truth": true, "yes": ["open"], "no": ["closed"]}),
        json!({"number": 21.5, "unit": "°C", "tolerance": 0.5, "about": ["bedroom"], "not": [17]}),
        json!({"set": ["Kitchen light", "Corner lamp"], "of": {"domain": "light"}}),
    ];
    let thing = |id: &str, name: &str| Arc::new(WorldThing::new(id, vec![name.to_owned()]));
    let played = Played { end: json!({}).into(), changes: json!({}).into(), ..Played::default() };
    let states = EndStates {
        untouched: json!({}).into(),
        expected: vec![played.clone()],
        actual: played,
        allowed: vec![Vec::new()],
        things: vec![thing("light.kitchen", "Kitchen light"), thing("light.c", "Corner lamp")],
        ..EndStates::default()
    };
    for (number, piece) in PIECES.iter().enumerate() {
        let mut case = Case::new("a", "Is the kitchen light on, and how warm is the bedroom?");
        let fact = ExpectedFact::try_from(facts[number % facts.len()].clone()).unwrap();
        case.expectation = Expectation {
            calls: Some(Vec::new()),
            response: Some(ResponseKind::Query),
            ..Expectation::default()
        };
        case.expectation.answer.get_or_insert_default().facts = vec![fact];
        let text = piece.repeat((1 << 20) / piece.len());
        let said = AssistantMessage { content: text, ..AssistantMessage::default() };
        let transcript = Transcript::of(said);
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
        for scorer in ["end_state", "tool_calls"] {
            let taken = stopwatch(scorer, &evidence);
            assert!(taken < LONGEST, "`{scorer}` takes {taken:?} for {piece:?}");
        }
    }
}

#[test]
fn a_set_of_objects_is_held_against_very_many_in_bounded_time() {
    let objects = |count: usize, odd: bool| -> Vec<Value> {
        (0..count).map(|n| json!({"id": n, "name": format!("n{n}"), "odd": odd})).collect()
    };
    let pattern = Pattern::try_from(json!({"$set": objects(300, false)})).unwrap();
    let expected = ExpectedCall {
        name: "f".to_owned(),
        arguments: [("items".to_owned(), pattern)].into_iter().collect(),
    };
    let mut case = Case::new("a", "do it");
    case.expectation = Expectation { calls: Some(vec![expected]), ..Expectation::default() };
    let made = json!({"items": objects(long_or(10_000, 1_000), true)});
    let call = ToolCall::new("f", made.as_object().unwrap().clone());
    let said = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    let evidence = Evidence::new(&case, &[], &transcript);
    for scorer in ["tool_calls", "tool_calls_classic", "partial", "tau"] {
        let taken = stopwatch(scorer, &evidence);
        assert!(taken < LONGEST, "`{scorer}` takes {taken:?}");
    }
}
