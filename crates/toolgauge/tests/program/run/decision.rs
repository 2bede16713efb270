//! What a run ends with: the decision in a few lines that fit the terminal.

use std::path::Path;

use crate::run::{Server, only_log, run, suite, text};

const RUN: [&str; 5] = ["run", ".", "-m", "script:script.ndjson", "--quiet"];

/// The lines that are not blank. All fit a usual terminal, and none of the figures given is
/// repeated.
fn lines<'a>(shown: &'a str, figures: &[&str]) -> Vec<&'a str> {
    for line in shown.lines().filter(|line| !line.starts_with("  log ")) {
        assert!(console::measure_text_width(line) <= 80, "{line}\n{shown}");
    }
    for figure in figures {
        assert_eq!(shown.matches(figure).count(), 1, "{figure} appears once:\n{shown}");
    }
    shown.lines().filter(|line| !line.is_empty()).collect()
}

#[test]
fn a_run_ends_with_the_decision_and_the_failing_cases() {
    let folder = suite(12);
    let shown = text(&run(folder.path(), &RUN).stdout);
    for part in [
        "numbers · script.ndjson · 12 trials\n",
        "  verdict    8 of 12 cases pass, 4 fail\n",
        "  score      0.667 [",
        "  floor      0.000, beaten: a subject that",
        "          case  asked             expected  came instead\n",
        "  fail    n-0   say the number 0  say n: 0  1\n",
        "  lost by    100 %  wrong value, 4 times\n",
        "  next       toolgauge view (browser), toolgauge summary last (every figure)\n",
        "  log        logs/",
    ] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    assert!((10..=15).contains(&lines(&shown, &["0.667", "8 of 12"]).len()), "{shown}");
    assert!(!shown.contains("dimension"), "{shown}");
    let full = text(&run(folder.path(), &[&RUN[..], &["--full"]].concat()).stdout);
    assert!(full.contains("dimension") && full.contains("tool_name"), "{full}");
}

/// Replaces the calls of the script by what a function makes of each line.
fn rewrite_script(folder: &Path, change: impl Fn(usize, &str) -> String) {
    let path = folder.join("script.ndjson");
    let script = std::fs::read_to_string(&path).unwrap();
    let script = script.lines().enumerate().map(|(n, line)| change(n, line) + "\n");
    std::fs::write(&path, script.collect::<String>()).unwrap();
}

#[test]
fn a_good_run_says_so_in_a_few_lines() {
    let folder = suite(12);
    rewrite_script(folder.path(), |n, line| {
        line.replace(&format!("{{\"n\":{}}}", n + 1), &format!("{{\"n\":{n}}}"))
    });
    run(folder.path(), &RUN);
    let shown = text(&run(folder.path(), &[&RUN[..], &["--fail-under", "0.9"]].concat()).stdout);
    for part in [
        "  verdict    passes its gate: all 12 cases pass\n",
        "  gate       pass: fail-under 0.9: ",
        "; 0 fixed, 0 broken\n",
        "since the last run, ",
    ] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    assert!(!shown.contains("asked") && !shown.contains("lost by"), "{shown}");
    assert!((7..=12).contains(&lines(&shown, &["all 12", "1.000 ["]).len()), "{shown}");
}

#[test]
fn a_bad_run_names_the_worst_cases_in_about_fifteen_lines() {
    let folder = suite(30);
    run(folder.path(), &RUN);
    // Nothing is said by half of them, and another number by the rest.
    rewrite_script(folder.path(), |n, line| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        match n % 2 {
            0 => line["calls"] = serde_json::json!([]),
            _ => line["calls"][0]["arguments"]["n"] = (n + 40).into(),
        }
        line["text"] = "I am not sure which number that would be, to be honest. ".repeat(4).into();
        line.to_string()
    });
    let gates = ["--fail-under", "0.5", "--gate", "score>=0.9"];
    let output = run(folder.path(), &[&RUN[..], &gates].concat());
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}{}", text(&output.stderr));
    for part in ["gates: 0 of 30 cases pass", "worst 4 of 30  asked", "  lost by "] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    let found = lines(&shown, &["0 of 30", "worst 4"]);
    assert!((13..=19).contains(&found.len()), "{} lines:\n{shown}", found.len());
    let cases = found.iter().filter(|line| line.starts_with("  fail ")).count();
    assert_eq!(cases, 4, "{shown}");
}

