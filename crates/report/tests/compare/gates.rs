//! Gates are judged on what is known, not on what happened to come out.

use toolgauge_report::{Gate, GateError, GateMatter, GateResult, Side, Terms, judge};

use super::{side, trial};

fn judged(gate: &str, run: &Side, against: Option<&Side>) -> GateResult {
    let gate: Gate = gate.parse().unwrap();
    judge(&gate, &GateMatter { run, against, point: false, terms: Terms::default() }).unwrap()
}

fn passing(subject: &str, cases: usize, passed: usize) -> Side {
    let value = move |n| f64::from(u8::from(n < passed));
    side(subject, (0..cases).map(|n| trial(&format!("case-{n}"), 1, value(n))))
}

#[test]
fn a_lucky_run_of_a_small_suite_does_not_pass() {
    let small = passing("small", 10, 9);
    let result = judged("score>=0.8", &small, None);
    assert!(!result.passed);
    assert!(result.short_by > 0.2, "{}", result.short_by);
    assert!(judged("score>=0.8", &passing("large", 1000, 900), None).passed);
    let gate: Gate = "score>=0.8".parse().unwrap();
    let matter = GateMatter { run: &small, against: None, point: true, terms: Terms::default() };
    assert!(judge(&gate, &matter).unwrap().passed);
}

#[test]
fn no_regression_fails_only_when_worse_is_shown() {
    let base = passing("base", 50, 40);
    assert!(judged("no-regression", &passing("a bit", 50, 38), Some(&base)).passed);
    let result = judged("no-regression", &passing("much", 50, 20), Some(&base));
    assert!(!result.passed);
    assert_eq!((result.broken, result.broken_cases.len()), (20, 10));
    assert_eq!(result.broken_cases[0].case.as_str(), "case-20");
    assert!(result.to_string().contains("broken: case-20: wrong value (set_light)"));
}

#[test]
fn no_regression_within_a_margin_must_be_shown() {
    let base = passing("base", 50, 40);
    // Nothing changed, but fifty cases cannot rule a loss of two points out.
    assert!(!judged("no-regression within 0.02", &passing("same", 50, 40), Some(&base)).passed);
    assert!(judged("no-regression within 0.1", &passing("same", 50, 40), Some(&base)).passed);
}

#[test]
fn what_the_run_lacks_is_named() {
    let run = passing("run", 5, 5);
    let error = |gate: &str| {
        let gate: Gate = gate.parse().unwrap();
        let matter = GateMatter { run: &run, against: None, point: false, terms: Terms::default() };
        judge(&gate, &matter).unwrap_err()
    };
    assert!(matches!(error("arguments>=0.9"), GateError::NoSuchFigure { .. }));
    assert!(matches!(error("score[tier=small]>=0.9"), GateError::NoSuchSlice { .. }));
    assert!(matches!(error("cost<=1"), GateError::NoSuchFigure { .. }));
    assert!(matches!(error("no-regression"), GateError::NothingToCompareWith { .. }));
}

#[test]
fn shares_of_unscored_trials_are_facts() {
    let mut trials: Vec<_> = (0..99).map(|n| trial(&format!("case-{n}"), 1, 1.0)).collect();
    trials.push(super::unscored("late", 1));
    let run = side("run", trials);
    assert!(judged("unscored<=1%", &run, None).passed);
    assert!(!judged("unscored<=0.5%", &run, None).passed);
}
