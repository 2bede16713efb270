//! The suite `workbench` offline: its other right ways pass on the recording, its wrong ways do not.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

/// The score of the ways that cases name under `metadata`, each played as a script, and how many.
fn score_of(way: &str) -> (f64, usize) {
    let suite = toolgauge_engine::suites::load_unchecked("workbench").unwrap();
    let mut script = String::new();
    let mut ids = Vec::new();
    for case in &suite.cases {
        let about = serde_json::to_value(&case.metadata).unwrap();
        let Some(calls) = about[way]["calls"].as_array() else { continue };
        let reference = case.expectation.answer.as_ref().and_then(|it| it.reference.clone());
        let says = [&about[way]["says"], &about["says"]].into_iter().find_map(Value::as_str);
        let says = says.map(str::to_owned).or(reference).unwrap_or_else(|| "Done.".to_owned());
        let call =
            |it: &Value| json!({"calls": [{"name": it["tool"], "arguments": it["arguments"]}]});
        let mut turns: Vec<Value> = calls.iter().map(call).collect();
        turns.push(json!({ "text": says }));
        script += &json!({"id": case.id, "turns": turns}).to_string();
        script.push('\n');
        ids.push(case.id.to_string());
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ways.ndjson");
    fs::write(&file, script).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    run.current_dir(folder.path()).args(["run", "workbench", "--format", "json", "-m"]);
    run.arg(format!("script:{}", file.display()));
    run.args(ids.iter().flat_map(|id| ["--case", id]));
    let output = run.output().unwrap();
    let told: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let summary = if told.is_array() { &told[0]["summary"] } else { &told["summary"] };
    assert_eq!(summary["score"]["trials"], ids.len(), "every way was recorded: {summary}");
    (summary["score"]["mean"].as_f64().unwrap(), ids.len())
}

#[test]
fn no_wrong_way_of_the_workbench_passes() {
    let (score, ways) = score_of("wrong");
    assert!(ways > 100 && score <= 0.0, "{score} of {ways}");
}

#[test]
fn another_right_way_of_the_workbench_passes_after_its_first_call_failed() {
    let (score, ways) = score_of("also");
    assert!(ways > 10 && score >= 1.0, "{score} of {ways}");
}
