//! Judges through the binary: votes in the log, judging again for nothing, two runs compared.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::run::{Server, only_log, run, suite, text, trials};

/// A folder with a suite and a judge that says the same to everything.
fn judged_suite(judge: &Value) -> tempfile::TempDir {
    let folder = suite(4);
    fs::rename(folder.path().join("script.ndjson"), folder.path().join("answers.ndjson")).unwrap();
    let line = json!({"text": judge.to_string()}).to_string();
    fs::write(folder.path().join("script.ndjson"), line).unwrap();
    folder
}

fn newest(folder: &Path, known: &[PathBuf]) -> PathBuf {
    let logs = fs::read_dir(folder.join("logs")).unwrap().map(|entry| entry.unwrap().path());
    logs.filter(|path| path.is_file() && !known.contains(path)).max().unwrap()
}

#[test]
fn votes_are_logged_and_judging_again_costs_nothing() {
    let folder = judged_suite(&json!({"reasoning": "fine", "score": 80}));
    let server = Server::start(folder.path(), &[]);
    let cache = ["--judge-cache", "kept"];
    let url = server.base_url.clone();
    let flags = ["--judge", "umpire", "--judge-url", &url, "--judge-votes", "2"];
    let arguments = [&["run", ".", "-m", "script:answers.ndjson"], &flags[..], &cache[..]].concat();
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    assert!(told.contains("judge `umpire`: 8 votes; votes on the same answer: 100 %"), "{told}");
    let log = only_log(folder.path());
    for trial in trials(&log).values() {
        let votes = &trial.transcript.background.judgements;
        let values: Vec<Option<f64>> = votes.iter().map(|vote| vote.value).collect();
        assert_eq!(values, [Some(0.8), Some(0.8)], "{votes:?}");
    }

    drop(server);
    let again = [&["score", log.to_str().unwrap()], &flags[..], &cache[..]].concat();
    let output = run(folder.path(), &again);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let scored = newest(folder.path(), std::slice::from_ref(&log));
    let held = trials(&scored);
    assert!(held.values().all(|trial| trial.transcript.background.judgements.len() == 2));
    assert!(held.values().all(|t| t.transcript.background.judgements[0].value == Some(0.8)));
}

#[test]
fn two_runs_are_compared_in_both_orders() {
    let folder = judged_suite(&json!({"reasoning": "as it comes", "better": "first"}));
    for name in ["a", "b"] {
        let answer = json!({"text": format!("the answer of {name}")}).to_string();
        fs::write(folder.path().join(format!("{name}.ndjson")), answer).unwrap();
        let model = format!("script:{name}.ndjson");
        let logs = format!("{name}/logs");
        let output = run(folder.path(), &["run", ".", "-m", &model, "--log-dir", &logs]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let [a, b] = ["a", "b"].map(|name| only_log(&folder.path().join(name)));
    let logs = [a.to_str().unwrap(), b.to_str().unwrap()];
    let server = Server::start(folder.path(), &[]);
    let flags = ["--judge", "umpire", "--judge-url", &server.base_url];
    let output = run(folder.path(), &[&["judge"], &logs[..], &flags[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    let report = told.split_once("\n\n").unwrap().1;
    insta::assert_snapshot!(report);
    let output =
        run(folder.path(), &[&["judge"], &logs[..], &flags[..], &["--format", "json"]].concat());
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["report"]["counts"]["inconsistent"], 4);
    assert_eq!(printed["trials"].as_array().unwrap().len(), 4);

    let nobody = run(folder.path(), &[&["judge"], &logs[..]].concat());
    assert_eq!(nobody.status.code(), Some(2));
    assert!(text(&nobody.stderr).contains("`--judge MODEL`"), "{}", text(&nobody.stderr));
}

#[test]
fn a_rubric_with_a_mistake_is_told_with_its_line() {
    let folder = judged_suite(&json!({}));
    fs::write(folder.path().join("rubric.txt"), "truth 60: it is so\nstyle some\n").unwrap();
    let arguments = [
        "run",
        ".",
        "--judge",
        "umpire",
        "--judge-rubric",
        "rubric.txt",
        "-m",
        "script:answers.ndjson",
    ];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(text(&output.stderr));
}
