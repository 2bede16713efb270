//! Gates are judged on what is known, not on what happened to come out.

use std::time::Duration;

use proptest::prelude::*;
use toolgauge_core::Outcome;
use toolgauge_report::{
    GRADED_SCORER, GateCondition, GateError, GateMatter, GateResult, RunSide, Terms, judge,
};
use toolgauge_testkit::long_or;

use super::{side, trial, unscored};

fn judged(gate: &str, run: &RunSide, against: Option<&RunSide>) -> GateResult {
    let gate: GateCondition = gate.parse().unwrap();
    judge(&gate, &GateMatter { run, against, point: false, terms: Terms::default() }).unwrap()
}

fn passing(subject: &str, cases: usize, passed: usize) -> RunSide {
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
    let gate: GateCondition = "score>=0.8".parse().unwrap();
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
fn a_gate_on_a_slice_names_broken_cases_of_the_slice_alone() {
    let run = |subject: &str, passed: usize| {
        side(
            subject,
            (0..50).map(|n| {
                let mut trial = trial(&format!("case-{n}"), 1, f64::from(u8::from(n < passed)));
                let tier = if n < 40 { "small" } else { "large" };
                trial.tags.insert("tier".to_owned(), tier.to_owned());
                trial
            }),
        )
    };
    let (base, worse) = (run("base", 50), run("worse", 20));
    assert_eq!(judged("no-regression", &worse, Some(&base)).broken, 30);
    let found = judged("no-regression[tier=large]", &worse, Some(&base));
    assert_eq!((found.passed, found.broken), (false, 10));
    let cases: Vec<&str> = found.broken_cases.iter().map(|case| case.case.as_str()).collect();
    assert!(cases.iter().all(|case| *case >= "case-40"), "{cases:?}");
}

#[test]
fn a_graded_answer_passes_the_gate_on_passes_by_its_mark() {
    let mut run = super::run("bot");
    run.scorers = vec![GRADED_SCORER.to_owned()];
    let mut graded = RunSide::new("bot", &run, None);
    for case in 0..20 {
        let mut trial = trial(&format!("case-{case}"), 1, 0.8);
        let outcome = trial.outcomes.swap_remove("calls").unwrap();
        trial.outcomes.insert(GRADED_SCORER.to_owned(), outcome);
        graded.add(&trial);
    }
    let graded = graded.finished();
    assert_eq!(judged("pass>=0.5", &graded, None).found, Some(1.0));
    assert_eq!(judged("right>=0.5", &graded, None).found, Some(0.0));
}

/// Runs of fifty cases in which some trials have a measure at 1.
fn measured(subject: &str, measure: &str, cases: usize) -> RunSide {
    let mut run = passing(subject, 0, 0);
    for n in 0..50 {
        let mut trial = trial(&format!("case-{n}"), 1, 1.0);
        let Outcome::Scored(score) = &mut trial.outcomes["calls"] else { panic!("scored") };
        score.measures.insert(measure.to_owned(), f64::from(u8::from(n < cases)));
        run.add(&trial);
    }
    run.finished()
}

#[test]
fn less_is_better_for_harm_and_worse_has_no_meaning_for_what_is_neither() {
    let gate = "no-regression of unsafe";
    let (safe, harmful) = (measured("a", "unsafe", 0), measured("b", "unsafe", 20));
    assert!(!judged(gate, &harmful, Some(&safe)).passed);
    assert!(judged(gate, &safe, Some(&harmful)).passed);
    let gate: GateCondition = "no-regression of weight".parse().unwrap();
    let (a, b) = (measured("a", "weight", 0), measured("b", "weight", 20));
    let matter = GateMatter { run: &b, against: Some(&a), point: false, terms: Terms::default() };
    assert!(matches!(judge(&gate, &matter), Err(GateError::NoDirection { .. })));
}

#[test]
fn a_scorer_of_the_same_name_is_no_latency() {
    let mut timed = trial("a", 1, 1.0);
    let outcome = timed.outcomes["calls"].clone();
    timed.outcomes.insert("latency".to_owned(), outcome);
    let mut run = super::run("script");
    run.scorers.push("latency".to_owned());
    let mut side = RunSide::new("script", &run, None);
    side.add(&timed);
    let gate: GateCondition = "latency<=2s".parse().unwrap();
    let run = side.finished();
    let matter = GateMatter { run: &run, against: None, point: false, terms: Terms::default() };
    let hint = judge(&gate, &matter).unwrap_err().hint();
    assert!(!hint.contains("latency"), "{hint}");
}

#[test]
fn no_regression_within_a_margin_must_be_shown() {
    let base = passing("base", 50, 40);
    // Nothing changed, but fifty cases cannot rule a loss of two points out.
    assert!(!judged("no-regression within 0.02", &passing("same", 50, 40), Some(&base)).passed);
    assert!(judged("no-regression within 0.1", &passing("same", 50, 40), Some(&base)).passed);
}

/// Eleven answers right and one at 0.6, and the same run with that answer repaired.
#[test]
fn repairing_an_answer_does_not_fail_a_gate() {
    let run = |last: f64| {
        let value = move |n| if n == 11 { last } else { 1.0 };
        side("bot", (0..12).map(|n| trial(&format!("case-{n}"), 1, value(n))))
    };
    let (faulty, repaired) = (run(0.6), run(1.0));
    for least in ["0.5", "0.6", "0.7", "0.73", "0.8", "0.9", "0.966", "0.97", "1"] {
        let gates =
            [format!("score>={least}").parse(), GateCondition::fail_under(least, "category")];
        for gate in gates.map(Result::unwrap) {
            let passed = |run| {
                let terms = Terms::default();
                judge(&gate, &GateMatter { run, against: None, point: false, terms })
                    .unwrap()
                    .passed
            };
            assert!(passed(&repaired) || !passed(&faulty), "{gate}");
        }
    }
}

#[test]
fn a_gate_says_what_it_compared_and_what_a_perfect_run_could_show() {
    let run = passing("run", 12, 12);
    let found = judged("score>=0.8", &run, None);
    assert!(!found.passed);
    assert_eq!(
        found.message,
        "1.000 [0.735, 1.000] over 12 cases; the lower end is below 0.8 by 0.065 (a perfect \
         run of 12 cases shows at least 0.735; it takes 17 cases to show 0.8)"
    );
    assert!(judged("score>=0.8", &passing("run", 17, 17), None).passed);
    let gate = GateCondition::fail_under("0.8", "category").unwrap();
    let terms = Terms::default();
    let matter = GateMatter { run: &run, against: None, point: false, terms };
    assert_eq!(
        judge(&gate, &matter).unwrap().to_string(),
        "gate `fail-under 0.8`: pass: 1.000 [0.735, 1.000] over 12 cases; the value is at least 0.8",
        "what an interval could show has no say where the value is compared"
    );
}

#[test]
fn broken_cases_and_errors_are_counted() {
    let (base, worse) = (passing("base", 12, 12), passing("worse", 12, 8));
    assert!(judged("no-regression", &worse, Some(&base)).passed);
    let found = judged("broken<=0", &worse, Some(&base));
    assert!(!found.passed && judged("broken<=4", &worse, Some(&base)).passed);
    assert_eq!((found.broken, found.broken_cases.len()), (4, 4));
    assert_eq!(found.message, "4 broken, 0 fixed, of 12 shared cases");
    assert!(judged("broken<=0", &base, Some(&worse)).passed);
    let late = side("late", [trial("a", 1, 0.0), unscored("b", 1), unscored("b", 2)]);
    let found = judged("errors<=1", &late, None);
    assert_eq!((found.passed, found.found), (false, Some(2.0)));
    assert_eq!(found.message, "2 errors in 3 trials: 2 timeout");
    assert!(judged("errors<=0", &base, None).passed);
    let gate: GateCondition = "broken<=0".parse().unwrap();
    let matter = GateMatter { run: &base, against: None, point: false, terms: Terms::default() };
    assert!(matches!(judge(&gate, &matter), Err(GateError::NothingToCompareWith { .. })));
    let strange = side("strange", [trial("z", 1, 1.0)]);
    assert!(!judged("broken<=0", &strange, Some(&base)).passed);
}

/// A case before, and how much better each of its trials becomes.
#[derive(Clone, Debug)]
struct Improving {
    base: Vec<f64>,
    before: Vec<f64>,
    lifts: Vec<f64>,
}

fn improving() -> impl Strategy<Value = Vec<Improving>> {
    let value = || prop_oneof![3 => Just(0.0), 3 => Just(1.0), 2 => Just(0.5), 2 => 0.0..=1.0_f64];
    let lift = prop_oneof![4 => Just(0.0), 2 => Just(1.0), 2 => 0.0..=1.0_f64];
    let trials = (1..4_usize, 1..4_usize);
    let case = trials.prop_flat_map(move |(a, b)| {
        let base = prop::collection::vec(value(), a..=a);
        let before = prop::collection::vec(value(), b..=b);
        let lifts = prop::collection::vec(lift.clone(), b..=b);
        (base, before, lifts)
    });
    let case = case.prop_map(|(base, before, lifts)| Improving { base, before, lifts });
    prop::collection::vec(case, 1..30)
}

fn made(subject: &str, cases: &[Improving], values: impl Fn(&Improving) -> Vec<f64>) -> RunSide {
    let mut trials = Vec::new();
    for (n, case) in cases.iter().enumerate() {
        for (number, value) in (1..).zip(values(case)) {
            trials.push(trial(&format!("case-{n}"), number, value));
        }
    }
    side(subject, trials)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long_or(48, 16)))]

    /// If no case gets worse, no gate that passed fails; read the other way round, if no case
    /// gets better, none that failed passes.
    #[test]
    fn no_gate_fails_because_a_case_got_better(
        cases in improving(), least in 0.0..=1.0_f64, margin in 0.001..=0.5_f64, count in 0..5_u8,
    ) {
        let base = made("base", &cases, |case| case.base.clone());
        let before = made("before", &cases, |case| case.before.clone());
        let after = made("after", &cases, |case| {
            let lifted = case.before.iter().zip(&case.lifts);
            lifted.map(|(value, lift)| value + lift * (1.0 - value)).collect()
        });
        let gates = [
            format!("score>={least}"),
            format!("right>={least}"),
            "no-regression".to_owned(),
            format!("no-regression within {margin}"),
            format!("broken<={count}"),
            format!("errors<={count}"),
            format!("unscored<={least}"),
        ];
        let mut gates: Vec<GateCondition> = gates.iter().map(|gate| gate.parse().unwrap()).collect();
        gates.push(GateCondition::fail_under(&least.to_string(), "category").unwrap());
        for gate in gates {
            for point in [false, true] {
                let passed = |run| {
                    let terms = Terms::default();
                    let matter = GateMatter { run, against: Some(&base), point, terms };
                    judge(&gate, &matter).unwrap()
                };
                let (old, new) = (passed(&before), passed(&after));
                prop_assert!(new.passed || !old.passed, "{gate}: {old:?} {new:?}");
            }
        }
    }

    /// The same where less is better: a score that must stay below a number.
    #[test]
    fn no_gate_passes_because_a_case_got_worse(cases in improving(), most in 0.0..=1.0_f64) {
        let before = made("before", &cases, |case| case.before.clone());
        let after = made("after", &cases, |case| {
            let lifted = case.before.iter().zip(&case.lifts);
            lifted.map(|(value, lift)| value + lift * (1.0 - value)).collect()
        });
        let passed = |run| judged(&format!("score<={most}"), run, None).passed;
        prop_assert!(passed(&before) || !passed(&after));
    }
}

