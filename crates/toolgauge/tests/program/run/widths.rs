//! No table breaks and no line is wider than the terminal, whatever cases and models are called.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;
use toolgauge_testkit::Terminal;

use crate::run::{run, suite, text, toolgauge};

const COLUMNS: [u16; 3] = [60, 80, 120];

/// A model with a long name.
const MODEL: &str = "script:a-model-with-a-name-that-is-longer-than-any-column-of-a-table.ndjson";

/// Adds cases whose names and sentences are longer than any terminal is wide.
fn with_long_cases(folder: &Path) {
    let open =
        |name: &str| std::fs::OpenOptions::new().append(true).open(folder.join(name)).unwrap();
    let (mut cases, mut script) = (open("cases.ndjson"), open("script.ndjson"));
    for n in 100..103 {
        let say = format!("say {} {n}", "a very long sentence that no line can hold ".repeat(6));
        let id = format!("{}-{n}", "a-case-with-a-long-name".repeat(8));
        let expect = json!({"calls": [{"tool": "say", "arguments": {"n": n}}]});
        let tags = json!({"parity": "a-tag-with-a-long-value-".repeat(6) + &n.to_string()});
        let case = json!({"id": id, "say": say, "expect": expect, "tags": tags});
        writeln!(cases, "{case}").unwrap();
        writeln!(script, "{}", json!({"request": say, "text": "I do not know. ".repeat(30)}))
            .unwrap();
    }
}

/// A suite with such cases, and three logs of it: by name `a`, `b` and `c`.
fn numbers() -> TempDir {
    let folder = suite(12);
    with_long_cases(folder.path());
    let path = |name: &str| folder.path().join(name);
    fs::rename(path("script.ndjson"), path(MODEL.trim_start_matches("script:"))).unwrap();
    for name in ["a", "b", "c"] {
        let model = if name == "c" { "baseline" } else { MODEL };
        let flags = ["--quiet", "--trials", "2", "--log-dir", name];
        let output = run(folder.path(), &[&["run", ".", "-m", model], &flags[..]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let log = fs::read_dir(path(name)).unwrap().next().unwrap().unwrap().path();
        fs::create_dir_all(path("logs")).unwrap();
        fs::rename(log, path(&format!("logs/{name}.eval"))).unwrap();
    }
    folder
}

/// The lines that a command prints on a terminal of such a width, without colours.
fn on_terminal(folder: &Path, arguments: &[&str], columns: u16) -> Vec<String> {
    let mut terminal = Terminal::run(&toolgauge(folder, arguments), 60, columns);
    terminal.end();
    let written = terminal.written();
    let written = console::strip_ansi_codes(&written);
    written.lines().map(|line| line.trim_end_matches('\r').to_owned()).collect()
}

/// Asserts that a command prints something, and nothing that is wider than the terminal.
fn assert_fits(folder: &Path, command: &[&str]) {
    for columns in COLUMNS {
        let lines = on_terminal(folder, command, columns);
        assert!(!lines.is_empty(), "{command:?} prints nothing");
        for line in &lines {
            // A path is copied, so that it is never cut.
            let is_path = line.split(' ').any(|word| {
                word.contains('/') && console::measure_text_width(word) * 2 > usize::from(columns)
            });
            let fits = console::measure_text_width(line) <= usize::from(columns);
            assert!(fits || is_path, "{command:?} at {columns}: {line}\n{}", lines.join("\n"));
        }
    }
}

#[test]
fn runs_and_their_figures_fit_the_terminal() {
    let folder = numbers();
    let flags = ["run", ".", "-m", MODEL, "--quiet"];
    let several = format!("{MODEL},baseline");
    let commands: [&[&str]; 9] = [
        &flags,
        &[&flags[..], &["--full"]].concat(),
        &["run", ".", "-m", &several, "--quiet"],
        &["summary", "logs/a.eval"],
        &["summary", "logs/a.eval", "logs/b.eval", "logs/c.eval"],
        &["summary", "logs/a.eval", "--verbose"],
        &["score", "logs/a.eval"],
        &["history", "numbers"],
        &["list"],
    ];
    for command in commands {
        assert_fits(folder.path(), command);
    }
}

#[test]
fn comparisons_fit_the_terminal() {
    let folder = numbers();
    let (a, b, c) = ("logs/a.eval", "logs/b.eval", "logs/c.eval");
    assert!(run(folder.path(), &["baseline", "set", a]).status.success());
    let commands: [&[&str]; 5] = [
        &["compare", a, c],
        &["compare", a, c, "--all-flips"],
        &["compare", a, b, c],
        &["cases", a, b, c],
        &["baseline", "show"],
    ];
    for command in commands {
        assert_fits(folder.path(), command);
    }
}

#[test]
fn what_people_said_fits_the_terminal() {
    let folder = numbers();
    let said = "It should have said the number that it was asked for, and nothing else. ".repeat(3);
    let case = format!("{}-100", "a-case-with-a-long-name".repeat(8));
    let add = ["feedback", "add", "logs/a.eval", &case, "--down", "--comment", &said];
    let added = run(folder.path(), &add);
    assert!(added.status.success(), "{}", text(&added.stderr));
    assert_fits(folder.path(), &["feedback", "list"]);
    assert_fits(folder.path(), &["feedback", "stats", "--by", "parity"]);
}

#[test]
fn a_matrix_and_what_is_wrong_with_a_suite_fit_the_terminal() {
    let folder = numbers();
    let name = "a-model-of-a-matrix-with-a-very-long-name-indeed".repeat(2);
    let matrix = format!(
        "name: two\nsuite: .\nmodels:\n  - {{name: {name}, model: '{MODEL}'}}\n  - baseline\n"
    );
    fs::write(folder.path().join("matrix.yaml"), matrix).unwrap();
    assert_fits(folder.path(), &["run", "--matrix", "matrix.yaml", "--quiet"]);
    assert_fits(folder.path(), &["check", "."]);
    let cases = folder.path().join("cases.ndjson");
    let broken =
        fs::read_to_string(&cases).unwrap().replace("\"tool\":\"say\"", "\"tool\":\"sya\"");
    fs::write(cases, broken).unwrap();
    assert_fits(folder.path(), &["check", "."]);
}

#[test]
fn no_number_is_broken_by_a_narrow_terminal() {
    let folder = numbers();
    for columns in [60_u16, 80] {
        for command in [
            &["summary", "logs/a.eval"][..],
            &["history", "numbers"],
            &["compare", "logs/a.eval", "logs/c.eval"],
            &["compare", "logs/a.eval", "logs/b.eval", "logs/c.eval"],
        ] {
            let narrow = on_terminal(folder.path(), command, columns).join("\n");
            let wide = on_terminal(folder.path(), command, 300).join("\n");
            for interval in wide.split('[').skip(1).filter_map(|part| part.split(']').next()) {
                assert!(narrow.contains(&format!("[{interval}]")), "[{interval}] in\n{narrow}");
            }
        }
    }
}
