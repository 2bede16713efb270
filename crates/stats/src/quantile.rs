//! Percentiles of a sample.

use crate::distribution::{beta_cdf, length};
use crate::interval::{Confidence, Interval};

/// The `share` quantile of `values` (0.5 for the median), which need not be sorted.
///
/// Linear interpolation between the two nearest ranks: type 7 of Hyndman & Fan (1996), chosen
/// because it is the default of NumPy and R, so the figure can be checked with either. Absent
/// for no values or a share outside [0, 1].
pub fn percentile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    percentile_of_sorted(&sorted, share)
}

/// As [`percentile`], for values already in ascending order.
pub fn percentile_of_sorted(sorted: &[f64], share: f64) -> Option<f64> {
    (!sorted.is_empty() && (0.0..=1.0).contains(&share)).then(|| quantile(sorted, share))
}

/// As [`percentile_of_sorted`], for a share and values known to be fit.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    let position = share * length(last);
    let below = floor_index(position).min(last);
    let above = (below + 1).min(last);
    // At the last value `above` is `below`, and the fraction is of no consequence.
    let fraction = position - length(below);
    sorted[below] + fraction * (sorted[above] - sorted[below])
}

/// An interval for the `share` quantile of the population behind independent `sorted` values.
///
/// Its ends are two of the values, chosen so that the binomial number of values below the true
/// quantile falls between their ranks with at least the demanded probability: no assumption about
/// the distribution (Conover 1999, §3.2). Absent when there are too few values for such a pair,
/// as for the 99th percentile of fifty latencies.
pub fn percentile_interval(sorted: &[f64], share: f64, confidence: Confidence) -> Option<Interval> {
    let n = sorted.len();
    if n == 0 || !(0.0..1.0).contains(&share) || share == 0.0 {
        return None;
    }
    let tail = confidence.alpha() / 2.0;
    // `below(k)`: the chance that at most k values lie below the true quantile.
    let below = |k: usize| {
        if k >= n { 1.0 } else { beta_cdf(1.0 - share, length(n - k), length(k) + 1.0) }
    };
    // Both bounds are found by bisection over ranks, since the chance only grows with k.
    let first_over = |bound: f64| partition_point(n + 1, |k| below(k) <= bound);
    let low = first_over(tail).checked_sub(1)?;
    let high = partition_point(n + 1, |k| below(k) < 1.0 - tail);
    // A rank beyond the last value means that the interval is open upwards, and nothing can be
    // said.
    (high < n).then(|| Interval { low: sorted[low], high: sorted[high] })
}

/// How many values an interval for the `share` quantile takes at least: with fewer, the chance that
/// all lie on one side of it is too large. Absent for a share that is none.
pub fn values_for_percentile(share: f64, confidence: Confidence) -> Option<u64> {
    let nearer = share.max(1.0 - share);
    if !(0.0..1.0).contains(&nearer) {
        return None;
    }
    let needed = ((confidence.alpha() / 2.0).ln() / nearer.ln()).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and a cast saturates"
    )]
    Some(needed as u64)
}

/// The first of `0..end` at which `holds` no longer does, given that it holds up to some point.
fn partition_point(end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = usize::midpoint(low, high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the position lies between 0 and the last index"
)]
fn floor_index(position: f64) -> usize {
    position.floor() as usize
}
