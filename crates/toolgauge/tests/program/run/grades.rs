//! Golden questions, graded: what is shown, what gates make of it, and what a build reads.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{only_log, run, text};

const SUITE: &str = "
name: landlord
solver: loop
tools:
  - {name: query_database, description: Asks the database.}
  - {name: search_document_content, description: Looks into documents.}
replies:
  query_database: {price: 442300, rent: 1450}
  search_document_content: The deed is of March 1, 2021.
scorers: [chatbot, keywords, grounding]
more: {chatbot: {keywords: plain}}
cases:
  - golden.jsonl
";

const GOLDEN: &str = r#"{"id": "price", "question": "What did we pay?", "category": "financials", "expected_tools": ["query_database"], "expected_keywords": ["one", "two", "three", "four", "five"]}
{"id": "comma", "question": "What was the price?", "category": "financials", "expected_tools": ["query_database"], "expected_keywords": ["442300"]}
{"id": "deed", "question": "When was the deed signed?", "category": "documents", "expected_tools": ["search_document_content"], "expected_keywords": ["March 1, 2021"]}
{"id": "down", "question": "Is it insured?", "category": "documents", "expected_tools": ["search_document_content"], "expected_keywords": ["yes"]}
"#;

/// 0.92, 0.6, 1.0, and a server that is down: 0.
const SCRIPT: &str = r#"{"id": "price", "turns": [{"calls": [{"name": "query_database"}]}, {"text": "One, two, three, four."}]}
{"id": "comma", "turns": [{"calls": [{"name": "query_database"}]}, {"text": "The price was $442,300."}]}
{"id": "deed", "turns": [{"calls": [{"name": "search_document_content"}]}, {"text": "It was signed on March 1, 2021."}]}
{"id": "down", "fail": "connection", "message": "connection refused"}
"#;

