//! Logs that Inspect AI wrote, judged again: nothing of theirs is lost.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};
use toolgauge_testkit::skip_check;
use zip::write::SimpleFileOptions;

use super::Desk;

/// A sample with what toolgauge knows nothing of.
fn sample(id: &Value) -> Value {
    json!({
        "id": id, "epoch": 1, "input": "2+2?", "target": ["4", "four"], "uuid": "u1",
        "messages": [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4", "source": "generate"}],
        "output": {"model": "m", "choices": [{"message": {"role": "assistant", "content": "4"}, "stop_reason": "stop"}]},
        "scores": {"match": {"value": "C", "answer": "4", "metadata": {"why": [1, 2]}}},
        "metadata": {"about": {"level": 3, "topics": ["sums"]}, "big": 12_345_678_901_234_567_890_u64},
        "store": {"seen": true}, "events": [{"event": "info", "data": {"a": [1.50]}}],
        "model_usage": {"m": {"input_tokens": 3, "output_tokens": 1, "total_tokens": 4}},
    })
}

fn write_log(path: &Path) {
    let eval = json!({"eval_id": "e", "run_id": "r", "created": "2026-01-01T00:00:00+00:00", "task": "sums", "task_id": "t", "model": "m",
        "dataset": {"name": "d", "samples": 2, "sample_ids": ["a", 7]}, "config": {}, "scorers": [{"name": "match"}]});
    let results = json!({"total_samples": 2, "completed_samples": 2, "scores": [{"name": "match", "scorer": "match", "params": {}, "metrics": {}}]});
    let header = json!({"version": 2, "status": "success", "eval": eval, "plan": {"name": "plan", "steps": []}, "results": results, "stats": {"started_at": "x"}});
    let summary = |id: Value| json!({"id": id, "epoch": 1, "input": "2+2?", "target": ["4", "four"], "scores": {"match": {"value": "C"}}});
    let mut archive = zip::ZipWriter::new(File::create(path).unwrap());
    let mut add = |name: &str, text: String| {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    };
    // Inspect writes numbers as Python does.
    let odd = sample(&json!(7)).to_string().replace("1.5", "NaN");
    add("samples/a_epoch_1.json", sample(&json!("a")).to_string());
    add("samples/7_epoch_1.json", odd);
    add("summaries.json", json!([summary(json!("a")), summary(json!(7))]).to_string());
    add("reductions.json", json!([{"scorer": "match", "samples": []}]).to_string());
    add("header.json", header.to_string());
    archive.finish().unwrap();
}

fn members(path: &Path) -> Map<String, Value> {
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    let read = |name: String| {
        let mut text = String::new();
        archive.by_name(&name).unwrap().read_to_string(&mut text).unwrap();
        let text = text.replace("\"NaN\"", "NaN").replace("NaN", "\"NaN\"");
        let value = serde_json::from_str(&text).unwrap();
        (name, value)
    };
    names.into_iter().map(read).collect()
}

/// Whether everything in the original is in the copy, which may have more members and items.
fn assert_kept(original: &Value, copy: &Value, place: &str) {
    match (original, copy) {
        (Value::Object(original), Value::Object(copy)) => {
            for (key, value) in original {
                let kept = copy.get(key).unwrap_or_else(|| panic!("{place}/{key} is lost"));
                assert_kept(value, kept, &format!("{place}/{key}"));
            }
        }
        (Value::Array(original), Value::Array(copy)) => {
            assert!(original.len() <= copy.len(), "{place}");
            for (index, (original, copy)) in original.iter().zip(copy).enumerate() {
                assert_kept(original, copy, &format!("{place}/{index}"));
            }
        }
        _ => assert_eq!(original, copy, "{place}"),
    }
}

#[test]
fn a_log_of_inspect_keeps_all_it_has_when_it_is_judged_again() {
    let desk = Desk::new();
    let original = desk.path().join("theirs.eval");
    write_log(&original);
    desk.done(&["score", "theirs.eval", "--scorer", "wire", "--log-dir", "new"]);
    let copy = members(&desk.logs("new").remove(0));
    for (name, member) in members(&original) {
        assert_kept(&member, copy.get(&name).unwrap_or_else(|| panic!("{name} is lost")), &name);
    }
    let sample = &copy["samples/7_epoch_1.json"];
    assert_eq!(sample["scores"]["wire"]["value"], json!(1.0));
    assert_eq!((&sample["id"], &sample["events"][0]["data"]["a"][0]), (&json!(7), &json!("NaN")));
    assert_eq!(copy["summaries.json"][1]["scores"]["wire"]["value"], json!(1.0));
    assert_eq!(copy["header.json"]["results"]["scores"][1]["metrics"]["mean"]["value"], json!(1.0));
    let log = desk.logs("new").remove(0);
    let said = desk.done(&["summary", log.to_str().unwrap(), "--format", "json"]);
    assert!(said.contains("\"match\""), "{said}");
    // Once more: the scores of before are put in their places.
    desk.done(&["score", log.to_str().unwrap(), "--scorer", "wire", "--log-dir", "again"]);
    let again = members(&desk.logs("again").remove(0));
    assert_eq!(again["samples/a_epoch_1.json"], copy["samples/a_epoch_1.json"]);
    assert_eq!(again["header.json"]["eval"]["scorers"].as_array().unwrap().len(), 2);
}

#[test]
fn a_log_of_a_run_that_failed_stays_as_it_is_where_there_is_nothing_to_judge() {
    let desk = Desk::new();
    write_log(&desk.path().join("whole.eval"));
    let mut failed = members(&desk.path().join("whole.eval"));
    failed["header.json"]["status"] = json!("error");
    failed["header.json"]["results"] = Value::Null;
    failed["header.json"]["eval"]["scorers"] = Value::Null;
    failed["samples/a_epoch_1.json"]["scores"] = Value::Null;
    failed["samples/a_epoch_1.json"]["error"] = json!({"message": "no", "traceback": ""});
    let mut archive = zip::ZipWriter::new(File::create(desk.path().join("failed.eval")).unwrap());
    for (name, member) in &failed {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(member.to_string().as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    desk.toolgauge(&["score", "failed.eval", "--scorer", "tool_calls", "--log-dir", "same"]);
    assert_eq!(members(&desk.logs("same").remove(0)), failed);
    // Figures of nothing but our scores are over the samples that there are.
    desk.toolgauge(&["score", "failed.eval", "--scorer", "wire", "--log-dir", "more"]);
    let results = &members(&desk.logs("more").remove(0))["header.json"]["results"];
    assert_eq!((&results["total_samples"], &results["completed_samples"]), (&json!(2), &json!(1)));
}

#[test]
fn a_log_of_inspect_keeps_all_it_has_when_a_model_judges_it() {
    let desk = Desk::new();
    let original = desk.path().join("theirs.eval");
    write_log(&original);
    let vote = json!({"text": json!({"reasoning": "fine", "score": 80}).to_string()}).to_string();
    let judge = HttpServer::judging(&desk, &vote);
    let flags = ["--judge", "j", "--judge-base-url", &judge.url, "--judge-votes", "2"];
    desk.done(
        &[&["score", "theirs.eval", "--scorer", "wire", "--log-dir", "new"], &flags[..]].concat(),
    );
    let log = desk.logs("new").into_iter().find(|path| path.is_file()).unwrap();
    let copy = members(&log);
    for (name, member) in members(&original) {
        assert_kept(&member, copy.get(&name).unwrap_or_else(|| panic!("{name} is lost")), &name);
    }
    let score = &copy["samples/7_epoch_1.json"]["scores"]["judge"];
    assert_eq!(score["value"], json!(0.8));
    assert_eq!(score["metadata"]["votes"][1]["reasoning"], json!("fine"));
}

/// `toolgauge serve`, which gives out what a script says.
struct HttpServer {
    process: std::process::Child,
    url: String,
}

impl HttpServer {
    fn judging(desk: &Desk, line: &str) -> Self {
        desk.put("script.ndjson", line);
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
        let arguments = ["serve", "--script", "script.ndjson", "--port", "0"];
        command.args(arguments).current_dir(desk.path()).stdout(Stdio::piped());
        let mut process = command.stderr(Stdio::null()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        let url = format!("{}/v1", said.strip_prefix("listening on ").unwrap().trim_end());
        Self { process, url }
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs the script beside this file with a Python that has `inspect_ai`.
fn inspect(python: &str, desk: &Desk, arguments: &[&str]) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/import/foreign_logs.py");
    let mut command = Command::new(python);
    let output = command.arg(script).args(arguments).current_dir(desk.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn scores_of_every_kind_count_as_in_the_real_inspect() {
    let Ok(python) = std::env::var("TOOLGAUGE_INSPECT_PYTHON") else {
        let needs = "a Python with `inspect_ai`, named by TOOLGAUGE_INSPECT_PYTHON";
        return skip_check(needs, "TOOLGAUGE_REQUIRE_INSPECT");
    };
    let desk = Desk::new();
    assert!(inspect(&python, &desk, &["make", "logs"]).contains("made 9"));
    let names: Vec<String> = KINDS.iter().map(|name| format!("logs/{name}.eval")).collect();
    for (kind, name) in KINDS.iter().zip(&names) {
        let printed = desk.toolgauge(&["summary", name, "--format", "json"]);
        let summary: Value = serde_json::from_slice(&printed.stdout).unwrap();
        let summary = &summary[0]["summary"];
        let figures = summary["recorded_figures"].as_array().unwrap();
        let want: Value = serde_json::from_slice(
            &std::fs::read(desk.path().join(format!("logs/figures/{kind}.json"))).unwrap(),
        )
        .unwrap();
        assert_eq!(figures.len(), want.as_array().unwrap().len(), "{kind}");
        for (figure, want) in figures.iter().zip(want.as_array().unwrap()) {
            assert_eq!(figure["recorded"]["value"], want["value"], "{kind}");
            // Inspect has no figure for lists but 0; here each place has a score of its own.
            if *kind != "lists" {
                let found = figure["recomputed"].as_f64().unwrap();
                let want = want["value"].as_f64().unwrap();
                assert!((found - want).abs() < 1e-12, "{kind}: {found} and {want}");
            }
        }
        assert_eq!(summary["open_scale"].as_bool().unwrap_or(false), *kind == "beyond");
        assert_eq!(summary["right"].is_null(), *kind == "beyond", "{kind}");
        assert!(!summary.to_string().contains("several sentences"), "{kind} is sliced by texts");
    }
    for name in names.iter().map(String::as_str).chain(["logs/everything.eval"]) {
        desk.toolgauge(&["score", name, "--scorer", "wire", "--log-dir", "copies/of/them"]);
    }
    let told = inspect(&python, &desk, &["compare", "logs", "copies/of/them"]);
    assert!(told.contains("kept 95"), "{told}");
    let json = std::fs::read_dir(desk.path().join("logs-json")).unwrap().next().unwrap().unwrap();
    let json = json.path().into_os_string().into_string().unwrap();
    desk.toolgauge(&["score", &json, "--scorer", "wire,tool_calls", "--log-dir", "copies-json"]);
    let told = inspect(&python, &desk, &["compare", "logs-json", "copies-json"]);
    assert!(told.contains("kept 4"), "{told}");
    for log in desk.logs("logs-failed") {
        let log = log.to_str().unwrap();
        desk.toolgauge(&["score", log, "--scorer", "wire", "--log-dir", "copies-failed"]);
        desk.toolgauge(&["score", log, "--scorer", "tool_calls", "--log-dir", "nothing-added"]);
    }
    let told = inspect(&python, &desk, &["compare", "logs-failed", "copies-failed"]);
    assert!(told.contains("kept 4"), "{told}");
    let told = inspect(&python, &desk, &["same", "logs-failed", "nothing-added"]);
    assert!(told.contains("kept 4"), "{told}");
}

/// The logs that the script makes.
const KINDS: [&str; 9] =
    ["words", "max", "mode", "median", "several", "beyond", "lists", "parts", "none"];
