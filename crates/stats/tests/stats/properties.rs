//! What must hold for any numbers: intervals contain their estimates, swapping the sides flips the
//! sign, the order of the cases does not matter, and absence is never NaN.

use std::num::NonZeroUsize;

use proptest::prelude::*;
use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, ConfidenceSequence, Margin, Mean, PairTable, Range,
    Resampling, TrialCount, holm, mean_interval, percentile, posterior_of_mean,
    probability_pairs_better, reliability_curve, sign_flip, signed_rank,
};
use toolgauge_testkit::long_or;

const P95: Confidence = Confidence::P95;

fn plan() -> Resampling {
    Resampling { resamples: NonZeroUsize::MIN.saturating_add(199), seed: 11 }
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-40_i32..=40).prop_map(|value| f64::from(value) / 40.0), 2..30)
}

fn clusters() -> impl Strategy<Value = Vec<Cluster>> {
    prop::collection::vec(values(), 2..12)
        .prop_map(|groups| groups.iter().map(|group| Cluster::of(group)).collect())
}

fn tables() -> impl Strategy<Value = PairTable> {
    (0..60_u64, 0..60_u64, 0..60_u64, 1..60_u64)
        .prop_map(|(both, only_a, only_b, neither)| PairTable { both, only_a, only_b, neither })
}

fn singles(values: &[f64]) -> Vec<Cluster> {
    values.iter().map(|value| Cluster::of(&[*value])).collect()
}

