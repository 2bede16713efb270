//! Files that are lists of records: tests, rows, answers, conversations.

use serde_json::{Value, json};
use toolgauge_core::{CallOrigin, FailureKind, Keyword, Message};
use toolgauge_import::{ImportOptions, ResultKind, find_runs};
use toolgauge_score::Scorer;

use super::{Desk, calls};

#[test]
fn records_are_read_in_any_layout_and_checked_to_the_end() {
    let desk = Desk::new();
    let row = json!({"id": "1", "object": "chat.completion", "model": "m", "choices": [{"message": {"role": "assistant", "content": "Hi"}}]});
    let pretty = serde_json::to_string_pretty(&row).unwrap();
    desk.put("lines.jsonl", &format!("\u{feff}{row}\n\n{row}\n"));
    desk.put("list.json", &format!("[{pretty},\n{row}]"));
    desk.put(
        "page.json",
        &json!({"object": "list", "data": [row, row], "has_more": false}).to_string(),
    );
    for name in ["lines.jsonl", "list.json", "page.json"] {
        let trials = desk.read(name).unwrap();
        assert_eq!(trials.len(), 2, "{name}");
        assert_eq!((trials[0].0.as_str(), trials[0].1.transcript.final_text()), ("m", "Hi"));
    }
    let broken = [
        format!("{row}\n{{\"id\": "),
        format!("[{row}"),
        format!("[{row}] x"),
        format!("[{row} {row}]"),
        format!("{row}\n{{\"id\": 1,}}\n"),
        format!("[{row}, {}]", "[".repeat(100_000)),
    ];
    for text in broken {
        desk.put("broken.json", &text);
        assert!(desk.read("broken.json").is_err(), "{text:.200}");
    }
    desk.put("late.jsonl", &format!("{row}\n\n\n{{\"id\": x}}\n"));
    let said = desk.read("late.jsonl").unwrap_err().to_string();
    assert!(said.contains("line 4"), "{said}");
}

#[test]
fn a_refusal_of_openai_is_the_answer() {
    let desk = Desk::new();
    let refusal = "I can't help with that.";
    let chat = json!({"id": "1", "object": "chat.completion", "model": "m", "choices": [{"message": {"role": "assistant", "content": null, "refusal": refusal}}]});
    let part = json!({"type": "refusal", "refusal": refusal});
    let response = json!({"id": "2", "object": "response", "model": "m", "output": [{"type": "message", "role": "assistant", "content": [part]}]});
    desk.put("refused.jsonl", &format!("{chat}\n{response}\n"));
    for trial in desk.trials("refused.jsonl") {
        assert_eq!(trial.transcript.final_text(), refusal, "{}", trial.case.id);
    }
}

#[test]
fn batches_keep_what_went_wrong_by_its_status() {
    let desk = Desk::new();
    let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\"a\": NaN}"}});
    let body = json!({"model": "m", "choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [call]}}], "usage": {"prompt_tokens": 3, "completion_tokens": 4}});
    let lines = [
        json!({"custom_id": "good", "response": {"status_code": 200, "body": body}, "error": null}),
        json!({"custom_id": "busy", "response": {"status_code": 429, "body": {"error": {"message": "slow down"}}}}),
    ];
    desk.put("batch.jsonl", &lines.map(|line| line.to_string()).join("\n"));
    let trials = desk.trials("batch.jsonl");
    assert_eq!((trials[0].case.id.as_str(), calls(&trials[0]).len()), ("good", 1));
    assert!(trials[0].transcript.calls().next().unwrap().arguments.as_object().is_some());
    assert_eq!(trials[0].transcript.usage().total(), 7);
    let failure = trials[1].transcript.failure.as_ref().unwrap();
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::RateLimited, "slow down"));
}

#[test]
fn the_last_answer_of_a_chat_for_fine_tuning_is_the_right_one() {
    let desk = Desk::new();
    let call =
        json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\"a\":1}"}});
    let chat = json!({"messages": [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "Where?", "weight": 0},
        {"role": "user", "content": "Home."},
        {"role": "assistant", "content": null, "tool_calls": [call]},
    ], "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]});
    desk.put("chat.jsonl", &chat.to_string());
    let trials = desk.trials("chat.jsonl");
    let expected = trials[0].case.expectation.calls.as_ref().unwrap();
    assert_eq!((expected[0].name.as_str(), trials[0].case.sentence()), ("f", "Home."));
    assert_eq!(trials[0].case.tools.as_ref().unwrap()[0].name, "f");
}

