//! Resampling figures against SciPy and NumPy: exactly where the answer is exact, and within the
//! chance of resampling where it is not. The Python that made each value stands beside it.

use std::num::NonZeroUsize;

use toolgauge_stats::{
    Cluster, Confidence, ConfidenceSequence, Interval, PairTable, Resampling, posterior_of_mean,
    sign_flip, signed_rank,
};

const TIED: [f64; 12] = [0.5, 0.25, -0.25, 1.0, 0.0, 0.75, -0.5, 0.25, 0.5, 1.0, -0.25, 0.75];
const UNTIED: [f64; 10] = [0.31, -0.12, 0.55, 0.07, -0.21, 0.44, 0.38, -0.02, 0.61, 0.17];

fn singles(values: &[f64]) -> Vec<Cluster> {
    values.iter().map(|value| Cluster::of(&[*value])).collect()
}

/// Clusters with these sums and sizes: 1.5 over 2 values, 0.2 over 1, and so on.
fn unequal() -> Vec<Cluster> {
    let sums = [1.5, 0.2, -0.4, 2.0, 0.0, 0.9, 1.1, -0.1, 0.3, 2.2, 0.7, -0.6];
    let counts = [2_u8, 1, 1, 3, 2, 1, 2, 1, 1, 3, 1, 2];
    sums.into_iter()
        .zip(counts)
        .map(|(sum, count)| Cluster::of(&vec![sum / f64::from(count); usize::from(count)]))
        .collect()
}

fn many() -> Resampling {
    Resampling { resamples: NonZeroUsize::new(200_000).expect("200,000 is not zero"), seed: 7 }
}

#[track_caller]
fn assert_within(found: f64, expected: f64, allowed: f64) {
    assert!((found - expected).abs() <= allowed, "found {found}, expected {expected}");
}

// st.permutation_test((d,), lambda x, axis: np.sum(x, axis=axis), permutation_type="samples",
//                     n_resamples=np.inf).pvalue
#[test]
fn enumerated_sign_flips_agree() {
    let plan = Resampling::default();
    let tied = sign_flip(&singles(&TIED), &plan).unwrap();
    assert_within(tied.p_value(), 0.0625, 1e-12);
    let untied = sign_flip(&singles(&UNTIED), &plan).unwrap();
    assert_within(untied.p_value(), 0.042_968_75, 1e-12);
}

// d = [np.sin(i * 1.7) + 0.25 for i in range(40)]; the same with n_resamples=2_000_000
#[test]
fn random_sign_flips_agree() {
    let values: Vec<f64> = (0..40).map(|i| (f64::from(i) * 1.7).sin() + 0.25).collect();
    let found = sign_flip(&singles(&values), &many()).unwrap();
    assert_within(found.p_value(), 0.022_678, 0.0015);
    // As scores they are counted on a grid rather than drawn.
    let scores: Vec<f64> = values.iter().map(|value| value / 2.0).collect();
    let found = sign_flip(&singles(&scores), &many()).unwrap();
    assert_within(found.p_value(), 0.022_678, 0.0003);
}

#[test]
fn sign_flips_of_pass_fail_pairs_are_the_exact_mcnemar_test() {
    let table = PairTable { both: 400, only_a: 40, only_b: 61, neither: 300 };
    let mut values = vec![0.0; 700];
    values.extend([-1.0; 40]);
    values.extend([1.0; 61]);
    let found = sign_flip(&singles(&values), &Resampling::default()).unwrap();
    assert_within(found.p_value(), table.exact_p_value(), 1e-12);
}

// st.wilcoxon(e, method="exact"); st.wilcoxon(d, method=st.PermutationMethod()).pvalue
#[test]
fn exact_signed_ranks_agree_with_and_without_ties() {
    let untied = signed_rank(&UNTIED).unwrap();
    assert_within(untied.negative, 9.0, 0.0);
    assert_within(untied.p_value, 0.064_453_125, 1e-12);
    let tied = signed_rank(&TIED).unwrap();
    assert_eq!((tied.n, tied.exact), (11, true));
    assert_within(tied.positive, 55.0, 0.0);
    assert_within(tied.p_value, 0.059_570_312_5, 1e-12);
    assert_eq!(signed_rank(&[0.0, 0.0]), None);
}

// big = np.round(np.sin(np.arange(150) * 1.7) * 5 + 0.6, 1)
// st.wilcoxon(big, method="approx", correction=False).pvalue
#[test]
fn approximate_signed_ranks_agree() {
    let values: Vec<f64> = (0..150)
        .map(|i| (((f64::from(i) * 1.7).sin() * 5.0 + 0.6) * 10.0).round() / 10.0)
        .collect();
    let found = signed_rank(&values).unwrap();
    assert_eq!((found.n, found.exact), (150, false));
    assert_within(found.positive, 6966.0, 0.0);
    assert_within(found.p_value, 0.014_447_041_054_184_208, 1e-10);
}

// g = rng.exponential(size=(1_000_000, 12)); m = (g * sums).sum(1) / (g * cnt).sum(1)
// (m > 0.5).mean(), np.quantile(m, [0.025, 0.975])
#[test]
fn the_bayesian_bootstrap_agrees() {
    let found = posterior_of_mean(&unequal(), &many()).unwrap();
    assert_within(found.probability_above(0.5), 0.169_721, 0.004);
    let interval = found.interval(Confidence::P95);
    assert_within(interval.low, 0.131_594, 0.003);
    assert_within(interval.high, 0.586_680, 0.003);
}

// The hedged capital process written from the paper's formulas with NumPy over a grid of 2,000
// candidates, each bet from the values before it:
//   lam = sqrt(2 * log(2 / 0.05) / (s2 * t * log(t + 1)))
//   lKp += log1p(minimum(lam, 0.5 / m) * (x - m)); lKm += log1p(-minimum(lam, 0.5 / (1 - m)) * (x - m))
//   ok &= maximum(lKp, lKm) - log(2) < log(1 / 0.05)
// after 10, 50, 100 and 300 values of ((i * 37) % 101) / 100, then of (i * 29) % 10 < 8.
#[test]
fn confidence_sequences_agree() {
    let graded = |i: u32| f64::from((i * 37) % 101) / 100.0;
    let passed = |i: u32| f64::from(u8::from((i * 29) % 10 < 8));
    let ends = [(0.1865, 0.748), (0.375, 0.6095), (0.4105, 0.582), (0.444, 0.551)];
    follow(graded, 0.0, 1.0, ends);
    let ends = [(0.3605, 1.0), (0.607, 0.9115), (0.6615, 0.8865), (0.715, 0.86)];
    follow(passed, 0.0, 1.0, ends);
    // A difference is the same sequence stretched over −1 to 1.
    follow(move |i| 2.0 * passed(i) - 1.0, -1.0, 2.0, ends);
}

fn follow(value: impl Fn(u32) -> f64, low: f64, width: f64, ends: [(f64, f64); 4]) {
    let range = Interval { low, high: low + width };
    let mut sequence =
        ConfidenceSequence::new(range, Confidence::P95).expect("the range has a width");
    let mut ends = [10, 50, 100, 300].into_iter().zip(ends).peekable();
    for i in 0..300 {
        sequence.add(value(i));
        if let Some((_, end)) = ends.next_if(|(count, _)| *count == sequence.count()) {
            assert_within(sequence.interval().low, low + width * end.0, 1e-9);
            assert_within(sequence.interval().high, low + width * end.1, 1e-9);
        }
    }
    assert!(ends.next().is_none());
}
