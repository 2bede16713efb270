//! Pass/fail pairs: the same cases on two sides, counted by how each ended.

use crate::distribution::{as_f64, beta_cdf, ln_beta};
use crate::interval::{Confidence, Interval};
use crate::proportion::Proportion;

/// How many cases passed on both sides, on one, or on none. One pair a case; cases with several
/// trials are compared by their mean differences instead, because their pairs are not independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairTable {
    /// Passed on both sides.
    pub both: u64,
    /// Passed on A only: what B broke.
    pub only_a: u64,
    /// Passed on B only: what B fixed.
    pub only_b: u64,
    /// Failed on both sides.
    pub neither: u64,
}

impl PairTable {
    /// Counts pairs of (A passed, B passed).
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut table = Self::default();
        for (a, b) in pairs {
            match (a, b) {
                (true, true) => table.both += 1,
                (true, false) => table.only_a += 1,
                (false, true) => table.only_b += 1,
                (false, false) => table.neither += 1,
            }
        }
        table
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.both + self.discordant() + self.neither
    }

    /// The pairs that ended differently, the only ones that tell the sides apart.
    pub fn discordant(&self) -> u64 {
        self.only_a + self.only_b
    }

    /// The pass rate of B minus that of A; absent without pairs.
    pub fn difference(&self) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| (as_f64(self.only_b) - as_f64(self.only_a)) / as_f64(pairs))
    }

    /// The two-sided p-value of the exact McNemar (1947) test; 1 when no pair is discordant.
    ///
    /// The exact binomial form rather than the chi-squared one because discordant pairs are
    /// often few. It never rejects too often, and with few pairs rather seldom.
    pub fn exact_p_value(&self) -> f64 {
        let (fewer, n) = (self.only_a.min(self.only_b), self.discordant());
        (2.0 * binomial_half_cdf(fewer, n)).min(1.0)
    }

    /// The one-sided p-value for the claim that B is worse: how often chance alone fixes as few of
    /// the changed cases.
    pub fn p_worse(&self) -> f64 {
        binomial_half_cdf(self.only_b, self.discordant())
    }

    /// The one-sided p-value for the claim that B is better.
    pub fn p_better(&self) -> f64 {
        binomial_half_cdf(self.only_a, self.discordant())
    }

    /// The two-sided mid-p value: the exact one with half the weight of the outcome seen.
    ///
    /// Less cautious than the exact test and still close to its level (Fagerland, Lydersen &
    /// Laake 2013).
    pub fn mid_p_value(&self) -> f64 {
        let (fewer, n) = (self.only_a.min(self.only_b), self.discordant());
        if self.only_a == self.only_b {
            return 1.0;
        }
        (2.0 * binomial_half_cdf(fewer, n) - binomial_half(fewer, n)).min(1.0)
    }

    /// The interval of the difference in pass rates; absent without pairs.
    ///
    /// The adjusted Wald interval of Bonett & Price (2012): one pair is added to each discordant
    /// cell, so the interval has a width even when no pair is discordant, and its coverage is
    /// near the level for small samples.
    pub fn difference_interval(&self, confidence: Confidence) -> Option<Interval> {
        let estimate = self.difference()?;
        let n = as_f64(self.pairs()) + 2.0;
        let (a, b) = ((as_f64(self.only_a) + 1.0) / n, (as_f64(self.only_b) + 1.0) / n);
        let standard_error = ((a + b - (b - a).powi(2)) / n).sqrt();
        let found = Interval::around(b - a, confidence.z() * standard_error).clamped(-1.0, 1.0);
        // The added pairs pull the centre towards zero; the plain estimate stays inside.
        Some(Interval { low: found.low.min(estimate), high: found.high.max(estimate) })
    }

    /// The odds that a changed case changed for the better: fixed over broken cases. Absent when
    /// nothing broke.
    pub fn odds_ratio(&self) -> Option<f64> {
        (self.only_a > 0).then(|| as_f64(self.only_b) / as_f64(self.only_a))
    }

    /// The exact interval of the odds ratio, by way of Clopper–Pearson for the share of fixed
    /// among changed cases. The upper end is absent when nothing broke; there is no interval when
    /// nothing changed.
    pub fn odds_ratio_interval(&self, confidence: Confidence) -> Option<(f64, Option<f64>)> {
        let share = Proportion::new(self.only_b, self.discordant())?;
        let share = share.clopper_pearson(confidence);
        let odds = |p: f64| p / (1.0 - p);
        Some((odds(share.low), (share.high < 1.0).then(|| odds(share.high))))
    }

    /// Cohen's g: how far the share of fixed among changed cases lies from a half, between −0.5
    /// and 0.5. Cohen (1988) calls 0.05 small, 0.15 medium, 0.25 large. Absent when nothing
    /// changed.
    pub fn cohen_g(&self) -> Option<f64> {
        Proportion::new(self.only_b, self.discordant()).map(|share| share.rate() - 0.5)
    }
}

/// The chance of at most `k` heads in `n` fair tosses.
pub(crate) fn binomial_half_cdf(k: u64, n: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    beta_cdf(0.5, as_f64(n - k), as_f64(k) + 1.0)
}

/// The chance of exactly `k` heads in `n` fair tosses.
fn binomial_half(k: u64, n: u64) -> f64 {
    let (k, n) = (as_f64(k), as_f64(n));
    (-(n + 1.0).ln() - ln_beta(k + 1.0, n - k + 1.0) - n * std::f64::consts::LN_2).exp()
}
