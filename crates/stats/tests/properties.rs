//! What must hold for any numbers: intervals contain their estimates, swapping the sides flips the
//! sign, the order of the cases does not matter, and absence is never NaN.

use std::num::NonZeroUsize;

use proptest::prelude::*;
use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, ConfidenceSequence, Finding, Margin, Mean, PairTable,
    Proportion, Range, Resampling, TrialCount, benjamini_hochberg, bootstrap_mean, holm,
    mean_interval, percentile, posterior_of_mean, probability_pairs_better,
    probability_rate_higher, read_difference, sign_flip, signed_rank,
};

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
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn intervals_of_a_rate_contain_it(successes in 0..=400_u64, failures in 0..=400_u64) {
        prop_assume!(successes + failures > 0);
        let proportion = Proportion::new(successes, successes + failures).unwrap();
        for interval in [proportion.wilson(P95), proportion.clopper_pearson(P95)] {
            prop_assert!(interval.contains(proportion.rate()));
            prop_assert!(interval.low >= 0.0 && interval.high <= 1.0);
        }
    }

    #[test]
    fn intervals_of_a_mean_contain_it(clusters in clusters()) {
        let mean = ClusteredMean::of(&clusters).unwrap();
        prop_assert!(mean.interval(P95).unwrap().contains(mean.mean));
        let found = bootstrap_mean(&clusters, &plan(), P95).unwrap();
        prop_assert!(found.p_value > 0.0 && found.p_value <= 1.0);
        prop_assert!(found.interval.low.is_finite() && found.interval.high.is_finite());
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
        prop_assert!(wide.encloses(narrow));
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
        let (here, there) = (ours.interval(P95).unwrap(), theirs.interval(P95).unwrap().negated());
        prop_assert!((here.low - there.low).abs() < 1e-12);
        let (flips, swapped) =
            (sign_flip(&one, &plan()).unwrap(), sign_flip(&other, &plan()).unwrap());
        prop_assert!((flips.p_value() - swapped.p_value()).abs() < 1e-12);
        if let (Some(ranks), Some(swapped)) = (signed_rank(&values), signed_rank(&negated(&values))) {
            prop_assert!((ranks.p_value - swapped.p_value).abs() < 1e-12);
            prop_assert!((ranks.rank_biserial() + swapped.rank_biserial()).abs() < 1e-12);
        }
    }

    #[test]
    fn swapping_the_sides_of_a_table_mirrors_it(table in tables()) {
        let swapped = PairTable { only_a: table.only_b, only_b: table.only_a, ..table };
        prop_assert!((table.exact_p_value() - swapped.exact_p_value()).abs() < 1e-12);
        prop_assert!(table.mid_p_value() <= table.exact_p_value());
        let (here, there) = (table.difference_interval(P95).unwrap(),
            swapped.difference_interval(P95).unwrap().negated());
        prop_assert!((here.low - there.low).abs() < 1e-12 && (here.high - there.high).abs() < 1e-12);
        prop_assert!(here.contains(table.difference().unwrap()));
        let sum = probability_pairs_better(&table) + probability_pairs_better(&swapped);
        prop_assert!((sum - 1.0).abs() < 1e-9);
    }

    #[test]
    fn one_side_is_better_or_the_other(a in 0..=50_u64, b in 0..=70_u64) {
        let (a, b) = (Proportion::new(a, 50).unwrap(), Proportion::new(b, 70).unwrap());
        let sum = probability_rate_higher(a, b) + probability_rate_higher(b, a);
        prop_assert!((sum - 1.0).abs() < 1e-9, "{}", sum);
    }

    #[test]
    fn the_order_of_cases_does_not_matter(clusters in clusters()) {
        let reversed: Vec<Cluster> = clusters.iter().rev().copied().collect();
        let (one, other) =
            (ClusteredMean::of(&clusters).unwrap(), ClusteredMean::of(&reversed).unwrap());
        prop_assert!((one.mean - other.mean).abs() < 1e-12);
        prop_assert!((one.standard_error().unwrap() - other.standard_error().unwrap()).abs() < 1e-12);
        let draws = |clusters: &[Cluster]| bootstrap_mean(clusters, &plan(), P95).unwrap();
        let (one, other) = (draws(&clusters), draws(&reversed));
        prop_assert!((one.interval.low - other.interval.low).abs() < 1e-9);
        prop_assert!((one.interval.high - other.interval.high).abs() < 1e-9);
        prop_assert!((one.p_value - other.p_value).abs() < 1e-9);
        let draws = |clusters: &[Cluster]| posterior_of_mean(clusters, &plan()).unwrap().interval(P95);
        prop_assert!((draws(&clusters).low - draws(&reversed).low).abs() < 1e-9);
    }

    #[test]
    fn the_same_seed_gives_the_same_answer(clusters in clusters()) {
        let once = || bootstrap_mean(&clusters, &plan(), P95);
        prop_assert_eq!(once(), once());
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

    #[test]
    fn percentiles_lie_between_the_ends_and_grow(values in values(), one in 0.0..=1.0_f64, other in 0.0..=1.0_f64) {
        let (low, high) = (one.min(other), one.max(other));
        let (low, high) = (percentile(&values, low).unwrap(), percentile(&values, high).unwrap());
        prop_assert!(percentile(&values, 0.0).unwrap() <= low && low <= high);
        prop_assert!(high <= percentile(&values, 1.0).unwrap());
    }

    #[test]
    fn corrections_only_weaken(p_values in prop::collection::vec(0.0..=1.0_f64, 1..20)) {
        for ((raw, strict), mild) in p_values.iter().zip(holm(&p_values)).zip(benjamini_hochberg(&p_values)) {
            prop_assert!(*raw <= mild + 1e-15 && mild <= strict + 1e-15 && strict <= 1.0);
        }
    }

    #[test]
    fn a_confidence_sequence_never_widens(values in values()) {
        let mut sequence = ConfidenceSequence::of_difference(P95);
        let mut before = sequence.interval();
        for value in values {
            sequence.add(value);
            prop_assert!(before.encloses(sequence.interval()));
            before = sequence.interval();
        }
    }

    #[test]
    fn a_difference_is_read_the_same_from_both_sides(low in -1.0..1.0_f64, width in 0.0..1.0_f64, margin in 0.01..0.5_f64) {
        let interval = toolgauge_stats::Interval { low, high: low + width };
        let mirrored = match read_difference(interval.negated(), Margin::new(margin)) {
            Finding::Better => Finding::Worse,
            Finding::Worse => Finding::Better,
            same => same,
        };
        prop_assert_eq!(read_difference(interval, Margin::new(margin)), mirrored);
    }
}

