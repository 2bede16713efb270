//! What a file is, told by what it holds.

use toolgauge_import::{ResultKind, describe, detect};

use super::Desk;

fn kind(text: &str) -> Result<ResultKind, String> {
    let desk = Desk::new();
    let path = desk.put("a.json", text);
    detect(&path).map_err(|error| error.to_string())
}

#[test]
fn each_kind_is_recognised_by_its_first_object() {
    let known = [
        (r#"[{"task_id": 1, "reward": 0.0, "traj": []}]"#, ResultKind::TauBench),
        (r#"{"tasks": [], "simulations": []}"#, ResultKind::Tau2),
        ("task_id,model_id,category,text,tool_call,response\n", ResultKind::HaDatasets),
        (r#"{"results": {"version": 3, "results": []}}"#, ResultKind::Promptfoo),
        (r#"{"testCase": {}, "gradingResult": null}"#, ResultKind::Promptfoo),
        (r#"{"testCases": [], "metricsScores": []}"#, ResultKind::DeepEval),
        (r#"{"testRunData": {"testCases": []}}"#, ResultKind::DeepEval),
        (r#"{"outputs": {}, "reference_outputs": {}}"#, ResultKind::Agentevals),
        (r#"{"resourceSpans": []}"#, ResultKind::Otlp),
        (r#"{"batches": []}"#, ResultKind::Otlp),
        (r#"{"data": [{"traceID": "1", "spans": []}]}"#, ResultKind::Otlp),
        (r#"{"trace": {}, "observations": []}"#, ResultKind::Langfuse),
        (r#"[{"traceId": "1", "type": "SPAN", "startTime": ""}]"#, ResultKind::Langfuse),
        (r#"[{"span_kind": "LLM", "context": {"trace_id": "1"}}]"#, ResultKind::Phoenix),
        (r#"{"id": "1", "object": "chat.completion", "choices": []}"#, ResultKind::OpenAi),
        (r#"{"object": "list", "data": [{"object": "chat.completion"}]}"#, ResultKind::OpenAi),
        (r#"{"custom_id": "1", "response": {}}"#, ResultKind::OpenAi),
        (r#"{"messages": [{"role": "user", "content": ""}]}"#, ResultKind::OpenAi),
        (r#"{"spec": {"eval_name": "a"}}"#, ResultKind::OpenAiEvals),
        (r#"[{"conversations": [{"from": "human", "value": ""}]}]"#, ResultKind::ShareGpt),
        (r#"{"schema_version": "ATIF-v1.4", "steps": []}"#, ResultKind::Atif),
    ];
    for (text, expected) in known {
        assert_eq!(kind(text), Ok(expected), "{text}");
    }
}

#[test]
fn a_large_test_run_is_recognised_though_its_metrics_are_out_of_sight() {
    let case = r#"{"name": "a", "success": true, "metricsData": [], "input": "what"}"#;
    let cases = vec![case; 50_000].join(",");
    let text = format!(r#"{{"testCases": [{cases}], "metricsScores": []}}"#);
    assert_eq!(kind(&text), Ok(ResultKind::DeepEval));
}

#[test]
fn a_refusal_says_whether_the_file_is_whole() {
    assert!(kind("{}").unwrap_err().contains("it is an object without members"));
    let cut = kind(r#"[{"task_id": 1, "reward": 0.0, "info": {"#).unwrap_err();
    let expected =
        "with the keys `task_id`, `reward`, `info`, and it ends in the middle of a value";
    assert!(cut.contains(expected), "{cut}");
    let late = kind("[{\"a\": 1},\n{\"b\" 2}]").unwrap_err();
    assert!(late.contains("with the keys `a`, and line 2 is not JSON: a colon"), "{late}");
}

#[test]
fn what_fits_no_kind_or_two_is_refused() {
    let said = kind(r#"{"a": 1, "b": 2}"#).unwrap_err();
    assert!(said.contains("an object with the keys `a`, `b`"), "{said}");
    let both = r#"{"tasks": [], "simulations": [], "trace": {}, "observations": []}"#;
    assert!(kind(both).unwrap_err().contains("it fits tau2 and langfuse"));
    let logs = kind(r#"{"simulations": [], "enhanced": true}"#).unwrap_err();
    assert!(logs.contains("a log of τ²-bench, but has no `tasks`"), "{logs}");
    assert!(kind("a,b\n1,2\n").unwrap_err().contains("text that is not JSON"));
    assert!(kind("{oops").unwrap_err().contains("begins as an object, and line 1 is not JSON"));
}

#[test]
fn another_reader_can_say_what_a_file_looks_like() {
    let desk = Desk::new();
    let path = desk.put("a.json", r#"[{"span_kind": "LLM", "context": {"trace_id": "1"}}]"#);
    assert!(describe(&path).unwrap().contains("a result of Phoenix"));
}