fn negated(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| -value).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long_or(128, 48)))]

    #[test]
    fn intervals_of_a_mean_contain_it(clusters in clusters()) {
        let mean = ClusteredMean::of(&clusters).unwrap();
        prop_assert!(mean.interval(P95).unwrap().contains(mean.mean));
        if let Some(icc) = mean.icc() {
            prop_assert!(icc <= 1.0 && icc.is_finite());
        }
    }

    #[test]
    fn the_interval_of_a_graded_score_contains_it_and_is_never_a_point(
        scores in prop::collection::vec(prop_oneof![Just(0.5), 0.01..0.99_f64], 1..20),
    ) {
        let mean = ClusteredMean::of(&singles(&scores)).unwrap();
        let interval = mean_interval(&singles(&scores), Range::SCORE, P95).unwrap();
        prop_assert!(interval.contains(mean.mean) && interval.low >= 0.0 && interval.high <= 1.0);
        let spread = scores.iter().any(|score| (score - scores[0]).abs() > 1e-6);
        prop_assert!(spread || interval.half_width() > 0.05, "{interval:?}");
        let twice = [scores.clone(), scores].concat();
        let twice = mean_interval(&singles(&twice), Range::SCORE, P95).unwrap();
        prop_assert!(twice.half_width() <= interval.half_width());
    }

    #[test]
    fn wider_confidence_gives_wider_intervals(clusters in clusters()) {
        let mean = ClusteredMean::of(&clusters).unwrap();
        let (narrow, wide) = (mean.interval(P95).unwrap(), mean.interval(Confidence::P99).unwrap());
        prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
    }

    #[test]
    fn merging_clusters_is_adding_their_values(one in values(), other in values()) {
        let mut merged = Cluster::of(&one);
        merged.merge(&Cluster::of(&other));
        let together = Cluster::of(&[one, other].concat());
        prop_assert_eq!(merged.count(), together.count());
        prop_assert!((merged.sum() - together.sum()).abs() < 1e-9);
        prop_assert!((merged.squares() - together.squares()).abs() < 1e-9);
        prop_assert_eq!(merged.varies(), together.varies());
    }

    #[test]
    fn single_values_are_their_own_clusters(values in values()) {
        let plain = Mean::of(&values).unwrap();
        let clustered = ClusteredMean::of(&singles(&values)).unwrap();
        let (one, other) = (plain.standard_error().unwrap(), clustered.standard_error().unwrap());
        prop_assert!((one - other).abs() < 1e-12);
    }

    #[test]
    fn swapping_the_sides_flips_the_sign(values in values()) {
        let (one, other) = (singles(&values), singles(&negated(&values)));
        let (ours, theirs) =
            (ClusteredMean::of(&one).unwrap(), ClusteredMean::of(&other).unwrap());
        prop_assert!((ours.mean + theirs.mean).abs() < 1e-12);
        let (here, there) = (ours.interval(P95).unwrap(), theirs.interval(P95).unwrap());
        prop_assert!((here.low + there.high).abs() < 1e-12);
        let (flips, swapped) =
            (sign_flip(&one, &plan()).unwrap(), sign_flip(&other, &plan()).unwrap());
        prop_assert!((flips.p_value() - swapped.p_value()).abs() < 1e-12);
        if let (Some(ranks), Some(swapped)) = (signed_rank(&values), signed_rank(&negated(&values))) {
            prop_assert!((ranks.p_value - swapped.p_value).abs() < 1e-12);
        }
    }

    #[test]
    fn swapping_the_sides_of_a_table_mirrors_it(table in tables()) {
        let swapped = PairTable { only_a: table.only_b, only_b: table.only_a, ..table };
        prop_assert!((table.exact_p_value() - swapped.exact_p_value()).abs() < 1e-12);
        prop_assert!((table.p_worse() - swapped.p_better()).abs() < 1e-12);
        let sum = probability_pairs_better(&table) + probability_pairs_better(&swapped);
        prop_assert!((sum - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_order_of_cases_does_not_matter(clusters in clusters()) {
        let reversed: Vec<Cluster> = clusters.iter().rev().copied().collect();
        let (one, other) =
            (ClusteredMean::of(&clusters).unwrap(), ClusteredMean::of(&reversed).unwrap());
        prop_assert!((one.mean - other.mean).abs() < 1e-12);
        prop_assert!((one.standard_error().unwrap() - other.standard_error().unwrap()).abs() < 1e-12);
        let draws = |clusters: &[Cluster]| posterior_of_mean(clusters, &plan()).unwrap().interval(P95);
        prop_assert!((draws(&clusters).low - draws(&reversed).low).abs() < 1e-9);
    }

    #[test]
    fn the_same_seed_gives_the_same_answer(clusters in clusters()) {
        let once = || posterior_of_mean(&clusters, &plan());
        prop_assert_eq!(once(), once());
        let once = || sign_flip(&clusters, &plan());
        prop_assert_eq!(once(), once());
    }

    #[test]
    fn pass_all_falls_and_pass_any_rises(trials in 1..40_u64, failures in 0..40_u64) {
        let case = TrialCount::new(trials.saturating_sub(failures), trials).unwrap();
        for k in 1..trials {
            prop_assert!(case.pass_all(k + 1).unwrap() <= case.pass_all(k).unwrap() + 1e-12);
            prop_assert!(case.pass_any(k + 1).unwrap() >= case.pass_any(k).unwrap() - 1e-12);
        }
        prop_assert!((case.pass_all(1).unwrap() - case.pass_any(1).unwrap()).abs() < 1e-12);
    }

    /// Whatever numbers of trials the cases have.
    #[test]
    fn the_curve_of_reliability_speaks_of_the_same_cases_throughout(
        counts in prop::collection::vec((0..12_u64, 0..12_u64), 1..40),
    ) {
        let counts: Vec<TrialCount> = counts
            .iter()
            .map(|(passes, fails)| TrialCount::new(*passes, passes + fails).unwrap())
            .collect();
        let curve = reliability_curve(&counts, P95);
        for pair in curve.windows(2) {
            prop_assert_eq!(pair[0].cases, pair[1].cases);
            prop_assert!(pair[1].pass_all <= pair[0].pass_all + 1e-12);
            prop_assert!(pair[1].pass_any >= pair[0].pass_any - 1e-12);
        }
        prop_assert!(curve.iter().all(|point| point.cases * 10 >= counts.len() * 9));
    }

    #[test]
    fn percentiles_lie_between_the_ends_and_grow(values in values(), one in 0.0..=1.0_f64, other in 0.0..=1.0_f64) {
        let (low, high) = (one.min(other), one.max(other));
        let (low, high) = (percentile(&values, low).unwrap(), percentile(&values, high).unwrap());
        prop_assert!(percentile(&values, 0.0).unwrap() <= low && low <= high);
        prop_assert!(high <= percentile(&values, 1.0).unwrap());
    }

    #[test]
    fn corrections_only_weaken(p_values in prop::collection::vec(0.0..=1.0_f64, 1..20)) {
        for (raw, corrected) in p_values.iter().zip(holm(&p_values)) {
            prop_assert!(*raw <= corrected + 1e-15 && corrected <= 1.0);
        }
    }

    #[test]
    fn a_confidence_sequence_never_widens(values in values()) {
        let mut sequence = ConfidenceSequence::of_difference(P95);
        let mut before = sequence.interval();
        for value in values {
            sequence.add(value);
            let after = sequence.interval();
            prop_assert!(before.low <= after.low && after.high <= before.high);
            before = sequence.interval();
        }
    }
}

#[test]
fn what_cannot_be_known_is_absent() {
    assert_eq!(Mean::of(&[]), None);
    assert_eq!(Mean::of(&[1.0]).unwrap().interval(P95), None);
    assert_eq!(ClusteredMean::of(&[]), None);
    assert_eq!(ClusteredMean::of(&[Cluster::new()]), None);
    let one = ClusteredMean::of(&[Cluster::of(&[0.0, 1.0])]).unwrap();
    assert_eq!((one.standard_error(), one.icc()), (None, None));
    let same = ClusteredMean::of(&singles(&[0.5; 4])).unwrap();
    assert_eq!(same.estimate().unwrap().p_value(0.0), None);
    assert_eq!(sign_flip(&[], &plan()), None);
    assert_eq!(PairTable::default().difference(), None);
    assert_eq!(Confidence::new(1.0), None);
    assert_eq!(Margin::new(f64::NAN), None);
}

#[test]
fn no_difference_at_all_is_no_surprise() {
    let found = sign_flip(&singles(&[0.0; 30]), &plan()).unwrap();
    assert!((found.p_value() - 1.0).abs() < 1e-12);
}
