//! What is compared with what, and what is said about the rest.

use std::time::Duration;

use toolgauge_core::FailedAttempt;
use toolgauge_log::TrialSummary;
use toolgauge_report::{Comparison, ContestReport, DifferenceVerdict, Terms, UnscoredRule};
use toolgauge_stats::{Margin, PairTable, Resampling};

use super::{side, trial, unscored};

fn name(n: usize) -> String {
    format!("case-{n}")
}

fn whole(passed: bool) -> f64 {
    f64::from(u8::from(passed))
}

#[test]
fn pass_fail_pairs_get_the_exact_mcnemar_test() {
    let a = side("a", (0..40).map(|n| trial(&name(n), 1, whole(n < 20))));
    let b = side("b", (0..40).map(|n| trial(&name(n), 1, whole(n < 30 && n != 3))));
    let comparison = Comparison::of(&a, &b, &Terms::default());
    let table = PairTable { both: 19, only_a: 1, only_b: 10, neither: 10 };
    let score = comparison.score.unwrap();
    assert!((score.p_value - table.exact_p_value()).abs() < 1e-15);
    assert!((score.difference - table.difference().unwrap()).abs() < 1e-15);
    assert_eq!(comparison.verdict, DifferenceVerdict::Better);
    assert_eq!((comparison.flips.fixed, comparison.flips.broken), (10, 1));
    assert_eq!(comparison.flips.broken_cases[0].case.as_str(), "case-3");
    assert_eq!(comparison.flips.broken_cases[0].reason, "wrong value (set_light)");
}

#[test]
fn only_what_both_have_is_compared_and_the_rest_is_counted() {
    let a = side("a", (0..10).flat_map(|n| (1..=2).map(move |t| trial(&name(n), t, 1.0))));
    let b = side("b", (5..20).map(|n| trial(&name(n), 1, 1.0)));
    let comparison = Comparison::of(&a, &b, &Terms::default());
    let shared = comparison.shared;
    assert_eq!((shared.cases, shared.only_a, shared.only_b), (5, 5, 10));
    assert_eq!((shared.trials_a, shared.trials_b), (10, 5));
    assert_eq!((shared.left_out_a, shared.left_out_b), (10, 10));
    let cautions: Vec<&str> = comparison.cautions.iter().map(|c| c.message.as_str()).collect();
    assert_eq!(cautions, ["different cases: 5 only in A, 10 only in B; 5 are compared"]);
}

/// A run that was gone on with, or merged, has more trials of some cases than of others.
#[test]
fn a_case_counts_once_however_often_it_was_tried() {
    let values = [1.0, 0.0, 0.3, 0.3, 1.0, 0.6];
    let once = || values.iter().enumerate().map(|(n, value)| trial(&name(n), 1, *value));
    let often = values.iter().enumerate().flat_map(|(n, value)| {
        (1..=1 + u32::try_from(n).unwrap()).map(move |number| trial(&name(n), number, *value))
    });
    let (once, often) = (side("once", once()), side("often", often));
    let comparison = Comparison::of(&once, &often, &Terms::default());
    let score = comparison.score.unwrap();
    assert_eq!(
        (score.a.mean, score.a.low, score.a.high),
        (score.b.mean, score.b.low, score.b.high)
    );
    assert_eq!((score.difference, score.p_value, score.cases), (0.0, 1.0, 6));
    assert_eq!(comparison.verdict, DifferenceVerdict::NoDifferenceShown);
    assert!(comparison.losses.iter().all(|loss| (loss.points_a - loss.points_b).abs() < 1e-9));
}

#[test]
fn what_would_have_been_found_is_said_even_when_no_case_differs() {
    let same = |name_| side(name_, (0..20).map(|n| trial(&name(n), 1, whole(n < 12))));
    let comparison = Comparison::of(&same("a"), &same("b"), &Terms::default());
    let words = comparison.verdict_words();
    assert!(words.starts_with("no difference shown (a difference of 0."), "{words}");
    let (found, some) = (comparison.score.unwrap().detectable.unwrap(), 0.1..0.6);
    assert!(some.contains(&found), "{found}");
}