#[test]
fn the_answers_of_parallel_calls_are_all_kept() {
    let desk = Desk::new();
    let use_of = |id: &str| json!({"type": "tool_use", "id": id, "name": "f", "input": {}});
    let result = |id: &str, said: &str| json!({"type": "tool_result", "tool_use_id": id, "content": [{"type": "text", "text": said}]});
    let chat = json!({"messages": [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [use_of("c1"), use_of("c2")]},
        {"role": "user", "content": [result("c1", "one"), result("c2", "two"), {"type": "text", "text": "Quick!"}]},
        {"role": "assistant", "content": "Done."},
    ]});
    desk.put("chat.jsonl", &chat.to_string());
    let trial = desk.trials("chat.jsonl").remove(0);
    let answers = trial.case.input.iter().filter_map(|message| match message {
        Message::Tool(answer) => Some((answer.call_id.as_str(), answer.content.as_str())),
        _ => None,
    });
    assert_eq!(answers.collect::<Vec<_>>(), [("c1", "one"), ("c2", "two")]);
    assert_eq!(trial.case.sentence(), "Quick!", "what the user says beside them is kept");
}

#[test]
fn what_promptfoo_forbids_is_not_expected() {
    let desk = Desk::new();
    let row = json!({
        "promptIdx": 0, "testIdx": 0, "success": true, "score": 1, "failureReason": 0, "provider": {"id": "gpt"},
        "vars": {}, "prompt": {"raw": "Go."}, "response": {"output": "No."},
        "testCase": {"assert": [
            {"type": "not-tool-call-f1", "value": ["delete"]},
            {"type": "not-icontains", "value": "sure"},
            {"type": "not-contains-any", "value": ["yes", "fine"]},
            {"type": "not-regex", "value": "x+"},
        ]},
        "gradingResult": {"pass": true, "score": 1, "reason": "", "componentResults": [
            {"pass": true, "score": 0, "reason": "", "assertion": {"type": "not-tool-call-f1", "value": ["delete"]}},
        ]},
    });
    desk.put("rows.jsonl", &row.to_string());
    let trial = desk.trials("rows.jsonl").remove(0);
    assert_eq!(trial.case.expectation.calls, None);
    let not = |text: &str| Keyword::Not(text.into());
    let answer = trial.case.expectation.answer.as_ref().unwrap();
    assert_eq!(answer.keywords, [not("sure"), not("yes"), not("fine")]);
    // The F1 of 0 is what was wanted.
    assert_eq!(trial.transcript.recorded("promptfoo_tool_call_f1").unwrap().value, Some(1.0));
}

#[test]
fn lists_of_promptfoo_may_be_one_text_and_what_only_javascript_reads_is_left_out() {
    let desk = Desk::new();
    let row = json!({
        "promptIdx": 0, "testIdx": 0, "success": true, "score": 1, "failureReason": 0, "provider": {"id": "gpt"},
        "vars": {}, "prompt": {"raw": "Go."}, "response": {"output": "Paris"},
        "testCase": {"assert": [
            {"type": "contains-any", "value": "Paris, London"},
            {"type": "contains-all", "value": ["a", "b"]},
            {"type": "not-contains-any", "value": "yes, fine"},
            {"type": "regex", "value": "(?=id).*"},
            {"type": "regex", "value": "^P"},
        ]},
        "gradingResult": {"pass": true, "score": 1, "reason": "", "componentResults": []},
    });
    desk.put("rows.jsonl", &row.to_string());
    let trial = desk.trials("rows.jsonl").remove(0);
    let answer = trial.case.expectation.answer.as_ref().unwrap();
    let text = |text: &str| Keyword::Text(text.into());
    let not = |text: &str| Keyword::Not(text.into());
    let any = Keyword::AnyOf(vec!["Paris".into(), "London".into()]);
    let pattern = Keyword::Regex("^P".into());
    assert_eq!(answer.keywords, [any, text("a"), text("b"), not("yes"), not("fine"), pattern]);
}

