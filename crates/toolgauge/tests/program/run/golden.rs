//! Golden rows of other teams: what they expect is held against the answer, or refused.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use toolgauge_testkit::{Response, Server};

use super::{only_log, run, text, trials};

/// The response quality of an answer to the only question of a golden file.
fn quality(row: &str, answer: &str) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("golden.jsonl"), row).unwrap();
    let script = json!({"text": answer}).to_string();
    fs::write(folder.path().join("script.ndjson"), script).unwrap();
    let output = run(folder.path(), &["run", "golden.jsonl", "-m", "script:script.ndjson"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    measured(&only_log(folder.path()))
}

fn measured(log: &Path) -> f64 {
    let trials = trials(log);
    let score = trials.values().next().unwrap().outcomes["chatbot"].score().unwrap().clone();
    score.measures["keyword_share"]
}

#[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
#[test]
fn a_row_with_a_number_and_keywords_demands_both() {
    let row = r#"{"question": "What was our income?", "category": "x", "expected_keywords": ["May", "rental"], "validation_type": "amount", "validation_params": {"expected_value": 3920.0, "tolerance_pct": 1}}"#;
    assert_eq!(quality(row, "Rental income was $3,920 in May."), 1.0);
    assert_eq!(quality(row, "It was $3,920 in May."), 0.5);
    assert_eq!(quality(row, "It was $3,920."), 0.0);
    assert_eq!(quality(row, "Rental income was $9,320 in May."), 0.0);
    assert_eq!(quality(row, "Rental income of May: one banana."), 0.0);
}

#[test]
fn reference_passages_in_a_golden_row_are_never_put_to_the_chatbot() {
    let folder = tempfile::tempdir().unwrap();
    let row = json!({"question": "And the rent?", "category": "x", "expected_keywords": ["1450"],
        "context": ["The rent of unit 2B is 1450 dollars."], "history": ["Is 2B let?", "Yes."]});
    fs::write(folder.path().join("golden.jsonl"), row.to_string()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(|_| {
        Response::json(200, &json!({"answer": "1450 dollars", "tools_used": []}))
    }));
    let model = format!("chatbot:{}/chat", server.url());
    let output = run(folder.path(), &["run", "golden.jsonl", "-m", &model]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // Before the first question it is asked whether it is there.
    let received = server.received().into_iter().map(|request| request.json()["question"].clone());
    let asked: Vec<Value> = received.filter(|question| !question.is_null()).collect();
    assert_eq!(asked, ["Is 2B let?", "And the rent?"]);
}

#[test]
fn what_other_programs_call_an_expectation_is_refused_beside_expected_tools() {
    let folder = tempfile::tempdir().unwrap();
    for field in ["assert", "assertions", "reference_answer", "answer_regex", "ground_truth"] {
        let row = json!({"question": "Who?", "expected_tools": ["search"], field: ["Ada"]});
        fs::write(folder.path().join("golden.jsonl"), row.to_string()).unwrap();
        let output = run(folder.path(), &["check", "golden.jsonl"]);
        let told = text(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(&format!("`{field}` looks like an expectation")), "{told}");
        assert!(told.contains("a mere note stands in `metadata`"), "{told}");
    }
}

#[test]
fn an_expectation_in_another_spelling_is_an_error_at_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let rows = r#"{"question": "Who?", "category": "x", "Expected_Entities": ["Ada"]}
{"question": "Who is?", "category": "x", "expectedKeywords": ["Ada"]}
{"question": "Who was?", "category": "x", "validation_params": {"month": "2025-05"}}
"#;
    fs::write(folder.path().join("golden.jsonl"), rows).unwrap();
    let output = run(folder.path(), &["check", "golden.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stdout);
    for part in [
        "golden.jsonl:1:39: error: `Expected_Entities` looks like an expectation",
        "scored are `expected_tools`, `expected_keywords`",
        "golden.jsonl:2:42: error: `expectedKeywords` looks like an expectation",
        "hint: write it as `expected_keywords`",
        "golden.jsonl:3:43: error: `validation_params` asks for something that is not understood",
        "3 errors",
    ] {
        assert!(told.contains(part), "{part} in\n{told}");
    }
}

#[test]
fn a_table_in_the_place_of_a_suite_is_told_what_it_is_good_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gold.csv"), "question,expected_keywords\nWho?,Ada\n").unwrap();
    for command in [&["check", "gold.csv"][..], &["run", "gold.csv", "-m", "baseline"]] {
        let output = run(folder.path(), command);
        assert_eq!(output.status.code(), Some(2));
        let told = text(&output.stdout) + &text(&output.stderr);
        for part in [
            "this is a table: it can hold the cases of a suite, but is no suite",
            "`cases: [gold.csv]`",
            "`toolgauge init --template table`",
            "`.jsonl` file",
        ] {
            assert!(told.contains(part), "{part} in\n{told}");
        }
    }
}
