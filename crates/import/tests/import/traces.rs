//! Spans and traces: OpenTelemetry, Langfuse, Phoenix.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgauge_import::ImportOptions;

use super::{Desk, calls};

fn attributes(pairs: &[(&str, Value)]) -> Value {
    let pair = |(key, value): &(&str, Value)| {
        let value = match value {
            Value::String(text) => json!({"stringValue": text}),
            Value::Number(number) => json!({"intValue": number.to_string()}),
            other => json!({"boolValue": other}),
        };
        json!({"key": key, "value": value})
    };
    pairs.iter().map(pair).collect()
}

fn span(id: &str, parent: &str, start: u32, pairs: &[(&str, Value)]) -> Value {
    json!({"traceId": "t", "spanId": id, "parentSpanId": parent, "name": "span", "startTimeUnixNano": start.to_string(), "attributes": attributes(pairs)})
}

/// A framework around a request, the request, and the tool that was called.
fn spans() -> Vec<Value> {
    let output = json!([{"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "f", "arguments": {"a": 1}}]}]);
    let answer = json!([{"role": "assistant", "parts": [{"type": "text", "content": "Done."}]}]);
    let input = json!([{"role": "user", "parts": [{"type": "text", "content": "Go."}]}]);
    let chat = |output: &Value| {
        [
            ("gen_ai.operation.name", json!("chat")),
            ("gen_ai.request.model", json!("gpt")),
            ("gen_ai.input.messages", json!(input.to_string())),
            ("gen_ai.output.messages", json!(output.to_string())),
            ("gen_ai.usage.input_tokens", json!(5)),
        ]
    };
    vec![
        span("answer", "", 9, &chat(&answer)),
        span("outer", "", 1, &chat(&output)),
        span("inner", "outer", 2, &chat(&output)),
        span(
            "tool",
            "outer",
            3,
            &[
                ("gen_ai.operation.name", json!("execute_tool")),
                ("gen_ai.tool.name", json!("f")),
                ("gen_ai.tool.call.id", json!("c1")),
                ("gen_ai.tool.call.arguments", json!("{\"a\": 1}")),
                ("gen_ai.tool.call.result", json!("fine")),
                ("test.case.id", json!("case-7")),
            ],
        ),
    ]
}

#[test]
fn a_call_that_stands_in_three_spans_is_one_call() {
    let desk = Desk::new();
    let wrapped = json!({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": spans()}]}]});
    desk.put("a.json", &wrapped.to_string());
    let (model, trial) = desk.read("a.json").unwrap().remove(0);
    assert_eq!(
        (model.as_str(), trial.case.id.as_str(), trial.case.sentence()),
        ("gpt", "t", "Go.")
    );
    assert_eq!(calls(&trial), ["f{\"a\":1}"]);
    assert_eq!((trial.transcript.final_text(), trial.transcript.messages.len()), ("Done.", 3));
    assert_eq!(trial.transcript.turns.len(), 2);
    let options =
        ImportOptions { case_key: Some("test.case.id".into()), ..ImportOptions::default() };
    let named = desk.read_with("a.json", &options).unwrap().remove(0).1;
    assert_eq!(named.case.id.as_str(), "case-7");
}

/// Three requests that began one millisecond after another, noted in reverse.
fn reversed(begin: impl Fn(u32, &str) -> Value) -> Vec<Value> {
    [(3, "third"), (2, "second"), (1, "first")].map(|(ms, said)| begin(ms, said)).to_vec()
}

fn said(trial: &toolgauge_import::ImportedTrial) -> Vec<&str> {
    let said = trial.transcript.messages.iter().filter_map(|message| match message {
        toolgauge_core::Message::Assistant(said) => Some(said.content.as_str()),
        _ => None,
    });
    said.collect()
}

#[test]
fn spans_are_ordered_by_every_digit_of_their_times() {
    let desk = Desk::new();
    let in_order = ["first", "second", "third"];
    let observations = reversed(|ms, said| {
        json!({"id": said, "traceId": "t", "type": "GENERATION", "model": "m", "input": "Go.",
            "output": said, "startTime": format!("2025-06-06T10:00:00.00{ms}Z")})
    });
    desk.put("langfuse.json", &Value::from(observations).to_string());
    assert_eq!(said(&desk.trials("langfuse.json")[0]), in_order);
    let spans = reversed(|ms, said| {
        json!({"context": {"trace_id": "t", "span_id": said}, "name": "chat", "span_kind": "LLM",
            "start_time": format!("2025-06-06T10:00:00.00{ms}+00:00"),
            "attributes": {"llm": {"model_name": "m", "output_messages": [{"message": {"role": "assistant", "content": said}}]}}})
    });
    desk.put("phoenix.json", &Value::from(spans).to_string());
    assert_eq!(said(&desk.trials("phoenix.json")[0]), in_order);
    // Nanoseconds since 1970 have nineteen digits.
    let spans = reversed(|ns, said| {
        let output = json!([{"role": "assistant", "parts": [{"type": "text", "content": said}]}]);
        let pairs = [
            ("gen_ai.operation.name", json!("chat")),
            ("gen_ai.request.model", json!("m")),
            ("gen_ai.output.messages", json!(output.to_string())),
        ];
        let mut span = span(said, "", 0, &pairs);
        span["startTimeUnixNano"] = json!(format!("175000000000000000{ns}"));
        span
    });
    let wrapped = json!({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": spans}]}]});
    desk.put("otlp.json", &wrapped.to_string());
    assert_eq!(said(&desk.trials("otlp.json")[0]), in_order);
}

#[test]
fn lines_of_the_collector_and_exports_of_tempo_say_the_same() {
    let desk = Desk::new();
    let lines: Vec<String> = spans()
        .iter()
        .map(|span| json!({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).to_string())
        .collect();
    desk.put("lines.jsonl", &lines.join("\n"));
    let tempo = json!({"batches": [{"instrumentationLibrarySpans": [{"spans": spans()}]}]});
    desk.put("tempo.json", &tempo.to_string());
    let tags = |span: &Value| -> Vec<Value> {
        let pairs = span["attributes"].as_array().unwrap();
        pairs.iter().map(|pair| json!({"key": pair["key"], "value": pair["value"].as_object().unwrap().values().next()})).collect()
    };
    let jaeger: Vec<Value> = spans()
        .iter()
        .map(|span| json!({"traceID": "t", "spanID": span["spanId"], "operationName": "span", "startTime": span["startTimeUnixNano"].as_str().unwrap().parse::<u32>().unwrap(),
            "references": [{"refType": "CHILD_OF", "spanID": span["parentSpanId"]}], "tags": tags(span)}))
        .collect();
    desk.put("jaeger.json", &json!({"data": [{"traceID": "t", "spans": jaeger}]}).to_string());
    for name in ["lines.jsonl", "tempo.json", "jaeger.json"] {
        let trials = desk.trials(name);
        assert_eq!((trials.len(), calls(&trials[0])), (1, vec!["f{\"a\":1}".to_owned()]), "{name}");
    }
}

#[test]
fn tools_alone_tell_the_calls_where_no_model_says_what_it_gave_out() {
    let desk = Desk::new();
    let tool = spans().pop().unwrap();
    desk.put(
        "a.json",
        &json!({"resourceSpans": [{"scopeSpans": [{"spans": [tool]}]}]}).to_string(),
    );
    assert_eq!(calls(&desk.trials("a.json")[0]), ["f{\"a\":1}"]);
    desk.put(
        "none.json",
        &json!({"resourceSpans": [{"scopeSpans": [{"spans": [span("x", "", 1, &[])]}]}]})
            .to_string(),
    );
    let said = desk.read("none.json").unwrap_err().to_string();
    assert!(said.contains("no call of a model or a tool"), "{said}");
}

#[test]
fn dotted_names_are_put_together_to_messages() {
    let desk = Desk::new();
    let flat = json!({
        "llm.model_name": "gpt",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "Go.",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "f",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": "{\"a\": 1}",
        "session.id": "s",
    });
    let nested = json!({"llm": {"model_name": "gpt", "input_messages": [{"message": {"role": "user", "content": "Go."}}],
        "output_messages": [{"message": {"role": "assistant", "tool_calls": [{"tool_call": {"id": "c1", "function": {"name": "f", "arguments": "{\"a\": 1}"}}}]}}]}, "session": {"id": "s"}});
    for attributes in [flat, nested] {
        let llm = json!({"name": "llm", "context": {"trace_id": "t", "span_id": "1"}, "span_kind": "LLM", "parent_id": null, "start_time": "2026-01-01T00:00:00", "attributes": attributes});
        desk.put("p.json", &json!([llm]).to_string());
        let trial = desk.trials("p.json").remove(0);
        assert_eq!(
            (calls(&trial), trial.case.group.as_deref()),
            (vec!["f{\"a\":1}".to_owned()], Some("s"))
        );
        assert_eq!(trial.case.sentence(), "Go.");
    }
}

#[test]
fn generations_of_langfuse_are_read_in_the_forms_of_many_frameworks() {
    let outputs = [
        json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{\"a\":1}"}}]}}]}),
        json!({"object": "response", "output": [{"type": "function_call", "call_id": "1", "id": "fc", "name": "f", "arguments": "{\"a\":1}"}]}),
        json!({"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{\"a\":1}"}}]}}),
        json!({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}}]}),
        json!({"candidates": [{"content": {"role": "model", "parts": [{"function_call": {"id": "1", "name": "f", "args": {"a": 1}}}]}}]}),
        json!({"content": {"role": "model", "parts": [{"function_call": {"id": "1", "name": "f", "args": {"a": 1}}}]}}),
        json!([{"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "f", "arguments": "{\"a\":1}"}]}]),
        json!([{"toolCallId": "1", "toolName": "f", "input": "{\"a\":1}"}]),
        json!([{"index": 0, "event.name": "gen_ai.choice", "message": {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{\"a\":1}"}}]}}]),
    ];
    let desk = Desk::new();
    for output in outputs {
        // Langfuse keeps values as text, sometimes encoded twice.
        for written in [
            output.clone(),
            json!(output.to_string()),
            json!(json!(output.to_string()).to_string()),
        ] {
            let generation = json!({"id": "g", "traceId": "t", "type": "GENERATION", "startTime": "2026-01-01T00:00:00Z", "model": "m", "input": "Go.", "output": written});
            desk.put("l.json", &json!({"trace": {"id": "t", "sessionId": "s", "scores": [{"name": "good", "value": 1}]}, "observations": [generation]}).to_string());
            let trial = desk.trials("l.json").remove(0);
            assert_eq!(calls(&trial), ["f{\"a\":1}"], "{written}");
            assert_eq!(
                trial.transcript.calls().next().unwrap().id.as_deref(),
                Some("1"),
                "{written}"
            );
            assert_eq!((trial.case.sentence(), trial.case.group.as_deref()), ("Go.", Some("s")));
            assert_eq!(trial.transcript.recorded("good").unwrap().value, Some(1.0));
        }
    }
}

