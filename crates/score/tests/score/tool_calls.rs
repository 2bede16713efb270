//! The tool-call scorer by example.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use serde_json::{Value, json};
use toolgauge_core::{
    AcceptedWay, Alternative, ArgumentRules, Arguments, AssistantMessage, CallOrder, CallOrigin,
    Case, Cause, Dimension, Expectation, ExpectedCall, ExtraArguments, FailureKind, ListRule,
    Outcome, Quality, ResponseKind, Score, TextRule, Tool, ToolCall, Transcript, TrialFailure,
    UnscoredReason,
};
use toolgauge_score::{Scorer, ToolCallScorer};

#[expect(clippy::needless_pass_by_value, reason = "calls read better without `&`")]
fn expected(name: &str, arguments: Value) -> ExpectedCall {
    serde_json::from_value(json!({"name": name, "arguments": arguments})).unwrap()
}

fn made(name: &str, arguments: &Value) -> ToolCall {
    ToolCall::new(name, arguments.as_object().unwrap().clone())
}

fn tools() -> Vec<Tool> {
    let tool = |name: &str| serde_json::from_value(json!({"name": name})).unwrap();
    ["on", "off", "dim", "HassGetState"].map(tool).into()
}

fn said(text: &str, calls: Vec<ToolCall>) -> Transcript {
    Transcript::of(AssistantMessage { content: text.into(), calls, ..AssistantMessage::default() })
}

fn case(expectation: Expectation) -> Case {
    Case { expectation, ..Case::new("c", "a sentence") }
}

fn wants(calls: Vec<ExpectedCall>) -> Expectation {
    let kind = if calls.is_empty() { ResponseKind::Text } else { ResponseKind::Action };
    Expectation { calls: Some(calls), response: Some(kind), ..Expectation::default() }
}

fn judge_by(scorer: &ToolCallScorer, expectation: Expectation, transcript: &Transcript) -> Score {
    match scorer.score(&case(expectation), &tools(), transcript) {
        Outcome::Scored(score) => score,
        Outcome::Unscored(reason) => panic!("unscored: {reason}"),
    }
}

fn judge(expectation: Expectation, transcript: &Transcript) -> Score {
    judge_by(&ToolCallScorer::default(), expectation, transcript)
}

/// The verdicts as letters, in the order they are shown.
fn letters(score: &Score) -> String {
    score.dimensions.values().map(|verdict| verdict.letter()).collect()
}

fn causes(score: &Score) -> Vec<Cause> {
    score.losses.iter().map(|loss| loss.cause).collect()
}

fn is_right(score: &Score) -> bool {
    let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
    assert!((lost + score.value - 1.0).abs() < 1e-9, "{lost} lost of {}", score.value);
    score.value >= 1.0
}

#[test]
fn the_dimensions_have_names_and_an_order() {
    let score = judge(wants(vec![]), &said("hello", vec![]));
    let names: Vec<_> = score.dimensions.keys().map(Dimension::as_str).collect();
    assert_eq!(
        names,
        [
            "tool_name",
            "arguments",
            "call_count",
            "no_undeclared_tools",
            "format_valid",
            "response_kind"
        ]
    );
}

#[test]
fn a_right_call_is_right_in_every_dimension() {
    let want = wants(vec![expected("on", json!({"name": "Lamp"}))]);
    let score = judge(want, &said("", vec![made("on", &json!({"name": "Lamp"}))]));
    assert_eq!(letters(&score), "CCCCCC");
    assert!(is_right(&score));
    assert_eq!(score.quality, Some(Quality::Optimal));
    assert_eq!(score.explanation, "correct");
}

#[test]
fn a_right_refusal_has_nothing_to_judge_but_count_and_kind() {
    let refusal = Expectation { response: Some(ResponseKind::Error), ..wants(vec![]) };
    let score = judge(refusal.clone(), &said("I cannot do that.", vec![]));
    assert_eq!(letters(&score), "NNCNNC");
    assert!(is_right(&score));
    for wrong in ["Okay.", "Done.", "Sure, I'll take care of it.", "The cat flap is locked."] {
        assert!(!is_right(&judge(refusal.clone(), &said(wrong, vec![]))), "{wrong}");
    }
}

#[test]
fn a_call_where_none_should_be_is_named() {
    let score = judge(wants(vec![]), &said("", vec![made("on", &json!({}))]));
    assert_eq!(letters(&score), "NNICCI");
    assert_eq!(causes(&score), [Cause::ShouldNotHaveCalled]);
    assert!(!is_right(&score));
}