#[test]
fn what_the_run_lacks_is_named() {
    let run = passing("run", 5, 5);
    let error = |gate: &str| {
        let gate: GateCondition = gate.parse().unwrap();
        let matter = GateMatter { run: &run, against: None, point: false, terms: Terms::default() };
        judge(&gate, &matter).unwrap_err()
    };
    assert!(matches!(error("arguments>=0.9"), GateError::NoSuchFigure { .. }));
    assert!(matches!(error("score[tier=small]>=0.9"), GateError::NoSuchSlice { .. }));
    assert!(matches!(error("cost<=1"), GateError::NoSuchFigure { .. }));
    assert!(matches!(error("no-regression"), GateError::NothingToCompareWith { .. }));
}

/// A side whose cases took so many seconds.
fn timed(subject: &str, seconds: &[f64]) -> RunSide {
    let timed = seconds.iter().enumerate().map(|(n, seconds)| {
        let mut trial = trial(&format!("case-{n}"), 1, 1.0);
        trial.timings.total = Duration::from_secs_f64(*seconds);
        trial
    });
    side(subject, timed)
}

#[test]
fn a_gate_on_the_mean_time_does_not_fail_because_a_case_got_faster() {
    let gate = "latency<=500ms";
    let slow = judged(gate, &timed("slow", &[0.2, 0.2, 0.2, 1.05]), None);
    let fast = judged(gate, &timed("fast", &[0.2, 0.2, 0.2, 0.2]), None);
    assert!(slow.passed && fast.passed, "{} / {}", slow.message, fast.message);
    assert_eq!(fast.message, "0.200 s; the value is at most 0.5 s");
    assert!(!judged("latency<=100ms", &timed("fast", &[0.2; 4]), None).passed);
}

