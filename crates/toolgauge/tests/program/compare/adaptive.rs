//! Variants side by side, and runs that stop when enough is known.

use super::{Bench, text};

#[test]
fn variants_are_compared_after_they_are_run() {
    let bench = Bench::new();
    let model = bench.script("model.ndjson", |n| n % 2 == 0);
    let output = bench.toolgauge(&["run", "suite.yaml", "-m", &model, "--variant", "terse,loud"]);
    let printed = text(&output.stdout);
    assert!(printed.contains("! different system prompts: 1 line only in A, 1 only in B"));
    assert!(printed.contains("verdict    no difference shown"), "{printed}");
    let logs = std::fs::read_dir(bench.path().join("logs")).unwrap().count();
    assert_eq!(logs, 2);
}

#[test]
fn an_adaptive_run_stops_when_the_interval_is_narrow_enough() {
    let bench = Bench::new();
    let model = bench.script("model.ndjson", |n| n == 3);
    let arguments = ["run", "suite.yaml", "-m", &model, "--until", "0.08"];
    let said = |concurrency: &str| {
        let output = bench.toolgauge(&[&arguments[..], &["--concurrency", concurrency]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(!text(&output.stdout).contains("unfinished"));
        text(&output.stderr)
    };
    let alone = said("1");
    assert!(alone.contains("half-width 0.08 reached"), "{alone}");
    // Results are judged in the order of the plan, so that the decision does not depend on who
    // came first.
    assert_eq!(alone, said("8"));
}

#[test]
fn a_resumed_adaptive_run_remembers_what_it_has_seen() {
    let bench = Bench::new();
    let model = bench.script("model.ndjson", |n| n == 3);
    let run = bench.toolgauge(&["run", "suite.yaml", "-m", &model, "--until", "0.08"]);
    let again = bench.toolgauge(&["run", "--resume", "last"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(text(&run.stderr), text(&again.stderr));
    let score = |printed: &[u8]| text(printed).lines().take(3).collect::<Vec<_>>().join("\n");
    assert_eq!(score(&run.stdout), score(&again.stdout));
}

#[test]
fn an_adaptive_run_ends_with_its_budget() {
    let bench = Bench::new();
    let model = bench.script("model.ndjson", |n| n % 2 == 0);
    let budget = ["--until", "0.01", "--budget", "30"];
    let output = bench.toolgauge(
        &[&["run", "suite.yaml", "-m", &model, "--format", "json"], &budget[..]].concat(),
    );
    let stderr = text(&output.stderr);
    assert!(stderr.contains("the budget of 30 trials ended"), "{stderr}");
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed[0]["summary"]["trials"], 30);
}

#[test]
fn two_variants_run_until_they_are_told_apart() {
    let bench = Bench::new();
    // A subject that is asked in one voice answers by the words, so that the variants differ by
    // what the script is told to expect: here they do not, and the difference is bounded.
    let model = bench.script("model.ndjson", |n| n % 2 == 0);
    let flags = ["--variant", "terse,loud", "--until", "0.1"];
    let output = bench.toolgauge(&[&["run", "suite.yaml", "-m", &model], &flags[..]].concat());
    let stderr = text(&output.stderr);
    assert!(stderr.contains("pairs: B − A in ["), "{stderr}");
    assert!(stderr.contains("half-width 0.1 reached"), "{stderr}");
}
