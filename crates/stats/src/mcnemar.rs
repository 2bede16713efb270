//! Pass/fail pairs: the same cases on two sides, counted by how each ended.

use crate::distribution::{as_f64, beta_cdf};

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
}

/// The chance of at most `k` heads in `n` fair tosses.
pub(crate) fn binomial_half_cdf(k: u64, n: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    beta_cdf(0.5, as_f64(n - k), as_f64(k) + 1.0)
}