fn landlord() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("suite.yaml", SUITE), ("golden.jsonl", GOLDEN), ("script.ndjson", SCRIPT)]
    {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn graded(folder: &Path, more: &[&str]) -> std::process::Output {
    let arguments = [&["run", ".", "-m", "script:script.ndjson", "--retries", "0"], more].concat();
    run(folder, &arguments)
}

#[test]
fn golden_questions_are_graded_by_question_and_category() {
    let folder = landlord();
    let output = graded(folder.path(), &["--format", "json", "--line", "line.txt"]);
    let printed: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let summary = &printed[0]["summary"];
    assert_eq!(summary["scorer"], "chatbot");
    let grades = &summary["grades"];
    let scores = |id: &str| grades["questions"][id]["score"].clone();
    assert_eq!(scores("price"), 0.92);
    assert_eq!(scores("comma"), 0.6);
    assert_eq!(scores("deed"), 1.0);
    assert_eq!(scores("down"), 0.0);
    assert_eq!(grades["overall"]["score"], 0.63);
    assert_eq!(grades["overall"]["grade"], "D");
    assert_eq!(grades["overall"]["passed"], 2);
    assert_eq!(grades["overall"]["partial"], 1);
    assert_eq!(grades["overall"]["failed"], 1);
    assert_eq!(grades["categories"]["financials"]["score"], 0.76);
    assert_eq!(grades["categories"]["documents"]["score"], 0.5);
    // Understood, the comma does not hide the price; the server that is down is unscored there.
    assert_eq!(summary["scorers"]["keywords"]["trials"], 3);
    let line = std::fs::read_to_string(folder.path().join("line.txt")).unwrap();
    assert!(
        line.starts_with(
            "landlord · script.ndjson: D 63.0 %: 2 pass, 1 partial, 1 fail of 4 questions · score 0.630"
        ),
        "{line}"
    );
    assert_eq!(line.lines().count(), 1);
    // The chatbot score is a judgement on failures too, so that nothing is unscored.
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn a_summary_shows_grades_and_on_demand_every_question() {
    let folder = landlord();
    graded(folder.path(), &[]);
    let log = only_log(folder.path());
    let log = log.to_str().unwrap();
    let shown = text(&run(folder.path(), &["summary", log]).stdout);
    assert!(
        shown.contains("grade      D 63.0 %: 2 pass, 1 partial, 1 fail of 4 questions"),
        "{shown}"
    );
    let row = |name: &str| {
        let line = shown.lines().find(|line| line.trim_start().starts_with(name));
        line.unwrap_or_else(|| panic!("{shown}")).split_whitespace().collect::<Vec<_>>()[..10]
            .join(" ")
    };
    assert_eq!(row("financials "), "financials 2 0.760 C 1.000 0.400 1.000 1 1 0");
    assert_eq!(row("documents "), "documents 2 0.500 F 0.500 0.500 0.500 1 0 1");
    let strict = run(folder.path(), &["summary", log, "--pass-at", "95%", "--partial-at", "0.7"]);
    assert!(text(&strict.stdout).contains("1 pass, 1 partial, 2 fail"), "{}", text(&strict.stdout));
    let verbose = text(&run(folder.path(), &["summary", log, "--verbose"]).stdout);
    for part in [
        "comma#1: 0.600 (D, partial)",
        "  question: What was the price?",
        "  response: The price was $442,300.",
        "  tools: query_database (expected: query_database)",
        "  keywords: 442300",
        "  - missing keyword: expected \"442300\"",
        "  failure: connection: connection refused",
    ] {
        assert!(verbose.contains(part), "{part} in\n{verbose}");
    }
    let failing = text(&run(folder.path(), &["summary", log, "--failing"]).stdout);
    assert!(failing.contains("comma#1: 0.600 (D, partial)"), "{failing}");
    assert!(!failing.contains(", pass)") && !failing.contains("grade "), "{failing}");
}

#[test]
fn a_trial_is_shown_by_the_scorer_that_decides() {
    let folder = landlord();
    let suite = SUITE.replace("[chatbot, keywords, grounding]", "[keywords, chatbot]");
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    graded(folder.path(), &["--quiet"]);
    let log = only_log(folder.path());
    let shown = run(folder.path(), &["summary", log.to_str().unwrap(), "--verbose"]);
    let shown = text(&shown.stdout);
    // `chatbot` gives it 0.92 and an A.
    assert!(shown.contains("price#1: 0.800 (partial)"), "{shown}");
}

#[test]
fn reports_and_gates_hold_questions_to_what_the_settings_say() {
    let folder = landlord();
    graded(folder.path(), &[]);
    let log = only_log(folder.path());
    let log = log.to_str().unwrap();
    let page = |file: &str| {
        let output = run(folder.path(), &["report", log, "-o", file]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        std::fs::read_to_string(folder.path().join(file)).unwrap()
    };
    assert!(page("usual.html").contains("2 pass, 1 partial, 1 fail"));
    std::fs::write(folder.path().join("toolgauge.toml"), "[grades]\npass = 0.95\n").unwrap();
    let strict = page("strict.html");
    assert!(strict.contains("1 pass, 2 partial, 1 fail"), "{strict}");
    assert!(strict.contains("partial 0.92"), "{strict}");
}

#[test]
fn a_build_fails_under_a_score_overall_or_in_a_category() {
    let folder = landlord();
    graded(folder.path(), &[]);
    let log = only_log(folder.path());
    let log = log.to_str().unwrap();
    let status = |flags: &[&str]| {
        let output = run(folder.path(), &[&["summary", log], flags].concat());
        (output.status.code().unwrap(), text(&output.stderr))
    };
    assert_eq!(status(&["--fail-under", "0.6"]).0, 0);
    assert_eq!(status(&["--fail-under", "0.7"]).0, 1);
    // Four questions say little: a gate asks for the lower end of the interval.
    assert_eq!(status(&["--gate", "score>=0.6"]).0, 1);
    assert_eq!(status(&["--gate", "score>=0.6", "--point"]).0, 0);
    let both = ["--fail-under", "0.6", "--fail-under", "financials=0.7"];
    assert_eq!(status(&both).0, 0);
    let (code, said) = status(&["--fail-under", "documents=60%", "--junit", "j.xml"]);
    assert_eq!(code, 1);
    assert!(said.contains("`fail-under documents=60%`: fail"), "{said}");
    let junit = std::fs::read_to_string(folder.path().join("j.xml")).unwrap();
    assert!(junit.contains("failures=\"1\""), "{junit}");
    let (code, said) = status(&["--fail-under", "finances=0.7"]);
    assert_eq!(code, 2);
    assert!(said.contains("category=financials"), "{said}");
    assert_eq!(status(&["--fail-under", "high"]).0, 2);
    assert_eq!(status(&["--point"]).0, 2);
}

#[test]
fn test_results_say_what_was_missing_in_which_answer() {
    let folder = landlord();
    graded(folder.path(), &[]);
    let log = only_log(folder.path());
    let output = run(folder.path(), &["report", log.to_str().unwrap(), "-o", "r.xml"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let written = std::fs::read_to_string(folder.path().join("r.xml")).unwrap();
    for there in [
        "answer: The price was $442,300.\nmissing keyword: expected &quot;442300&quot; (0.400)",
        "message=\"partial: scored 0.600\" type=\"partial\"",
        "message=\"fail: scored 0.000\" type=\"fail\"",
        "failures=\"2\"",
        "no answer\nmissing call: search_document_content (0.400)",
    ] {
        assert!(written.contains(there), "{there} is missing in {written}");
    }
    // A question that passes by the threshold is no failure, whatever it lost.
    assert!(!written.contains("One, two, three, four."), "{written}");
}
