//! What subjects say and call, held against what is expected.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use toolgauge_core::{
    ArgumentRules, Arguments, AssistantMessage, Case, Expectation, ExpectedCall, ExpectedFact,
    Message, Outcome, Pattern, ResponseKind, ThingPlace, ToolCall, ToolMessage, Transcript,
    WorldThing,
};
use toolgauge_import::python_json::parse;
use toolgauge_score::{
    EndStates, Evidence, PartialScorer, Played, Scorer, error_in_answer, keyword_found,
};

use crate::{parts, text};

/// The outcome of a scorer lies between 0 and 1.
pub(crate) fn check_outcome(scorer: &str, case: &Case, transcript: &Transcript) {
    check(scorer, &Evidence::new(case, &[], transcript));
}

fn check(scorer: &str, evidence: &Evidence<'_>) {
    let scorer = Scorer::by_name(scorer).expect("the scorer is known");
    if let Outcome::Scored(score) = scorer.judge(evidence) {
        assert!((0.0..=1.0).contains(&score.value), "{score:?}");
    }
}

fn calls(text: &[u8]) -> Vec<(String, Value)> {
    let Ok(Value::Array(items)) = parse(text) else { return Vec::new() };
    let call = |mut item: Value| {
        let name = item["name"].as_str().unwrap_or_default().to_owned();
        (name, item.get_mut("arguments").map(Value::take).unwrap_or_default())
    };
    items.into_iter().filter(Value::is_object).map(call).collect()
}