/// One that was wrong now and then before is not broken by being wrong again.
#[test]
fn a_case_is_broken_when_it_always_passed_and_mostly_fails_now() {
    let runs = |name_: &str, cases: &[&[u8]]| {
        let trials = cases.iter().enumerate().flat_map(|(n, passes)| {
            let numbered = (1..).zip(passes.iter());
            numbered.map(move |(number, pass)| trial(&name(n), number, f64::from(*pass)))
        });
        side(name_, trials.collect::<Vec<_>>())
    };
    let before = runs("a", &[&[1, 1, 1], &[1, 1, 0], &[1], &[1, 1], &[0, 0, 1], &[0], &[1, 1]]);
    let after = runs("b", &[&[0, 0, 1], &[0, 0, 0], &[0], &[1, 0], &[1, 1, 1], &[0, 0], &[1]]);
    let flips = Comparison::of(&before, &after, &Terms::default()).flips;
    let broken: Vec<&str> = flips.broken_cases.iter().map(|flip| flip.case.as_str()).collect();
    assert_eq!(broken, ["case-0", "case-2"]);
    assert_eq!((flips.fixed, flips.wavering, flips.still_pass, flips.still_fail), (1, 2, 1, 1));
}

#[test]
fn unscored_trials_are_left_out_unless_they_count_as_failures() {
    let a = side("a", (0..30).map(|n| trial(&name(n), 1, 1.0)));
    let timed_out = |n: usize| if n < 12 { unscored(&name(n), 1) } else { trial(&name(n), 1, 1.0) };
    let b = side("b", (0..30).map(timed_out));
    let excluded = Comparison::of(&a, &b, &Terms::default());
    assert_eq!((excluded.shared.trials_a, excluded.shared.trials_b), (18, 18));
    assert_eq!(excluded.verdict, DifferenceVerdict::NoDifferenceShown);
    assert_eq!(excluded.verdict_otherwise, Some(DifferenceVerdict::Worse));
    assert_eq!(excluded.b.unscored["timeout"], 12);
    let rule = UnscoredRule::AsFailures;
    let counted = Comparison::of(&a, &b, &Terms { unscored: rule, ..Terms::default() });
    assert_eq!((counted.shared.trials_a, counted.shared.trials_b), (30, 30));
    assert_eq!(counted.verdict, DifferenceVerdict::Worse);
    assert_eq!(counted.verdict_otherwise, Some(DifferenceVerdict::NoDifferenceShown));
}

#[test]
fn equivalence_needs_a_margin_and_enough_cases() {
    let alike = |cases: usize| {
        let a = side("a", (0..cases).map(|n| trial(&name(n), 1, whole(n % 2 == 0))));
        let b = side("b", (0..cases).map(|n| trial(&name(n), 1, whole(n % 2 == 0))));
        let margin = Margin::new(0.05);
        Comparison::of(&a, &b, &Terms { margin, ..Terms::default() }).verdict
    };
    assert_eq!(alike(400), DifferenceVerdict::Equivalent { margin: 0.05 });
    assert!(
        matches!(alike(20), DifferenceVerdict::Inconclusive { more_cases: Some(more) } if more > 20)
    );
}

#[test]
fn cases_of_a_group_do_not_count_as_independent() {
    let grouped = |group: bool| {
        let make = move |n: usize, value: f64| {
            let mut trial = trial(&name(n), 1, value);
            trial.group = group.then(|| format!("dialogue-{}", n / 10));
            trial
        };
        let a = side("a", (0..40).map(|n| make(n, 0.5)));
        let b = side("b", (0..40).map(|n| make(n, if n < 10 { 0.9 } else { 0.5 })));
        Comparison::of(&a, &b, &Terms::default()).score.unwrap()
    };
    assert_eq!(grouped(true).units, 4);
    assert_eq!(grouped(false).units, 40);
    assert!(grouped(true).p_value > 0.5);
    assert!(grouped(false).p_value < 0.01);
}