#[test]
fn a_slower_run_is_said_to_have_grown_by_seconds() {
    let (before, after) = (timed("before", &[0.2; 8]), timed("after", &[0.5; 8]));
    let found = judged("no-regression of latency", &after, Some(&before));
    assert!(!found.passed);
    assert!(found.message.starts_with("0.200 s → 0.500 s, by +0.300 s"), "{}", found.message);
}

#[test]
fn a_miss_by_little_shows_by_how_much() {
    let gate = GateCondition::fail_under("0.50001", "category").unwrap();
    let run = passing("half", 2, 1);
    let matter = GateMatter { run: &run, against: None, point: false, terms: Terms::default() };
    let found = judge(&gate, &matter).unwrap();
    assert!(found.message.contains("is below 0.50001 by 0.00001"), "{}", found.message);
}

#[test]
fn a_percentile_of_few_trials_says_how_many_it_takes() {
    let found = judged("p95<=5s", &timed("few", &[0.1; 71]), None);
    assert_eq!(
        (found.passed, found.message.as_str()),
        (false, "0.1000 s, but an interval takes 72 trials (--point judges without)")
    );
    assert!(judged("p95<=5s", &timed("enough", &[0.1; 72]), None).passed);
}

#[test]
fn a_graded_answer_is_broken_where_it_no_longer_passes() {
    let answers = |subject: &str, value: f64| {
        let mut run = super::run(subject);
        run.scorers = vec![GRADED_SCORER.to_owned()];
        let mut side = RunSide::new(subject, &run, None);
        for n in 0..4 {
            let mut trial = trial(&format!("case-{n}"), 1, value);
            let outcome = trial.outcomes.shift_remove("calls").unwrap();
            trial.outcomes.insert(GRADED_SCORER.to_owned(), outcome);
            side.add(&trial);
        }
        side.finished()
    };
    let whole = answers("whole", 1.0);
    assert!(judged("broken<=0", &answers("a word less", 0.9), Some(&whole)).passed);
    assert!(!judged("broken<=0", &answers("half", 0.5), Some(&whole)).passed);
}

