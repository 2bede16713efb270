//! Bootstrap intervals and tests for the mean of clustered values.

use crate::cluster::Cluster;
use crate::clustered_mean::ClusteredMean;
use crate::distribution::{as_f64, length, normal_cdf, normal_quantile};
use crate::interval::{Confidence, Interval};
use crate::mean::Mean;
use crate::quantile::quantile;
use crate::resample::{Resampling, Stream, Urn};

/// Means closer than this share of the largest are the same: a resample that adds up to the
/// estimate by arithmetic may miss it by the last bits of what was added.
const ROUNDING: f64 = 1e-12;

/// What resampling the clusters says about their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// The mean of the data themselves.
    pub estimate: f64,
    /// The standard deviation of the resampled means.
    pub standard_error: f64,
    /// The bias-corrected and accelerated (BCa) interval.
    pub interval: Interval,
    /// The two-sided p-value against a mean of zero.
    pub p_value: f64,
}

/// Resamples whole clusters (cases with their trials, or groups with their cases) and reads the
/// mean off each resample. Absent for fewer than two clusters.
///
/// For a paired comparison the clusters hold differences B − A, and swapping the sides flips the
/// result's sign up to the chance of resampling.
///
/// The interval is the BCa interval of Efron (1987), with the acceleration from the jackknife
/// over clusters. Chosen over the plain percentile interval because scores pile up at 0 and 1, so
/// their means are skewed, and BCa is second-order accurate under skew. Clusters are drawn
/// whole because their values are not independent (Davison & Hinkley 1997, §3.8).
///
/// The p-value is the share of resamples that stray from the estimate at least as far as the
/// estimate lies from zero (Efron & Tibshirani 1993, §16.4), counting the data themselves as one
/// so that it is never zero.
pub fn bootstrap_mean(
    clusters: &[Cluster],
    resampling: &Resampling,
    confidence: Confidence,
) -> Option<Bootstrap> {
    let summary = ClusteredMean::of(clusters).filter(|summary| summary.clusters > 1)?;
    let mut generator = resampling.generator(Stream::Bootstrap);
    let urn = Urn::new(clusters, resampling.resamples);
    let mut means = urn.bootstrap_means(resampling.resamples, &mut generator);
    means.sort_by(f64::total_cmp);
    let estimate = summary.mean;
    let tolerance = tolerance(&means, estimate);
    let correction = bias_correction(&means, estimate, tolerance);
    let acceleration = acceleration(clusters, &summary);
    Some(Bootstrap {
        estimate,
        standard_error: Mean::of(&means)?.standard_deviation().unwrap_or(0.0),
        interval: adjusted_interval(&means, correction, acceleration, confidence),
        p_value: p_value(&means, estimate, tolerance),
    })
}

/// How far apart two means may be and still count as equal. It goes by the means and not by the
/// estimate alone, which may be zero because large values cancel out.
fn tolerance(sorted: &[f64], estimate: f64) -> f64 {
    let ends = [sorted.first(), sorted.last(), Some(&estimate)];
    ROUNDING * ends.into_iter().flatten().fold(0.0_f64, |most, mean| most.max(mean.abs()))
}

/// How far the median of the resampled means lies from the estimate, in normal units. Ties count
/// half, since means of pass/fail values often equal the estimate.
fn bias_correction(sorted: &[f64], estimate: f64, tolerance: f64) -> f64 {
    let below = sorted.partition_point(|mean| *mean < estimate - tolerance);
    let not_above = sorted.partition_point(|mean| *mean <= estimate + tolerance);
    let n = length(sorted.len());
    let share = (length(below) + length(not_above)) / (2.0 * n);
    normal_quantile(share.clamp(0.5 / n, 1.0 - 0.5 / n))
}

/// The skewness of the jackknifed means over six.
fn acceleration(clusters: &[Cluster], summary: &ClusteredMean) -> f64 {
    let n = as_f64(summary.n);
    let left_out: Vec<f64> = clusters
        .iter()
        .filter(|cluster| cluster.count() > 0)
        .map(|cluster| (summary.mean * n - cluster.sum()) / (n - as_f64(cluster.count())))
        .collect();
    let centre = left_out.iter().sum::<f64>() / length(left_out.len());
    let squares: f64 = left_out.iter().map(|mean| (centre - mean).powi(2)).sum();
    let cubes: f64 = left_out.iter().map(|mean| (centre - mean).powi(3)).sum();
    if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 }
}

fn adjusted_interval(
    sorted: &[f64],
    correction: f64,
    acceleration: f64,
    confidence: Confidence,
) -> Interval {
    let end = |z: f64| {
        let shifted = correction + z;
        let share = normal_cdf(correction + shifted / (1.0 - acceleration * shifted));
        quantile(sorted, share)
    };
    Interval::new(end(-confidence.z()), end(confidence.z()))
}

fn p_value(sorted: &[f64], estimate: f64, tolerance: f64) -> f64 {
    // Rounding must not tell apart resamples that are equally far by arithmetic.
    let distance = estimate.abs() - tolerance;
    let low = sorted.partition_point(|mean| *mean <= estimate - distance);
    let high = sorted.len() - sorted.partition_point(|mean| *mean < estimate + distance);
    let astray = if distance > 0.0 { low + high } else { sorted.len() };
    (length(astray) + 1.0) / (length(sorted.len()) + 1.0)
}
