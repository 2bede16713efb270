use jiff::Timestamp;
use toolgauge_core::{CaseId, ExpectedAnswer, RunId};

use std::fs;

use super::*;

fn corrected(correction: Option<&str>) -> Feedback {
    Feedback {
        run: RunId::new("run-1"),
        suite: "property-manager".into(),
        case: CaseId::new("fin-1"),
        trial: 2,
        author: String::new(),
        thumb: None,
        comment: String::new(),
        correction: correction.map(str::to_owned),
        at: Timestamp::UNIX_EPOCH,
    }
}

fn question() -> Case {
    let mut case = Case::new("fin-1", "how much rent came in?");
    case.tags.insert("category".into(), "financials".into());
    let answer =
        ExpectedAnswer { tools: Some(vec!["query_database".into()]), ..ExpectedAnswer::default() };
    case.expectation.answer = Some(Box::new(answer));
    case
}

#[test]
fn an_answer_in_words_becomes_reference_and_keywords() {
    let feedback = corrected(Some("It was $128,450 in Q1, up 4.2%."));
    let case = promoted(&question(), &feedback, "fin-1-b").unwrap();
    assert_eq!(case["expect"]["answer"]["keywords"], json!(["$128,450", "Q1", "4.2%"]));
    assert_eq!(case["expect"]["answer"]["tools"], json!(["query_database"]));
    assert_eq!(case["expect"]["answer"]["reference"], "It was $128,450 in Q1, up 4.2%.");
    assert_eq!(case["tags"]["category"], "financials");
    assert_eq!(case["metadata"]["promoted_from"], "fin-1#2");
}

#[test]
fn an_answer_without_figures_is_its_own_keyword() {
    let case = promoted(&question(), &corrected(Some("Nobody.")), "x").unwrap();
    assert_eq!(case["expect"]["answer"]["keywords"], json!(["Nobody."]));
}

#[test]
fn a_correction_in_json_is_the_expectation() {
    let feedback = corrected(Some(r#"{"call": {"tool": "turn_on"}}"#));
    let case = promoted(&question(), &feedback, "x").unwrap();
    assert_eq!(case["expect"], json!({"call": {"tool": "turn_on"}}));
}

#[test]
fn without_a_correction_there_is_nothing_to_expect() {
    for correction in [None, Some("  ")] {
        let error = promoted(&question(), &corrected(correction), "x").unwrap_err();
        assert!(matches!(error, PromotionError::NoCorrection));
    }
}

/// Files before a case is added: a list of cases, a suite, a table, as the docs teach them.
const FORMS: [(&str, &str); 13] = [
    ("cases.yaml", "# Ours.\n- id: old\n  say: hello   # a greeting\n"),
    ("cases.ndjson", "{\"id\": \"old\", \"say\": \"hello\"}"),
    ("golden.jsonl", "{\"question\": \"How are you?\", \"expected_keywords\": [\"well\"]}\n"),
    ("new.yaml", ""),
    ("empty.yaml", "[]\n"),
    ("suite.yaml", "name: mine\ncases:\n  - id: old\n    say: hello   # a greeting\n"),
    (
        "middle.yaml",
        "name: mine\ncases:\n- cases.csv\n- id: old\n  say: |\n    hello\n\n# What they use.\nscorers: [chatbot]\n",
    ),
    ("none-yet.yaml", "name: mine\ncases: []\nsolver: loop\n"),
    ("suite.json", "{\"name\": \"mine\", \"cases\": [{\"id\": \"old\", \"say\": \"hello\"}]}"),
    (
        "list.json",
        "[\n  {\"id\": \"old\", \"say\": \"hello\", \"n\": 12345678901234567890123}\n]\n",
    ),
    ("windows.yaml", "name: mine\r\ncases:\r\n  - id: old\r\n    say: hello\r\nsolver: loop\r\n"),
    ("cases.csv", "id,say,tool\nold,\"hello, you\",\n"),
    ("answers.csv", "id,say,answer,tag.category\nold,hello,,chat\n"),
];

/// The names of all cases in a text.
fn names(file: &str, text: &str) -> Vec<String> {
    let of = |cases: &Value| {
        let cases = cases.as_array().cloned().unwrap_or_default();
        let id = |case: &Value| Some(case.get("id")?.as_str()?.to_owned());
        cases.iter().filter_map(id).collect::<Vec<_>>()
    };
    match file.rsplit_once('.').unwrap().1 {
        ending @ ("yaml" | "json") => {
            let document: Value = match ending {
                "json" => serde_json::from_str(text).unwrap(),
                _ => yaml_serde::from_str(text).unwrap(),
            };
            of(document.get("cases").unwrap_or(&document))
        }
        "csv" => {
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            reader.records().map(|row| row.unwrap()[0].to_owned()).collect()
        }
        _ => {
            let lines: Vec<Value> =
                text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
            of(&json!(lines))
        }
    }
}

#[test]
fn a_case_is_added_to_every_form_of_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    for (name, before) in FORMS {
        let path = folder.path().join(name);
        if !before.is_empty() {
            fs::write(&path, before).unwrap();
        }
        let case = promoted(&question(), &corrected(Some("12")), "fin-2").unwrap();
        append(&path, &case).unwrap_or_else(|error| panic!("{name}: {error}"));
        let after = fs::read_to_string(&path).unwrap();
        assert_eq!(
            names(name, &after).last().map(String::as_str),
            Some("fin-2"),
            "{name}:\n{after}"
        );
        assert_eq!(names(name, &after).len(), names_before(name, before) + 1, "{name}:\n{after}");
        let again = append(&path, &case).unwrap_err();
        assert!(matches!(again, PromotionError::Taken { .. }), "{name}: {again}");
    }
}

fn names_before(name: &str, before: &str) -> usize {
    if before.is_empty() { 0 } else { names(name, before).len() }
}

#[test]
fn what_was_in_a_file_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let case = promoted(&question(), &corrected(Some("12")), "fin-2").unwrap();
    for (name, before) in FORMS {
        // A table that gets a column is written anew, and JSON on one line is still one line.
        if before.is_empty() || ["suite.json", "cases.csv"].contains(&name) {
            continue;
        }
        let path = folder.path().join(name);
        fs::write(&path, before).unwrap();
        append(&path, &case).unwrap();
        let after = fs::read_to_string(&path).unwrap();
        let kept = before.split('\n').filter(|line| !line.contains("[]"));
        let mut rest = after.split('\n').map(|line| line.strip_suffix(',').unwrap_or(line));
        for line in kept {
            assert!(rest.any(|found| found == line), "{name} lost `{line}`:\n{after}");
        }
    }
}

