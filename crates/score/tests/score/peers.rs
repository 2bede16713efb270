//! The rules of other tools, by examples whose verdicts their own code has given.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use serde_json::{Value, json};
use toolgauge_core::{
    Arguments, AssistantMessage, Case, Expectation, RecordedVerdict, ToolCall, Transcript,
};
use toolgauge_score::Scorer;

/// The verdict of BFCL on one call of `f`, whose argument `x` has this type.
fn bfcl(schema: &Value, accepted: &Value, given: &Value) -> Result<(), String> {
    let function =
        json!([{"name": "a.f", "parameters": {"properties": {"x": schema}, "required": []}}]);
    let truth = json!([{"a.f": {"x": accepted}}]);
    let calls = vec![ToolCall::new("a_f", given.as_object().unwrap().clone())];
    judged("simple_python", &function, &truth, calls)
}

fn judged(
    category: &str,
    functions: &Value,
    truth: &Value,
    calls: Vec<ToolCall>,
) -> Result<(), String> {
    let mut expectation = Expectation::default();
    let own = json!({"category": category, "functions": functions, "ground_truth": truth});
    expectation.more.insert("bfcl".into(), own);
    let case = Case { expectation, ..Case::new("c", "a sentence") };
    let message = AssistantMessage { calls, ..AssistantMessage::default() };
    let outcome = Scorer::by_name("bfcl").unwrap().score(&case, &[], &Transcript::of(message));
    let score = outcome.score().unwrap();
    if score.value >= 1.0 { Ok(()) } else { Err(score.explanation.clone()) }
}

#[test]
fn bfcl_compares_values_as_its_checker_does() {
    let (string, integer, float) =
        (json!({"type": "string"}), json!({"type": "integer"}), json!({"type": "float"}));
    let list = |items: &str| json!({"type": "array", "items": {"type": items}});
    let dict = json!({"type": "dict"});
    let right = [
        // Blanks, some punctuation and case do not count in texts.
        (&string, json!(["2*x**2"]), json!("2x^2")),
        (&string, json!(["New York, NY"]), json!("new york ny")),
        // A whole number becomes a float at the top only.
        (&float, json!([5.0]), json!(5)),
        (&list("float"), json!([[1.0, 2.0]]), json!([1.0, 2.0])),
        // The type of the first answer is accepted beside that of the description.
        (&integer, json!(["n"]), json!("n")),
        // The empty text lets every item pass, and stands for the empty list.
        (&list("integer"), json!(["", [1]]), json!([])),
        (&dict, json!([{"a": ["X"], "b": [1, ""]}]), json!({"a": "x"})),
        (&list("dict"), json!([[{"a": [1]}]]), json!([{"a": true}])),
    ];
    for (schema, accepted, value) in right {
        assert_eq!(bfcl(schema, &accepted, &json!({"x": value})), Ok(()), "{value}");
    }
    let wrong = [
        (&integer, json!([1]), json!(true), "type_error:simple"),
        (&integer, json!([1]), json!(1.0), "type_error:simple"),
        (&list("float"), json!([[1.0, 2.0]]), json!([1, 2]), "type_error:nested"),
        (&list("string"), json!([["a", "b"]]), json!(["b", "a"]), "value_error:list/tuple"),
        (&dict, json!([{"a": ["x"]}]), json!({"a": "x", "c": 1}), "value_error:dict_key"),
        (&string, json!(["Oslo"]), json!("Oslo!"), "value_error:string"),
    ];
    for (schema, accepted, value, why) in wrong {
        let verdict = bfcl(schema, &accepted, &json!({"x": value}));
        assert_eq!(verdict, Err(why.to_owned()), "{value}");
    }
    let missing = bfcl(&string, &json!(["a"]), &json!({}));
    assert_eq!(missing, Err("simple_function_checker:missing_optional".into()));
    assert_eq!(bfcl(&string, &json!(["a", ""]), &json!({})), Ok(()));
    let unknown = bfcl(&string, &json!(["a", ""]), &json!({"y": 1}));
    assert_eq!(unknown, Err("simple_function_checker:unexpected_param".into()));
}

#[test]
fn bfcl_holds_an_answer_without_readable_calls_right_where_none_is_asked_for() {
    let why = toolgauge_core::Malformation::NotJson(String::new());
    let broken = || {
        vec![ToolCall {
            arguments: Arguments::malformed("{", why.clone()),
            ..ToolCall::new("f", serde_json::Map::new())
        }]
    };
    let called = || vec![ToolCall::new("anything", serde_json::Map::new())];
    let verdict = |category: &str, calls| judged(category, &json!([]), &json!(null), calls).is_ok();
    assert!(verdict("live_irrelevance", Vec::new()) && verdict("irrelevance", broken()));
    assert!(!verdict("irrelevance", called()));
    assert!(verdict("live_relevance", called()));
    assert!(!verdict("live_relevance", broken()) && !verdict("live_relevance", Vec::new()));
}

