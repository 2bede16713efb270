//! The partial scorer by example.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use serde_json::{Value, json};
use toolgauge_core::json::number_stand_in;
use toolgauge_core::{
    ArgumentRules, Arguments, Cause, ExpectedCall, Pattern, Score, ToolCall, json::STAND_IN,
};
use toolgauge_score::PartialScorer;

fn expected(name: &str, arguments: &Value) -> ExpectedCall {
    let Pattern::Object(arguments) = Pattern::plain(arguments) else { panic!("not an object") };
    ExpectedCall { name: name.into(), arguments }
}

fn made(name: &str, arguments: &Value) -> ToolCall {
    ToolCall::new(name, arguments.as_object().unwrap().clone())
}

fn tau(expected: &[ExpectedCall], made: &[ToolCall]) -> Score {
    PartialScorer::tau().score(expected, &ArgumentRules::default(), made)
}

fn assignment(expected: &[ExpectedCall], made: &[ToolCall]) -> Score {
    PartialScorer::assignment().score(expected, &ArgumentRules::default(), made)
}

/// The argument credit of one value, taken back out of the score of a call with that argument.
fn credit(expected_value: &Value, actual: &Value) -> f64 {
    // A second argument that differs keeps the whole from being equal.
    let score = tau(
        &[expected("f", &json!({"x": expected_value, "other": 1}))],
        &[made("f", &json!({"x": actual, "other": 2}))],
    );
    let credit = (score.value - 0.4) / 0.6 * 2.0;
    (credit * 1e9).round() / 1e9
}

#[test]
fn the_name_is_worth_two_fifths_and_the_arguments_the_rest() {
    let want = [expected("book", &json!({"from": "JFK", "to": "SEA", "seats": 2}))];
    let score = tau(&want, &[made("book", &json!({"from": "JFK", "to": "LAX", "seats": 2}))]);
    assert!((score.value - 0.8).abs() < 1e-12);
    assert_eq!(score.losses.len(), 1);
    let loss = &score.losses[0];
    assert_eq!(loss.cause, Cause::WrongValue);
    assert_eq!(loss.path.to_string(), "to");
    assert_eq!(loss.tool.as_deref(), Some("book"));
    assert_eq!((&loss.expected, &loss.actual), (&Some(json!("SEA")), &Some(json!("LAX"))));
    assert!((loss.points - 0.2).abs() < 1e-12);
}

#[test]
fn arguments_count_only_under_the_right_tool() {
    let want = [expected("f", &json!({"a": 1}))];
    let score = tau(&want, &[made("g", &json!({"a": 1}))]);
    assert!(score.value.abs() < f64::EPSILON);
    assert_eq!(score.losses[0].cause, Cause::MissingCall);
}

#[test]
fn objects_are_credited_by_their_expected_keys() {
    assert!((credit(&json!({"a": 1, "b": 2}), &json!({"a": 1, "c": 2})) - 0.5).abs() < 1e-9);
    assert!((credit(&json!({"a": 1}), &json!({"a": 1, "c": 2})) - 1.0).abs() < 1e-9);
    assert!((credit(&json!({}), &json!({"a": 1})) - 1.0).abs() < 1e-9);
    assert!(credit(&json!({}), &json!([])).abs() < 1e-9);
}

#[test]
fn each_expected_item_of_a_list_takes_its_best_match() {
    assert!((credit(&json!([1, 2]), &json!([2, 1, 3])) - 1.0).abs() < 1e-9);
    assert!((credit(&json!([1, 1]), &json!([1])) - 1.0).abs() < 1e-9);
    assert!((credit(&json!([1, 2, 3, 4]), &json!([3])) - 0.25).abs() < 1e-9);
    assert!(
        (credit(&json!([]), &json!([1])) - 1.0).abs() < 1e-9,
        "nothing expected, nothing missing"
    );
    assert!((credit(&json!([]), &json!([])) - 1.0).abs() < 1e-9);
    let people = json!([{"first": "Ann", "last": "Lee"}, {"first": "Bo", "last": "Ek"}]);
    let swapped = json!([{"first": "Bo", "last": "Eck"}, {"first": "Ann", "last": "Lee"}]);
    assert!((credit(&people, &swapped) - 0.75).abs() < 1e-9);
}

#[test]
fn an_expected_empty_list_takes_any_list_and_nothing_else() {
    for list in [json!([]), json!([1]), json!([[], {}])] {
        assert!((credit(&json!([]), &list) - 1.0).abs() < 1e-9, "{list}");
        assert!((credit(&json!({"a": []}), &json!({"a": list})) - 1.0).abs() < 1e-9, "{list}");
    }
    for other in [json!({}), json!(""), json!(null), json!(0)] {
        assert!(credit(&json!([]), &other).abs() < 1e-9, "{other}");
    }
    assert!((credit(&json!([[], 1]), &json!([[2], 1])) - 1.0).abs() < 1e-9);
}

#[test]
fn values_compare_as_python_compares_parsed_json() {
    assert!((credit(&json!(1), &json!(true)) - 1.0).abs() < 1e-9);
    assert!((credit(&json!([1, 0]), &json!([1.0, false])) - 1.0).abs() < 1e-9);
    assert!(credit(&json!("1"), &json!(1)).abs() < 1e-9);
    assert!(credit(&json!([1]), &json!(1)).abs() < 1e-9);
}

