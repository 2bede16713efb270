//! What is said of each argument, held against real scorers.

use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Map, json};
use toolgauge_core::{
    ArgumentPath, ArgumentRules, AssistantMessage, Case, CaseId, ExtraArguments, Message, Outcome,
    TextRule, Transcript,
};
use toolgauge_score::Scorer;

use super::*;

fn trial(expected: &Value, rules: ArgumentRules, made: Vec<ToolCall>) -> Trial {
    let mut case = Case::new(CaseId::new("case"), "do it");
    case.expectation.calls = Some(serde_json::from_value(expected.clone()).unwrap());
    case.expectation.rules = rules;
    let message = AssistantMessage { calls: made, ..AssistantMessage::default() };
    let messages = vec![Message::Assistant(message)];
    Trial {
        case: Arc::new(case),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: Timestamp::UNIX_EPOCH,
        transcript: Transcript { messages, ..Transcript::default() },
        outcomes: IndexMap::new(),
    }
}

fn scored_by(mut trial: Trial, scorers: &[&str]) -> Trial {
    for name in scorers {
        let outcome = Scorer::by_name(name).unwrap().score(&trial.case, &[], &trial.transcript);
        trial.outcomes.insert((*name).to_owned(), outcome);
    }
    trial
}

fn call(tool: &str, arguments: Value) -> ToolCall {
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    ToolCall::new(tool, arguments)
}

/// Every argument on the page: the expected place, the made place, its key and how it fits.
fn cells(trial: &Trial) -> Vec<(Option<usize>, Option<usize>, String, Fit)> {
    let calls = JudgedCalls::of(trial);
    let mut cells = Vec::new();
    for pair in calls.pairs() {
        let wanted = pair.expected.map(|(_, call)| &call.arguments);
        let given = pair.made.and_then(|(_, call)| call.arguments.as_object());
        let mut keys: Vec<&String> = wanted.into_iter().flatten().map(|(key, _)| key).collect();
        keys.extend(given.into_iter().flatten().map(|(key, _)| key));
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let wanted = wanted.and_then(|wanted| wanted.get(key));
            let given = given.and_then(|given| given.get(key));
            let fit = calls.fit(&pair, key, wanted, given);
            let places = (pair.expected.map(|(at, _)| at), pair.made.map(|(at, _)| at));
            cells.push((places.0, places.1, key.clone(), fit));
        }
    }
    cells
}

fn fits(trial: &Trial) -> Vec<(String, Fit)> {
    cells(trial).into_iter().map(|(.., key, fit)| (key, fit)).collect()
}

fn named<const N: usize>(fits: [(&str, Fit); N]) -> Vec<(String, Fit)> {
    fits.map(|(key, fit)| (key.to_owned(), fit)).into()
}

#[test]
fn a_loss_marks_its_call_and_no_other_call_of_the_tool() {
    let expected = json!([
        {"name": "light", "arguments": {"room": "hall", "on": false}},
        {"name": "light", "arguments": {"room": "bath", "on": false}},
    ]);
    let made = vec![
        call("light", json!({"room": "bath", "on": true})),
        call("light", json!({"room": "hall", "on": false})),
    ];
    let trial = trial(&expected, ArgumentRules::default(), made);
    let places = |trial: &Trial| -> Vec<_> {
        JudgedCalls::of(trial).pairs().iter().map(|pair| pair.made.map(|(at, _)| at)).collect()
    };
    let wanted =
        [("on", Fit::Same), ("room", Fit::Same), ("on", Fit::Differs), ("room", Fit::Same)];
    for scorer in ["tool_calls", "partial", "tau"] {
        let trial = scored_by(trial.clone(), &[scorer]);
        assert_eq!(places(&trial), [Some(1), Some(0)], "{scorer}");
        assert_eq!(fits(&trial), named(wanted), "{scorer}");
    }
    // A log that does not hold the places says the same of these.
    let mut old = scored_by(trial, &["tool_calls"]);
    forget_places(&mut old);
    assert_eq!(fits(&old), named(wanted));
}

