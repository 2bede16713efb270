//! Intervals contain the truth as often as they say.

use std::num::NonZeroUsize;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, Contest, Interval, Range, Resampling, TrialCount,
    mean_interval, percentile_interval, posterior_of_mean, rank, reliability_curve,
};

use super::share_of;
use super::subject::{
    GRADED_MEAN, PASS_RATE, chance_of_passing, generator, graded, normal, paired_runs, passes, run,
    singles,
};

const P95: Confidence = Confidence::P95;

fn resampling(repetition: u64, resamples: usize) -> Resampling {
    Resampling { resamples: NonZeroUsize::new(resamples).unwrap(), seed: repetition }
}

#[test]
fn clustered_intervals_cover_and_naive_ones_do_not() {
    let clustered = |read: fn(&[Cluster]) -> Interval| {
        share_of(1, |repetition| {
            let clusters = run(40, 5, &mut generator(1, repetition));
            read(&clusters).contains(PASS_RATE)
        })
    };
    clustered(|clusters| ClusteredMean::of(clusters).unwrap().interval(P95).unwrap())
        .is_near(0.95, 0.01);
    // The unseen case makes it wider than the t interval by about a case in forty.
    clustered(score_interval).is_near(0.965, 0.015);
    let naive = clustered(|clusters| {
        let mean = ClusteredMean::of(clusters).unwrap();
        Interval::around(mean.mean, 1.96 * mean.naive_standard_error())
    });
    assert!(naive.rate() < 0.88, "{}", naive.rate());
}

fn score_interval(clusters: &[Cluster]) -> Interval {
    mean_interval(clusters, Range::SCORE, P95).unwrap()
}

#[test]
fn intervals_clustered_by_group_cover_when_cases_share_a_dialogue() {
    share_of(1, |repetition| {
        let mut generator = generator(2, repetition);
        let mut groups = Vec::new();
        for size in (0..30).map(|group| 1 + group % 5) {
            let mut group = toolgauge_stats::Cluster::new();
            let mood = normal(&mut generator);
            for _ in 0..size {
                group.add(0.3 + mood + normal(&mut generator));
            }
            groups.push(group);
        }
        ClusteredMean::of(&groups).unwrap().interval(P95).unwrap().contains(0.3)
    })
    .is_near(0.95, 0.02);
}

#[test]
fn the_interval_of_a_rate_covers_near_the_ends_too() {
    for (rate, cases) in [(0.03, 60), (0.3, 60), (0.9, 60), (0.9, 8), (0.5, 3)] {
        share_of(1, |repetition| {
            let mut generator = generator(3, repetition);
            let clusters = singles((0..cases).map(|_| passes(rate, &mut generator)));
            score_interval(&clusters).contains(rate)
        })
        .is_at_least(0.95);
    }
}

/// Most cases score the same and a few do otherwise, which a small sample often does not show.
#[test]
fn the_interval_of_a_graded_score_covers_where_samples_often_agree() {
    for (other, share, cases) in [(0.0, 0.03, 20), (1.0, 0.1, 12), (0.0, 0.3, 2), (0.2, 0.01, 60)] {
        let truth = 0.8 * (1.0 - share) + other * share;
        let mut agreed = 0_u32;
        let covered = share_of(1, |repetition| {
            let mut generator = generator(11, repetition);
            let drawn = |_| if generator.random_bool(share) { other } else { 0.8 };
            let clusters = singles((0..cases).map(drawn));
            let mean = ClusteredMean::of(&clusters).unwrap();
            agreed += u32::from(mean.interval(P95).unwrap().half_width() < 1e-9);
            score_interval(&clusters).contains(truth)
        });
        covered.is_at_least(0.95);
        assert!(agreed * 10 > covered.repetitions, "{agreed} samples agree");
    }
}

