//! Imagined subjects whose true scores are known.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Beta, Distribution, StandardNormal};
use toolgauge_stats::Cluster;

pub(crate) fn generator(simulation: u64, repetition: u64) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(simulation);
    generator.set_stream(repetition);
    generator
}

/// Cases whose chance of passing is itself random, Beta(0.8, 1.2): mean 0.4, and trials of a case
/// correlate by 1 / (0.8 + 1.2 + 1) = 0.33.
pub(crate) const PASS_RATE: f64 = 0.4;

pub(crate) fn chance_of_passing(generator: &mut ChaCha8Rng) -> f64 {
    Beta::new(0.8, 1.2).unwrap().sample(generator)
}

pub(crate) fn passes(chance: f64, generator: &mut ChaCha8Rng) -> f64 {
    f64::from(u8::from(generator.random_bool(chance)))
}

/// A run of `cases` fresh cases with `trials` pass/fail trials each.
pub(crate) fn run(cases: usize, trials: usize, generator: &mut ChaCha8Rng) -> Vec<Cluster> {
    (0..cases)
        .map(|_| {
            let chance = chance_of_passing(generator);
            let values: Vec<f64> = (0..trials).map(|_| passes(chance, generator)).collect();
            Cluster::of(&values)
        })
        .collect()
}

/// The differences B − A of two runs over the same cases, of each case's trials one by one, where
/// B passes with a chance higher by `gain` (cut to what is possible).
pub(crate) fn paired_runs(
    cases: usize,
    trials: usize,
    gain: f64,
    generator: &mut ChaCha8Rng,
) -> Vec<Cluster> {
    (0..cases)
        .map(|_| {
            let a = chance_of_passing(generator);
            let b = (a + gain).clamp(0.0, 1.0);
            let values: Vec<f64> =
                (0..trials).map(|_| passes(b, generator) - passes(a, generator)).collect();
            Cluster::of(&values)
        })
        .collect()
}

/// A graded score with mean 0.75, skewed towards 1.
pub(crate) const GRADED_MEAN: f64 = 0.75;

pub(crate) fn graded(generator: &mut ChaCha8Rng) -> f64 {
    Beta::new(1.5, 0.5).unwrap().sample(generator)
}

pub(crate) fn normal(generator: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(generator)
}

pub(crate) fn singles(values: impl IntoIterator<Item = f64>) -> Vec<Cluster> {
    values.into_iter().map(|value| Cluster::of(&[value])).collect()
}
