//! Grades, standings and means, by hand.

use std::time::Duration;

use indexmap::IndexMap;
use jiff::Timestamp;
use toolgauge_core::{Score, StopReason, Tags, Timings, ToolTime, TrialId, UnscoredReason, Usage};

use super::*;

fn trial(case: &str, category: &str, value: Option<f64>) -> TrialSummary {
    let outcome = match value {
        Some(value) => {
            let measures = [("tool_score", 1.0), ("keyword_share", value), ("no_error", 1.0)];
            let measures = measures.map(|(name, value)| (name.to_owned(), value));
            let measures: IndexMap<_, _> = measures.into_iter().collect();
            Outcome::Scored(Score { value, measures, ..Score::default() })
        }
        None => Outcome::Unscored(UnscoredReason::NothingExpected),
    };
    TrialSummary {
        id: TrialId { case: CaseId::new(case), trial: 1 },
        sentence: String::new(),
        tags: Tags::from([(CATEGORY.to_owned(), category.to_owned())]),
        group: None,
        gold: None,
        started: Timestamp::UNIX_EPOCH,
        ended: Timestamp::UNIX_EPOCH,
        outcomes: [(GRADED_SCORER.to_owned(), outcome)].into_iter().collect(),
        failure: None,
        timings: Timings { total: Duration::from_secs(1), ..Timings::default() },
        server: None,
        usage: Usage::default(),
        stop: StopReason::Stop,
        turns: 1,
        attempts: 1,
        repeated: Vec::new(),
        calls: 0,
        oddities: Vec::new(),
        tool_times: vec![ToolTime {
            tool: "t".into(),
            time: Duration::from_secs(2),
            within_turn: false,
        }],
        result_tokens: 0,
        violations: Vec::new(),
    }
}

fn grades(trials: &[(&str, &str, Option<f64>)]) -> Grades {
    let mut book = GradeBook::default();
    for (case, category, value) in trials {
        book.add(&trial(case, category, *value));
    }
    book.grades(std::iter::empty()).unwrap()
}

#[test]
fn grades_change_at_every_tenth() {
    let grade = |score: f64| Grade::of(score).letter();
    let figures = [(1.0, 'A'), (0.9, 'A'), (0.899, 'B'), (0.8, 'B'), (0.799, 'C'), (0.7, 'C')];
    for (score, letter) in figures.into_iter().chain([(0.699, 'D'), (0.6, 'D'), (0.599, 'F')]) {
        assert_eq!(grade(score), letter, "{score}");
    }
}

#[test]
fn a_question_passes_at_70_and_is_partial_at_40() {
    let all = [
        ("a", "x", Some(0.7)),
        ("b", "x", Some(0.69)),
        ("c", "y", Some(0.4)),
        ("d", "y", Some(0.39)),
    ];
    let grades = grades(&all);
    let Marks { passed, partial, failed, .. } = grades.overall;
    assert_eq!((passed, partial, failed), (1, 2, 1));
    let strict = grades.held_to(Thresholds { pass: 0.9, partial: 0.5 });
    let Marks { passed, partial, failed, .. } = strict.overall;
    assert_eq!((passed, partial, failed), (0, 2, 2));
}

#[test]
fn the_overall_score_is_the_mean_over_questions_and_not_over_categories() {
    let all = [
        ("a", "x", Some(1.0)),
        ("b", "x", Some(0.8)),
        ("c", "x", Some(0.6)),
        ("d", "y", Some(0.2)),
        ("e", "y", None),
    ];
    let grades = grades(&all);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(near(grades.overall.score, 0.65), "{grades:?}");
    assert!(near(grades.categories["x"].score, 0.8));
    assert!(near(grades.categories["y"].score, 0.2));
    assert_eq!(grades.categories["x"].grade, Some(Grade::B));
    assert_eq!(grades.unscored, 1);
    assert!(near(grades.overall.parts["tool_usage"], 1.0));
    assert!(near(grades.overall.latency.unwrap().p50, 3.0));
    assert_eq!(grades.line(), "D 65.0 %: 2 pass, 1 partial, 1 fail of 4 questions, 1 unscored");
}

#[test]
fn trials_of_a_question_count_as_one_question() {
    let grades = grades(&[("a", "x", Some(1.0)), ("a", "x", Some(0.0)), ("b", "x", Some(1.0))]);
    assert_eq!(grades.overall.questions, 2);
    assert!((grades.overall.score - 0.75).abs() < 1e-12);
}

#[test]
fn the_order_of_trials_does_not_change_a_digit() {
    let values = [0.1, 0.7, 0.92, 1.0 / 3.0, 0.6];
    let names = ["a", "b", "c", "d", "e"];
    let trials: Vec<_> = names.into_iter().zip(values).map(|(n, v)| (n, "x", Some(v))).collect();
    let back: Vec<_> = trials.iter().rev().copied().collect();
    assert_eq!(grades(&trials).overall, grades(&back).overall);
}

#[test]
fn runs_without_golden_questions_have_no_grades() {
    assert_eq!(GradeBook::default().grades(std::iter::empty()), None);
}