fn forget_places(trial: &mut Trial) {
    for outcome in trial.outcomes.values_mut() {
        if let Outcome::Scored(score) = outcome {
            score.pairing.clear();
            for loss in &mut score.losses {
                *loss =
                    std::mem::replace(loss, Loss::new(Cause::WrongValue, 0.0)).at_calls(None, None);
            }
        }
    }
}

#[test]
fn what_a_rule_takes_is_accepted_and_not_the_same() {
    let expected = json!([{"name": "set", "arguments": {
        "a": {"$regex": "^x"}, "b": {"$optional": 1}, "c": "Hall", "d": {"$any_of": [1, 2]},
        "e": {"$number": 20, "tolerance": 1}, "f": 1, "g": {"$optional": 2}, "h": "y",
    }}]);
    let rules = ArgumentRules { text: TextRule::Loose, ..ArgumentRules::default() };
    let given = json!({"a": "xy", "c": "hall", "d": 2, "e": 21, "f": 1.0, "g": 3, "h": "y"});
    let trial = trial(&expected, rules, vec![call("set", given)]);
    let wanted = [
        ("a", Fit::Accepted),
        ("b", Fit::Accepted),
        ("c", Fit::Accepted),
        ("d", Fit::Accepted),
        ("e", Fit::Accepted),
        ("f", Fit::Same),
        ("g", Fit::Differs),
        ("h", Fit::Same),
    ];
    assert_eq!(fits(&scored_by(trial, &["tool_calls"])), named(wanted));
}

#[test]
fn arguments_of_another_tool_and_of_no_call_are_not_called_the_same() {
    let expected = json!([
        {"name": "remind", "arguments": {"date": "2026-03-13", "text": "tea"}},
        {"name": "timer", "arguments": {"seconds": 5}},
    ]);
    let made = vec![call("note", json!({"date": "tomorrow", "text": "tea"}))];
    let trial = scored_by(trial(&expected, ArgumentRules::default(), made), &["tool_calls"]);
    let wanted = [("date", Fit::NotJudged), ("text", Fit::NotJudged), ("seconds", Fit::Missing)];
    assert_eq!(fits(&trial), named(wanted));
}

#[test]
fn the_losses_of_the_scorer_that_paired_are_shown_and_no_others() {
    let expected = json!([{"name": "set", "arguments": {"room": "hall", "on": true}}]);
    let made = vec![call("set", json!({"room": "bath", "on": true}))];
    let mut trial = scored_by(trial(&expected, ArgumentRules::default(), made), &["wire"]);
    let mut loss = Loss::new(Cause::WrongChange, 1.0).at_tool("set");
    loss.path = ArgumentPath(vec![PathStep::Key("on".into())]);
    let score = Score { losses: vec![loss], ..Score::default() };
    trial.outcomes.insert("end_state".into(), Outcome::Scored(score));
    let trial = scored_by(trial, &["tool_calls"]);
    assert_eq!(JudgedCalls::of(&trial).scorer, Some("tool_calls"));
    assert_eq!(fits(&trial), named([("on", Fit::Same), ("room", Fit::Differs)]));
}

#[test]
fn places_beyond_the_calls_are_passed_over() {
    let expected = json!([{"name": "set", "arguments": {"on": true}}]);
    let made = vec![call("set", json!({"on": true}))];
    let mut trial = trial(&expected, ArgumentRules::default(), made);
    let score = Score { pairing: vec![Some(9), Some(0), None], ..Score::default() };
    trial.outcomes.insert("x".into(), Outcome::Scored(score));
    assert_eq!(fits(&trial), named([("on", Fit::Missing), ("on", Fit::Unasked)]));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(1)),
        Just(json!(1.0)),
        Just(json!(2)),
        Just(json!("a")),
        Just(json!("A ")),
        Just(json!(true)),
        Just(json!(null)),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            inner.prop_map(|value| json!({"k": value})),
        ]
    })
}