#[test]
fn messages_may_be_events_of_their_own() {
    let desk = Desk::new();
    let event = |name: &str, pairs: &[(&str, Value)]| json!({"name": name, "attributes": attributes(pairs)});
    let call = json!([{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]);
    let choice = json!({"message": {"role": "assistant", "tool_calls": call}});
    let mut chat = span(
        "s",
        "",
        1,
        &[("gen_ai.operation.name", json!("chat")), ("gen_ai.request.model", json!("gpt"))],
    );
    chat["events"] = json!([
        event("gen_ai.system.message", &[("content", json!("Be brief."))]),
        event("gen_ai.user.message", &[("content", json!("Go."))]),
        event("gen_ai.choice", &[("gen_ai.event.content", json!(choice.to_string()))]),
    ]);
    let wrapped = json!({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": [chat]}]}]});
    desk.put("a.json", &wrapped.to_string());
    let (_, trial) = desk.read("a.json").unwrap().remove(0);
    assert_eq!((trial.case.sentence(), trial.case.input.len()), ("Go.", 2));
    assert_eq!(calls(&trial), ["f{\"a\":1}"]);
}

#[test]
fn a_call_whose_arguments_were_not_recorded_is_marked() {
    let desk = Desk::new();
    let tool = |pairs: &[(&str, Value)]| {
        let mut all = vec![
            ("gen_ai.operation.name", json!("execute_tool")),
            ("gen_ai.tool.name", json!("f")),
        ];
        all.extend(pairs.iter().cloned());
        let spans = [span("s", "", 1, &all)];
        json!({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": spans}]}]}).to_string()
    };
    desk.put("bare.json", &tool(&[]));
    desk.put("full.json", &tool(&[("gen_ai.tool.call.arguments", json!("{}"))]));
    let marked = |file: &str| {
        let (_, trial) = desk.read(file).unwrap().remove(0);
        trial.case.metadata.contains_key(toolgauge_import::NAMES_ALONE)
    };
    assert!(marked("bare.json"));
    assert!(!marked("full.json"), "no arguments are arguments");
}

/// Reads spans; far from both sides of what it takes with and without a bound.
fn read_soon(spans: &[Value]) -> usize {
    let desk = Desk::new();
    let wrapped = json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]});
    desk.put("a.json", &wrapped.to_string());
    let began = Instant::now();
    let read = desk.read("a.json").map_or(0, |trials| trials.len());
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
    read
}

#[test]
fn spans_above_one_another_or_in_a_circle_are_read_soon() {
    const COUNT: u32 = 30_000;
    let chat = [("gen_ai.operation.name", json!("chat"))];
    let with_parent = |parent: &dyn Fn(u32) -> u32| -> Vec<Value> {
        let all = 0..COUNT;
        all.map(|n| span(&format!("s{n}"), &format!("s{}", parent(n)), n, &chat)).collect()
    };
    assert_eq!(read_soon(&with_parent(&|n| n.wrapping_sub(1))), 1);
    // Whatever is its own ancestor is a request around itself.
    assert_eq!(read_soon(&with_parent(&|n| (n + 1) % COUNT)), 0);
    assert_eq!(read_soon(&with_parent(&|n| n)), 0);
}

#[test]
fn the_highest_agent_owns_what_is_below_it() {
    let agent = [("gen_ai.operation.name", json!("invoke_agent"))];
    let chat = [("gen_ai.operation.name", json!("chat"))];
    let spans = [
        span("a", "", 1, &agent),
        span("inner", "a", 2, &agent),
        span("a1", "inner", 3, &chat),
        span("b", "", 4, &agent),
        span("b1", "b", 5, &chat),
        span("a2", "a1x", 6, &chat),
        span("a1x", "a", 6, &[]),
    ];
    let desk = Desk::new();
    let wrapped = json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]});
    desk.put("a.json", &wrapped.to_string());
    let read = desk.read("a.json").unwrap();
    let turns: Vec<_> = read.iter().map(|(_, trial)| trial.transcript.turns.len()).collect();
    assert_eq!(turns, [2, 1]);
}

#[test]
fn very_many_calls_and_tools_that_fit_none_are_read_soon() {
    const COUNT: u32 = 60_000;
    let call = |n: u32| json!({"type": "tool_call", "id": format!("c{n}"), "name": format!("f{n}"), "arguments": {}});
    let said = json!([{"role": "assistant", "parts": (0..COUNT).map(call).collect::<Vec<_>>()}]);
    let chat = [
        ("gen_ai.operation.name", json!("chat")),
        ("gen_ai.output.messages", json!(said.to_string())),
    ];
    let tool = [("gen_ai.operation.name", json!("execute_tool"))];
    let tools = (0..COUNT).map(|n| span(&format!("t{n}"), "", n, &tool));
    let spans: Vec<Value> = std::iter::once(span("m", "", 0, &chat)).chain(tools).collect();
    assert_eq!(read_soon(&spans), 1);
}
