//! Gates fail builds when they should, and say why.

use super::{Bench, steady, text};

#[test]
fn a_failed_gate_says_by_how_much_and_what_broke() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n == 3);
    let b = bench.run("b", |n| n % 2 == 0);
    let gates =
        ["--gate", "no-regression", "--gate", "score>=0.25", "--gate", "score[tier=small]>=0.6"];
    let reports = ["--junit", "gates.xml", "--markdown", "comment.md", "-q"];
    let output = bench.toolgauge(&[&["compare", &a, &b], &gates[..], &reports[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!("failed_gates", text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(bench.path().join(name)).unwrap();
    insta::assert_snapshot!("junit", read("gates.xml"));
    insta::assert_snapshot!("markdown", read("comment.md"));
}

#[test]
fn a_pinned_run_is_what_later_runs_are_held_against() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n == 3);
    let b = bench.run("b", |n| n % 2 == 0);
    let status = |arguments: &[&str]| bench.toolgauge(arguments).status.code().unwrap();
    assert_eq!(status(&["summary", &b, "--gate", "no-regression"]), 2);
    assert_eq!(status(&["baseline", "set", &a]), 0);
    let shown = text(&bench.toolgauge(&["baseline", "show"]).stdout);
    assert!(shown.starts_with("lights  ") && shown.ends_with("a.eval  (a.ndjson)\n"), "{shown}");
    assert_eq!(status(&["summary", &b, "--gate", "no-regression"]), 1);
    assert_eq!(status(&["summary", &a, "--gate", "no-regression within 0.2"]), 0);
    assert!(text(&bench.toolgauge(&["compare", &b]).stdout).contains("B is worse"));
    let model = bench.script("c.ndjson", |n| n % 2 == 0);
    let run = ["run", "suite.yaml", "-m", &model, "--gate", "no-regression"];
    let output = bench.toolgauge(&run);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("  gate       fail: no-regression: "));
    assert_eq!(status(&["baseline", "clear", "lights"]), 0);
    assert_eq!(status(&["compare", &b]), 2);
}

#[test]
fn a_gate_that_makes_no_sense_is_explained_before_anything_runs() {
    let bench = Bench::new();
    let a = bench.run("a", |_| false);
    let refused = |gate: &str| {
        let output = bench.toolgauge(&["run", "suite.yaml", "--gate", gate]);
        assert_eq!(output.status.code(), Some(2));
        assert!(!bench.path().join("logs").exists());
        text(&output.stderr)
    };
    let printed = [refused("score>0.8"), refused("score>=80"), refused("p95<=quick")].concat();
    let unknown = |gate: &str| steady(&bench.toolgauge(&["compare", &a, &a, "-q", "--gate", gate]));
    let unknown =
        [unknown("tone>=0.8"), unknown("score[size=s]>=0.8"), unknown("cost<=1")].concat();
    insta::assert_snapshot!("refused_gates", printed + &unknown);
}

#[test]
fn what_a_run_is_compared_with_is_looked_at_before_the_run() {
    let bench = Bench::new();
    let model = bench.script("a.ndjson", |_| false);
    let run = ["run", "suite.yaml", "-m", &model, "--gate", "broken<=0", "--against", "suite.yaml"];
    let output = bench.toolgauge(&run);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(!bench.path().join("logs").exists());
}

#[test]
fn programs_read_how_each_gate_came_out() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n == 3);
    let gates = ["--gate", "score<=0.2", "--gate", "errors<=0", "--format", "json", "-q"];
    let output = bench.toolgauge(&[&["summary", &a], &gates[..]].concat());
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let passed: Vec<bool> = printed[0]["gates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|gate| gate["passed"].as_bool().unwrap())
        .collect();
    assert_eq!(passed, [false, true], "{printed}");
    let model = bench.script("b.ndjson", |n| n == 3);
    let output = bench.toolgauge(&[&["run", "suite.yaml", "-m", &model], &gates[..]].concat());
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&printed[0]["version"], &printed[0]["gates"][1]["passed"]),
        (&2.into(), &true.into())
    );
}
