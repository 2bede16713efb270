//! How long resampling takes: 10,000 resamples of 100,000 pairs, the promised size.
//!
//! `cargo bench -p toolgauge-stats` prints the times; each must stay below two seconds on one
//! core.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use toolgauge_stats::{
    Cluster, Confidence, Contest, Resampling, posterior_of_mean, rank, sign_flip,
};

const PAIRS: usize = 100_000;

fn main() {
    divan::main();
}

/// Differences of pass/fail scores: −1, 0 or 1.
fn pass_fail() -> Vec<Cluster> {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    differences(|| {
        f64::from(u8::from(generator.random_bool(0.55)))
            - f64::from(u8::from(generator.random_bool(0.5)))
    })
}

/// Differences of graded scores, nearly all distinct.
fn graded() -> Vec<Cluster> {
    let mut generator = ChaCha8Rng::seed_from_u64(2);
    differences(|| generator.random::<f64>() - generator.random::<f64>())
}

/// Differences of latencies: distinct, skewed, with outliers.
fn latencies() -> Vec<Cluster> {
    let mut generator = ChaCha8Rng::seed_from_u64(3);
    differences(|| generator.random::<f64>().powi(-1).min(10_000.0) - 1.5)
}

fn differences(mut next: impl FnMut() -> f64) -> Vec<Cluster> {
    (0..PAIRS).map(|_| Cluster::of(&[next()])).collect()
}

#[divan::bench(args = ["pass_fail", "graded", "latencies"], sample_count = 3, sample_size = 1)]
fn permutation(bencher: divan::Bencher, kind: &str) {
    let clusters = clusters(kind);
    bencher.bench(|| sign_flip(&clusters, &Resampling::default()));
}

#[divan::bench(args = ["pass_fail", "graded", "latencies"], sample_count = 3, sample_size = 1)]
fn posterior(bencher: divan::Bencher, kind: &str) {
    let clusters = clusters(kind);
    bencher.bench(|| posterior_of_mean(&clusters, &Resampling::default()));
}

#[divan::bench(args = [1_000, 20_000], sample_count = 3, sample_size = 1)]
fn ranking_of_five(bencher: divan::Bencher, cases: usize) {
    let mut generator = ChaCha8Rng::seed_from_u64(4);
    let scores: Vec<Vec<f64>> =
        (0..cases).map(|_| (0..5).map(|_| generator.random()).collect()).collect();
    let contest = Contest { scores: &scores, groups: None };
    bencher.bench(|| rank(&contest, &Resampling::default(), Confidence::P95));
}

fn clusters(kind: &str) -> Vec<Cluster> {
    match kind {
        "pass_fail" => pass_fail(),
        "graded" => graded(),
        _ => latencies(),
    }
}
