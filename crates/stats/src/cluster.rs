//! Values that belong together: trials of one case, cases of one dialogue.

use crate::distribution::as_f64;

/// What must be remembered of one cluster: nothing grows with the number of its values, so a
/// log of any length can be read once and forgotten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    count: u64,
    sum: f64,
    /// Sum of squared distances from the cluster's own mean.
    squares: f64,
    low: f64,
    high: f64,
}

impl Default for Cluster {
    fn default() -> Self {
        Self { count: 0, sum: 0.0, squares: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY }
    }
}

impl Cluster {
    /// A cluster of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cluster of `values`.
    pub fn of(values: &[f64]) -> Self {
        let mut cluster = Self::new();
        for value in values {
            cluster.add(*value);
        }
        cluster
    }

    /// A cluster known by its totals alone, for what does not look inside clusters.
    pub(crate) fn of_totals(sum: f64, count: u64) -> Self {
        let mean = sum / as_f64(count.max(1));
        Self { count, sum, squares: 0.0, low: mean, high: mean }
    }

    /// Takes in one more value.
    ///
    /// The squares are updated about the running mean (Youngs & Cramer 1971) because the
    /// difference of two large sums would lose them for latencies and costs.
    pub fn add(&mut self, value: f64) {
        if self.count > 0 {
            let n = as_f64(self.count);
            self.squares += (value - self.sum / n).powi(2) * n / (n + 1.0);
        }
        self.count += 1;
        self.sum += value;
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    /// Takes in all values of another cluster, as when the cases of a dialogue become one.
    pub fn merge(&mut self, other: &Self) {
        if self.count > 0 && other.count > 0 {
            let (n, m) = (as_f64(self.count), as_f64(other.count));
            let apart = other.sum / m - self.sum / n;
            // What the distance of the two means adds to the squares (Chan, Golub & LeVeque 1979).
            self.squares += apart * apart * n * m / (n + m);
        }
        self.squares += other.squares;
        self.count += other.count;
        self.sum += other.sum;
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
    }

    /// The cluster as one value, its mean: a case counts once, however often it was tried. Values
    /// that are all the same stay what they are, to the last bit.
    #[must_use]
    pub fn averaged(&self) -> Self {
        match self.mean() {
            None => *self,
            Some(mean) => Self::of(&[if self.varies() { mean } else { self.low }]),
        }
    }

    /// How many values it holds.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of its values.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// The mean of its values; absent when it holds none.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / as_f64(self.count))
    }

    /// The sum of the squared distances of its values from their mean.
    pub fn squares(&self) -> f64 {
        self.squares
    }

    /// Whether none of its values is below `low` or above `high`.
    pub(crate) fn lies_in(&self, low: f64, high: f64) -> bool {
        self.count == 0 || (low <= self.low && self.high <= high)
    }

    /// Whether none of its values is below 0.
    pub fn is_never_negative(&self) -> bool {
        self.lies_in(0.0, f64::INFINITY)
    }

    /// Whether its values are not all the same.
    pub fn varies(&self) -> bool {
        self.low < self.high
    }
}
