//! `toolgauge report` and `summary --watch`, through the real binary.

use std::io::{BufRead as _, BufReader};

use toolgauge_log::{LogWriter, RunStatus};
use toolgauge_testkit::hostile;

use super::*;

fn written(bench: &Bench, arguments: &[&str], file: &str) -> String {
    let output = bench.toolgauge(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    std::fs::read_to_string(bench.path().join(file)).unwrap()
}

#[test]
fn the_ending_says_what_is_written() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n % 3 == 0);
    let b = bench.run("b", |n| n % 5 == 0);

    let page = written(&bench, &["report", &a, &b, "-o", "r.html"], "r.html");
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("Content-Security-Policy"));
    for shown in
        ["Run 2 against run 1", "Trials that lost points", "<svg", "room-03#1", "wrong value"]
    {
        assert!(page.contains(shown), "{shown}");
    }
    for elsewhere in ["src=", "@import", "url(http", "<link"] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
    let again = written(&bench, &["report", &a, &b, "-o", "again.html"], "again.html");
    assert_eq!(page, again, "the same logs give the same bytes");

    let comment = written(&bench, &["report", &a, &b, "-o", "r.md"], "r.md");
    assert!(comment.contains("| lights | "), "{comment}");
    assert!(comment.contains("broken") && comment.contains('█'), "{comment}");

    let table = written(&bench, &["report", &a, "-o", "r.csv"], "r.csv");
    assert_eq!(table.lines().count(), 1 + CASES);
    let head = table.lines().next().unwrap();
    assert!(head.starts_with("log,suite,subject,variant,case,trial,sentence,score"), "{head}");
    assert!(head.contains("tag:tier") && head.contains("dimension:arguments"), "{head}");
    assert!(table.contains("wrong_value:"), "{table}");

    let data = written(&bench, &["report", &a, &b, "-o", "r.json"], "r.json");
    let data: serde_json::Value = serde_json::from_str(&data).unwrap();
    assert_eq!(data["runs"].as_array().unwrap().len(), 2);
    assert_eq!(data["comparisons"].as_array().unwrap().len(), 1);

    let tests = written(&bench, &["report", &a, "-o", "r.xml"], "r.xml");
    assert_eq!(tests.matches("<testcase ").count(), CASES);
    assert!(tests.contains("tests=\"24\" skipped=\"0\" failures=\"8\""), "{tests}");

    let chart = written(&bench, &["report", &a, &b, "-o", "r.svg", "--chart", "scores"], "r.svg");
    assert!(chart.starts_with("<?xml") && chart.contains("Score by run"), "{chart}");
}