#[test]
fn no_call_where_one_should_be_is_named() {
    let want = wants(vec![expected("on", json!({"name": "Lamp"}))]);
    let score = judge(want, &said("Sure!", vec![]));
    assert_eq!(letters(&score), "IIINNI");
    assert_eq!(causes(&score), [Cause::ShouldHaveCalled]);
    assert!(!is_right(&score));
}

#[test]
fn a_wrong_tool_and_a_wrong_argument_are_told_apart() {
    let want = wants(vec![expected("on", json!({"name": "Lamp"}))]);
    let score = judge(want.clone(), &said("", vec![made("off", &json!({"name": "Lamp"}))]));
    assert_eq!(letters(&score), "IICCCC");
    assert_eq!(causes(&score), [Cause::WrongTool]);
    let score = judge(want, &said("", vec![made("on", &json!({"name": "Fan"}))]));
    assert_eq!(letters(&score), "CICCCC");
    assert_eq!(causes(&score), [Cause::WrongValue]);
    assert_eq!(score.explanation, "wrong value: `on` at `name`: expected \"Lamp\", got \"Fan\"");
}

#[test]
fn an_undeclared_tool_is_named_unless_tools_are_unknown() {
    let want = wants(vec![expected("on", json!({}))]);
    let transcript = said("", vec![made("switch_it_on", &json!({}))]);
    let score = judge(want.clone(), &transcript);
    assert_eq!(letters(&score), "IICICC");
    assert_eq!(causes(&score), [Cause::WrongTool, Cause::UndeclaredTool]);
    let outcome = ToolCallScorer::default().score(&case(want), &[], &transcript);
    assert_eq!(letters(outcome.score().unwrap()), "IICNCC");
}

#[test]
fn a_malformed_call_is_a_call() {
    let want = wants(vec![expected("on", json!({}))]);
    let broken = ToolCall { arguments: Arguments::from_text("{\"a"), ..made("on", &json!({})) };
    let score = judge(want, &said("", vec![broken]));
    assert_eq!(letters(&score), "CICCIC");
    assert_eq!(causes(&score), [Cause::MalformedCall]);
    assert!(!is_right(&score));
}

#[test]
fn a_call_in_the_text_does_not_count_unless_told_so() {
    let want = wants(vec![expected("on", json!({"name": "Lamp"}))]);
    let call = ToolCall { origin: CallOrigin::Text, ..made("on", &json!({"name": "Lamp"})) };
    let transcript = said("<tool_call>…", vec![call]);
    let score = judge(want.clone(), &transcript);
    assert_eq!(letters(&score), "IIINII");
    assert_eq!(causes(&score), [Cause::CallInText]);
    let lenient = ToolCallScorer { count_calls_in_text: true, ..ToolCallScorer::default() };
    assert!(is_right(&judge_by(&lenient, want, &transcript)));
}

#[test]
fn calls_may_come_in_any_order_unless_it_counts() {
    let calls =
        || vec![expected("on", json!({"name": "A"})), expected("off", json!({"name": "B"}))];
    let swapped = [made("off", &json!({"name": "B"})), made("on", &json!({"name": "A"}))];
    let transcript = said("", swapped.to_vec());
    assert!(is_right(&judge(wants(calls()), &transcript)));
    for order in [CallOrder::Strict, CallOrder::Subsequence] {
        let score = judge(Expectation { order, ..wants(calls()) }, &transcript);
        assert!(!is_right(&score));
        assert_eq!(causes(&score), [Cause::WrongOrder]);
    }
}

#[test]
fn a_subsequence_may_have_other_calls_between() {
    let calls =
        || vec![expected("on", json!({"name": "A"})), expected("off", json!({"name": "B"}))];
    let [on, dim, off] = [("on", "A"), ("dim", "C"), ("off", "B")]
        .map(|(tool, name)| made(tool, &json!({"name": name})));
    let transcript = said("", vec![on, dim, off]);
    let subsequence = Expectation { order: CallOrder::Subsequence, ..wants(calls()) };
    assert!(is_right(&judge(subsequence, &transcript)));
    let score = judge(wants(calls()), &transcript);
    assert_eq!(letters(&score), "ICICCC");
    assert_eq!(causes(&score), [Cause::ExtraCall]);
}

