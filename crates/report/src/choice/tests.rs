//! Choices between runs made up for the purpose.

use std::time::Duration;

use serde_json::json;
use toolgauge_core::{FailureKind, Run, Trial, TrialFailure, UnscoredReason};
use toolgauge_log::TrialSummary;

use super::*;

const CASES: usize = 20;

fn run() -> Run {
    let cases: Vec<String> = (0..CASES).map(|n| format!("c-{n}")).collect();
    serde_json::from_value(json!({
        "id": "r", "created": "2026-11-15T00:00:00Z",
        "suite": {"name": "my-home", "hash": "h", "size": CASES},
        "subject": {"name": "m", "provider": "openai", "base_url": "http://127.0.0.1"},
        "cases": cases, "trials": 1, "scorers": ["end_state"],
        "settings": {"latency_budget": 3.0},
        "program": {"version": "0", "revision": "0"},
    }))
    .unwrap()
}

/// A trial that took so many seconds; wrong ones about locks did what they should not have.
fn trial(number: usize, right: bool, seconds: f64) -> TrialSummary {
    let domain = if number.is_multiple_of(5) { "lock" } else { "light" };
    let at_stake = domain == "lock";
    let (weight, wrong) = (if at_stake { 3.0 } else { 1.0 }, at_stake && !right);
    let value = f64::from(u8::from(right));
    let losses = if right { json!([]) } else { json!([{"cause": "wrong_change", "points": 1.0}]) };
    let trial: Trial = serde_json::from_value(json!({
        "case": {
            "id": format!("c-{number}"), "tags": {"domain": domain},
            "input": [{"role": "user", "content": format!("sentence {number:02}")}],
        },
        "number": 1, "started": "2026-11-15T00:00:00Z", "ended": "2026-11-15T00:00:01Z",
        "transcript": {
            "messages": [],
            "turns": [{"timings": {"queued": 0.0, "total": seconds}, "attempts": 1}],
        },
        "outcomes": {"end_state": {"scored": {"value": value, "losses": losses,
            "measures": {"weight": weight, "unsafe": f64::from(u8::from(wrong))}}}},
    }))
    .unwrap();
    TrialSummary::of(&trial)
}

/// A model that gets the first so many cases right, in so many seconds each.
fn model(name: &str, right: usize, seconds: f64) -> ChoiceTally {
    let mut tally = ChoiceTally::new(name, &run());
    for number in 0..CASES {
        tally.add(&trial(number, number < right, seconds));
    }
    tally
}

#[test]
fn the_best_model_is_the_best_of_those_that_are_fast_enough() {
    let choice = ModelChoice::of(vec![
        model("tiny", 4, 0.5),
        model("large", 19, 5.0),
        model("medium", 16, 2.0),
    ]);
    let choice = choice.unwrap();
    assert_eq!(choice.taken().unwrap().name, "medium");
    assert_eq!(choice.slower().unwrap().name, "large");
    let large = &choice.contestants[0];
    assert!(large.in_time.unwrap().rate.mean.abs() < 1e-12, "right too late is not right in time");
    let [rival] = choice.rivals.as_slice() else { panic!("one rival is fast enough") };
    assert_eq!(rival.name, "tiny");
    assert_eq!(rival.verdict, DifferenceVerdict::Worse);
}

#[test]
fn wrong_acts_are_the_first_that_people_see_fail() {
    let choice = ModelChoice::of(vec![model("a", 9, 1.0), model("b", 8, 1.0)]).unwrap();
    let taken = choice.taken().unwrap();
    let shown: Vec<(&str, bool)> =
        taken.failed.iter().map(|one| (one.sentence.as_str(), one.is_unsafe)).take(3).collect();
    assert_eq!(shown, [("sentence 10", true), ("sentence 15", true), ("sentence 09", false)]);
    assert_eq!(taken.wrong_acts, 2);
}

#[test]
fn the_answer_fits_a_screen_and_says_what_would_change_it() {
    let models = (0..9).map(|n| model(&format!("m{n}"), 9 + n, 2.0));
    let mut models: Vec<ChoiceTally> = models.collect();
    models.push(model("slow", 20, 7.5));
    let text = ModelChoice::of(models).unwrap().to_string();
    assert!(text.contains("Which model for my-home with answers within 3 s?"), "{text}");
    assert!(text.contains("best       m8  0.850 ["), "{text}");
    assert!(text.contains("m7 is not shown to be worse (p = 1.00)"), "{text}");
    assert!(text.contains("changes    a limit of 7.50 s would make it slow"), "{text}");
    assert!(text.contains("more cases would tell"), "{text}");
    assert!(text.contains("    light                \"sentence 17\": wrong change"), "{text}");
    assert!(text.lines().count() <= 24, "{text}");
}