#[test]
fn markdown_fits_a_pull_request() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n == 3);
    let b = bench.run("b", |n| n % 2 == 0);
    assert!(bench.toolgauge(&["baseline", "set", &a]).status.success());
    let gates = ["--gate", "broken<=0", "--fail-under", "0.4", "-q"];
    let output = bench.toolgauge(&[&["report", &b, "-o", "r.md"], &gates[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let comment = std::fs::read_to_string(bench.path().join("r.md")).unwrap();
    // What decides stands above the first fold.
    let (decision, folded) = comment.split_once("<details>").unwrap();
    for part in [
        "### lights · b.ndjson\n\n**❌ fails 1 of 2 gates: 12 of 24 cases pass, 12 fail**",
        "| `broken<=0` | ❌ fail | 12 broken, 1 fixed",
        "| `fail-under 0.4` | ✅ pass |",
        "Since the pinned run of a.ndjson, ",
        "**worse**",
        "Fixed: `room-03`.",
        "| fail, **broken** | `room-00` | `turn on the light in room-00` | `set_light on: true` | `false` |",
    ] {
        assert!(decision.contains(part), "{part} in\n{decision}");
    }
    assert!(folded.contains("Figures of b.ndjson") && folded.contains("dimension"), "{folded}");
    assert_eq!(comment.matches("<details>").count(), comment.matches("</details>").count());
    // Further runs are compared with the first.
    let two = written(&bench, &["report", &a, &b, "-o", "two.md"], "two.md");
    assert!(two.contains("Since a.ndjson (a.eval): **worse**"), "{two}");
    let text = text(&bench.toolgauge(&["compare", &a, &b, "--markdown", "c.md", "-q"]).stderr);
    let compared = std::fs::read_to_string(bench.path().join("c.md")).unwrap();
    assert!(compared.contains("| fail, **broken** | `room-00` |"), "{text}{compared}");
}

#[test]
fn a_comment_is_never_longer_than_github_takes() {
    let bench = Bench::new();
    let log = bench.run("m", |n| n % 2 == 0);
    let many = vec![log.as_str(); 60];
    let output = bench.toolgauge(&[&["report", "-o", "r.md", "-q"], &many[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let comment = std::fs::read_to_string(bench.path().join("r.md")).unwrap();
    assert!(comment.chars().count() < 65_536, "{}", comment.len());
    assert!(comment.ends_with("an HTML report has everything.\n"), "{comment}");
}

#[test]
fn only_the_worst_trials_are_shown_and_the_rest_is_counted() {
    let bench = Bench::new();
    let log = bench.run("m", |n| n % 2 == 0);
    let page = written(&bench, &["report", &log, "-o", "r.html", "--show", "3"], "r.html");
    assert!(page.contains("Cases that pass: 12"));
    assert_eq!(page.matches("<details class=\"exhibit\">").count(), 3);
    assert!(page.contains("the worst 3 are here, 9 are left out"), "what is missing is told");
}

#[test]
fn a_report_goes_to_stdout_where_that_is_asked_for() {
    let bench = Bench::new();
    let log = bench.run("m", |_| false);
    let output = bench.toolgauge(&["report", &log, "-o", "-", "--format", "csv"]);
    assert_eq!(text(&output.stdout).lines().count(), 1 + CASES);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn what_cannot_be_written_is_told_with_what_can() {
    let bench = Bench::new();
    let log = bench.run("m", |_| false);
    for (arguments, told) in [
        (&["report", &log, "-o", "r.pdf"][..], "end it in .html, .md, .csv, .json, .xml or .svg"),
        (&["report", &log, "-o", "-"], "`--format`"),
        (&["report", &log, "-o", "r.svg"], "`--chart` takes one of: scores, trend"),
        (&["report", &log, "-o", "r.svg", "--chart", "pie"], "differences"),
        (&["report", &log, "-o", "r.svg", "--chart", "differences"], "it takes two logs"),
        (&["report", &log, "-o", "r.html", "--chart", "scores"], "end the file in .svg"),
        (&["report", "none.eval", "-o", "r.html"], "none.eval"),
        (&["report", &log, "-o", "no/such/folder/r.html"], "no/such/folder/r.html"),
        (&["summary", &log, &log, "--watch"], "follows one log"),
    ] {
        let output = bench.toolgauge(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(told), "{arguments:?}: {}", text(&output.stderr));
    }
    assert!(!bench.path().join("r.html").exists() && !bench.path().join("r.svg").exists());
}

#[test]
fn a_watched_run_is_told_line_by_line_and_ends_with_its_summary() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.eval");
    let mut writer = LogWriter::create(&path, &hostile::run()).unwrap();
    let mut trials = hostile::trials();
    writer.append(&trials.next().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.args(["summary", "live.eval", "--watch"]).current_dir(folder.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    assert!(first.starts_with("1 of 8 trials, score 1.000"), "{first}");
    writer.append(&trials.nth(6).unwrap()).unwrap();
    let second = lines.next().unwrap();
    assert!(second.starts_with("2 of 8 trials, score 0.750"), "{second}");
    writer.finish(&RunStatus::Success).unwrap();
    let said = lines.collect::<Vec<_>>().join("\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(said.contains("all right"), "the summary comes last: {said}");
    assert!(!said.contains('\u{1b}'), "no colour and no redrawing where there is no terminal");
}

#[test]
fn watching_a_killed_run_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.eval");
    let mut writer = LogWriter::create(&path, &hostile::run()).unwrap();
    writer.append(&hostile::trials().next().unwrap()).unwrap();
    drop(writer);
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.args(["summary", "killed.eval", "--watch"]).current_dir(folder.path());
    let output = command.env("NO_COLOR", "1").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("its run was killed"), "{}", text(&output.stderr));
}