/// For graded scores nobody has proven that the coverage never falls short; here it does not, for
/// scores of few cases, piled up at both ends, all alike, and with several trials per case.
#[test]
fn the_interval_of_a_graded_score_covers_whatever_its_shape() {
    type Draw = fn(&mut ChaCha8Rng) -> f64;
    let u_shaped: Draw = |generator| chance_of_passing(generator);
    let alike: Draw = |generator| 0.6 + 0.1 * generator.random::<f64>();
    let mixed: Draw = |generator| match generator.random_range(0..10) {
        0..6 => 1.0,
        6..8 => 0.0,
        _ => generator.random(),
    };
    for (draw, truth) in
        [(graded as Draw, GRADED_MEAN), (u_shaped, 0.4), (alike, 0.65), (mixed, 0.7)]
    {
        for (cases, divisor) in [(3, 2), (12, 4), (50, 10)] {
            share_of(divisor, |repetition| {
                let mut generator = generator(12, repetition);
                let clusters = singles((0..cases).map(|_| draw(&mut generator)));
                score_interval(&clusters).contains(truth)
            })
            .is_at_least(0.95);
        }
    }
}

#[test]
fn credible_intervals_cover_for_clustered_trials() {
    share_of(2, |repetition| {
        let clusters = run(50, 4, &mut generator(6, repetition));
        let found = posterior_of_mean(&clusters, &resampling(repetition, 500)).unwrap();
        found.interval(P95).contains(PASS_RATE)
    })
    .is_near(0.95, 0.02);
}

#[test]
fn the_interval_of_a_difference_covers() {
    for (broken, fixed) in [(0.02, 0.05), (0.15, 0.25)] {
        share_of(1, |repetition| {
            let mut generator = generator(7, repetition);
            let differences = singles((0..80).map(|_| match generator.random::<f64>() {
                drawn if drawn < broken => -1.0,
                drawn if drawn < broken + fixed => 1.0,
                _ => 0.0,
            }));
            let interval = mean_interval(&differences, Range::DIFFERENCE, P95).unwrap();
            interval.contains(fixed - broken)
        })
        .is_at_least(0.95);
    }
    share_of(1, |repetition| {
        let differences = paired_runs(40, 3, 0.0, &mut generator(13, repetition));
        mean_interval(&differences, Range::DIFFERENCE, P95).unwrap().contains(0.0)
    })
    .is_at_least(0.95);
}

#[test]
fn percentile_intervals_cover_at_least_their_level() {
    share_of(1, |repetition| {
        let mut generator = generator(8, repetition);
        let mut values: Vec<f64> = (0..120).map(|_| generator.random()).collect();
        values.sort_by(f64::total_cmp);
        percentile_interval(&values, 0.9, P95).unwrap().contains(0.9)
    })
    .is_at_least(0.95);
}

/// For Beta(0.8, 1.2) the chance of three passes is 0.8·1.8·2.8 / (2·3·4).
#[test]
fn pass_all_is_unbiased_and_its_interval_covers() {
    let truth = 0.8 * 1.8 * 2.8 / 24.0;
    let (mut sum, mut curves) = (0.0, 0.0);
    share_of(1, |repetition| {
        let mut generator = generator(9, repetition);
        let counts: Vec<TrialCount> = (0..60)
            .map(|_| {
                let chance = chance_of_passing(&mut generator);
                let hits: f64 = (0..5).map(|_| passes(chance, &mut generator)).sum();
                TrialCount::new((0..5).filter(|k| f64::from(*k) < hits).count() as u64, 5).unwrap()
            })
            .collect();
        let point = reliability_curve(&counts, P95)[2];
        sum += point.pass_all;
        curves += 1.0;
        point.pass_all_interval.contains(truth)
    })
    .is_at_least(0.95);
    let mean: f64 = sum / curves;
    assert!((mean - truth).abs() < 4.0 * 0.05 / f64::sqrt(curves), "{mean} against {truth}");
}

#[test]
fn rank_intervals_contain_the_true_rank() {
    share_of(2, |repetition| {
        let mut generator = generator(10, repetition);
        let scores: Vec<Vec<f64>> = (0..60)
            .map(|_| {
                let ease = normal(&mut generator);
                [0.0, 0.15, 0.3, 0.6].map(|gain| ease + gain + normal(&mut generator)).to_vec()
            })
            .collect();
        let contest = Contest { scores: &scores, groups: None };
        let ranking = rank(&contest, &resampling(repetition, 300), P95).unwrap();
        let second = ranking.standings.iter().find(|standing| standing.model == 2).unwrap();
        (second.rank_interval.0..=second.rank_interval.1).contains(&2)
    })
    .is_at_least(0.95);
}
