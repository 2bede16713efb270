//! What repeated trials of a case promise: pass^k, pass@k, and how many cases flip.

use crate::bounded_mean::{Range, mean_interval};
use crate::cluster::Cluster;
use crate::distribution::as_f64;
use crate::interval::{Confidence, Interval};
use crate::mean::Mean;

/// How many trials one case had and how many of them passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialCount {
    trials: u64,
    passes: u64,
}

impl TrialCount {
    /// `passes` out of `trials`; absent when there are more passes than trials.
    pub fn new(passes: u64, trials: u64) -> Option<Self> {
        (passes <= trials).then_some(Self { trials, passes })
    }

    /// The trials of the case.
    pub fn trials(self) -> u64 {
        self.trials
    }

    /// The trials that passed.
    pub fn passes(self) -> u64 {
        self.passes
    }

    /// pass^k: the chance that `k` fresh trials of this case all pass.
    ///
    /// The unbiased estimate C(c,k)/C(n,k) of Yao et al. (2024, τ-bench), as a product of ratios
    /// so that no binomial coefficient overflows. Absent when the case had fewer than `k` trials,
    /// or for k = 0.
    pub fn pass_all(self, k: u64) -> Option<f64> {
        self.estimable(k).then(|| share_of_draws(self.passes, self.trials, k))
    }

    /// pass@k: the chance that at least one of `k` fresh trials of this case passes.
    ///
    /// The unbiased estimate 1 − C(n−c,k)/C(n,k) of Chen et al. (2021, Codex), in the same stable
    /// form. Absent when the case had fewer than `k` trials, or for k = 0.
    pub fn pass_any(self, k: u64) -> Option<f64> {
        self.estimable(k).then(|| 1.0 - share_of_draws(self.trials - self.passes, self.trials, k))
    }

    /// Whether some trials passed and some did not.
    pub fn flips(self) -> bool {
        0 < self.passes && self.passes < self.trials
    }

    fn estimable(self, k: u64) -> bool {
        0 < k && k <= self.trials
    }
}

/// The chance that `k` draws without replacement from `n` all fall among the `marked`.
fn share_of_draws(marked: u64, n: u64, k: u64) -> f64 {
    if k > marked {
        return 0.0;
    }
    // C(m,k)/C(n,k) has k factors one way round and n−m the other; the shorter is taken, so a
    // case with a million trials costs no more than its failures do.
    let others = n - marked;
    let factors = k.min(others);
    let drawn = k.max(others);
    (0..factors).map(|i| as_f64(n - drawn - i) / as_f64(n - i)).product()
}

/// How many cases flipped between trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlipShare {
    /// Cases with some passes and some failures.
    pub flipped: usize,
    /// Cases that could have flipped: those with two trials or more.
    pub cases: usize,
}

impl FlipShare {
    /// The flipped cases over those that could have; absent when none could.
    pub fn share(self) -> Option<f64> {
        (self.cases > 0).then(|| as_f64(self.flipped as u64) / as_f64(self.cases as u64))
    }
}

/// Counts the cases whose trials did not all end alike.
pub fn flip_share(cases: &[TrialCount]) -> FlipShare {
    FlipShare {
        flipped: cases.iter().filter(|case| case.flips()).count(),
        cases: cases.iter().filter(|case| case.trials > 1).count(),
    }
}

/// One point of the reliability curve: what `k` trials promise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReliabilityPoint {
    /// The number of trials.
    pub k: u64,
    /// The cases over which the two figures are averaged, the same for every `k`.
    pub cases: usize,
    /// pass^k: the chance that all of `k` trials pass, averaged over cases.
    pub pass_all: f64,
    /// Its interval over cases.
    pub pass_all_interval: Interval,
    /// pass@k: the chance that at least one of `k` trials passes, averaged over cases.
    pub pass_any: f64,
    /// Its interval over cases.
    pub pass_any_interval: Interval,
}

/// pass^k and pass@k for k = 1 up to what nearly every case was tried.
///
/// All points speak of the same cases, so that pass^k falls and pass@k rises with k: those with as
/// many trials as the last point needs. It is the largest number that nine in ten cases have, so
/// that a case whose trials were cut short does not end the curve for all others.
///
/// The interval is that of scores ([`mean_interval`]). It treats cases as independent and each case's
/// estimate as one value, which already holds the doubt of its finite trials.
pub fn reliability_curve(cases: &[TrialCount], confidence: Confidence) -> Vec<ReliabilityPoint> {
    let most = comparable_trials(cases);
    let tried: Vec<TrialCount> = cases.iter().copied().filter(|case| case.trials >= most).collect();
    (1..=most).filter_map(|k| reliability_point(&tried, k, confidence)).collect()
}

/// The largest number of trials that nine in ten cases have.
pub fn comparable_trials(cases: &[TrialCount]) -> u64 {
    let mut trials: Vec<u64> = cases.iter().map(|case| case.trials).collect();
    trials.sort_unstable();
    trials.get(trials.len() / 10).copied().unwrap_or(0)
}

fn reliability_point(
    cases: &[TrialCount],
    k: u64,
    confidence: Confidence,
) -> Option<ReliabilityPoint> {
    let all: Vec<f64> = cases.iter().filter_map(|case| case.pass_all(k)).collect();
    let any: Vec<f64> = cases.iter().filter_map(|case| case.pass_any(k)).collect();
    let interval = |values: &[f64]| {
        let cases: Vec<Cluster> = values.iter().map(|value| Cluster::of(&[*value])).collect();
        mean_interval(&cases, Range::SCORE, confidence)
    };
    Some(ReliabilityPoint {
        k,
        cases: all.len(),
        pass_all: Mean::of(&all)?.mean,
        pass_all_interval: interval(&all)?,
        pass_any: Mean::of(&any)?.mean,
        pass_any_interval: interval(&any)?,
    })
}