#[test]
fn slices_are_corrected_together() {
    let make = |n: usize, value: f64| {
        let mut trial = trial(&name(n), 1, value);
        trial.tags.insert("tier".into(), if n < 20 { "small" } else { "large" }.into());
        trial
    };
    let a = side("a", (0..40).map(|n| make(n, 0.0)));
    let b = side("b", (0..40).map(|n| make(n, whole(n < 8))));
    let comparison = Comparison::of(&a, &b, &Terms::default());
    let small = &comparison.slices["tier"]["small"];
    // Eight of eight changed cases got better: 2 · 0.5⁸, doubled for two questions.
    assert!((small.p_value - 2.0 / 256.0).abs() < 1e-12);
    assert!((small.adjusted_p_value.unwrap() - 4.0 / 256.0).abs() < 1e-12);
    assert!(small.is_shown());
    assert!(!comparison.slices["tier"]["large"].is_shown());
}

#[test]
fn a_slower_run_is_told_by_ranks_over_cases() {
    let make = |n: usize, factor: f64| {
        let mut trial = trial(&name(n), 1, 1.0);
        let base = 0.1 + f64::from(u32::try_from(n).unwrap()) / 100.0;
        trial.timings.total = Duration::from_secs_f64(base * factor);
        trial
    };
    let a = side("a", (0..20).map(|n| make(n, 1.0)));
    let b = side("b", (0..20).map(|n| make(n, 1.3)));
    let comparison = Comparison::of(&a, &b, &Terms::default());
    let latency = &comparison.amounts[0];
    assert_eq!(latency.name, "latency");
    assert!(latency.is_shown() && latency.difference > 0.0);
    // All twenty differences are positive: 2 · 0.5²⁰.
    assert!((latency.p_value - 2.0 / 2.0_f64.powi(20)).abs() < 1e-9);
}

#[test]
fn other_prompts_suites_and_wordings_are_noticed() {
    let a = side("a", (0..3).map(|n| trial(&name(n), 1, 1.0)));
    let mut other = super::run("b");
    other.suite.version = Some("2".into());
    other.system_prompt = Some("Be brief.\nBe right.".into());
    other.scorers.push("state".into());
    let mut b = toolgauge_report::RunSide::new("b", &other, None);
    for n in 0..3 {
        let mut trial = trial(&name(n), 1, 1.0);
        if n == 1 {
            trial.sentence = "something else".into();
        }
        b.add(&trial);
    }
    let comparison = Comparison::of(&a, &b.finished(), &Terms::default());
    let cautions: Vec<&str> = comparison.cautions.iter().map(|c| c.message.as_str()).collect();
    assert_eq!(
        cautions,
        [
            "different versions of the suite: none and 2",
            "1 of 3 shared cases are worded differently",
            "different system prompts: 0 lines only in A, 2 only in B",
            "different scorers: none only in A, state only in B",
        ]
    );
}

#[test]
fn cases_that_expect_something_else_are_named() {
    let with = |gold: &str, cases: std::ops::Range<usize>| {
        let trials = cases.map(|n| {
            let gold = if n < 12 { gold } else { "same" };
            TrialSummary { gold: Some(gold.to_owned()), ..trial(&name(n), 1, 1.0) }
        });
        side("a", trials.collect::<Vec<_>>())
    };
    let comparison = Comparison::of(&with("old", 0..20), &with("new", 0..20), &Terms::default());
    let caution = comparison.cautions.iter().find(|caution| caution.about == "golds").unwrap();
    assert!(caution.message.starts_with("12 of 20 shared cases expect something else: `case-0`"));
    assert!(caution.message.ends_with("`case-9` and 2 more"), "{}", caution.message);
    assert_eq!(caution.cases.len(), 12);
    let same = Comparison::of(&with("old", 0..20), &with("old", 0..20), &Terms::default());
    assert!(same.cautions.iter().all(|caution| caution.about != "golds"));
    // Logs that do not say what was expected allow no claim.
    let silent = side("b", (0..20).map(|n| trial(&name(n), 1, 1.0)));
    let unknown = Comparison::of(&with("old", 0..20), &silent, &Terms::default());
    assert!(unknown.cautions.iter().all(|caution| caution.about != "golds"));
}

