//! What holds of every scorer, whatever it is given.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use indexmap::IndexMap;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use toolgauge_core::json::{STAND_IN, number_stand_in};
use toolgauge_core::{
    Alternative, ArgumentRules, Arguments, AssistantMessage, CallOrder, CallOrigin, Case,
    Expectation, ExpectedCall, ExtraArguments, ListRule, Pattern, Quality, ResponseKind, TextRule,
    Tool, ToolCall, Transcript,
};
use toolgauge_score::{PartialScorer, Scorer};

fn scalar() -> impl Strategy<Value = Value> {
    let numbers = [json!(0), json!(1), json!(1.0), json!(-0.0), json!(2.5), json!(1e300)];
    let huge = [json!(u64::MAX), json!(i64::MIN), number_stand_in("NaN")];
    let odd = [number_stand_in("-Infinity"), number_stand_in("123456789012345678901234567890")];
    let texts =
        [json!(""), json!("a"), json!(" A"), json!("1"), json!(format!("{STAND_IN}{STAND_IN}x"))];
    let others = [json!(null), json!(true), json!(false)];
    select(
        [numbers.to_vec(), huge.to_vec(), odd.to_vec(), texts.to_vec(), others.to_vec()].concat(),
    )
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        let keys = select(vec!["a", "b", "c", "$any_of", ""]);
        let object = vec((keys, inner.clone()), 0..4).prop_map(|members| {
            members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
        });
        prop_oneof![vec(inner, 0..4).prop_map(Value::Array), object.prop_map(Value::Object)]
    })
}

fn arguments() -> impl Strategy<Value = Map<String, Value>> {
    let keys = select(vec!["x", "y", "z_any_of"]);
    vec((keys, value()), 0..3)
        .prop_map(|members| members.into_iter().map(|(key, v)| (key.to_owned(), v)).collect())
}

fn name() -> impl Strategy<Value = String> {
    select(vec!["f", "g", "h", ""]).prop_map(String::from)
}

fn well_formed() -> impl Strategy<Value = ToolCall> {
    (name(), arguments()).prop_map(|(name, arguments)| ToolCall::new(name, arguments))
}

fn call() -> impl Strategy<Value = ToolCall> {
    let broken =
        (name(), select(vec!["{", "[1]", "null", "", "nonsense"])).prop_map(|(name, text)| {
            ToolCall { arguments: Arguments::from_text(text), ..ToolCall::new(name, Map::new()) }
        });
    let origin = |call| ToolCall { origin: CallOrigin::Text, ..call };
    prop_oneof![6 => well_formed(), 1 => broken, 1 => well_formed().prop_map(origin)]
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let plain = value().prop_map(|value| Pattern::plain(&value)).boxed();
    let leaf = prop_oneof![
        4 => plain,
        1 => value().prop_map(Pattern::Exact),
        1 => Just(Pattern::Text("A".into())),
        1 => Just(Pattern::Number { number: 1.into(), tolerance: 0.5 }),
        1 => (select(vec!["^a", "("]), select(vec![None, Some("b"), Some("(")])).prop_map(
            |(regex, not)| Pattern::Regex { regex: regex.into(), not: not.map(String::from) }
        ),
        1 => Just(Pattern::Forbidden),
        1 => Just(Pattern::Anything),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let rule = select(vec![ListRule::Ordered, ListRule::Set]);
        prop_oneof![
            (vec(inner.clone(), 0..4), rule)
                .prop_map(|(items, rule)| Pattern::Items { items, rule }),
            vec(inner.clone(), 1..3).prop_map(Pattern::AnyOf),
            vec(inner.clone(), 0..3).prop_map(Pattern::List),
            inner.clone().prop_map(|pattern| Pattern::Optional(Box::new(pattern))),
            inner.prop_map(|pattern| Pattern::Object(IndexMap::from([("a".into(), pattern)]))),
        ]
    })
}

fn demanding() -> impl Strategy<Value = ExpectedCall> {
    let keys = select(vec!["x", "y", "z_any_of"]).prop_map(String::from);
    (name(), vec((keys, pattern()), 0..3)).prop_map(|(name, arguments)| ExpectedCall {
        name,
        arguments: arguments.into_iter().collect(),
    })
}