#[test]
fn pairing_is_optimal_where_greedy_pairing_fails() {
    let calls = vec![expected("on", json!({})), expected("on", json!({"name": "A"}))];
    let transcript =
        said("", vec![made("on", &json!({"name": "A"})), made("on", &json!({"name": "B"}))]);
    assert!(is_right(&judge(wants(calls.clone()), &transcript)));
    assert!(!is_right(&judge_by(&ToolCallScorer::classic(), wants(calls), &transcript)));
}

#[test]
fn two_identical_expected_calls_need_two_calls() {
    let calls = || vec![expected("on", json!({"name": "A"})); 2];
    let call = made("on", &json!({"name": "A"}));
    assert!(is_right(&judge(wants(calls()), &said("", vec![call.clone(), call.clone()]))));
    let score = judge(wants(calls()), &said("", vec![call]));
    assert_eq!(causes(&score), [Cause::MissingCall]);
    assert_eq!(letters(&score), "IIICCC");
}

#[test]
fn the_first_alternative_that_fits_gives_its_quality() {
    let alternative = |name: &str, quality, reason: &str| Alternative {
        calls: vec![expected(name, json!({}))],
        response: None,
        quality,
        reason: Some(reason.into()),
    };
    let want = Expectation {
        alternatives: vec![
            alternative("off", Quality::Degraded, "no"),
            alternative("dim", Quality::Acceptable, "dims to full"),
        ],
        ..wants(vec![expected("on", json!({}))])
    };
    let score = judge(want.clone(), &said("", vec![made("dim", &json!({}))]));
    assert!(is_right(&score));
    assert_eq!(score.quality, Some(Quality::Acceptable));
    assert_eq!(score.way, Some(AcceptedWay::Alternative(1)));
    assert_eq!(score.explanation, "correct (acceptable: dims to full)");
    // A failure is explained by what the case asks for in the first place.
    let score = judge(want, &said("", vec![made("HassGetState", &json!({}))]));
    assert_eq!((score.quality, score.way), (None, Some(AcceptedWay::AsWritten)));
    assert_eq!(score.losses[0].expected, Some(json!("on")));
}

#[test]
fn an_alternative_has_its_own_response_kind() {
    let question = Alternative {
        calls: vec![],
        response: Some(ResponseKind::Clarification),
        quality: Quality::Acceptable,
        reason: None,
    };
    let want =
        Expectation { alternatives: vec![question], ..wants(vec![expected("on", json!({}))]) };
    let transcript = said("Which lamp?", vec![]);
    assert!(is_right(&judge(want.clone(), &transcript)));
    // The classic rules hold the alternative to the case's own kind, which wants a call.
    assert!(!is_right(&judge_by(&ToolCallScorer::classic(), want, &transcript)));
}

#[test]
fn a_text_response_must_hold_text_unless_told_otherwise() {
    let score = judge(wants(vec![]), &said(" \n", vec![]));
    assert_eq!(letters(&score), "NNCNNI");
    assert_eq!(causes(&score), [Cause::MissingText]);
    assert!(is_right(&judge_by(&ToolCallScorer::classic(), wants(vec![]), &said("", vec![]))));
}

#[test]
fn a_query_may_be_held_to_certain_tools() {
    let want = Expectation {
        response: Some(ResponseKind::Query),
        ..wants(vec![expected("on", json!({}))])
    };
    let transcript = said("", vec![made("on", &json!({}))]);
    assert!(is_right(&judge(want.clone(), &transcript)));
    let score = judge_by(&ToolCallScorer::classic(), want, &transcript);
    assert_eq!(letters(&score), "CCCCCI");
    assert_eq!(causes(&score), [Cause::WrongResponseKind]);
}

#[test]
fn what_is_not_expected_is_not_judged() {
    let only_kind = Expectation { response: Some(ResponseKind::Action), ..Expectation::default() };
    let score = judge(only_kind, &said("", vec![made("on", &json!({"x": 1}))]));
    assert_eq!(letters(&score), "NNNCCC");
    // The form of a reply is judged whatever is expected.
    for scorer in Scorer::names().iter().filter(|name| **name != "wire") {
        let scorer = Scorer::by_name(scorer).unwrap();
        let outcome = scorer.score(&case(Expectation::default()), &tools(), &said("", vec![]));
        assert_eq!(outcome, Outcome::Unscored(UnscoredReason::NothingExpected));
    }
}

