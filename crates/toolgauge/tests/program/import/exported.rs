//! `toolgauge export`: what is written is read again by `toolgauge import`.

use serde_json::{Value, json};
use toolgauge_testkit::{Response, Server};

use super::Desk;

fn desk() -> Desk {
    let call = json!({"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"a\":1}"}}]});
    let row = json!({
        "promptIdx": 0, "testIdx": 0, "success": true, "score": 1, "failureReason": 0, "provider": {"id": "gpt"},
        "vars": {}, "prompt": {"raw": "Go."}, "response": {"output": call, "tokenUsage": {"prompt": 3, "completion": 2}},
        "testCase": {"description": "one", "assert": [{"type": "tool-call-f1", "value": ["f"]}]},
        "gradingResult": {"pass": true, "score": 1, "reason": "", "componentResults": []},
    });
    let desk = Desk::new();
    desk.put("rows.jsonl", &row.to_string());
    desk
}

#[test]
fn every_form_keeps_question_calls_and_model() {
    let desk = desk();
    for form in ["openai-jsonl", "promptfoo", "agentevals", "otlp"] {
        let file = format!("{form}.jsonl");
        desk.done(&["export", "rows.jsonl", "--to", form, "-o", &file]);
        let log = format!("{form}.eval");
        let output = desk.toolgauge(&["import", &file, "-o", &log]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 3)), "{form}: {said}");
        let trial = desk.trials(&log).remove(0);
        assert_eq!(trial.case.sentence(), "Go.", "{form}");
        let call = trial.transcript.calls().next().unwrap().clone();
        let arguments = call.arguments.as_object().unwrap();
        assert_eq!((call.name.as_str(), &arguments["a"]), ("f", &json!(1)), "{form}");
    }
}

#[test]
fn a_call_without_an_identifier_gets_one_where_openai_wants_it() {
    let desk = Desk::new();
    let call = |name: &str| json!({"function": {"name": name, "arguments": "{}"}});
    let completion = json!({
        "id": "one", "object": "chat.completion", "model": "gpt", "messages": [{"role": "user", "content": "Go."}],
        "choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [call("f"), call("g")]}}],
    });
    desk.put("stored.jsonl", &completion.to_string());
    for (form, place) in [("openai-jsonl", "/messages/1"), ("agentevals", "/outputs/messages/1")] {
        let row: Value =
            serde_json::from_str(&desk.done(&["export", "stored.jsonl", "--to", form])).unwrap();
        let calls = row.pointer(place).unwrap()["tool_calls"].as_array().unwrap();
        let ids: Vec<&Value> = calls.iter().map(|call| &call["id"]).collect();
        assert_eq!(ids, ["call_1", "call_2"], "{form}");
    }
}

#[test]
fn a_malformed_call_is_malformed_in_every_form() {
    let desk = Desk::new();
    let call = json!({"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": oops"}});
    let completion = json!({
        "id": "one", "object": "chat.completion", "model": "gpt", "messages": [{"role": "user", "content": "Go."}],
        "choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [call]}}],
    });
    desk.put("stored.jsonl", &completion.to_string());
    for form in ["openai-jsonl", "promptfoo", "agentevals", "otlp"] {
        let (file, log) = (format!("{form}.jsonl"), format!("{form}.eval"));
        desk.done(&["export", "stored.jsonl", "--to", form, "-o", &file]);
        desk.toolgauge(&["import", &file, "-o", &log]);
        let trial = desk.trials(&log).remove(0);
        let call = trial.transcript.calls().next().unwrap();
        assert_eq!(call.arguments.as_object(), None, "{form}");
    }
}

#[test]
fn the_trials_of_a_case_are_one_case_again() {
    let desk = desk();
    let row = std::fs::read_to_string(desk.path().join("rows.jsonl")).unwrap();
    desk.put("twice.jsonl", &format!("{row}\n{row}\n"));
    desk.done(&["import", "twice.jsonl", "-o", "twice.eval"]);
    desk.done(&["export", "twice.eval", "--to", "promptfoo", "-o", "again.jsonl"]);
    desk.done(&["import", "again.jsonl", "-o", "again.eval"]);
    let trials = desk.trials("again.eval");
    let ids: Vec<(&str, u32)> =
        trials.iter().map(|trial| (trial.case.id.as_str(), trial.number)).collect();
    assert_eq!(ids, [("one", 1), ("one", 2)]);
}

#[test]
fn a_graded_answer_passes_by_the_thresholds_of_grades() {
    let desk = Desk::new();
    let sample = |id: &str, value: f64| {
        json!({"id": id, "epoch": 1, "input": "When?", "target": "", "messages": [],
            "output": {"model": "m", "choices": []}, "scores": {"chatbot": {"value": value}}})
    };
    let eval = json!({"run_id": "r", "created": "2026-01-01T00:00:00+00:00", "task": "bot",
        "model": "m", "dataset": {"samples": 2, "sample_ids": ["a", "b"]}, "config": {}});
    let samples = [sample("a", 0.8), sample("b", 0.2)];
    let log = json!({"version": 2, "status": "success", "eval": eval, "samples": samples});
    desk.put("bot.json", &log.to_string());
    let rows = desk.done(&["export", "bot.json", "--to", "promptfoo"]);
    let told = rows.lines().map(|row| {
        let row: Value = serde_json::from_str(row).unwrap();
        let component = row["gradingResult"]["componentResults"][0]["pass"].clone();
        json!([row["success"], row["failureReason"], row["gradingResult"]["pass"], component])
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [json!([true, 0, true, true]), json!([false, 1, false, false])]
    );
}

#[test]
fn spans_carry_the_scores_as_evaluations() {
    let desk = desk();
    let said = desk.done(&["export", "rows.jsonl", "--to", "otlp"]);
    assert!(said.contains("gen_ai.evaluation.result") && said.contains("promptfoo"), "{said}");
    let output = desk.toolgauge(&["export", "rows.jsonl", "--to", "nothing"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("openai-jsonl, promptfoo, agentevals, otlp"), "{said}");
}

#[test]
fn spans_are_sent_to_a_collector() {
    let desk = desk();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    // Busy at first, as the protocol allows.
    let busy = Response::json(503, &json!({}));
    let taken = Response::json(200, &json!({"partialSuccess": {"rejectedSpans": "1"}}));
    let server = runtime.block_on(Server::answering(vec![busy, taken]));
    let command = ["export", "rows.jsonl", "--to", "otlp", "--endpoint", server.url()];
    let output = desk.toolgauge(&command);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("1 trace was sent") && told.contains("refused 1 span"), "{told}");
    let received = server.received();
    assert_eq!(received.len(), 2);
    let request = &received[1];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/traces"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    let spans = &request.json()["resourceSpans"][0]["scopeSpans"][0]["spans"];
    assert_eq!(spans[0]["events"][0]["name"], "gen_ai.evaluation.result");
    assert_eq!(spans[1]["parentSpanId"], spans[0]["spanId"]);

    let refusing = runtime.block_on(Server::answering(vec![Response::json(401, &json!("no key"))]));
    let command = ["export", "rows.jsonl", "--to", "otlp", "--endpoint", refusing.url()];
    let output = desk.toolgauge(&command);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("status 401") && told.contains("no key"), "{told}");
}