fn rules() -> impl Strategy<Value = ArgumentRules> {
    let text = select(vec![TextRule::Exact, TextRule::Loose]);
    let lists = select(vec![ListRule::Ordered, ListRule::Set]);
    let extra = select(vec![ExtraArguments::Allowed, ExtraArguments::Lost]);
    (text, select(vec![0.0, 0.5]), lists, extra)
        .prop_map(|(text, tolerance, lists, extra)| ArgumentRules { text, tolerance, lists, extra })
}

fn expectation() -> impl Strategy<Value = Expectation> {
    use ResponseKind::{Action, Clarification, Error, Query, Text};
    let kind = || proptest::option::of(select(vec![Action, Query, Text, Clarification, Error]));
    let alternative = (vec(demanding(), 0..3), kind()).prop_map(|(calls, response)| Alternative {
        calls,
        response,
        quality: Quality::Acceptable,
        reason: None,
    });
    let order = select(vec![CallOrder::Any, CallOrder::Strict, CallOrder::Subsequence]);
    let calls = proptest::option::weighted(0.9, vec(demanding(), 0..4));
    (calls, kind(), vec(alternative, 0..3), order, rules()).prop_map(
        |(calls, response, alternatives, order, rules)| Expectation {
            calls,
            response,
            alternatives,
            order,
            rules,
            ..Expectation::default()
        },
    )
}

/// What asks for exactly these calls.
fn asking_for(calls: &[ToolCall]) -> Vec<ExpectedCall> {
    let plain = |call: &ToolCall| {
        let arguments = call.arguments.as_object().unwrap().iter();
        let arguments = arguments.map(|(key, value)| (key.clone(), Pattern::plain(value)));
        ExpectedCall { name: call.name.clone(), arguments: arguments.collect() }
    };
    calls.iter().map(plain).collect()
}

fn transcript(calls: Vec<ToolCall>) -> Transcript {
    let message = AssistantMessage { content: "text".into(), calls, ..AssistantMessage::default() };
    Transcript::of(message)
}

fn case(expectation: Expectation) -> Case {
    Case { expectation, ..Case::new("c", "a sentence") }
}

fn tools() -> Vec<Tool> {
    let tool = |name| serde_json::from_value(json!({"name": name})).unwrap();
    ["f", "g", "h"].map(tool).into()
}