#[test]
fn a_failure_of_the_infrastructure_is_unscored_and_a_limit_is_not() {
    // How a chatbot deals with failure is part of its score.
    for scorer in Scorer::names().iter().filter(|name| **name != "chatbot") {
        let scorer = Scorer::by_name(scorer).unwrap();
        let outcome = |kind| {
            let failure = Some(TrialFailure { kind, message: "why".into() });
            let transcript = Transcript { failure, ..said("", vec![]) };
            scorer.score(&case(wants(vec![expected("on", json!({}))])), &tools(), &transcript)
        };
        for kind in [FailureKind::Timeout, FailureKind::Server, FailureKind::Interrupted] {
            assert!(matches!(outcome(kind), Outcome::Unscored(UnscoredReason::Failed(_))));
        }
        if matches!(scorer, Scorer::ToolCalls(_) | Scorer::Partial(_)) {
            assert_eq!(outcome(FailureKind::LimitReached).value(), Some(0.0));
        }
    }
}

#[test]
fn scorers_are_found_by_name() {
    for name in Scorer::names() {
        assert_eq!(Scorer::by_name(name).unwrap().name(), *name);
    }
    assert_eq!(Scorer::by_name("nothing"), None);
    assert_eq!(Scorer::default().name(), Scorer::names()[0]);
}

/// Whether one argument passes under the rules.
#[expect(clippy::needless_pass_by_value, reason = "calls read better without `&`")]
fn passes(rules: ArgumentRules, pattern: Value, actual: &Value) -> bool {
    let want = Expectation { rules, ..wants(vec![expected("on", json!({"x": pattern}))]) };
    is_right(&judge(want, &said("", vec![made("on", actual)])))
}

#[expect(clippy::needless_pass_by_value, reason = "calls read better without `&`")]
fn matches(pattern: Value, actual: Value) -> bool {
    passes(ArgumentRules::default(), pattern, &json!({"x": actual}))
}

#[test]
fn plain_values_are_exact_by_default() {
    assert!(matches(json!("Lamp"), json!("Lamp")));
    assert!(!matches(json!("Lamp"), json!("lamp")));
    assert!(matches(json!(21), json!(21.0)));
    assert!(!matches(json!(1), json!(true)));
    assert!(!matches(json!(21), json!("21")));
    assert!(matches(json!([1, [2]]), json!([1, [2]])));
    assert!(!matches(json!([1, 2]), json!([2, 1])));
    assert!(!matches(json!([1]), json!([1, 2])));
    assert!(matches(json!({"a": {"b": 1}}), json!({"a": {"b": 1, "c": 2}})));
    assert!(matches(json!(null), json!(null)));
}

#[test]
fn rules_loosen_plain_values_to_any_depth() {
    let loose = ArgumentRules {
        text: TextRule::Loose,
        tolerance: 0.01,
        lists: ListRule::Set,
        ..ArgumentRules::default()
    };
    assert!(passes(loose, json!([{"n": "Living Room"}]), &json!({"x": [{"n": " living  room"}]})));
    assert!(passes(loose, json!(21), &json!({"x": 21.01})));
    assert!(!passes(loose, json!(21), &json!({"x": 21.02})));
    assert!(passes(loose, json!(["a", "b"]), &json!({"x": ["B", "A"]})));
    assert!(!passes(loose, json!(["a", "a"]), &json!({"x": ["a", "b"]})));
}

#[test]
fn extra_arguments_are_free_unless_they_are_lost() {
    let lost = ArgumentRules { extra: ExtraArguments::Lost, ..ArgumentRules::default() };
    let actual = json!({"x": {"a": 1}, "y": 2});
    assert!(passes(ArgumentRules::default(), json!({"a": 1}), &actual));
    assert!(!passes(lost, json!({"a": 1}), &actual));
    assert!(passes(lost, json!({"a": 1}), &json!({"x": {"a": 1}})));
    assert!(!passes(lost, json!({"a": 1}), &json!({"x": {"a": 1, "b": 1}})));
}

