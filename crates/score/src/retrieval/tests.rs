//! Retrieval measures against values computed by hand and by another program.

use indexmap::IndexMap;
use serde::Deserialize;
use toolgauge_core::{AssistantMessage, ExpectedAnswer};

use super::*;

fn score(found: &[&str], relevant: &[(&str, f64)], settings: Value) -> Score {
    let mut case = Case::new("c", "q");
    let documents = relevant.iter().map(|(name, grade)| ((*name).to_owned(), *grade)).collect();
    let answer = ExpectedAnswer { documents, ..ExpectedAnswer::default() };
    case.expectation.answer = Some(Box::new(answer));
    case.expectation.more.insert("retrieval".into(), settings);
    let mut transcript = Transcript::of(AssistantMessage::default());
    transcript.background.sources = found.iter().map(|name| (*name).to_owned()).collect();
    match RetrievalScorer::default().score(&case, &transcript) {
        Outcome::Scored(score) => score,
        Outcome::Unscored(reason) => panic!("{reason}"),
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn a_list_computed_by_hand() {
    // Found: b (grade 1), x (none), a (grade 3). Wanted: a 3, b 1, c 2.
    let score = score(&["b", "x", "a"], &[("a", 3.0), ("b", 1.0), ("c", 2.0)], json!({}));
    let measure = |name: &str| score.measures[name];
    assert!(near(measure("precision"), 2.0 / 3.0));
    assert!(near(measure("recall"), 2.0 / 3.0));
    assert!(near(score.value, 2.0 / 3.0));
    assert!(near(measure("reciprocal_rank"), 1.0));
    assert!(near(measure("hit_rate"), 1.0));
    // Gains: 1/1 + 0 + 3/2 = 2.5; best: 3/1 + 2/log2(3) + 1/2.
    let best = 3.0 + 2.0 / 3.0_f64.log2() + 0.5;
    assert!(near(measure("ndcg"), 2.5 / best));
    let causes: Vec<Cause> = score.losses.iter().map(|loss| loss.cause).collect();
    assert_eq!(causes, [Cause::MissedDocument, Cause::IrrelevantDocument]);
    let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
    assert!(near(lost, 1.0 - score.value));
}

#[derive(Deserialize)]
struct Row {
    found: Vec<String>,
    relevant: IndexMap<String, f64>,
    k: u64,
    measures: IndexMap<String, f64>,
}

#[test]
fn an_independent_program_computes_the_same() {
    let rows: Vec<Row> =
        serde_json::from_str(include_str!("../../tests/fixtures/retrieval.json")).unwrap();
    assert_eq!(rows.len(), 60);
    for row in rows {
        let found: Vec<&str> = row.found.iter().map(String::as_str).collect();
        let relevant: Vec<(&str, f64)> =
            row.relevant.iter().map(|(name, grade)| (name.as_str(), *grade)).collect();
        let score = score(&found, &relevant, json!({"k": row.k}));
        for (name, expected) in &row.measures {
            assert!(near(score.measures[name], *expected), "{name} of {found:?} in {relevant:?}");
        }
        let by_rank = self::score(&found, &relevant, json!({"k": row.k, "value": "ndcg"}));
        assert!(near(by_rank.value, row.measures["ndcg"]));
    }
}

#[test]
fn a_document_is_known_by_the_end_of_its_path() {
    let perfect = score(&["docs/Lease.md", "./docs/lease.md"], &[("lease.md", 1.0)], json!({}));
    assert!(near(perfect.value, 1.0), "{perfect:?}");
    let other = score(&["docs/sublease.md"], &[("lease.md", 1.0)], json!({}));
    assert!(near(other.value, 0.0));
}

#[test]
fn without_relevant_documents_there_is_nothing_to_judge() {
    let mut case = Case::new("c", "q");
    let transcript = Transcript::of(AssistantMessage::default());
    let judged = |case: &Case| RetrievalScorer::default().score(case, &transcript);
    assert_eq!(judged(&case), Outcome::Unscored(UnscoredReason::NothingExpected));
    case.expectation.answer = Some(Box::default());
    assert_eq!(judged(&case), Outcome::Unscored(UnscoredReason::NothingExpected));
}