fn order_free(call: &ToolCall) -> bool {
    !call.name.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_transcript_equal_to_the_expectation_scores_1(
        calls in vec(well_formed().prop_filter("named", order_free), 0..5),
        rules in rules(),
        order in select(vec![CallOrder::Any, CallOrder::Strict, CallOrder::Subsequence]),
    ) {
        let response = if calls.is_empty() { ResponseKind::Text } else { ResponseKind::Action };
        let expectation = Expectation {
            calls: Some(asking_for(&calls)),
            response: Some(response),
            order,
            rules,
            ..Expectation::default()
        };
        for name in ["tool_calls", "partial", "tau"] {
            let outcome = Scorer::by_name(name).unwrap().score(
                &case(expectation.clone()), &tools(), &transcript(calls.clone()),
            );
            prop_assert_eq!(outcome.value(), Some(1.0), "{}: {:?}", name, outcome);
            prop_assert!(outcome.score().unwrap().losses.is_empty());
        }
    }

    #[test]
    fn whatever_comes_in_scores_stay_between_0_and_1_and_losses_add_up(
        expectation in expectation(),
        calls in vec(call(), 0..5),
    ) {
        for name in Scorer::names() {
            let outcome = Scorer::by_name(name).unwrap().score(
                &case(expectation.clone()), &tools(), &transcript(calls.clone()),
            );
            let Some(score) = outcome.score() else { continue };
            prop_assert!((0.0..=1.0).contains(&score.value));
            prop_assert!(score.measures.values().all(|n| (0.0..=1.0).contains(n)));
            prop_assert!(score.losses.iter().all(|loss| loss.points >= 0.0));
            let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
            // The verdicts of other tools have a reason in words and no losses.
            let is_peer = matches!(Scorer::by_name(name), Some(Scorer::Peer(_)));
            prop_assert!(
                is_peer || (lost + score.value - 1.0).abs() < 1e-9, "{} {:?}", name, score
            );
            prop_assert!(!score.explanation.is_empty());
        }
    }

    #[test]
    fn permuting_calls_never_changes_an_order_free_score(
        expectation in expectation(),
        calls in vec(call(), 0..5).prop_flat_map(|calls| {
            (Just(calls.clone()), Just(calls).prop_shuffle())
        }),
    ) {
        let expectation = Expectation { order: CallOrder::Any, ..expectation };
        for name in ["tool_calls", "partial", "tau"] {
            let scorer = Scorer::by_name(name).unwrap();
            let score = |calls: &Vec<ToolCall>| {
                scorer.score(&case(expectation.clone()), &tools(), &transcript(calls.clone()))
            };
            let (one, other) = (score(&calls.0), score(&calls.1));
            prop_assert_eq!(one.score().is_some(), other.score().is_some());
            if let (Some(one), Some(other)) = (one.score(), other.score()) {
                prop_assert!((one.value - other.value).abs() < 1e-9, "{}", name);
                prop_assert_eq!(&one.dimensions, &other.dimensions);
            }
        }
    }

    #[test]
    fn adding_a_wrong_call_never_raises_an_assignment_score(
        expected in vec(demanding(), 0..4),
        rules in rules(),
        calls in vec(call(), 0..4),
        at in any::<Index>(),
        wrong in well_formed(),
    ) {
        let scorer = PartialScorer::assignment();
        let before = scorer.score(&expected, &rules, &calls);
        let mut more = calls.clone();
        // No expected call has this name, so that the call is wrong wherever it stands.
        let wrong = ToolCall { name: "wrong".into(), ..wrong };
        more.insert(at.index(calls.len() + 1), wrong);
        let after = scorer.score(&expected, &rules, &more);
        prop_assert!(after.value <= before.value);
        prop_assert!(after.measures["f1"] <= before.measures["f1"]);
        prop_assert!(after.measures["precision"] <= before.measures["precision"]);
    }

    #[test]
    fn one_to_one_pairing_never_beats_taking_the_best(
        expected in vec(demanding(), 1..4),
        rules in rules(),
        calls in vec(call(), 0..5),
    ) {
        let assigned = PartialScorer::assignment().score(&expected, &rules, &calls);
        let tau = PartialScorer::tau().score(&expected, &rules, &calls);
        prop_assert!(assigned.value <= tau.value + 1e-9);
    }
}

#[test]
fn deep_nesting_takes_neither_stack_nor_time() {
    let nest = |levels, inner: Value| (0..levels).fold(inner, |value, _| json!([{"k": value}]));
    let run = move || {
        for rule in [ListRule::Ordered, ListRule::Set] {
            let call = |inner| {
                let arguments = json!({"x": nest(250, inner)});
                ToolCall::new("f", arguments.as_object().unwrap().clone())
            };
            let expectation = Expectation {
                calls: Some(asking_for(&[call(json!(1))])),
                rules: ArgumentRules { lists: rule, ..ArgumentRules::default() },
                ..Expectation::default()
            };
            for name in ["tool_calls", "tool_calls_classic", "partial", "tau"] {
                let scorer = Scorer::by_name(name).unwrap();
                for (inner, right) in [(json!(1), true), (json!(2), false)] {
                    let transcript = transcript(vec![call(inner)]);
                    let outcome = scorer.score(&case(expectation.clone()), &tools(), &transcript);
                    assert_eq!(outcome.value() == Some(1.0), right, "{name}");
                }
            }
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn hundreds_of_calls_are_paired_in_no_time() {
    let call = |n: usize| {
        let arguments = json!({"n": n, "m": n % 7});
        ToolCall::new("f", arguments.as_object().unwrap().clone())
    };
    let made: Vec<ToolCall> = (0..300).rev().map(call).collect();
    let expected = asking_for(&(0..300).map(call).collect::<Vec<_>>());
    let score = PartialScorer::assignment().score(&expected, &ArgumentRules::default(), &made);
    assert!(score.value >= 1.0);
}
