//! Percentiles of a sample.

use crate::distribution::length;

/// The `share` quantile of `values` (0.5 for the median), which need not be sorted.
///
/// Linear interpolation between the two nearest ranks: type 7 of Hyndman & Fan (1996), chosen
/// because it is the default of `NumPy` and R, so the figure can be checked with either. Absent
/// for no values or a share outside [0, 1].
pub fn percentile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    percentile_of_sorted(&sorted, share)
}

/// As [`percentile`], for values already in ascending order.
pub fn percentile_of_sorted(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    let position = share * length(last);
    let below = floor_index(position).min(last);
    let above = (below + 1).min(last);
    let fraction = position - length(below);
    Some(sorted[below] + fraction * (sorted[above] - sorted[below]))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the position lies between 0 and the last index"
)]
fn floor_index(position: f64) -> usize {
    position.floor() as usize
}
