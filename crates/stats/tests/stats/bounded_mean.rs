//! The interval of a mean of scores: what it is for pass/fail, when all agree, and when a case
//! gets better.

#![expect(clippy::unwrap_used, reason = "a failed test may panic")]

use std::num::NonZeroUsize;

use proptest::prelude::*;
use toolgauge_stats::{
    Cluster, Confidence, Interval, Range, Resampling, best_lower_end, clusters_to_show,
    mean_interval, sign_flip,
};

const P95: Confidence = Confidence::P95;

fn singles(values: &[f64]) -> Vec<Cluster> {
    values.iter().map(|value| Cluster::of(&[*value])).collect()
}

fn score_interval(values: &[f64]) -> Interval {
    mean_interval(&singles(values), Range::SCORE, P95).unwrap()
}

fn rate_interval(passes: usize, n: usize) -> Interval {
    let values: Vec<f64> = (0..n).map(|case| f64::from(u8::from(case < passes))).collect();
    score_interval(&values)
}

#[track_caller]
fn assert_ends(found: Interval, low: f64, high: f64, allowed: f64) {
    let off = (found.low - low).abs().max((found.high - high).abs());
    assert!(off < allowed, "{found:?} instead of [{low}, {high}]");
}

// from scipy.stats import binomtest
// binomtest(k, n).proportion_ci(0.95, method="exact")
#[test]
fn for_passes_and_failures_it_is_the_interval_of_clopper_and_pearson() {
    assert_ends(rate_interval(9, 10), 0.554_983_882_971, 0.997_471_421_455, 1e-8);
    assert_ends(rate_interval(12, 12), 0.735_351_530_602, 1.0, 1e-8);
    assert_ends(rate_interval(0, 3), 0.0, 0.707_598_226_178, 1e-8);
    assert_ends(rate_interval(1, 1), 0.025, 1.0, 1e-8);
    assert_ends(rate_interval(84, 200), 0.350_743_857_791, 0.491_663_825_122, 1e-8);
    assert_ends(rate_interval(1, 2_000), 1.265_882_387e-5, 2.782_639_834e-3, 1e-8);
}

// Weighted means drawn by numpy: g = rng.exponential(size=(4_000_000, 7)); the quantiles 0.025 and
// 0.975 of (g[:, :6] @ x + g[:, 6] * end) / g.sum(axis=1) for x = [.1, .4, .4, .7, .9, 1.] and the
// unseen end 0 or 1.
#[test]
fn for_graded_scores_it_is_the_quantile_of_means_under_random_weights() {
    let found = score_interval(&[0.1, 0.4, 0.4, 0.7, 0.9, 1.0]);
    assert_ends(found, 0.257_5, 0.851_1, 0.001);
}

#[test]
fn scores_that_agree_leave_room_for_cases_not_seen() {
    for n in [1, 2, 7, 100] {
        let share = 0.025_f64.powf(1.0 / f64::from(n));
        let n = usize::try_from(n).unwrap();
        for score in [0.0, 0.3, 0.5, 1.0] {
            let found = score_interval(&vec![score; n]);
            assert_ends(found, score * share, 1.0 - (1.0 - score) * share, 1e-9);
        }
        assert!((best_lower_end(n, Range::SCORE, P95) - share).abs() < 1e-12);
    }
    assert_eq!(clusters_to_show(0.8, Range::SCORE, P95), Some(17));
    assert_eq!(clusters_to_show(0.9, Range::SCORE, P95), Some(36));
    assert_eq!(clusters_to_show(1.0, Range::SCORE, P95), None);
    assert!(
        best_lower_end(16, Range::SCORE, P95) < 0.8 && best_lower_end(17, Range::SCORE, P95) > 0.8
    );
}

#[test]
fn many_values_are_no_harder_than_few() {
    let values: Vec<f64> = (0..100_000_u32).map(|i| f64::from(i * 7 % 100_000) / 1e5).collect();
    let found = score_interval(&values);
    // 1.96 · √(1/12) / √100,000
    assert_ends(found, 0.5 - 0.001_789, 0.5 + 0.001_789, 1e-4);
}

#[test]
fn what_has_no_bounds_has_the_t_interval() {
    let found = mean_interval(&singles(&[3.0, 5.0, 4.0]), Range::SCORE, P95).unwrap();
    assert_ends(found, 1.515_862, 6.484_138, 1e-5);
    assert_eq!(mean_interval(&singles(&[3.0]), Range::SCORE, P95), None);
    assert_eq!(mean_interval(&[], Range::SCORE, P95), None);
}

/// Values, and how much each is raised.
fn raised(most: usize) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let value = prop_oneof![Just(0.0), Just(1.0), Just(0.5), 0.0..=1.0_f64];
    let lift = prop_oneof![Just(0.0), Just(0.0), Just(1.0), 0.0..=1.0_f64];
    prop::collection::vec((value, lift), 1..most).prop_map(|pairs| {
        pairs.iter().map(|(value, lift)| (*value, value + lift * (1.0 - value))).unzip()
    })
}

fn in_groups(values: &[f64]) -> Vec<Cluster> {
    values.chunks(3).map(Cluster::of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn a_better_case_lowers_no_end_of_the_interval((before, after) in raised(60)) {
        for make in [singles, in_groups] {
            let old = mean_interval(&make(&before), Range::SCORE, P95).unwrap();
            let new = mean_interval(&make(&after), Range::SCORE, P95).unwrap();
            prop_assert!(new.low >= old.low - 1e-9, "{old:?} {new:?}");
            prop_assert!(new.high >= old.high - 1e-9, "{old:?} {new:?}");
            let mean = before.iter().sum::<f64>() / f64::from(u32::try_from(before.len()).unwrap());
            prop_assert!(old.low <= mean + 1e-9 && mean <= old.high + 1e-9);
            prop_assert!(0.0 <= old.low && old.high <= 1.0);
        }
    }

    #[test]
    fn a_better_case_makes_nothing_look_worse((before, after) in raised(60), base in 0.0..=1.0_f64) {
        let resampling = Resampling { resamples: NonZeroUsize::new(300).unwrap(), seed: 3 };
        for scale in [1.0, 40.0] {
            let differences = |values: &[f64]| -> Vec<f64> {
                values.iter().map(|value| scale * (value - base)).collect()
            };
            for make in [singles, in_groups] {
                let old = sign_flip(&make(&differences(&before)), &resampling).unwrap();
                let new = sign_flip(&make(&differences(&after)), &resampling).unwrap();
                prop_assert!(new.p_below >= old.p_below - 1e-12, "{old:?} {new:?}");
                prop_assert!(new.p_above <= old.p_above + 1e-12, "{old:?} {new:?}");
            }
        }
    }

    /// Both ask the same question of changed verdicts.
    #[test]
    fn the_interval_leaves_zero_out_exactly_when_mcnemar_rejects(
        fixed in 0..30_usize, broken in 0..30_usize, same in 0..40_usize,
    ) {
        prop_assume!(fixed + broken + same > 0);
        let mut values = vec![1.0; fixed];
        values.extend(vec![-1.0; broken]);
        values.extend(vec![0.0; same]);
        let clusters = singles(&values);
        let interval = mean_interval(&clusters, Range::DIFFERENCE, P95).unwrap();
        let p = sign_flip(&clusters, &Resampling::default()).unwrap().p_value();
        prop_assert_eq!(interval.contains(0.0), p >= 0.05, "{:?} {}", interval, p);
    }
}
