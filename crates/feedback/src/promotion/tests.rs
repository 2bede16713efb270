use jiff::Timestamp;
use toolgauge_core::{CaseId, ExpectedAnswer, RunId};

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

#[test]
fn a_case_is_added_and_what_was_there_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    for (name, before) in [
        ("cases.yaml", "# Ours.\n- id: old\n  say: hello   # a greeting\n"),
        ("cases.ndjson", "{\"id\": \"old\", \"say\": \"hello\"}"),
        ("new.yaml", ""),
    ] {
        let path = folder.path().join(name);
        if !before.is_empty() {
            fs::write(&path, before).unwrap();
        }
        let case = promoted(&question(), &corrected(Some("12")), "fin-2").unwrap();
        append(&path, &case).unwrap();
        let after = fs::read_to_string(&path).unwrap();
        assert!(after.starts_with(before), "{after}");
        let cases = if name.ends_with("yaml") { yaml_cases(&after) } else { json_lines(&after) };
        assert_eq!(cases.unwrap().last(), Some(&case));
        let again = append(&path, &case).unwrap_err();
        assert!(matches!(again, PromotionError::Taken { .. }));
    }
}

#[test]
fn a_file_that_holds_no_cases_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let case = promoted(&question(), &corrected(Some("12")), "fin-2").unwrap();
    for (name, text) in
        [("suite.yaml", "name: mine\n"), ("cases.csv", "id,say\n"), ("broken.yaml", "- [")]
    {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        append(&path, &case).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}