#[test]
fn several_runs_are_ranked_over_the_cases_that_all_have() {
    let made = |name_: &str, share: usize, from: usize| {
        side(name_, (from..60).map(|n| trial(&name(n), 1, whole(n % 10 < share))))
    };
    let sides = [made("weak", 2, 0), made("strong", 9, 5), made("twin", 9, 0)];
    let report = ContestReport::of(&sides, UnscoredRule::Exclude, &Resampling::default()).unwrap();
    assert_eq!(report.cases, 55);
    assert_eq!(report.groups, [vec!["B".to_owned(), "C".to_owned()], vec!["A".to_owned()]]);
    assert_eq!(report.contenders[2].letter, "A");
    assert_eq!((report.contenders[2].best_rank, report.contenders[2].worst_rank), (3, 3));
}

#[test]
fn runs_without_a_shared_case_allow_no_verdict() {
    let comparison = Comparison::of(
        &side("a", [trial("x", 1, 1.0)]),
        &side("b", [trial("y", 1, 0.0)]),
        &Terms::default(),
    );
    assert!(comparison.score.is_none());
    assert_eq!(comparison.verdict, DifferenceVerdict::Inconclusive { more_cases: None });
    assert!(comparison.to_string().contains("nothing can be said"));
}

#[test]
fn runs_without_a_shared_case_are_compared_as_two_sets_of_cases() {
    let made = |subject: &str, share: usize| {
        side(subject, (0..60).map(|n| trial(&format!("{subject}-{n}"), 1, whole(n % 10 < share))))
    };
    let comparison = Comparison::of(&made("a", 3), &made("b", 8), &Terms::default());
    let unpaired = comparison.unpaired.unwrap();
    assert!((unpaired.difference - 0.5).abs() < 1e-12);
    assert!(unpaired.low > 0.2 && unpaired.high < 0.8 && unpaired.p_value.unwrap() < 0.001);
    assert_eq!((unpaired.a.cases, unpaired.b.cases), (60, 60));
    // Harder cases look like a worse model.
    assert_eq!(comparison.verdict, DifferenceVerdict::Inconclusive { more_cases: None });
    let text = comparison.to_string();
    assert!(text.contains("+0.500") && text.contains("of other cases"), "{text}");
    let shared = Comparison::of(&made("a", 3), &made("a", 8), &Terms::default());
    assert!(shared.unpaired.is_none());
    // Where every case is right on both sides, nothing varies and doubt remains.
    let perfect = Comparison::of(&made("a", 10), &made("b", 10), &Terms::default());
    let unpaired = perfect.unpaired.unwrap();
    assert!(unpaired.low < -0.05 && unpaired.high > 0.05, "{unpaired:?}");
}

#[test]
fn a_comparison_says_how_large_the_difference_is_and_what_it_takes_to_see_a_small_one() {
    let made = |subject: &str, share: usize| {
        side(subject, (0..60).map(|n| trial(&name(n), 1, whole(n % 10 < share))))
    };
    let comparison = Comparison::of(&made("a", 5), &made("b", 7), &Terms::default());
    // Two of ten cases are fixed: 0.2 over a standard deviation of 0.4034, times 1 − 3/235.
    assert!((comparison.effect_size.unwrap() - 0.4895).abs() < 1e-3);
    let needed = comparison.needed.unwrap();
    // (1.96 + 0.84)² · 0.4034² / 0.03² is about 1419.
    assert!((1400..1440).contains(&needed.cases), "{needed:?}");
    assert_eq!(needed.trials, None, "one trial per case says nothing of chance");
    let text = comparison.to_string();
    assert!(text.contains("g: small"), "{text}");
    assert!(text.contains("a difference of 0.03 takes about 14"), "{text}");
}

#[test]
fn more_trials_are_named_where_they_would_do() {
    // Trials differ and cases do not: each case passes in half of its four trials.
    let made = |subject: &str, shift: u32| {
        let trials = (0..40).flat_map(move |n| {
            (1..=4).map(move |number| {
                trial(&name(n), number, whole((number + shift).is_multiple_of(2)))
            })
        });
        side(subject, trials)
    };
    let comparison = Comparison::of(&made("a", 0), &made("b", 1), &Terms::default());
    assert!(comparison.needed.unwrap().trials.is_some_and(|trials| trials > 4));
    assert!(comparison.to_string().contains("trials of each of these"));
}