#[test]
fn promptfoo_rows_are_runs_by_provider_and_prompt() {
    let desk = Desk::new();
    let row = |test: u32, description: &str, riddle: &str, output: serde_json::Value| {
        json!({
            "promptIdx": 1, "testIdx": test, "success": true, "score": 0.75, "latencyMs": 1500, "failureReason": 0,
            "provider": {"id": "openai:gpt"}, "vars": {"riddle": riddle}, "prompt": {"raw": "[{\"role\": \"user\", \"content\": \"Hi\"}]"},
            "testCase": {"description": description, "assert": [{"type": "tool-call-f1", "value": "f, g", "threshold": 0.5}, {"type": "icontains", "value": "echo"}]},
            "response": {"output": output, "tokenUsage": {"prompt": 3, "completion": 5}},
            "gradingResult": {"pass": true, "reason": "fine", "componentResults": [
                {"pass": true, "score": 0.75, "assertion": {"type": "tool-call-f1"}},
                {"pass": false, "score": 0, "assertion": {"type": "cost"}},
                {"pass": true, "score": 1, "assertion": {"type": "cost"}},
            ]},
        })
    };
    let said = "An echo.\n{\"type\": \"tool_use\", \"name\": \"f\", \"input\": {\"a\": 1}}";
    let error = json!({"promptIdx": 1, "testIdx": 3, "success": false, "failureReason": 2, "error": "no key", "provider": {"id": "openai:gpt"}, "vars": {}});
    let rows = [
        row(0, "same", "a", json!(said)),
        row(1, "same", "b", json!("x")),
        row(2, "own", "c", json!("x")),
        error,
    ];
    desk.put("r.json", &json!({"evalId": "e", "results": {"version": 3, "results": rows, "stats": {}}, "config": {}}).to_string());
    let trials = desk.read("r.json").unwrap();
    assert_eq!(trials[0].0, "openai:gpt");
    let trials: Vec<_> = trials.into_iter().map(|(_, trial)| trial).collect();
    // A description that two tests share names neither of them.
    assert_ne!(trials[0].case.id, trials[1].case.id);
    assert_eq!(trials[2].case.id.as_str(), "own");
    assert_eq!(calls(&trials[0]), ["f{\"a\":1}"]);
    assert_eq!(trials[0].transcript.final_text(), "An echo.");
    let verdict = trials[0].transcript.recorded("promptfoo").unwrap();
    assert_eq!(
        (verdict.value, verdict.measures["cost"], verdict.measures["cost#2"]),
        (Some(1.0), 0.0, 1.0)
    );
    assert_eq!(trials[0].transcript.recorded("promptfoo_tool_call_f1").unwrap().value, Some(0.75));
    assert_eq!(trials[3].transcript.recorded("promptfoo").unwrap().value, None);
    assert_eq!(trials[3].transcript.failure.as_ref().unwrap().kind, FailureKind::Server);
}

#[test]
fn deepeval_keeps_every_metric_and_its_conversations() {
    let desk = Desk::new();
    let case = json!({
        "name": "weather", "input": "Weather?", "actualOutput": "Sunny.",
        "toolsCalled": [{"name": "f", "inputParameters": {"a": 1}, "output": "sun"}, {"name": "g"}],
        "expectedTools": [{"name": "f", "inputParameters": {"a": 1}}],
        "metricsData": [
            {"name": "Tool Correctness", "score": 1.0, "success": true, "threshold": 0.5, "reason": "all"},
            {"name": "Answer Relevancy", "score": null, "error": "no key"},
        ],
    });
    let talk = json!({"name": "talk", "turns": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}], "metricsData": []});
    let run = json!({"testCases": [case], "conversationalTestCases": [talk], "metricsScores": []});
    desk.put("run.json", &run.to_string());
    desk.put("wrapped.json", &json!({"testRunData": run}).to_string());
    for name in ["run.json", "wrapped.json"] {
        let trials = desk.trials(name);
        assert_eq!(calls(&trials[0]), ["f{\"a\":1}", "g{}"], "{name}");
        assert_eq!(trials[0].transcript.recorded("deepeval").unwrap().value, Some(1.0));
        assert_eq!(trials[0].transcript.recorded("answer_relevancy").unwrap().value, None);
        assert_eq!((trials[1].case.sentence(), trials[1].transcript.final_text()), ("Hi", "Hello"));
    }
}