#[test]
fn every_rule_matches_what_it_says() {
    assert!(matches(json!({"$exact": [1, "A"]}), json!([1, "A"])));
    assert!(!matches(json!({"$exact": {"a": 1}}), json!({"a": 1, "b": 2})));
    assert!(matches(json!({"$text": "Living Room"}), json!("living room")));
    assert!(matches(json!({"$number": 21, "tolerance": 0.5}), json!(21.5)));
    assert!(!matches(json!({"$number": 21, "tolerance": 0.5}), json!(21.6)));
    assert!(!matches(json!({"$number": 1}), json!(true)));
    assert!(matches(json!({"$list": [1, {"$anything": true}]}), json!([1, "x"])));
    assert!(!matches(json!({"$list": [1, 2]}), json!([2, 1])));
    assert!(matches(json!({"$set": [{"$regex": "a"}, "a"]}), json!(["a", "ab"])));
    assert!(matches(json!({"$set": ["a", {"$regex": "a"}]}), json!(["ab", "a"])));
    assert!(!matches(json!({"$set": ["a"]}), json!(["a", "b"])));
    assert!(matches(json!({"$any_of": [1, {"$text": "one"}]}), json!("ONE")));
    assert!(!matches(json!({"$any_of": [1, 2]}), json!(3)));
    assert!(matches(json!({"$regex": "^re+d$"}), json!("reed")));
    assert!(!matches(json!({"$regex": "("}), json!("(")));
    let late = json!({"$regex": "late", "not": "not late|early"});
    assert!(matches(late.clone(), json!("ten minutes late")));
    assert!(!matches(late.clone(), json!("I'm not late")));
    assert!(!matches(late.clone(), json!("on time")));
    assert!(!matches(late, json!(["late"])));
    // What must not be found cannot be told from an invalid expression.
    assert!(!matches(json!({"$regex": "late", "not": "("}), json!("late")));
    assert!(matches(json!({"$anything": true}), json!(null)));
}

#[test]
fn optional_and_forbidden_arguments() {
    let rules = ArgumentRules::default;
    assert!(passes(rules(), json!({"$optional": 1}), &json!({})));
    assert!(passes(rules(), json!({"$optional": 1}), &json!({"x": 1})));
    assert!(!passes(rules(), json!({"$optional": 1}), &json!({"x": 2})));
    assert!(passes(rules(), json!({"$forbidden": true}), &json!({})));
    assert!(!passes(rules(), json!({"$forbidden": true}), &json!({"x": null})));
    assert!(!passes(rules(), json!({"$anything": true}), &json!({})));
    assert!(passes(rules(), json!({"$any_of": [1, {"$forbidden": true}]}), &json!({})));
}

#[test]
fn a_flaw_too_deep_for_the_last_bit_of_a_credit_is_still_a_flaw() {
    let nest = |inner: Value| (0..80).fold(inner, |value, _| json!({"a": value, "b": 1}));
    assert!(!matches(nest(json!(1)), nest(json!(2))));
    assert!(matches(nest(json!(1)), nest(json!(1))));
}

/// Whether one argument passes by the classic rules.
fn classic(expected_arguments: Value, actual: &Value) -> bool {
    let want = wants(vec![expected("on", expected_arguments)]);
    is_right(&judge_by(&ToolCallScorer::classic(), want, &said("", vec![made("on", actual)])))
}

#[test]
fn the_classic_rules_for_arguments() {
    assert!(classic(json!({"x": " Lamp "}), &json!({"x": "lamp"})));
    assert!(!classic(json!({"x": "floor lamp"}), &json!({"x": "floorlamp"})));
    assert!(classic(json!({"x": 21}), &json!({"x": 21.005})));
    assert!(!classic(json!({"x": 21}), &json!({"x": 21.02})));
    assert!(classic(json!({"x": 21}), &json!({"x": "21"})));
    assert!(classic(json!({"x": 1}), &json!({"x": true})));
    assert!(classic(json!({"x": ["Light", "fan"]}), &json!({"x": ["FAN", "light"]})));
    assert!(!classic(json!({"x": ["light"]}), &json!({"x": ["light", "fan"]})));
    assert!(!classic(json!({"x": ["light"]}), &json!({"x": "light"})));
    assert!(classic(json!({"x_any_of": ["A", "B"]}), &json!({"x": "b"})));
    assert!(!classic(json!({"x_any_of": ["A", "B"]}), &json!({"x": "c"})));
    assert!(!classic(json!({"x_any_of": ["A", "B"]}), &json!({})));
    assert!(!classic(json!({"x": null}), &json!({"x": null})));
    assert!(classic(json!({}), &json!({"anything": 1})));
    assert!(classic(json!({"x": 1}), &json!({"x": 1, "extra": 2})));
}