#[test]
fn shares_of_unscored_trials_are_facts() {
    let mut trials: Vec<_> = (0..99).map(|n| trial(&format!("case-{n}"), 1, 1.0)).collect();
    trials.push(unscored("late", 1));
    let run = side("run", trials);
    assert!(judged("unscored<=1%", &run, None).passed);
    assert!(!judged("unscored<=0.5%", &run, None).passed);
}

/// A side of cases with one trial each; `None` is a trial that failed.
fn scored_or_failed(subject: &str, values: &[Option<f64>]) -> RunSide {
    let made = |(n, value): (usize, &Option<f64>)| {
        let case = format!("case-{n}");
        value.map_or_else(|| unscored(&case, 1), |value| trial(&case, 1, value))
    };
    side(subject, values.iter().enumerate().map(made))
}

#[test]
fn wrong_answers_that_become_server_errors_do_not_open_a_gate() {
    let wrong = scored_or_failed("wrong", &[[Some(1.0); 5], [Some(0.0); 5]].concat());
    let failed = scored_or_failed("failed", &[[Some(1.0); 5], [None; 5]].concat());
    let gate = GateCondition::fail_under("0.8", "category").unwrap();
    let judged = |run| {
        let terms = Terms::default();
        judge(&gate, &GateMatter { run, against: None, point: false, terms }).unwrap()
    };
    assert_eq!((judged(&wrong).passed, judged(&wrong).undecided), (false, false));
    let open = judged(&failed);
    assert_eq!((open.passed, open.undecided), (false, true));
    let told = open.to_string();
    let begin = "gate `fail-under 0.8`: not decided: 5 trials failed (5 timeout), and at their \
                 worst the gate fails; without them 1.000 [";
    assert!(told.starts_with(begin), "{told}");
    // One failed trial of a hundred changes nothing that the gate asks for.
    let robust = scored_or_failed("robust", &[vec![Some(1.0); 99], vec![None]].concat());
    assert!(judged(&robust).passed);
}

