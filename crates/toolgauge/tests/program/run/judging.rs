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
    let flags = ["--judge", "umpire", "--judge-base-url", &url, "--judge-votes", "2"];
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
    let flags = ["--judge", "umpire", "--judge-base-url", &server.base_url];
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

#[test]
fn the_trials_that_were_voted_on_are_counted_and_not_their_cases() {
    let folder = judged_suite(&json!({"reasoning": "no", "right": false, "score": 10}));
    // `latency` looks at no words, so that the rules are those of the scorer after it.
    let suite = "name: rents\nscorers: [latency, chatbot]\ncases: cases.ndjson\n";
    fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    let case = |id: &str, answer: Value| json!({"id": id, "say": id, "expect": {"answer": answer}});
    let cases = [
        case("right", json!({"keywords": ["12"]})),
        case("wrong", json!({"keywords": ["13"]})),
        // No judge is asked about words that the case says nothing of, whatever it adds.
        case("any", json!({"seconds": 60})),
    ];
    fs::write(folder.path().join("cases.ndjson"), cases.map(|case| case.to_string()).join("\n"))
        .unwrap();
    fs::write(folder.path().join("answers.ndjson"), json!({"text": "It is 12."}).to_string())
        .unwrap();
    let server = Server::start(folder.path(), &[]);
    let model = ["run", ".", "-m", "script:answers.ndjson", "--full", "--trials", "3"];
    let judge = ["--judge", "umpire", "--judge-base-url", &server.base_url];
    let output = run(folder.path(), &[&model[..], &judge].concat());
    let told = text(&output.stdout);
    let words = "differs from the rules about the words of 3 of 6 trials\n";
    assert!(told.contains(words), "{told}{}", text(&output.stderr));
    assert!(told.contains("right by the rules only: right#1, right#2, right#3\n"), "{told}");
}

#[test]
fn trials_that_a_judge_and_the_rules_judge_differently_are_listed() {
    let folder = judged_suite(&json!({"reasoning": "it will do", "right": true, "score": 90}));
    let suite = "name: rents\nscorers: [chatbot]\ncases: cases.ndjson\n";
    fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    let mut cases = String::new();
    let mut answers = String::new();
    for (id, answer) in [("a", "It is 12."), ("b", "It is 13."), ("c", "Twelve."), ("d", "No.")] {
        let say = format!("How high is the rent of {id}?");
        let expect = json!({"answer": {"facts": [{"number": 12}], "keywords": ["12"]}});
        cases = cases + &json!({"id": id, "say": say, "expect": expect}).to_string() + "\n";
        answers = answers + &json!({"request": say, "text": answer}).to_string() + "\n";
    }
    fs::write(folder.path().join("cases.ndjson"), cases).unwrap();
    fs::write(folder.path().join("answers.ndjson"), answers).unwrap();
    let server = Server::start(folder.path(), &[]);
    let model = ["run", ".", "-m", "script:answers.ndjson", "--full"];
    let judge =
        ["--judge", "umpire", "--judge-base-url", &server.base_url, "--judge-cache", "kept"];
    let output = run(folder.path(), &[&model[..], &judge].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    for words in [
        "  judge      differs from the rules about the words of 2 of 4 trials\n",
        "             right by the judge only: b#1, d#1\n",
    ] {
        assert!(told.contains(words), "{told}");
    }
    assert!(!told.contains("right by the rules only"), "{told}");

    let log = only_log(folder.path());
    let log = log.to_str().unwrap();
    let printed = run(folder.path(), &["summary", log, "--format", "json"]);
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let found = printed.pointer("/second_opinion").or(printed.pointer("/0/second_opinion"));
    let found = found.or(printed.pointer("/0/summary/second_opinion")).unwrap();
    assert_eq!(found["compared"], 4);
    let output = run(folder.path(), &["report", log, "-o", "report.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("Second opinion") && page.contains("Right by the judge only"));
}
