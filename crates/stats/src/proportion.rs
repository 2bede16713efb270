//! A share of successes among independent attempts, with its intervals.

use crate::distribution::{as_f64, beta_quantile};
use crate::interval::{Confidence, Interval};

/// So many successes out of so many independent attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proportion {
    successes: u64,
    n: u64,
}

impl Proportion {
    /// `successes` out of `n`; absent when `n` is zero or smaller than `successes`.
    pub fn new(successes: u64, n: u64) -> Option<Self> {
        (n > 0 && successes <= n).then_some(Self { successes, n })
    }

    /// The successes.
    pub fn successes(self) -> u64 {
        self.successes
    }

    /// The attempts.
    pub fn n(self) -> u64 {
        self.n
    }

    /// Successes over attempts.
    pub fn rate(self) -> f64 {
        as_f64(self.successes) / as_f64(self.n)
    }

    /// The plug-in standard error √(p(1−p)/n). Zero when every attempt ended alike, which is why
    /// the intervals below do not use it.
    pub fn standard_error(self) -> f64 {
        let rate = self.rate();
        (rate * (1.0 - rate) / as_f64(self.n)).sqrt()
    }

    /// The Wilson score interval (Wilson 1927).
    ///
    /// Chosen over p ± z·se because it stays inside [0, 1] and keeps its coverage when n is small
    /// or p is near an end, which is where most suites live (recommended by Brown,
    /// Cai & DasGupta 2001).
    pub fn wilson(self, confidence: Confidence) -> Interval {
        let exact = wilson_interval(self.rate(), as_f64(self.n), confidence.z());
        // Rounding must not pull the ends away from the bounds they equal.
        Interval {
            low: if self.successes == 0 { 0.0 } else { exact.low },
            high: if self.successes == self.n { 1.0 } else { exact.high },
        }
    }

    /// The Clopper–Pearson interval (Clopper & Pearson 1934).
    ///
    /// It inverts the exact binomial test, so its coverage never falls below the level; the
    /// price is an interval wider than needed. For gates that must not pass by approximation.
    pub fn clopper_pearson(self, confidence: Confidence) -> Interval {
        let (successes, failures) = (as_f64(self.successes), as_f64(self.n - self.successes));
        let tail = confidence.alpha() / 2.0;
        let low =
            if self.successes == 0 { 0.0 } else { beta_quantile(tail, successes, failures + 1.0) };
        let high = if self.successes == self.n {
            1.0
        } else {
            beta_quantile(1.0 - tail, successes + 1.0, failures)
        };
        Interval { low, high }
    }
}

/// Wilson's formula for a rate seen in `n` attempts, which need not be a whole number.
pub(crate) fn wilson_interval(rate: f64, n: f64, z: f64) -> Interval {
    let z2 = z * z;
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let spread = z * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    Interval::around(centre, spread).clamped(0.0, 1.0)
}
