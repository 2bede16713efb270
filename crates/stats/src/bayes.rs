//! The Bayesian reading of a comparison: how probable it is that B is better.
//!
//! All priors are flat, so the data speak alone; with more than a few cases any sensible prior
//! gives the same answer.

use crate::cluster::Cluster;
use crate::clustered_mean::ClusteredMean;
use crate::distribution::{as_f64, beta_cdf, length};
use crate::interval::{Confidence, Interval};
use crate::mcnemar::PairTable;
use crate::quantile::quantile;
use crate::resample::{ClusterSampler, Resampling, Stream};

/// The probability that B's true pass rate is higher than A's, from pass/fail pairs.
///
/// Under a Dirichlet posterior the share of fixed among changed cases has a beta distribution of
/// its own, whatever the unchanged cases, and B is better exactly when that share is above a
/// half. Exact, with a uniform prior on the share.
pub fn probability_pairs_better(table: &PairTable) -> f64 {
    beta_cdf(0.5, as_f64(table.only_a) + 1.0, as_f64(table.only_b) + 1.0)
}

/// What is believed about a mean after seeing the data: equally probable values.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    /// Ascending.
    draws: Vec<f64>,
}

impl Posterior {
    /// The probability that the mean lies above `value`. A draw equal to it counts half.
    pub fn probability_above(&self, value: f64) -> f64 {
        let below = self.draws.partition_point(|draw| *draw < value);
        let not_above = self.draws.partition_point(|draw| *draw <= value);
        1.0 - (length(below) + length(not_above)) / (2.0 * length(self.draws.len()))
    }

    /// The central credible interval.
    pub fn interval(&self, confidence: Confidence) -> Interval {
        let tail = confidence.alpha() / 2.0;
        let end = |share| quantile(&self.draws, share);
        Interval::new(end(tail), end(1.0 - tail))
    }
}

/// The posterior of the mean of clustered values; for a comparison, of the differences B − A.
/// Absent for fewer than two clusters.
///
/// The Bayesian bootstrap of Rubin (1981): clusters keep their values and get random weights,
/// flat over all ways to weigh them. It assumes no distribution, so graded scores with piles at
/// 0 and 1 need no model of their own.
pub fn posterior_of_mean(clusters: &[Cluster], resampling: &Resampling) -> Option<Posterior> {
    ClusteredMean::of(clusters).filter(|summary| summary.clusters > 1)?;
    let mut generator = resampling.generator(Stream::Posterior);
    let sampler = ClusterSampler::new(clusters, resampling.resamples);
    let mut draws = sampler.posterior_means(resampling.resamples, &mut generator);
    draws.sort_by(f64::total_cmp);
    Some(Posterior { draws })
}