#[test]
fn trials_without_a_score_are_part_of_the_decision() {
    let folder = suite(12);
    let server = Server::start(folder.path(), &["--faults", "flaky", "--seed", "11"]);
    let flags = ["-m", "any", "--retries", "0", "--attempt-timeout", "1", "-c", "12"];
    let base = ["run", ".", "--quiet", "--base-url", &server.base_url];
    let output = run(folder.path(), &[&base[..], &flags].concat());
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{shown}");
    for part in [" unscored\n", "  unscored   ", "  errors     "] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    let found = lines(&shown, &[" cases pass"]);
    assert!((11..=22).contains(&found.len()), "{} lines:\n{shown}", found.len());
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
        [change, "; 0 fixed, 1 broken\n", "             since the last run, ", "; broken: n-1"]
    {
        assert!(second.contains(part), "{part} in\n{second}");
    }
    assert!(run(folder.path(), &["baseline", "set", "last"]).status.success());
    let third = text(&run(folder.path(), &RUN).stdout);
    assert!(third.contains("since the pinned run, "), "{third}");
    assert!(third.contains("; 0 fixed, 0 broken\n"), "{third}");
    let other = text(&run(folder.path(), &["run", ".", "-m", "baseline", "--quiet"]).stdout);
    assert!(other.contains("since the pinned run of script.ndjson, "), "{other}");
}

#[test]
fn a_second_model_that_is_not_there_is_refused_before_the_first_is_run() {
    let folder = suite(6);
    let models = "script:script.ndjson,script:gone.ndjson";
    let output = run(folder.path(), &["run", ".", "-m", models]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("gone.ndjson"), "{}", text(&output.stderr));
    let server = ["--base-url", "http://127.0.0.1:1/v1"];
    let models = ["run", ".", "-m", "script:script.ndjson,unknown"];
    let output = run(folder.path(), &[&models[..], &server].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nothing answers at"), "{}", text(&output.stderr));
    assert!(!folder.path().join("logs").exists(), "nothing was run");
}

#[test]
fn gates_of_several_models_say_whose_they_are() {
    let folder = suite(6);
    let models = "script:script.ndjson,baseline";
    let output = run(folder.path(), &["run", ".", "-m", models, "--gate", "score>=0.9"]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    for subject in ["script.ndjson", "baseline"] {
        assert!(error.contains(&format!("{subject}: gate `score>=0.9`: fail")), "{error}");
    }
}

#[test]
fn gates_are_part_of_the_decision() {
    let folder = suite(12);
    let gates = ["--fail-under", "0.5", "--gate", "score>=0.9"];
    let output = run(folder.path(), &[&RUN[..], &gates].concat());
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    for part in [
        "  verdict    fails 1 of 2 gates: ",
        "  gate       pass: fail-under 0.5: ",
        "  gate       fail: score>=0.9: ",
    ] {
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

#[test]
fn every_command_that_takes_a_log_takes_the_newest_one_by_the_name_of_last() {
    let folder = suite(6);
    std::fs::write(folder.path().join("judge.ndjson"), "{\"text\": \"neither\"}\n").unwrap();
    run(folder.path(), &RUN);
    let log = only_log(folder.path());
    let log = format!("logs/{}", log.file_name().unwrap().to_string_lossy());
    let printed = |arguments: &[&str]| {
        let output = run(folder.path(), arguments);
        assert_ne!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(printed(&["cases", "last"]), printed(&["cases", &log]));
    assert_eq!(
        printed(&["export", "last", "--to", "promptfoo"]),
        printed(&["export", &log, "--to", "promptfoo"])
    );
    printed(&["feedback", "add", "last", "n-1", "--up"]);
    let judged = printed(&["judge", "last", "last", "--judge", "script:judge.ndjson"]);
    assert!(judged.contains(&format!("A  {log}\n  B  {log}\n")), "{judged}");
    let scored = printed(&["score", "last", "--log-dir", "again"]);
    assert!(scored.contains("6 trials"), "{scored}");
    // The run to compare with is the newest before this one, not this one itself.
    let against = [&RUN[..], &["--against", "last", "--gate", "broken<=0"]].concat();
    assert!(printed(&against).contains("since the run of --against, "));
}

#[test]
fn a_gate_without_a_run_to_compare_with_is_refused_before_the_first_trial() {
    let folder = suite(6);
    let refused = |more: &[&str], told: &str| {
        let output = run(folder.path(), &[&RUN[..], more].concat());
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        assert!(error.contains(told), "{told} in\n{error}");
        assert_eq!(text(&output.stdout), "");
    };
    let pin = "pin that run with `toolgauge baseline set last`, or name a log with `--against LOG`";
    refused(&["--gate", "broken<=0"], pin);
    refused(&["--gate", "no-regression within 0.1"], "needs a run to compare with");
    refused(&["--gate", "broken<=0", "--against", "gone.eval"], "gone.eval");
    refused(&["--gate", "scor>=0.8"], "asks for `scor`, which is no figure");
    refused(&["--gate", "scor>=0.8"], "hint: did you mean `score`?");
    assert!(!folder.path().join("logs").exists(), "nothing was run");
    run(folder.path(), &RUN);
    let log = only_log(folder.path());
    assert!(run(folder.path(), &["baseline", "set", "last"]).status.success());
    let gated = run(folder.path(), &[&RUN[..], &["--gate", "broken<=0"]].concat());
    assert_eq!(gated.status.code(), Some(0), "{}", text(&gated.stderr));
    // A pinned log that is gone is known beforehand, too.
    std::fs::remove_file(&log).unwrap();
    refused(&["--gate", "broken<=0"], &log.file_name().unwrap().to_string_lossy());
}
