//! A log with a damaged sample: every command uses the rest, names what is missing, and says so by
//! its exit status.

use super::*;

/// Damages what stands in the data of a member.
fn damage(bytes: &mut [u8], member: &str) {
    let name = member.as_bytes();
    let found = bytes
        .windows(30 + name.len())
        .position(|part| part.starts_with(b"PK\x03\x04") && &part[30..] == name);
    let start = found.unwrap_or_else(|| panic!("there is no {member}")) + 30 + name.len();
    bytes[start + 70..start + 90].fill(0x55);
}

/// A log of whose 24 samples one cannot be read, neither in itself nor from a list.
fn damaged(bench: &Bench, name: &str, wrong: impl Fn(usize) -> bool) -> String {
    let log = bench.run(name, wrong);
    let path = bench.path().join(&log);
    let mut bytes = std::fs::read(&path).unwrap();
    for member in ["samples/room-05_epoch_1.json", "_journal/summaries/1.json", "summaries.json"] {
        damage(&mut bytes, member);
    }
    std::fs::write(&path, bytes).unwrap();
    log
}

const NAMED: &str = "1 of 24 samples cannot be read: `room-05_epoch_1` (";

#[test]
fn a_summary_leaves_out_what_cannot_be_read_and_names_it() {
    let bench = Bench::new();
    let log = damaged(&bench, "m", |n| n == 7);
    let output = bench.toolgauge(&["summary", &log]);
    assert_eq!(output.status.code(), Some(3));
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(out.contains("23 of 24 trials\n"), "{out}");
    assert!(out.contains(&format!("damaged    {NAMED}")), "{out}");
    assert!(err.contains(&format!("warning: `{log}`: {NAMED}")), "{err}");
    // 22 of 23 are right: what cannot be read is not wrong.
    let output = bench.toolgauge(&["summary", &log, "--format", "json"]);
    assert_eq!(output.status.code(), Some(3));
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed[0]["version"], 2);
    let summary = &printed[0]["summary"];
    assert_eq!(summary["trials"], 23);
    assert!((summary["right"]["mean"].as_f64().unwrap() - 22.0 / 23.0).abs() < 1e-12);
    assert_eq!(summary["damage"]["samples"], 1);
    assert_eq!(summary["damage"]["first"][0]["name"], "room-05_epoch_1");

    let output = bench.toolgauge(&["summary", &log, "--fail-under", "0.9999"]);
    assert_eq!(output.status.code(), Some(1), "a gate that fails comes first");
    let output = bench.toolgauge(&["summary", &log, "--verbose"]);
    assert_eq!(text(&output.stdout).matches("turn on the light").count(), 23);
}

#[test]
fn a_comparison_leaves_out_what_cannot_be_read() {
    let bench = Bench::new();
    let a = damaged(&bench, "a", |n| n == 7);
    let b = bench.run("b", |n| n == 5 || n == 7);
    let output = bench.toolgauge(&["compare", &a, &b]);
    assert_eq!(output.status.code(), Some(3));
    let out = text(&output.stdout);
    assert!(out.contains(&format!("samples are left out; A: {NAMED}")), "{out}");
    assert!(text(&output.stderr).contains(&format!("`{a}`: {NAMED}")));
    assert!(!out.contains("room-05  "), "it is neither broken nor fixed: {out}");
    let c = bench.run("c", |_| false);
    let output = bench.toolgauge(&["compare", &b, &a, &c]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains(NAMED));
}

#[test]
fn every_report_is_written_without_what_cannot_be_read() {
    let bench = Bench::new();
    let log = damaged(&bench, "m", |n| n < 10);
    for (file, shown) in [
        ("r.html", NAMED),
        ("r.md", "1 of 24 samples cannot be read: "),
        ("r.json", "\"samples\": 1"),
        ("r.xml", "tests=\"23\" skipped=\"0\" failures=\"9\""),
        ("r.csv", "room-06"),
    ] {
        let output = bench.toolgauge(&["report", &log, "-o", file]);
        assert_eq!(output.status.code(), Some(3), "{file}");
        assert!(text(&output.stderr).contains(NAMED), "{file}");
        let written = std::fs::read_to_string(bench.path().join(file)).unwrap();
        assert!(written.contains(shown), "{file}: {written}");
    }
}

#[test]
fn a_trial_whose_numbers_are_known_but_not_its_words_is_told_in_a_report() {
    let bench = Bench::new();
    let log = bench.run("m", |n| n == 5);
    let path = bench.path().join(&log);
    let mut bytes = std::fs::read(&path).unwrap();
    damage(&mut bytes, "samples/room-05_epoch_1.json");
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(
        bench.toolgauge(&["summary", &log]).status.code(),
        Some(0),
        "a list has its numbers"
    );
    let output = bench.toolgauge(&["report", &log, "-o", "r.html"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("1 of 1 sample cannot be read: `room-05_epoch_1`"));
    let page = std::fs::read_to_string(bench.path().join("r.html")).unwrap();
    let place = page.find("<p class=\"exhibit\">").unwrap();
    assert!(page[place..].contains("damaged") && page[place..].contains("room-05#1"));
}

#[test]
fn judging_again_carries_on_with_what_can_be_read() {
    let bench = Bench::new();
    let log = damaged(&bench, "m", |n| n == 7);
    std::fs::create_dir(bench.path().join("again")).unwrap();
    let output = bench.toolgauge(&["score", &log, "--log-dir", "again"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains(NAMED), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("23 of 24 trials"));
    let again = only_log(&bench.path().join("again")).display().to_string();
    let output = bench.toolgauge(&["summary", &again]);
    // The new log is whole; it only lacks a trial.
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("23 of 24 trials: unfinished"));
}

#[test]
fn cases_and_history_name_what_cannot_be_read() {
    let bench = Bench::new();
    let log = damaged(&bench, "m", |n| n == 7);
    for arguments in [["cases", log.as_str()].as_slice(), &["history", "lights", "--log-dir", "."]]
    {
        let output = bench.toolgauge(arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(text(&output.stderr).contains(NAMED), "{arguments:?}");
    }
}

#[test]
fn a_log_that_was_closed_is_not_said_to_be_of_a_killed_run() {
    let bench = Bench::new();
    let log = bench.run("m", |n| n == 7);
    let path = bench.path().join(&log);
    let mut bytes = std::fs::read(&path).unwrap();
    damage(&mut bytes, "header.json");
    std::fs::write(&path, bytes).unwrap();
    let output = bench.toolgauge(&["summary", &log]);
    assert!(text(&output.stdout).contains("24 trials\n"), "{}", text(&output.stdout));
    let said = text(&output.stderr);
    assert!(
        said.contains(&format!("`{log}` is damaged: how its run ended cannot be read")),
        "{said}"
    );
    assert!(!said.contains("was killed"), "{said}");
}