fn pattern() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => value(),
        1 => value().prop_map(|value| json!({"$optional": value})),
        1 => value().prop_map(|value| json!({"$any_of": [value, 2]})),
        1 => value().prop_map(|value| json!({"$exact": value})),
        1 => Just(json!({"$forbidden": true})),
        1 => Just(json!({"$number": 1, "tolerance": 1.0})),
    ]
}

fn arguments(of: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let key = prop_oneof![Just("x"), Just("y"), Just("z")];
    let map = proptest::collection::vec((key, of), 0..4);
    map.prop_map(|all| {
        Value::Object(
            all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>(),
        )
    })
}

fn tool() -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => Just("on"), 1 => Just("off")]
}

fn rules() -> impl Strategy<Value = ArgumentRules> {
    (any::<bool>(), any::<bool>()).prop_map(|(loose, strict)| ArgumentRules {
        text: if loose { TextRule::Loose } else { TextRule::Exact },
        extra: if strict { ExtraArguments::Lost } else { ExtraArguments::Allowed },
        ..ArgumentRules::default()
    })
}

/// Equality as the number rule has it, written apart from the code under test.
fn equal_as_json(a: &Value, b: &Value) -> bool {
    let with_one_kind_of_number = |value: &Value| value.to_string().replace("1.0", "1");
    with_one_kind_of_number(a) == with_one_kind_of_number(b)
}

proptest! {
    #[test]
    fn a_cell_says_what_the_scorer_says(
        expected in proptest::collection::vec((tool(), arguments(pattern())), 1..4),
        made in proptest::collection::vec((tool(), arguments(value())), 0..4),
        rules in rules(),
        scorer in prop_oneof![Just("tool_calls"), Just("partial"), Just("tau"), Just("tool_calls_classic")],
    ) {
        let written = |(name, arguments): &(&str, Value)| json!({"name": name, "arguments": arguments});
        let expected: Value = expected.iter().map(written).collect();
        let made = made.into_iter().map(|(tool, arguments)| call(tool, arguments)).collect();
        let trial = scored_by(trial(&expected, rules, made), &[scorer]);
        let score = trial.outcome().and_then(Outcome::score).unwrap();
        let made: Vec<&ToolCall> = trial.transcript.calls().collect();
        for (wanted_at, made_at, key, fit) in cells(&trial) {
            let named = score.losses.iter().any(|loss| {
                (loss.expected_call, loss.made_call) == (wanted_at, made_at)
                    && loss.path.0.first() == Some(&PathStep::Key(key.clone()))
            });
            let wrong = matches!(fit, Fit::Differs | Fit::Extra)
                || (fit == Fit::Missing && made_at.is_some());
            prop_assert_eq!(wrong, named, "{} {:?}", key, fit);
            let wanted = wanted_at.and_then(|at| expected[at]["arguments"].get(&key));
            let given = made_at.and_then(|at| made[at].arguments.as_object()?.get(&key));
            if fit == Fit::Same {
                prop_assert!(equal_as_json(wanted.unwrap(), given.unwrap()));
            }
        }
    }
}

#[test]
fn arguments_that_are_left_out_are_counted() {
    let arguments = |count: usize| -> Map<String, Value> {
        (0..count).map(|n| (format!("argument_{n}"), json!(n))).collect()
    };
    let shown = |count: usize| {
        let expected = json!([{"name": "light", "arguments": arguments(count)}]);
        let made = vec![ToolCall::new("light", arguments(count))];
        let trial = trial(&expected, ArgumentRules::default(), made);
        crate::render::html::call_diff(&JudgedCalls::of(&trial), false).into_string()
    };
    assert!(!shown(100).contains("… and more"));
    let page = shown(101);
    assert!(page.contains("… and more: 101 in all") && !page.contains("argument_100"), "{page}");
}