#[test]
fn both_lists_of_a_test_run_are_one_run_wherever_they_are() {
    let desk = Desk::new();
    let case = |name: &str| json!({"name": name, "input": "Go.", "metricsData": []}).to_string();
    let (a, b) = (case("a"), case("b"));
    let texts = [
        format!(r#"{{"testCases": [{a}], "x": [[1]], "conversationalTestCases": [{b}]}}"#),
        format!(r#"{{"conversationalTestCases": [{a}], "testCases": [{b}], "y": {{"z": 1}}}}"#),
        format!(r#"{{"testCases": [], "conversationalTestCases": [{a}, {b}]}}"#),
        format!(r#"{{"testCases": [{a}, {b}], "conversationalTestCases": null}}"#),
    ];
    for text in texts {
        for text in [format!(r#"{{"n": 1, "testRunData": {text}}}"#), text] {
            let path = desk.put("run.json", &text);
            let options = ImportOptions { kind: Some(ResultKind::DeepEval), ..Default::default() };
            assert_eq!(find_runs(&path, &options).unwrap().len(), 1, "{text}");
            let trials = desk.read_with("run.json", &options).unwrap();
            let names: Vec<&str> = trials.iter().map(|(_, trial)| trial.case.id.as_str()).collect();
            assert_eq!(names, ["a", "b"], "{text}");
            for end in 1..text.len() {
                desk.put("run.json", &text[..end]);
                assert!(desk.read_with("run.json", &options).is_err(), "{}", &text[..end]);
            }
        }
    }
}

#[test]
fn agentevals_rows_have_a_reference() {
    let desk = Desk::new();
    let call = |name: &str| json!({"role": "assistant", "content": "", "tool_calls": [{"name": name, "args": {"a": 1}, "id": "1"}]});
    let row = json!({
        "inputs": {"question": "Go?"},
        "outputs": {"messages": [{"type": "human", "content": "Go?"}, call("f")]},
        "reference_outputs": {"messages": [{"role": "user", "content": "Go?"}, call("g")]},
        "feedback": {"trajectory_strict_match": {"score": false, "comment": "no"}, "helpful": 4},
    });
    desk.put("rows.jsonl", &row.to_string());
    let trials = desk.trials("rows.jsonl");
    assert_eq!(
        (calls(&trials[0]), trials[0].case.sentence()),
        (vec!["f{\"a\":1}".to_owned()], "Go?")
    );
    assert_eq!(trials[0].case.expectation.calls.as_ref().unwrap()[0].name, "g");
    assert_eq!(trials[0].transcript.recorded("agentevals").unwrap().value, Some(0.0));
    let other = trials[0].transcript.recorded("helpful").unwrap();
    assert_eq!((other.value, other.measures["helpful"]), (None, 4.0));
}

#[test]
fn a_question_apart_from_the_answer_is_no_part_of_the_trajectory() {
    let desk = Desk::new();
    let call = json!({"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]});
    let asked = json!({"role": "user", "content": "Go?"});
    let row = |outputs: &[&Value], reference: &[&Value]| {
        json!({"inputs": {"question": "Go?"}, "outputs": {"messages": outputs}, "reference_outputs": {"messages": reference}}).to_string()
    };
    // agentevals' own verdicts on the two trajectories, message by message.
    let rows = [
        (row(&[&call], &[&call]), 1.0),
        (row(&[&asked, &call], &[&asked, &call]), 1.0),
        (row(&[&call], &[&asked, &call]), 0.0),
        (row(&[&asked, &call], &[&call]), 0.0),
    ];
    let scorer = Scorer::by_name("agentevals").unwrap();
    for (row, verdict) in rows {
        desk.put("rows.jsonl", &row);
        let trial = desk.trials("rows.jsonl").remove(0);
        assert_eq!(trial.case.sentence(), "Go?");
        let outcome = scorer.score(&trial.case, &[], &trial.transcript);
        assert_eq!(outcome.value(), Some(verdict), "{row}");
    }
}

#[test]
fn calls_in_the_text_of_a_conversation_are_calls() {
    let desk = Desk::new();
    let record = json!({"conversations": [
        {"from": "system", "value": "You have tools."},
        {"from": "human", "value": "Go."},
        {"from": "gpt", "value": "Sure. <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>\n<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>"},
        {"from": "tool", "value": "done"},
        {"from": "gpt", "value": "<functioncall> {\"name\": \"h\", \"arguments\": '{\"b\": {\"c\": 2}}'} <|endoftext|>"},
        {"from": "function_call", "value": "{\"name\": \"i\", \"arguments\": {}}"},
        {"from": "gpt", "value": "<tool_call>{broken</tool_call>"},
    ]});
    desk.put("c.json", &json!([record]).to_string());
    let trials = desk.trials("c.json");
    assert_eq!(calls(&trials[0]), ["f{\"a\":1}", "g{}", "h{\"b\":{\"c\":2}}", "i{}", "?"]);
    assert!(trials[0].transcript.calls().all(|call| call.origin == CallOrigin::Text));
}

#[test]
fn trajectories_of_harbor_are_conversations() {
    let desk = Desk::new();
    let steps = json!([
        {"step_id": 1, "source": "user", "message": "Go."},
        {"step_id": 2, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "1", "function_name": "f", "arguments": {"a": 1}}],
         "observation": {"results": [{"source_call_id": "1", "content": "done"}]}, "metrics": {"prompt_tokens": 2, "completion_tokens": 1}},
        {"step_id": 3, "source": "agent", "message": "Done."},
    ]);
    let record = json!({"schema_version": "ATIF-v1.4", "session_id": "s", "agent": {"name": "a", "model_name": "m"}, "steps": steps});
    desk.put("t.json", &serde_json::to_string_pretty(&record).unwrap());
    let (model, trial) = desk.read("t.json").unwrap().remove(0);
    assert_eq!((model.as_str(), trial.case.id.as_str(), calls(&trial).len()), ("m", "s", 1));
    assert_eq!((trial.transcript.final_text(), trial.transcript.usage().total()), ("Done.", 3));
}

#[test]
fn events_of_openai_evals_are_put_together_by_sample() {
    let desk = Desk::new();
    let lines = [
        json!({"spec": {"eval_name": "test.v0", "completion_fns": ["gpt"], "run_id": "r"}}),
        json!({"sample_id": "a", "type": "sampling", "data": {"prompt": [{"role": "user", "content": "2+2?"}], "sampled": ["4"]}}),
        json!({"sample_id": "b", "type": "sampling", "data": {"prompt": "3+3?", "sampled": "7"}}),
        json!({"sample_id": "b", "type": "match", "data": {"correct": false, "expected": "6", "picked": "7"}}),
        json!({"sample_id": "a", "type": "match", "data": {"correct": true, "expected": "4", "picked": "4"}}),
        json!({"final_report": {"accuracy": 0.5}}),
    ];
    desk.put("e.jsonl", &lines.map(|line| line.to_string()).join("\n"));
    let trials = desk.trials("e.jsonl");
    let values: Vec<_> =
        trials.iter().map(|trial| trial.transcript.recorded("match").unwrap().value).collect();
    assert_eq!(values, [Some(1.0), Some(0.0)]);
    assert_eq!((trials[1].case.sentence(), trials[1].transcript.final_text()), ("3+3?", "7"));
}

#[test]
fn tau_bench_tasks_are_trials_with_their_rewards() {
    let desk = Desk::new();
    let task = json!({"instruction": "Ask.", "actions": [{"name": "f", "kwargs": {"a": 1}}, {"name": "respond", "kwargs": {}}], "outputs": ["1200"]});
    let record = json!({
        "task_id": 7, "trial": 2, "reward": 1.0,
        "info": {"task": task, "reward_info": {"reward": 1.0, "info": {"r_outputs": 1.0, "outputs": {"1200": true}}}},
        "traj": [
            {"role": "system", "content": "Rules."}, {"role": "user", "content": "How much?"},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]},
            {"role": "tool", "tool_call_id": "1", "name": "f", "content": "1200"},
            {"role": "assistant", "content": "It is $1,200."},
        ],
    });
    let failed = json!({"task_id": 8, "trial": 0, "reward": 0.0, "info": {"error": "timed out", "traceback": ""}, "traj": []});
    desk.put("gpt.json", &json!([record, failed]).to_string());
    let (model, trial) = desk.read("gpt.json").unwrap().remove(0);
    assert_eq!((model.as_str(), trial.case.id.as_str(), trial.number), ("gpt", "7", 3));
    assert_eq!(
        (trial.case.sentence(), calls(&trial)),
        ("How much?", vec!["f{\"a\":1}".to_owned()])
    );
    let expected = trial.case.expectation.calls.as_ref().unwrap();
    assert_eq!(expected.len(), 2, "`respond` is an action as any other to `toolgauge partial`");
    let (_, failed) = desk.read("gpt.json").unwrap().remove(1);
    assert_eq!(failed.transcript.failure.unwrap().kind, FailureKind::Server);
}

#[test]
fn a_file_with_a_run_for_each_record_is_refused() {
    let desk = Desk::new();
    let row = |n: u32| {
        json!({"id": "1", "object": "chat.completion", "model": format!("m{n}"), "choices": [{"message": {"role": "assistant", "content": "Hi"}}]}).to_string()
    };
    let rows = |count: u32| (0..count).map(row).collect::<Vec<_>>().join("\n");
    desk.put("many.jsonl", &rows(501));
    let said = desk.read("many.jsonl").unwrap_err().to_string();
    assert!(said.contains("more than 500 runs"), "{said}");
}