#[test]
fn nan_is_unequal_but_containers_of_it_are_equal() {
    let nan = number_stand_in("NaN");
    assert!(credit(&nan, &nan).abs() < 1e-9);
    assert!((credit(&json!([nan]), &json!([nan])) - 1.0).abs() < 1e-9);
    assert!((credit(&json!({"a": nan}), &json!({"a": nan})) - 1.0).abs() < 1e-9);
    assert!(credit(&json!({"a": nan}), &json!({"a": nan, "b": 1})).abs() < 1e-9);
    assert!(credit(&json!([nan, 1]), &json!([nan, 2])).abs() < 1e-9);
    let all_equal = json!({"x": nan});
    let score = tau(&[expected("f", &all_equal)], &[made("f", &all_equal)]);
    assert!((score.value - 1.0).abs() < f64::EPSILON && score.losses.is_empty());
}

#[test]
fn with_nothing_expected_any_call_is_wrong() {
    assert!((tau(&[], &[]).value - 1.0).abs() < f64::EPSILON);
    let score = tau(&[], &[made("f", &json!({})), made("g", &json!({}))]);
    assert!(score.value.abs() < f64::EPSILON);
    assert_eq!(score.losses.len(), 1);
    assert_eq!(score.losses[0].cause, Cause::ShouldNotHaveCalled);
    assert_eq!(score.losses[0].tool.as_deref(), Some("f"));
}

#[test]
fn arguments_that_are_not_json_count_as_none_and_are_reported() {
    let broken = ToolCall { arguments: Arguments::from_text("{\"a\": "), ..made("f", &json!({})) };
    let score = tau(&[expected("f", &json!({}))], std::slice::from_ref(&broken));
    assert!((score.value - 1.0).abs() < f64::EPSILON);
    assert_eq!(score.losses[0].cause, Cause::MalformedCall);
    assert!(score.losses[0].points.abs() < f64::EPSILON);
    let score = tau(&[expected("f", &json!({"a": 1}))], &[broken]);
    assert!((score.value - 0.4).abs() < f64::EPSILON);
    assert_eq!(score.losses.len(), 1);
    assert!((score.losses[0].points - 0.6).abs() < 1e-12);
    let list = ToolCall { arguments: Arguments::from_text("[1]"), ..made("f", &json!({})) };
    assert!((tau(&[expected("f", &json!({}))], &[list]).value - 0.4).abs() < f64::EPSILON);
}

#[test]
fn two_identical_expected_calls_answered_twice_are_right() {
    let want = [expected("f", &json!({"a": 1})), expected("f", &json!({"a": 1}))];
    let twice = [made("f", &json!({"a": 1})), made("f", &json!({"a": 1}))];
    assert!((assignment(&want, &twice).value - 1.0).abs() < f64::EPSILON);
    assert!((assignment(&want, &twice[..1]).value - 0.5).abs() < f64::EPSILON);
    assert!((tau(&want, &twice[..1]).value - 1.0).abs() < f64::EPSILON);
}

#[test]
fn the_pairing_is_optimal_and_not_greedy() {
    let want = [expected("f", &json!({"a": 1})), expected("f", &json!({"a": 1, "b": 2}))];
    let calls = [made("f", &json!({"a": 1, "b": 2})), made("f", &json!({"a": 1}))];
    assert!((assignment(&want, &calls).value - 1.0).abs() < f64::EPSILON);
}

#[test]
fn extra_and_wrong_calls_are_told_apart() {
    let want = [expected("f", &json!({})), expected("g", &json!({"a": 1}))];
    let calls = [made("h", &json!({})), made("f", &json!({})), made("i", &json!({}))];
    let score = assignment(&want, &calls);
    assert!((score.value - 0.5).abs() < f64::EPSILON);
    let causes: Vec<_> = score.losses.iter().map(|loss| (loss.cause, loss.points)).collect();
    assert_eq!(causes, [(Cause::WrongTool, 0.5), (Cause::ExtraCall, 0.0)]);
    assert!((score.measures["precision"] - 1.0 / 3.0).abs() < 1e-12);
    assert!((score.measures["recall"] - 0.5).abs() < 1e-12);
    assert!((score.measures["f1"] - 0.4).abs() < 1e-12);
}

#[test]
fn long_flat_lists_take_no_quadratic_time() {
    let numbers: Vec<u32> = (0..50_000).collect();
    let texts: Vec<String> = (0..50_000).map(|n| format!("{STAND_IN}x{n}")).collect();
    let reversed: Vec<_> = numbers.iter().rev().copied().collect();
    let want = [expected("f", &json!({"n": numbers, "t": texts}))];
    let score = tau(&want, &[made("f", &json!({"n": reversed, "t": numbers}))]);
    assert!((score.value - 0.7).abs() < 1e-12);
}

#[test]
fn a_thousand_levels_fit_a_small_stack() {
    let nest = |inner: Value| (0..500).fold(inner, |value, _| json!([{"k": value}]));
    let deep = move || {
        let want = [expected("f", &json!({"x": nest(json!(1))}))];
        let score = tau(&want, &[made("f", &json!({"x": nest(json!(2))}))]);
        assert!(score.value < 1.0);
        assert_eq!(score.losses.len(), 1);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(deep).unwrap().join().unwrap();
}