#[test]
fn the_classic_rules_want_the_right_number_of_calls_for_right_arguments() {
    let want = wants(vec![expected("on", json!({}))]);
    let transcript = said("", vec![made("on", &json!({})), made("off", &json!({}))]);
    let score = judge_by(&ToolCallScorer::classic(), want.clone(), &transcript);
    assert_eq!(letters(&score), "IIICCC");
    assert_eq!(letters(&judge(want, &transcript)), "ICICCC");
}

#[test]
fn partial_credit_takes_the_best_of_the_alternatives() {
    let want = Expectation {
        alternatives: vec![Alternative {
            calls: vec![expected("dim", json!({"to": 100}))],
            response: None,
            quality: Quality::Equivalent,
            reason: None,
        }],
        ..wants(vec![expected("on", json!({}))])
    };
    let transcript = said("", vec![made("dim", &json!({"to": 100}))]);
    let score = |name: &str| {
        let outcome = Scorer::by_name(name).unwrap().score(&case(want.clone()), &[], &transcript);
        outcome.score().unwrap().clone()
    };
    assert!(score("partial").value >= 1.0);
    assert_eq!(score("partial").quality, Some(Quality::Equivalent));
    assert!(score("tau").value <= 0.0);
    assert_eq!(score("tau").explanation, "missing call: `on`");
}

/// Which calls each loss is about.
fn places(score: &Score) -> Vec<(Cause, Option<usize>, Option<usize>)> {
    score.losses.iter().map(|loss| (loss.cause, loss.expected_call, loss.made_call)).collect()
}

#[test]
fn a_loss_names_the_calls_it_is_about_and_a_score_which_were_paired() {
    let wanted = || {
        wants(vec![
            expected("on", json!({"name": "a", "level": 1})),
            expected("on", json!({"name": "b", "level": 1})),
            expected("off", json!({})),
        ])
    };
    // The first call stands in the text: places are those among all calls.
    let mut in_text = made("dim", &json!({}));
    in_text.origin = CallOrigin::Text;
    let calls = vec![
        in_text,
        made("on", &json!({"name": "b", "level": 2})),
        made("on", &json!({"name": "a", "level": 1})),
        made("dim", &json!({})),
        made("on", &json!({"name": "c"})),
    ];
    let transcript = said("", calls);
    let score = judge(wanted(), &transcript);
    assert_eq!(score.pairing, [Some(2), Some(1), Some(3)]);
    assert_eq!(
        places(&score),
        [
            (Cause::WrongValue, Some(1), Some(1)),
            (Cause::WrongTool, Some(2), Some(3)),
            (Cause::ExtraCall, None, Some(4)),
            (Cause::CallInText, None, Some(0)),
        ]
    );
    for (name, pairing) in
        [("partial", [Some(2), Some(1), Some(3)]), ("tau", [Some(2), Some(1), None])]
    {
        let scorer = Scorer::by_name(name).unwrap();
        let outcome = scorer.score(&case(wanted()), &tools(), &transcript);
        let score = outcome.score().unwrap();
        assert_eq!(score.pairing, pairing, "{name}");
        assert_eq!(places(score)[0], (Cause::WrongValue, Some(1), Some(1)), "{name}");
    }
}

#[test]
fn a_right_answer_says_which_calls_were_paired_in_every_order() {
    let calls = || vec![expected("on", json!({})), expected("off", json!({}))];
    let (on, off) = (made("on", &json!({})), made("off", &json!({})));
    let pairing = |order, made: Vec<ToolCall>| {
        let score = judge(Expectation { order, ..wants(calls()) }, &said("", made));
        (score.value >= 1.0).then_some(score.pairing)
    };
    let (forth, back) = (vec![on.clone(), off.clone()], vec![off.clone(), on.clone()]);
    assert_eq!(pairing(CallOrder::Any, back.clone()), Some(vec![Some(1), Some(0)]));
    assert_eq!(pairing(CallOrder::Strict, forth), Some(vec![Some(0), Some(1)]));
    assert_eq!(pairing(CallOrder::Strict, back), None);
    let between = vec![off.clone(), on, off];
    assert_eq!(pairing(CallOrder::Subsequence, between), Some(vec![Some(1), Some(2)]));
    let classic = ToolCallScorer::classic();
    let made = said("", vec![made("off", &json!({})), made("on", &json!({}))]);
    assert_eq!(judge_by(&classic, wants(calls()), &made).pairing, [Some(1), Some(0)]);
}