#[test]
fn a_folder_stands_for_the_suite_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.yaml");
    fs::write(&suite, "name: mine\ncases:\n  - {id: old, say: hello}\n").unwrap();
    let case = promoted(&question(), &corrected(Some("12")), "fin-2").unwrap();
    append(folder.path(), &case).unwrap();
    assert_eq!(names("suite.yaml", &fs::read_to_string(suite).unwrap()), ["old", "fin-2"]);
}

#[test]
fn a_suite_that_names_its_file_of_cases_is_extended_there() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.yaml");
    fs::write(&suite, "name: mine\ncases: cases.ndjson\n").unwrap();
    let cases = folder.path().join("cases.ndjson");
    fs::write(&cases, "{\"id\": \"old\", \"say\": \"hello\"}\n").unwrap();
    let case = promoted(&question(), &corrected(Some("12")), "fin-2").unwrap();
    append(folder.path(), &case).unwrap();
    assert_eq!(names("cases.ndjson", &fs::read_to_string(cases).unwrap()), ["old", "fin-2"]);
    assert_eq!(fs::read_to_string(suite).unwrap(), "name: mine\ncases: cases.ndjson\n");
}

#[test]
fn a_file_that_holds_no_cases_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let case = promoted(&question(), &corrected(Some("12")), "fin-2").unwrap();
    for (name, text, why) in [
        ("suite.yaml", "name: mine\n", "no list `cases`"),
        ("elsewhere.yaml", "name: mine\ncases: cases.csv\n", "in `cases.csv`; name that file"),
        ("cases.csv", "name,say\nx,y\n", "no column `id`"),
        ("flow.yaml", "name: mine\ncases: [{id: a, say: b}]\n", "a file of their own"),
        ("broken.yaml", "- [", ""),
        ("notes.txt", "hello", "not a file of cases"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let refusal = append(&path, &case).unwrap_err().to_string();
        assert!(refusal.contains(why), "{name}: {refusal}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}