#[test]
fn a_case_that_always_passed_and_now_fails_for_a_technical_reason_is_broken() {
    let base = passing("base", 3, 3);
    let failed = scored_or_failed("failed", &[Some(1.0), None, Some(1.0)]);
    let found = judged("broken<=0", &failed, Some(&base));
    assert_eq!((found.passed, found.undecided, found.broken), (false, false, 1));
    assert_eq!(found.message, "1 broken, 0 fixed, of 3 shared cases");
    assert!(found.to_string().ends_with("broken: case-1: unscored: timeout"), "{found}");
    assert!(judged("broken<=1", &failed, Some(&base)).passed);
    // What failed in the other run may have passed there.
    let (open, worse) = (failed, scored_or_failed("worse", &[Some(1.0), Some(0.0), Some(1.0)]));
    let found = judged("broken<=0", &worse, Some(&open));
    assert_eq!((found.passed, found.undecided), (false, true));
    assert!(found.message.starts_with("1 trial of the other run failed (1 timeout)"), "{found}");
}

#[test]
fn times_of_trials_that_failed_are_not_left_out_of_gates() {
    let run = |failed: usize| {
        let mut run = RunSide::new("bot", &super::run("bot"), None);
        for n in 0..200 {
            let case = format!("case-{n}");
            let mut trial = if n < failed { unscored(&case, 1) } else { trial(&case, 1, 1.0) };
            trial.timings.total = Duration::from_millis(200);
            run.add(&trial);
        }
        run.finished()
    };
    assert!(judged("p95<=1s", &run(2), None).passed, "2 of 200 are no twentieth");
    let late = judged("p95<=1s", &run(12), None);
    assert_eq!((late.passed, late.undecided), (false, true));
    assert!(
        late.message
            .ends_with("without them 0.200 s [0.200 s, 0.200 s]; the upper end is at most 1 s"),
        "{late}"
    );
    assert!(judged("latency<=1s", &run(1), None).undecided, "a mean has no bound");
    assert!(judged("errors<=12", &run(12), None).passed, "which counts the failures themselves");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long_or(64, 24)))]

    /// A trial that fails says nothing, so that it can make no gate pass: neither in the run that
    /// is judged nor in the one that it is compared with.
    #[test]
    fn no_gate_passes_because_a_trial_failed(
        cases in improving(),
        fails in prop::collection::vec((any::<bool>(), any::<bool>(), any::<bool>()), 90),
        least in 0.0..=1.0_f64, margin in 0.001..=0.5_f64, count in 0..5_u8,
    ) {
        // The trials of a case that fail, before and after: none that failed is scored later.
        let made = |subject: &str, after: bool, is_base: bool| {
            let mut trials = Vec::new();
            let mut fails = fails.iter();
            for (n, case) in cases.iter().enumerate() {
                let values = if is_base { &case.base } else { &case.before };
                for (number, value) in (1..).zip(values) {
                    let (always, then, rarely) = fails.next().copied().unwrap_or_default();
                    let failed = (always && rarely) || (after && then);
                    let case = format!("case-{n}");
                    let mut made =
                        if failed { unscored(&case, number) } else { trial(&case, number, *value) };
                    made.timings.total = Duration::from_secs_f64(if failed { 0.01 } else { 1.0 - value / 2.0 });
                    made.tags.insert("half".to_owned(), (n % 2).to_string());
                    trials.push(made);
                }
            }
            side(subject, trials)
        };
        let (base, worse_base) = (made("base", false, true), made("base", true, true));
        let (before, after) = (made("run", false, false), made("run", true, false));
        let gates = [
            format!("score>={least}"),
            format!("score<={least}"),
            format!("pass>={least}"),
            format!("score[half=0]>={least}"),
            "no-regression".to_owned(),
            "no-regression[half=0]".to_owned(),
            "no-regression of latency".to_owned(),
            format!("no-regression of latency within {margin}"),
            format!("no-regression within {margin}"),
            format!("latency<={least}"),
            format!("p50<={least}"),
            format!("p50>={least}"),
            format!("broken<={count}"),
            format!("errors<={count}"),
            format!("unscored<={least}"),
        ];
        let mut gates: Vec<GateCondition> = gates.iter().map(|gate| gate.parse().unwrap()).collect();
        gates.push(GateCondition::fail_under(&least.to_string(), "category").unwrap());
        for gate in gates {
            for point in [false, true] {
                let judged = |run, against| {
                    let matter =
                        GateMatter { run, against: Some(against), point, terms: Terms::default() };
                    judge(&gate, &matter)
                };
                // A run without any time is refused, and so passes nothing.
                let Ok(first) = judged(&before, &base) else { continue };
                for (run, against) in [(&after, &base), (&before, &worse_base), (&after, &worse_base)] {
                    let Ok(then) = judged(run, against) else { continue };
                    prop_assert!(first.passed || !then.passed, "{gate}: {first:?} {then:?}");
                }
            }
        }
    }
}
