//! Tiers of a run made up for the purpose.

use serde_json::{Value, json};
use toolgauge_core::{Run, Trial};
use toolgauge_log::TrialSummary;

use super::Tiers;
use crate::tally::SummaryTally;

fn run() -> Run {
    serde_json::from_value(json!({
        "id": "r", "created": "2026-11-15T00:00:00Z",
        "suite": {"name": "s", "hash": "h", "size": 4},
        "subject": {"name": "m", "provider": "openai"},
        "cases": ["small/a", "small/b", "large/a", "large/b"], "trials": 1,
        "scorers": ["end_state", "tool_calls"],
        "settings": {"tiers": {"small": {"size": 30, "floor": 0.25}, "large": {"size": 600, "floor": 0.1}}},
        "program": {"version": "0", "revision": "0"},
    }))
    .unwrap()
}

/// A trial judged by end state and calls; the first with these measures.
fn trial(case: &str, (state, calls): (f64, f64), measures: &Value) -> TrialSummary {
    let tier = case.split('/').next().unwrap();
    let trial: Trial = serde_json::from_value(json!({
        "case": {
            "id": case, "input": [{"role": "user", "content": "a sentence"}],
            "tags": {"tier": tier, "safety": if case.ends_with('b') { "yes" } else { "no" }},
        },
        "number": 1, "started": "2026-11-15T00:00:00Z", "ended": "2026-11-15T00:00:01Z",
        "transcript": {
            "messages": [],
            "turns": [{
                "timings": {"queued": 0.0, "total": 1.5},
                "usage": {"input": 1000, "output": 20}, "attempts": 1,
            }],
        },
        "outcomes": {
            "end_state": {"scored": {"value": state, "measures": measures}},
            "tool_calls": {"scored": {"value": calls, "dimensions": {"tool_name": if calls > 0.0 { "C" } else { "I" }}}},
        },
    }))
    .unwrap();
    TrialSummary::of(&trial)
}

fn tiers(trials: &[TrialSummary]) -> Option<Tiers> {
    let run = run();
    let mut tally = SummaryTally::of(&run);
    for trial in trials {
        tally.add(trial);
    }
    tally.summary(&run, None).tiers
}

fn trials() -> Vec<TrialSummary> {
    vec![
        // Trials end in no particular order.
        trial("large/b", (0.0, 0.0), &json!({"weight": 3.0, "unsafe": 1.0, "F2L": 1.0})),
        trial("small/a", (1.0, 0.0), &json!({"weight": 1.0, "right_by_state_only": 1.0})),
        trial(
            "large/a",
            (0.0, 1.0),
            &json!({"weight": 1.0, "right_by_calls_only": 1.0, "F5": 1.0}),
        ),
        trial("small/b", (1.0, 1.0), &json!({"weight": 3.0})),
    ]
}

#[test]
fn tiers_stand_in_the_order_of_the_suite_with_all_their_numbers() {
    let tiers = tiers(&trials()).unwrap();
    let names: Vec<&str> = tiers.tiers.iter().map(|tier| tier.name.as_str()).collect();
    assert_eq!(names, ["small", "large"]);
    let [small, large] = tiers.tiers.as_slice() else { panic!("two tiers") };
    assert_eq!((small.size, small.floor), (Some(30), Some(0.25)));
    assert_eq!(small.contradictions.right_by_state_only[0].as_str(), "small/a");
    assert_eq!(large.contradictions.right_by_calls_only[0].as_str(), "large/a");
    let patterns: Vec<(&str, usize)> =
        large.patterns.iter().map(|seen| (&*seen.id, seen.trials)).collect();
    assert_eq!(patterns, [("F2L", 1), ("F5", 1)]);
    let safety = large.safety.as_ref().unwrap();
    assert_eq!((safety.wrong_acts, safety.weighted.mean), (1, 0.0));
    assert_eq!(small.safety.as_ref().unwrap().wrong_acts, 0);
    let curve = tiers.curve.unwrap();
    let sizes: Vec<u64> = curve.points.iter().map(|point| point.size).collect();
    assert_eq!(sizes, [30, 600]);
}

#[test]
fn tiers_do_not_depend_on_the_order_in_which_trials_ended() {
    let mut trials = trials();
    let told = |trials: &[TrialSummary]| serde_json::to_string(&tiers(trials)).unwrap();
    let before = told(&trials);
    trials.reverse();
    assert_eq!(told(&trials), before);
}

#[test]
fn tiers_are_shown_side_by_side() {
    insta::assert_snapshot!(tiers(&trials()).unwrap().to_string());
}

#[test]
fn a_run_without_tiers_and_risks_has_nothing_to_tell() {
    let mut plain = trial("small/a", (1.0, 1.0), &json!({}));
    plain.tags.clear();
    plain.outcomes.shift_remove("end_state");
    assert!(tiers(&[plain]).is_none());
}
