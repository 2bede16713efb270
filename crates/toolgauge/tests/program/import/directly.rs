//! Results of other tools, and logs in JSON, in the place of a log.

use std::io::Read;

use serde_json::{Value, json};

use super::Desk;

fn results(scores: [u32; 3]) -> String {
    let row = |(place, score): (usize, u32)| {
        json!({
            "promptIdx": 0, "testIdx": place, "success": score == 1, "score": score, "failureReason": 0,
            "provider": {"id": "gpt"}, "vars": {"question": place}, "prompt": {"raw": "Go."},
            "testCase": {"description": format!("case {place}")}, "response": {"output": "Done."}, "gradingResult": null,
        })
    };
    let rows: Vec<Value> = scores.into_iter().enumerate().map(row).collect();
    json!({"evalId": "e", "results": {"version": 3, "results": rows}}).to_string()
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("before.json", &results([1, 0, 0]));
    desk.put("after.json", &results([1, 1, 1]));
    desk
}

#[test]
fn two_result_files_are_compared_as_logs_are() {
    let desk = desk();
    let said = desk.done(&["compare", "before.json", "after.json"]);
    assert!(said.contains("before.json") && said.contains("after.json"), "{said}");
    assert!(said.contains("case 1") && said.contains("case 2"), "{said}");
    assert_eq!(desk.logs(".").len(), 2, "nothing is left behind");
}

#[test]
fn every_command_that_takes_a_log_takes_a_result_file() {
    let desk = desk();
    assert!(desk.done(&["summary", "after.json"]).contains("promptfoo · gpt"));
    assert!(desk.done(&["cases", "before.json", "after.json"]).contains("case 1"));
    desk.done(&["report", "before.json", "-o", "report.html"]);
    desk.toolgauge(&["score", "before.json", "--scorer", "wire", "--log-dir", "new"]);
    assert_eq!(desk.logs("new").len(), 1);
}

#[test]
fn a_file_of_several_runs_is_refused_with_what_to_do() {
    let desk = Desk::new();
    desk.put("two.json", &results([1, 1, 0]).replacen("\"gpt\"", "\"other\"", 1));
    let output = desk.toolgauge(&["summary", "two.json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("holds 2 runs") && said.contains("toolgauge import"), "{said}");
}

#[test]
fn a_log_of_inspect_in_json_is_read_as_the_same_log_in_its_other_form() {
    let desk = Desk::new();
    desk.put("two.json", &results([1, 1, 0]));
    desk.done(&["import", "two.json", "-o", "a.eval"]);
    // What an archive keeps as members is one object in JSON.
    let file = std::fs::File::open(desk.path().join("a.eval")).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let mut read = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let mut whole = read("header.json");
    let samples: Vec<Value> =
        (0..3).map(|place| read(&format!("samples/case {place}_epoch_1.json"))).collect();
    whole["samples"] = samples.into();
    desk.put("b.json", &serde_json::to_string_pretty(&whole).unwrap());
    let numbers = |name: &str| {
        let said = desk.done(&["summary", name, "--format", "json"]);
        let said: Value = serde_json::from_str(&said).unwrap();
        said[0]["summary"].clone()
    };
    assert_eq!(numbers("b.json"), numbers("a.eval"));
    desk.put("cut.json", &whole.to_string()[..2000]);
    let output = desk.toolgauge(&["summary", "cut.json"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A log of Inspect AI in JSON form, with one sample.
fn inspect_json() -> Value {
    let sample = json!({"id": "a", "epoch": 1, "input": "2+2?", "target": "4", "messages": [],
        "output": {"model": "m", "choices": []}, "scores": {"match": {"value": "C"}}});
    let eval = json!({"run_id": "r", "created": "2026-01-01T00:00:00+00:00", "task": "sums",
        "model": "m", "dataset": {"samples": 1, "sample_ids": ["a"]}, "config": {}});
    json!({"version": 2, "status": "success", "eval": eval, "samples": [sample]})
}

#[test]
fn a_log_of_inspect_in_json_is_converted_by_import() {
    let desk = Desk::new();
    let log = inspect_json();
    desk.put("theirs.json", &log.to_string());
    desk.done(&["import", "theirs.json", "-o", "out"]);
    let names: Vec<_> =
        desk.logs("out").iter().map(|log| log.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["theirs.eval"]);
    assert!(desk.done(&["summary", "out/theirs.eval"]).contains("score      1.000"));
    // By this list Inspect finds the samples.
    let file = std::fs::File::open(desk.path().join("out/theirs.eval")).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let list: Value = serde_json::from_reader(archive.by_name("summaries.json").unwrap()).unwrap();
    let (summary, sample) = (&list[0], &log["samples"][0]);
    assert_eq!(list.as_array().unwrap().len(), log["samples"].as_array().unwrap().len());
    assert_eq!((&summary["id"], &summary["scores"]), (&sample["id"], &sample["scores"]));
    assert_eq!((&summary["completed"], summary.get("messages")), (&json!(true), None));
    desk.put("cut.json", &log.to_string()[..200]);
    let output = desk.toolgauge(&["import", "cut.json", "-o", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(desk.logs("out").len(), 1, "nothing is left of what cannot be read");
}

#[test]
fn of_two_logs_in_json_nothing_is_left_if_the_second_is_damaged() {
    let desk = Desk::new();
    let log = inspect_json();
    desk.put("good.json", &log.to_string());
    desk.put("bad.json", &log.to_string()[..300]);
    let output = desk.toolgauge(&["import", "good.json", "bad.json", "-o", "two"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!desk.path().join("two").exists(), "the folder was made for the logs");
    desk.put("kept/notes.txt", "mine");
    let output = desk.toolgauge(&["import", "good.json", "bad.json", "-o", "kept"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_dir(desk.path().join("kept")).unwrap().count(), 1);
}

#[test]
fn a_command_for_logs_says_what_a_file_looks_like_that_is_none() {
    let desk = Desk::new();
    let refused = |text: &str| {
        desk.put("a.json", text);
        let output = desk.toolgauge(&["summary", "a.json"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("").contains("neither a log nor a result of a known tool: it is empty"));
    assert!(refused("{}").contains("it is an object without members"));
    let cut = refused(r#"[{"task_id": 1, "reward": 0.0, "info": {"#);
    assert!(cut.contains("`info`, and it ends in the middle of a value"), "{cut}");
}

#[test]
fn lists_of_something_else_get_no_partial_credit() {
    let desk = Desk::new();
    let spans = json!([{"span_kind": "LLM", "context": {"trace_id": "t"}}, {"span_kind": "TOOL"}]);
    desk.put("spans.json", &spans.to_string());
    let output = desk.toolgauge(&["partial", "spans.json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("none of its 2 objects") && said.contains("Phoenix"), "{said}");
    assert_eq!(desk.logs(".").len(), 1, "no copy is written");
}