/// Two lists of `{"name": …, "arguments": …}`: what is expected and what was done. Scores stay in
/// range, and losses add up.
pub(crate) fn partial(input: &[u8]) {
    let [expected, made] = parts(input);
    let expected: Vec<ExpectedCall> = calls(expected)
        .into_iter()
        .map(|(name, arguments)| {
            let members = arguments.as_object().cloned().unwrap_or_default().into_iter();
            let pattern = |(key, value): (String, Value)| {
                let plain = Pattern::plain(&value);
                (key, Pattern::try_from(value).unwrap_or(plain))
            };
            ExpectedCall { name, arguments: members.map(pattern).collect() }
        })
        .collect();
    let made: Vec<ToolCall> = calls(made)
        .into_iter()
        .map(|(name, arguments)| match arguments {
            Value::Object(object) => ToolCall::new(name, object),
            other => ToolCall {
                arguments: Arguments::from_text(&other.to_string()),
                ..ToolCall::new(name, serde_json::Map::new())
            },
        })
        .collect();
    for scorer in [PartialScorer::tau(), PartialScorer::assignment()] {
        let score = scorer.score(&expected, &ArgumentRules::default(), &made);
        assert!((0.0..=1.0).contains(&score.value), "{score:?}");
        let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
        assert!((score.value + lost - 1.0).abs() < 1e-6, "{score:?}");
    }
    let mut case = Case::new("a", "do it");
    case.expectation = Expectation { calls: Some(expected), ..Expectation::default() };
    let said = AssistantMessage { calls: made, ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    for scorer in ["tool_calls", "tool_calls_classic", "partial", "tau", "wire"] {
        check_outcome(scorer, &case, &transcript);
    }
}

/// Facts of every type.
static FACTS: LazyLock<Vec<ExpectedFact>> = LazyLock::new(|| {
    let facts = [
        json!({"truth": true, "yes": ["open"], "no": ["closed"]}),
        json!({"number": 21.5, "unit": "°C", "tolerance": 0.5, "about": ["bedroom"], "not": [17]}),
        json!({"number": 0, "unit": "dollars"}),
        json!({"date": "2026-03-05", "not": ["2026-03"]}),
        json!({"time": "18:42", "tolerance": 2}),
        json!({"one": ["Kitchen light"], "of": {"domain": "light"}}),
        json!({"set": ["Kitchen light", "Corner lamp"], "of": {"domain": "light"}}),
        json!({"phrase": ["is on"], "not": ["is off"]}),
        json!({"refusal": true}),
        json!({"unknown": true}),
        json!({"question": true}),
    ];
    let read = |fact: Value| ExpectedFact::try_from(fact.clone()).map_err(|why| (fact, why));
    facts.into_iter().map(|fact| read(fact).expect("the fact is right")).collect()
});

fn things() -> Vec<Arc<WorldThing>> {
    let place =
        |kind: &str, name: &str| ThingPlace { kind: kind.to_owned(), names: vec![name.to_owned()] };
    let thing = |id: &str, name: &str, state: &str| {
        let kind = id.split('.').next().unwrap_or_default();
        Arc::new(WorldThing {
            kinds: [("domain".to_owned(), kind.to_owned())].into(),
            places: vec![place("area", "Kitchen"), place("floor", "Ground floor")],
            state: state.to_owned(),
            ..WorldThing::new(id, vec![name.to_owned()])
        })
    };
    vec![
        thing("light.kitchen", "Kitchen light", "on"),
        thing("light.corner", "Corner lamp", "off"),
        thing("sensor.bedroom", "Bedroom temperature", "21.5"),
        thing("cover.blind", "Left blind", "open"),
    ]
}

/// Any reply against one fact of every type, in a home. The first byte picks the fact and the kind
/// of response.
pub(crate) fn reply(input: &[u8]) {
    let (pick, said) = input.split_first().unwrap_or((&0, &[]));
    let pick = usize::from(*pick);
    let mut case = Case::new("a", "Is the kitchen light on, and how warm is the bedroom?");
    let kinds = [
        ResponseKind::Query,
        ResponseKind::Action,
        ResponseKind::Text,
        ResponseKind::Clarification,
        ResponseKind::Error,
    ];
    let fact = FACTS[pick % FACTS.len()].clone();
    case.expectation = Expectation {
        calls: Some(Vec::new()),
        response: Some(kinds[pick / FACTS.len() % kinds.len()]),
        ..Expectation::default()
    };
    case.expectation.answer.get_or_insert_default().facts = vec![fact];
    let said = AssistantMessage { content: text(said).to_owned(), ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    let played = Played { end: json!({}).into(), changes: json!({}).into(), ..Played::default() };
    let states = EndStates {
        untouched: json!({}).into(),
        expected: vec![played.clone()],
        actual: played,
        allowed: vec![Vec::new()],
        things: things(),
        ..EndStates::default()
    };
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
    for scorer in ["end_state", "tool_calls"] {
        check(scorer, &evidence);
    }
}

/// An answer in words, and before it what a tool returned: keywords, figures, documents, errors.
pub(crate) fn answer_scores(input: &[u8]) {
    let [returned, said] = parts(input);
    let mut case = Case::new("a", "What is the rent of Maple Court?");
    let expected = json!({
        "tools": ["query"],
        "keywords": ["1,200", {"any_of": ["rent", "lease"]}, {"not": "water"}, {"regex": "\\d+"}],
        "facts": [{"number": 1200, "unit": "dollars"}],
        "documents": {"leases/maple.md": 1.0},
    });
    let expected = serde_json::from_value(expected).expect("the expectation is right");
    case.expectation.answer = Some(Box::new(expected));
    let call = ToolCall { id: Some("1".into()), ..ToolCall::new("query", serde_json::Map::new()) };
    let asked = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
    let told = ToolMessage {
        call_id: "1".to_owned(),
        name: "query".to_owned(),
        content: text(returned).to_owned(),
        failed: false,
    };
    let said = AssistantMessage { content: text(said).to_owned(), ..AssistantMessage::default() };
    let messages = vec![Message::Assistant(asked), Message::Tool(told), Message::Assistant(said)];
    let transcript = Transcript { messages, ..Transcript::default() };
    for scorer in ["chatbot", "keywords", "retrieval", "grounding"] {
        check_outcome(scorer, &case, &transcript);
    }
}

/// A keyword and a text: numbers, dates and amounts in both.
pub(crate) fn keywords(input: &[u8]) {
    let [keyword, said] = parts(input);
    let keyword = Value::from(text(keyword));
    if let Ok(keyword) = toolgauge_core::Keyword::from_value(keyword) {
        let _ = keyword_found(&keyword, text(said));
    }
}

/// Whether a text is an error, and which secrets an address or a name may hold.
pub(crate) fn written(input: &[u8]) {
    let text = text(input);
    let _ = error_in_answer(text);
    let public = toolgauge_core::public_address(text);
    assert_eq!(toolgauge_core::public_address(&public), public, "a public address stays as it is");
    let _ = (toolgauge_core::names_a_secret(text), toolgauge_core::looks_like_key(text));
    let shown = toolgauge_report::harmless::line(text);
    assert!(!shown.chars().any(char::is_control), "{shown:?} would move the cursor");
}
