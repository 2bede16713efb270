//! The scores, held against those of an independent program in Python.

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;
use tempfile::TempDir;
use toolgauge_import::python_json::parse;
use toolgauge_testkit::skip_check;

use super::{fixture, generator, run, text};

/// Whether there is a Python to ask. Where there must be one, its absence is a failure.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        skip_check("`python3`", "TOOLGAUGE_REQUIRE_PYTHON");
    }
    found
}

/// The scores in a copy, as they are written, and the first block of the statistics.
fn scores(file: &Path) -> Vec<Value> {
    let Value::Array(tasks) = parse(&fs::read(file).unwrap()).unwrap() else {
        panic!("{} holds no list", file.display())
    };
    tasks.iter().map(|task| task["partial_score"].clone()).collect()
}

fn first_block(statistics: &str) -> String {
    let end = statistics.find("\n=== WHERE").unwrap_or(statistics.len());
    statistics[..end].trim_end().to_owned()
}

fn agree(folder: &Path, name: &str, statistics_too: bool) {
    let peer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/partial_peer.py");
    let theirs = Command::new("python3")
        .arg(peer)
        .args([name, "theirs.json"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(theirs.status.success(), "{}", text(&theirs.stderr));
    let ours = run(folder, &[name, "-o", "ours.json"]);
    assert!(ours.status.success(), "{}", text(&ours.stderr));
    let (our_scores, their_scores) =
        (scores(&folder.join("ours.json")), scores(&folder.join("theirs.json")));
    assert_eq!(our_scores.len(), their_scores.len());
    if our_scores != their_scores {
        let at = our_scores.iter().zip(&their_scores).position(|(a, b)| a != b).unwrap();
        let Value::Array(tasks) = parse(&fs::read(folder.join(name)).unwrap()).unwrap() else {
            unreachable!("the file was read before")
        };
        let (ours, theirs) = (&our_scores[at], &their_scores[at]);
        panic!("task {at}: ours {ours}, theirs {theirs}\n{:#}", tasks[at]);
    }
    if statistics_too {
        assert_eq!(first_block(&text(&ours.stdout)), text(&theirs.stdout).trim_end());
    }
}

#[test]
fn scores_and_statistics_agree_with_python_on_a_usual_file() {
    if has_python() {
        let folder = TempDir::new().unwrap();
        fs::copy(fixture("library.json"), folder.path().join("in.json")).unwrap();
        agree(folder.path(), "in.json", true);
    }
}

#[test]
fn scores_agree_with_python_on_odd_files() {
    if has_python() {
        let folder = TempDir::new().unwrap();
        let mut runner = TestRunner::deterministic();
        let rounds = std::env::var("TOOLGAUGE_PEER_ROUNDS").ok();
        for _ in 0..rounds.map_or(4, |rounds| rounds.parse().unwrap()) {
            let file = generator::file(300..301).new_tree(&mut runner).unwrap().current();
            fs::write(folder.path().join("in.json"), file).unwrap();
            agree(folder.path(), "in.json", false);
        }
    }
}
