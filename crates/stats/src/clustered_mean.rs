//! Means of values that come in clusters: trials of one case, cases of one dialogue.
//!
//! Trials of the same case resemble each other, so ten trials of one case tell less than one
//! trial each of ten cases. A standard error that ignores this is too small; the one here is
//! not (Miller 2024, "Adding error bars to evals", makes the case for language-model suites).

use crate::cluster::Cluster;
use crate::distribution::{as_f64, length};
use crate::estimate::Estimate;
use crate::interval::{Confidence, Interval};
use crate::variance::VarianceComponents;

/// The mean over all values of several clusters, with a doubt that respects the clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredMean {
    /// How many clusters hold at least one value.
    pub clusters: usize,
    /// How many values they hold.
    pub n: u64,
    /// The average of all values, so a cluster weighs by its size.
    pub mean: f64,
    /// Σ over clusters of (sum of deviations from the mean)².
    between: f64,
    /// Σ over values of (value − mean)².
    total: f64,
    /// Σ over values of (value − mean of its cluster)².
    within: f64,
    /// Σ over clusters of count².
    count_squares: f64,
}

impl ClusteredMean {
    /// The mean over `clusters`; empty ones are passed over, and without any value there is none.
    pub fn of<'a>(
        clusters: impl IntoIterator<Item = &'a Cluster, IntoIter: Clone>,
    ) -> Option<Self> {
        Self::over(clusters.into_iter().copied())
    }

    /// The same over clusters that are gone through several times, so that none of them is kept.
    pub fn over(clusters: impl Iterator<Item = Cluster> + Clone) -> Option<Self> {
        let filled = clusters.filter(|cluster| cluster.count() > 0);
        let n: u64 = filled.clone().map(|cluster| cluster.count()).sum();
        if n == 0 {
            return None;
        }
        let mean = filled.clone().map(|cluster| cluster.sum()).sum::<f64>() / as_f64(n);
        let mut summary = Self {
            clusters: filled.clone().count(),
            n,
            mean,
            between: 0.0,
            total: 0.0,
            within: 0.0,
            count_squares: 0.0,
        };
        for cluster in filled {
            let count = as_f64(cluster.count());
            let deviation = cluster.sum() - count * mean;
            summary.between += deviation * deviation;
            summary.within += cluster.squares();
            summary.total += cluster.squares() + deviation * deviation / count;
            summary.count_squares += count * count;
        }
        Some(summary)
    }

    /// The standard error one would claim if all values were independent, √(Σ(x−x̄)²)/n.
    ///
    /// For pass/fail values this is √(p(1−p)/n). It is shown only beside the clustered one.
    pub fn naive_standard_error(&self) -> f64 {
        self.total.sqrt() / as_f64(self.n)
    }

    /// The cluster-robust standard error of the mean; absent for fewer than two clusters.
    ///
    /// The sandwich estimator of Liang & Zeger (1986) for a regression on a constant, with the
    /// G/(G−1) correction for few clusters (CR1; Cameron & Miller 2015). With one value a
    /// cluster it is the ordinary s/√n.
    pub fn standard_error(&self) -> Option<f64> {
        let clusters = length(self.clusters);
        (self.clusters > 1)
            .then(|| (self.between * clusters / (clusters - 1.0)).sqrt() / as_f64(self.n))
    }

    /// The mean with its clustered standard error and clusters − 1 degrees of freedom, ready for
    /// a t test; absent for fewer than two clusters.
    pub fn estimate(&self) -> Option<Estimate> {
        Some(Estimate {
            value: self.mean,
            standard_error: self.standard_error()?,
            degrees_of_freedom: length(self.clusters) - 1.0,
        })
    }

    /// The estimate of the difference B − A of two sides that share no cases.
    ///
    /// Welch's (1947) standard error and degrees of freedom on the clustered standard errors.
    /// Where cases are shared, the mean of the paired differences is sharper.
    pub fn unpaired_difference(a: &Self, b: &Self) -> Option<Estimate> {
        let (variance_a, variance_b) = (a.standard_error()?.powi(2), b.standard_error()?.powi(2));
        let variance = variance_a + variance_b;
        let pooled = variance_a.powi(2) / (length(a.clusters) - 1.0)
            + variance_b.powi(2) / (length(b.clusters) - 1.0);
        let smaller = length(a.clusters.min(b.clusters)) - 1.0;
        // Without any spread Welch's formula is 0/0; the smaller side is the cautious choice.
        let degrees_of_freedom = if pooled > 0.0 { variance.powi(2) / pooled } else { smaller };
        Some(Estimate {
            value: b.mean - a.mean,
            standard_error: variance.sqrt(),
            degrees_of_freedom,
        })
    }

    /// The t interval on the clustered standard error, with clusters − 1 degrees of freedom.
    ///
    /// For what has no bounds, such as times. It has no width where all clusters agree; scores have
    /// [`mean_interval`](crate::mean_interval).
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        self.estimate().map(|estimate| estimate.interval(confidence))
    }

    /// The intraclass correlation ICC(1): the share of the variance that lies between clusters.
    ///
    /// The analysis-of-variance estimator (Shrout & Fleiss 1979, case 1), with the mean cluster
    /// size of Donner (1986) when sizes differ. Near 1, a trial repeats what the case already
    /// said; near 0, trials of a case are as different as cases; below 0, more so by chance.
    /// Absent without two clusters, without a cluster of two, or when all values are the same.
    pub fn icc(&self) -> Option<f64> {
        let (between, within, size) = self.mean_squares()?;
        let spread = between + (size - 1.0) * within;
        (spread > 0.0).then(|| (between - within) / spread)
    }

    /// How much of the variance lies between clusters and how much inside them; absent without
    /// two clusters or without a cluster of two.
    ///
    /// The same analysis-of-variance estimates the ICC is made of, a negative one set to zero.
    pub fn variance_components(&self) -> Option<VarianceComponents> {
        let (between, within, size) = self.mean_squares()?;
        Some(VarianceComponents { between: ((between - within) / size).max(0.0), within })
    }

    /// The mean squares between and within clusters, and the mean cluster size.
    fn mean_squares(&self) -> Option<(f64, f64, f64)> {
        let (n, clusters) = (as_f64(self.n), length(self.clusters));
        if self.clusters < 2 || n <= clusters {
            return None;
        }
        // Between squares are what the squares within leave of all, which saves a second pass.
        let between = (self.total - self.within) / (clusters - 1.0);
        let within = self.within / (n - clusters);
        // The size that unequal clusters have on average in the analysis of variance.
        let size = (n - self.count_squares / n) / (clusters - 1.0);
        Some((between, within, size))
    }
}
