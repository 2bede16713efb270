//! Tests cry wolf as rarely as they say when there is no wolf.

use std::num::NonZeroUsize;

use rand::RngExt;
use toolgauge_stats::{
    ClusteredMean, Confidence, Contest, Margin, PairTable, Range, Resampling, holm, mean_interval,
    noise_floor, rank, sign_flip, signed_rank,
};

use super::share_of;
use super::subject::{generator, normal, paired_runs, run, singles};

fn resampling(repetition: u64) -> Resampling {
    Resampling { resamples: NonZeroUsize::new(499).unwrap(), seed: repetition }
}

#[test]
fn two_runs_of_one_subject_differ_at_the_level_only() {
    let rejected = |test: fn(&[toolgauge_stats::Cluster], &Resampling) -> f64| {
        share_of(1, |repetition| {
            let clusters = paired_runs(50, 4, 0.0, &mut generator(20, repetition));
            test(&clusters, &resampling(repetition)) < 0.05
        })
    };
    // Totals of pass/fail differences often tie, which makes an exact test cautious.
    rejected(|clusters, plan| sign_flip(clusters, plan).unwrap().p_value()).is_at_most(0.05);
    rejected(|clusters, _| {
        ClusteredMean::of(clusters).unwrap().estimate().unwrap().p_value(0.0).unwrap()
    })
    .is_near(0.05, 0.01);
}

#[test]
fn sign_flips_of_graded_scores_reject_at_exactly_the_level() {
    share_of(1, |repetition| {
        let mut generator = generator(29, repetition);
        let clusters = singles((0..30).map(|_| normal(&mut generator).powi(3)));
        // With 499 patterns and the data themselves, 0.05 is a p-value that can occur.
        sign_flip(&clusters, &resampling(repetition)).unwrap().p_value() < 0.0501
    })
    .is_near(0.05, 0.0);
}

#[test]
fn mcnemar_holds_its_level() {
    let table = |repetition| {
        let mut generator = generator(21, repetition);
        PairTable::of((0..100).map(|_| {
            let drawn: f64 = generator.random();
            (drawn < 0.15, (0.15..0.3).contains(&drawn))
        }))
    };
    share_of(1, |repetition| table(repetition).exact_p_value() < 0.05).is_at_most(0.05);
}

#[test]
fn signed_ranks_hold_their_level_exactly_and_approximately() {
    for cases in [25, 150] {
        share_of(1, |repetition| {
            let mut generator = generator(22, repetition);
            // Rounded, so that many differences tie and some are zero.
            let values: Vec<f64> =
                (0..cases).map(|_| (normal(&mut generator) * 3.0).round()).collect();
            signed_rank(&values).unwrap().p_value < 0.05
        })
        .is_near(0.05, 0.005);
    }
}

/// A true difference as large as the margin must seldom be called harmless. Each claim is made at
/// half the level, and the interval is cautious on top.
#[test]
fn harmlessness_is_seldom_claimed_when_the_difference_is_the_margin() {
    let margin = Margin::new(0.1).unwrap();
    let claimed = |gain: f64, claim: fn(Margin, toolgauge_stats::Interval) -> bool| {
        share_of(2, |repetition| {
            let mut generator = generator(23, repetition);
            let differences = singles((0..120).map(|_| {
                let changed = generator.random_bool(0.3);
                let better = generator.random_bool(f64::midpoint(1.0, gain / 0.3));
                if changed { if better { 1.0 } else { -1.0 } } else { 0.0 }
            }));
            let interval = mean_interval(&differences, Range::DIFFERENCE, Confidence::P95);
            claim(margin, interval.unwrap())
        })
    };
    claimed(-0.1, Margin::rules_out_worse).is_at_most(0.025);
    claimed(-0.1, Margin::encloses).is_at_most(0.025);
    claimed(0.1, Margin::encloses).is_at_most(0.025);
    let harmless = claimed(0.1, Margin::rules_out_worse);
    assert!(harmless.rate() > 0.8, "{}", harmless.rate());
}

#[test]
fn holm_keeps_even_one_false_alarm_rare() {
    share_of(1, |repetition| {
        let mut generator = generator(24, repetition);
        let p_values: Vec<f64> = (0..12).map(|_| generator.random()).collect();
        holm(&p_values).iter().any(|p_value| *p_value < 0.05)
    })
    .is_at_most(0.05);
}

#[test]
fn a_rerun_strays_past_the_noise_floor_at_the_level() {
    share_of(1, |repetition| {
        let mut generator = generator(26, repetition);
        let chances: Vec<f64> =
            (0..60).map(|_| super::subject::chance_of_passing(&mut generator)).collect();
        let mut once = || {
            let clusters: Vec<toolgauge_stats::Cluster> = chances
                .iter()
                .map(|chance| {
                    let values: Vec<f64> =
                        (0..4).map(|_| super::subject::passes(*chance, &mut generator)).collect();
                    toolgauge_stats::Cluster::of(&values)
                })
                .collect();
            ClusteredMean::of(&clusters).unwrap()
        };
        let (first, second) = (once(), once());
        let floor = noise_floor(&first, Confidence::P95).unwrap();
        (second.mean - first.mean).abs() > floor.same_cases.unwrap()
    })
    .is_near(0.05, 0.01);
}

#[test]
fn fresh_runs_stray_past_their_noise_floor_at_the_level() {
    share_of(1, |repetition| {
        let mut generator = generator(27, repetition);
        let first = ClusteredMean::of(&run(60, 3, &mut generator)).unwrap();
        let second = ClusteredMean::of(&run(60, 3, &mut generator)).unwrap();
        let floor = noise_floor(&first, Confidence::P95).unwrap();
        (second.mean - first.mean).abs() > floor.fresh_cases
    })
    .is_near(0.05, 0.015);
}

#[test]
fn equal_models_share_a_group() {
    share_of(2, |repetition| {
        let mut generator = generator(28, repetition);
        let scores: Vec<Vec<f64>> =
            (0..40).map(|_| (0..4).map(|_| normal(&mut generator)).collect()).collect();
        let contest = Contest { scores: &scores, groups: None };
        let ranking = rank(&contest, &resampling(repetition), Confidence::P95).unwrap();
        ranking.groups.len() > 1
    })
    .is_at_most(0.05);
}
