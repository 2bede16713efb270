//! What a run ends with: the decision in a few lines that fit the terminal.

use crate::run::{only_log, run, suite, text};

const RUN: [&str; 5] = ["run", ".", "-m", "script:script.ndjson", "--quiet"];

#[test]
fn a_run_ends_with_the_decision_and_the_failing_cases() {
    let folder = suite(12);
    let shown = text(&run(folder.path(), &RUN).stdout);
    for part in [
        "numbers · script.ndjson · 12 trials\n",
        "  score      0.667 [",
        "]: 8 pass, 4 fail\n",
        "  floor      0.000, beaten: a subject that",
        "  fail     n-0  “say the number 0”\n",
        "           expected say n: 0, got 1\n",
        "  lost by    100 %  wrong value, 4 times\n",
        "  next       toolgauge view (browser), toolgauge summary last (every figure)\n",
        "  log        logs/",
    ] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    let lines = shown.lines().filter(|line| !line.is_empty()).count();
    assert!(lines <= 18, "{lines} lines:\n{shown}");
    assert_eq!(shown.matches("0.667").count(), 1, "one figure appears once:\n{shown}");
    assert!(!shown.contains("dimension"), "{shown}");
    let full = text(&run(folder.path(), &[&RUN[..], &["--full"]].concat()).stdout);
    assert!(full.contains("dimension") && full.contains("tool_name"), "{full}");
}

#[test]
fn a_run_says_what_changed_since_the_last_one_and_since_a_pinned_one() {
    let folder = suite(12);
    let first = text(&run(folder.path(), &RUN).stdout);
    assert!(!first.contains("  change "), "{first}");
    let script = folder.path().join("script.ndjson");
    let worse = std::fs::read_to_string(&script).unwrap().replace("{\"n\":1}", "{\"n\":7}");
    std::fs::write(&script, worse).unwrap();
    let second = text(&run(folder.path(), &RUN).stdout);
    let change = "  change     no difference shown: ";
    for part in
        [change, "; 0 fixed, 1 broken\n", "             since the last run, ", "broken: n-1"]
    {
        assert!(second.contains(part), "{part} in\n{second}");
    }
    assert!(run(folder.path(), &["baseline", "set", "last"]).status.success());
    let third = text(&run(folder.path(), &RUN).stdout);
    assert!(third.contains("since the pinned run, "), "{third}");
    assert!(third.contains("; 0 fixed, 0 broken\n"), "{third}");
}

#[test]
fn gates_are_part_of_the_decision() {
    let folder = suite(12);
    let gates = ["--fail-under", "0.5", "--gate", "score>=0.9"];
    let output = run(folder.path(), &[&RUN[..], &gates].concat());
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    for part in ["  gate       passed: fail-under 0.5: ", "  gate       failed: score>=0.9: "] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn the_newest_log_goes_by_the_name_of_last() {
    let folder = suite(6);
    run(folder.path(), &RUN);
    let log = only_log(folder.path()).display().to_string();
    let printed = |log: &str| text(&run(folder.path(), &["summary", log]).stdout);
    assert_eq!(printed("last"), printed(&log));
    assert!(run(folder.path(), &["report", "last", "-o", "r.md"]).status.success());
    let again = run(folder.path(), &[&RUN[..], &["--failed-in", "last"]].concat());
    assert!(text(&again.stdout).contains("2 trials"), "{}", text(&again.stdout));
}