#[test]
fn what_cannot_be_known_is_absent() {
    assert_eq!(Mean::of(&[]), None);
    assert_eq!(Mean::of(&[1.0]).unwrap().interval(P95), None);
    assert_eq!(ClusteredMean::of(&[]), None);
    assert_eq!(ClusteredMean::of(&[Cluster::new()]), None);
    let one = ClusteredMean::of(&[Cluster::of(&[0.0, 1.0])]).unwrap();
    assert_eq!((one.standard_error(), one.icc(), one.design_effect()), (None, None, None));
    let same = ClusteredMean::of(&singles(&[0.5; 4])).unwrap();
    assert_eq!((same.design_effect(), same.estimate().unwrap().p_value(0.0)), (None, None));
    assert_eq!(Proportion::new(0, 0), None);
    assert_eq!(bootstrap_mean(&singles(&[1.0]), &plan(), P95), None);
    assert_eq!(sign_flip(&[], &plan()), None);
    assert_eq!(PairTable::default().difference(), None);
    assert_eq!(Confidence::new(1.0), None);
    assert_eq!(Margin::new(f64::NAN), None);
}

#[test]
fn no_difference_at_all_is_no_surprise() {
    let found = sign_flip(&singles(&[0.0; 30]), &plan()).unwrap();
    assert!((found.p_value() - 1.0).abs() < 1e-12);
    let found = bootstrap_mean(&singles(&[0.0; 30]), &plan(), P95).unwrap();
    assert!((found.p_value - 1.0).abs() < 1e-12 && found.interval.half_width() < 1e-12);
}

#[test]
fn differences_that_cancel_out_are_no_surprise_in_any_order() {
    // 0.1 + 0.2 − 0.3 is not zero by the machine, and is another number the other way round.
    let orders = [[0.1, 0.2, -0.3], [-0.3, 0.2, 0.1], [0.2, -0.3, 0.1]];
    let found = orders.map(|values| bootstrap_mean(&singles(&values), &plan(), P95).unwrap());
    for one in found {
        assert!((one.p_value - 1.0).abs() < 1e-12, "{one:?}");
        assert!((one.interval.low - found[0].interval.low).abs() < 1e-9, "{one:?} {found:?}");
        assert!((one.interval.high - found[0].interval.high).abs() < 1e-9, "{one:?} {found:?}");
    }
}