#[test]
fn where_none_is_fast_enough_the_fastest_is_named() {
    let choice = ModelChoice::of(vec![model("a", 9, 9.0), model("b", 8, 4.0)]).unwrap();
    let text = choice.to_string();
    assert!(text.contains("none: no model does nine in ten commands within 3 s"), "{text}");
    assert!(text.contains("most right a  0.450 ["), "{text}");
    assert!(text.contains("changes    a limit of 4.00 s would let b in"), "{text}");
    assert!(text.contains("             a limit of 9.00 s would make it a\n"), "{text}");
    // Who has no better machine still wants to know what would go wrong.
    assert!(text.contains("b is not shown to be worse"), "{text}");
    assert!(text.contains("wrong acts a 2, b 2"), "{text}");
    assert!(text.contains("    ! lock                 \"sentence 10\""), "{text}");
    let both = ModelChoice::of(vec![model("a", 9, 4.0), model("b", 8, 9.0)]).unwrap().to_string();
    assert!(both.contains("a limit of 4.00 s would let a in"), "{both}");
    assert!(!both.contains("would make it"), "one limit says it: {both}");
}

#[test]
fn what_people_wait_for_is_told_with_a_warm_and_a_cold_prompt() {
    let mut slow = model("a", 9, 2.0);
    let mut spoken = trial(1, true, 2.0);
    spoken.timings.first_word = Some(Duration::from_millis(1500));
    spoken.timings.last_act = Some(Duration::from_millis(1250));
    spoken.timings.cold_prompt = Some(Duration::from_secs(80));
    slow.add(&spoken);
    let choice = ModelChoice::of(vec![slow, model("b", 8, 2.0)]).unwrap();
    let text = choice.to_string();
    let line = "waits      a  first word 1.50 s, last act 1.25 s; \
                prompt not cached: first word 81.5 s, last act 81.2 s (medians)";
    assert!(text.contains(line), "{text}");
    assert!(!text.contains("b  first word"), "what is not known is left out: {text}");
}

#[test]
fn exposing_fewer_entities_is_held_against_exposing_all() {
    let choice = ModelChoice::of(vec![
        model("qwen · expose-120", 12, 2.5),
        model("qwen · expose-40", 16, 1.5),
        model("qwen · expose-8", 19, 0.5),
    ]);
    let choice = choice.unwrap();
    let sizes: Vec<(u64, u64)> =
        choice.exposures.iter().map(|one| (one.exposed, one.all)).collect();
    assert_eq!(sizes, [(8, 120), (40, 120)]);
    let text = choice.to_string();
    assert!(text.contains("expose     8 of your 120 devices with qwen: +35.0 points ["), "{text}");
    assert!(text.contains("40 of your 120 devices with qwen: +20.0 points ["), "{text}");
    assert!(text.contains("], -1.00 s at the median"), "{text}");
    let plain = ModelChoice::of(vec![model("a", 9, 1.0), model("b", 8, 1.0)]).unwrap();
    assert!(plain.exposures.is_empty());
}

#[test]
fn one_model_is_no_choice() {
    assert!(ModelChoice::of(vec![model("a", 9, 1.0)]).is_none());
}

#[test]
fn a_model_that_does_not_answer_the_hard_commands_is_not_taken() {
    let mut silent = ChoiceTally::new("silent", &run());
    for number in 0..CASES {
        let mut trial = trial(number, true, 0.5);
        if number % 3 > 0 {
            let reason = UnscoredReason::Failed(TrialFailure {
                kind: FailureKind::Timeout,
                message: "late".to_owned(),
            });
            trial.outcomes.insert("end_state".to_owned(), Outcome::Unscored(reason));
        }
        silent.add(&trial);
    }
    let choice = ModelChoice::of(vec![silent, model("steady", 12, 0.5)]).unwrap();
    assert_eq!(choice.taken().map(|one| one.name.as_str()), Some("steady"));
    assert!(choice.to_string().contains("no answer in 13 of 20 trials"), "{choice}");
}