#[test]
fn bfcl_takes_calls_greedily_in_any_order() {
    let function = json!([{"name": "f", "parameters": {"properties": {"x": {"type": "integer"}}, "required": ["x"]}}]);
    let call = |x: i64| ToolCall::new("f", json!({"x": x}).as_object().unwrap().clone());
    let truth = json!([{"f": {"x": [1, 2]}}, {"f": {"x": [1]}}]);
    assert_eq!(judged("parallel", &function, &truth, vec![call(2), call(1)]), Ok(()));
    // The first answer takes the call that the second one needs.
    let verdict = judged("parallel", &function, &truth, vec![call(1), call(2)]);
    assert_eq!(verdict, Err("parallel_function_checker_no_order:cannot_find_match".into()));
}

#[test]
fn a_verdict_that_only_the_tool_can_give_stands_as_recorded() {
    let mut expectation = Expectation::default();
    expectation.more.insert("bfcl".into(), json!({"category": "multi_turn_base"}));
    let case = Case { expectation, ..Case::new("c", "a sentence") };
    let mut transcript = Transcript::default();
    transcript.background.recorded.push(RecordedVerdict::of("bfcl", false).because("state"));
    let outcome = Scorer::by_name("bfcl").unwrap().score(&case, &[], &transcript);
    let score = outcome.score().unwrap();
    assert_eq!(outcome.value(), Some(0.0));
    assert!(score.explanation.contains("not computed anew"), "{}", score.explanation);
    assert!(!score.measures.contains_key("recomputed"));
    transcript.background.recorded.clear();
    assert!(Scorer::by_name("bfcl").unwrap().score(&case, &[], &transcript).value().is_none());
}

/// A score by a scorer of plain expected calls.
fn scored(scorer: &str, options: &[(&str, &str)], expected: &Value, called: &Value) -> f64 {
    let mut case = Case::new("c", "a sentence");
    case.expectation.calls = Some(serde_json::from_value(expected.clone()).unwrap());
    let call = |call: &Value| {
        let arguments = call["arguments"].as_object().unwrap().clone();
        ToolCall::new(call["name"].as_str().unwrap(), arguments)
    };
    let calls = called.as_array().unwrap().iter().map(call).collect();
    let message = AssistantMessage { calls, ..AssistantMessage::default() };
    let mut found = Scorer::by_name(scorer).unwrap();
    for (option, value) in options {
        found = found.with_option(option, value).unwrap();
    }
    found.score(&case, &[], &Transcript::of(message)).value().unwrap()
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({"name": name, "arguments": arguments})
}

#[test]
fn deepeval_counts_two_equal_calls_once() {
    let twice = json!([call("f", &json!({"a": 1})), call("f", &json!({"a": 1}))]);
    let once = json!([call("f", &json!({"a": 1}))]);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(near(scored("deepeval", &[], &twice, &twice), 0.5));
    // Calls that nobody asked for cost nothing.
    assert!(near(scored("deepeval", &[], &once, &twice), 1.0));
    assert!(near(scored("deepeval", &[("mode", "exact")], &twice, &twice), 1.0));
    let other = json!([call("f", &json!({"a": 2, "b": 1}))]);
    let options = [("arguments", "yes"), ("mode", "ordered")];
    assert!(near(scored("deepeval", &options, &once, &other), 0.0));
    assert!(near(scored("deepeval", &options[1..], &once, &other), 1.0));
}

#[test]
fn agentevals_compares_calls_by_the_mode_that_is_set() {
    let few = json!([call("f", &json!({"a": 1}))]);
    let many = json!([call("g", &json!({})), call("f", &json!({"a": 1, "b": 2}))]);
    let right = |mode, arguments, expected, called| {
        scored("agentevals", &[("mode", mode), ("arguments", arguments)], expected, called) >= 1.0
    };
    assert!(right("superset", "superset", &few, &many));
    assert!(!right("superset", "exact", &few, &many));
    assert!(right("subset", "ignore", &many, &few));
    assert!(!right("unordered", "ignore", &few, &many));
}

#[test]
fn promptfoo_looks_at_the_set_of_names_alone() {
    let expected = json!([call("f", &json!({"a": 1})), call("g", &json!({}))]);
    let called = json!([call("f", &json!({})), call("f", &json!({}))]);
    let f1 = scored("promptfoo_tool_call_f1", &[], &expected, &called);
    assert!((f1 - 2.0 / 3.0).abs() < 1e-9, "{f1}");
}

#[test]
fn an_option_that_a_scorer_does_not_have_is_refused_with_what_it_can_be() {
    let refused = |scorer: &str, name, value| {
        Scorer::by_name(scorer).unwrap().with_option(name, value).unwrap_err()
    };
    assert_eq!(refused("bfcl", "mode", "any"), "`bfcl` has no option `mode`");
    assert_eq!(refused("tool_calls", "mode", "any"), "`tool_calls` has no option `mode`");
    let said = refused("agentevals", "mode", "loose");
    assert_eq!(said, "`mode` is one of: strict, unordered, subset, superset");
    assert_eq!(refused("deepeval", "threshold", "high"), "`threshold` is a number");
}