#[test]
fn an_unknown_time_is_no_time_of_zero() {
    let mut run = super::run("script");
    toolgauge_core::RunEntry::LatencyBudget.put(&mut run.settings, 5.0);
    let mut tally = toolgauge_report::SummaryTally::of(&run);
    tally.add(&trial("a", 1, 1.0));
    let summary = tally.summary(&run, None);
    assert_eq!((summary.latency.total, summary.in_time), (None, None));
    assert!(!summary.to_string().contains("latency"), "{summary}");
    let mut known = trial("a", 1, 1.0);
    known.timings.total = Duration::from_secs(1);
    tally.add(&known);
    let summary = tally.summary(&run, None);
    assert!((summary.latency.total.unwrap().p50 - 1.0).abs() < 1e-12);
    assert_eq!(summary.in_time.unwrap().rate.trials, 1);
}

#[test]
fn what_timed_out_or_was_repeated_too_long_is_late() {
    let mut run = super::run("script");
    toolgauge_core::RunEntry::LatencyBudget.put(&mut run.settings, 5.0);
    let mut tally = toolgauge_report::SummaryTally::of(&run);
    let mut fast = trial("a", 1, 1.0);
    fast.timings.total = Duration::from_secs(2);
    tally.add(&fast);
    let mut repeated = fast.clone();
    repeated.attempts = 2;
    let failed = |reason: &str, seconds| FailedAttempt {
        reason: reason.into(),
        time: Duration::from_secs(seconds),
    };
    repeated.repeated = vec![failed("HTTP 500", 4)];
    tally.add(&repeated);
    tally.add(&unscored("b", 1));
    let summary = tally.summary(&run, None);
    let in_time = summary.in_time.as_ref().unwrap();
    assert_eq!(in_time.rate.trials, 3, "one in time, one repeated for too long, one timed out");
    assert!((in_time.rate.mean - 0.25).abs() < 1e-12, "half of one case, none of the other");
}

#[test]
fn a_summary_says_how_many_requests_were_repeated_and_why() {
    let run = super::run("script");
    let mut tally = toolgauge_report::SummaryTally::of(&run);
    let mut repeated = trial("a", 1, 1.0);
    repeated.attempts = 4;
    let failed = |reason: &str| FailedAttempt { reason: reason.into(), time: Duration::ZERO };
    repeated.repeated = vec![failed("no connection"), failed("HTTP 500"), failed("HTTP 500")];
    tally.add(&repeated);
    tally.add(&trial("b", 1, 1.0));
    let summary = tally.summary(&run, None);
    let words = "repeated   3 requests were repeated: 2 × HTTP 500, 1 × no connection";
    assert!(summary.to_string().contains(words), "{summary}");
    let json = serde_json::to_value(&summary).unwrap();
    assert_eq!(json["repeats"]["reasons"]["HTTP 500"], 2);
    assert_eq!(json["retries"], 3);
}

#[test]
fn a_run_that_comes_twice_is_named_by_its_own_letters() {
    let of = |subject: &str| side(subject, (0..4).map(|n| trial(&name(n), 1, whole(n > 1))));
    let sides = [of("one"), of("two"), of("one")];
    let contest = ContestReport::of(&sides, UnscoredRule::default(), &Resampling::default());
    let told = contest.unwrap().to_string();
    assert!(told.contains("A and C: A and C are the same run"), "{told}");
}

#[test]
fn a_difference_that_no_scores_can_have_is_not_promised() {
    let of = |subject: &str, values: [f64; 2]| {
        side(subject, (0..2).map(|n| trial(&name(n), 1, values[n])))
    };
    let (a, b) = (of("a", [0.0, 1.0]), of("b", [1.0, 0.0]));
    let shown = Comparison::of(&a, &b, &Terms::default()).to_string();
    assert!(shown.contains("too few cases to find a difference of any size"), "{shown}");
}
