//! The Wilcoxon signed-rank test for paired values whose sizes are only roughly comparable.

use crate::distribution::{length, normal_cdf};

/// Up to this many non-zero differences the p-value is exact, ties or not.
const EXACT_UP_TO: usize = 100;

/// Differences closer than this share of the largest are ties: 0.3 − 0.2 and 0.2 − 0.1 differ in
/// their last bits only.
const ROUNDING: f64 = 1e-12;

/// What the test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedRank {
    /// The differences that are not zero; the others say nothing and are left out.
    pub n: usize,
    /// The sum of the ranks of the positive differences.
    pub positive: f64,
    /// The sum of the ranks of the negative differences.
    pub negative: f64,
    /// The two-sided p-value.
    pub p_value: f64,
    /// Whether the p-value is exact or from the normal approximation.
    pub exact: bool,
}

/// The signed-rank test of Wilcoxon (1945) on paired differences, one an independent case (or
/// one a group). Absent when every difference is zero.
///
/// For latencies and costs, where one case may outweigh all others in a mean. With at most 100
/// non-zero differences the p-value comes from all sign patterns over the average ranks actually
/// seen, so ties need no approximation; beyond, from the normal with the variance corrected for
/// ties and without a continuity correction.
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    let largest = differences.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let tolerance = ROUNDING * largest;
    let mut sorted: Vec<f64> =
        differences.iter().copied().filter(|value| value.abs() > tolerance).collect();
    if sorted.is_empty() {
        return None;
    }
    sorted.sort_by(|one, other| one.abs().total_cmp(&other.abs()));
    // Doubled, average ranks of ties are whole numbers, and the exact distribution is a table.
    let doubled = doubled_ranks(&sorted, tolerance);
    let total: usize = doubled.iter().sum();
    let positive: usize =
        sorted.iter().zip(&doubled).filter(|(value, _)| **value > 0.0).map(|(_, rank)| rank).sum();
    let exact = sorted.len() <= EXACT_UP_TO;
    let p_value =
        if exact { exact_p_value(&doubled, positive) } else { normal_p_value(&doubled, positive) };
    Some(SignedRank {
        n: sorted.len(),
        positive: length(positive) / 2.0,
        negative: length(total - positive) / 2.0,
        p_value,
        exact,
    })
}

/// Twice the average rank of each value's magnitude: a whole number even among ties.
fn doubled_ranks(sorted: &[f64], tolerance: f64) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(sorted.len());
    for tied in sorted.chunk_by(|one, other| other.abs() - one.abs() <= tolerance) {
        let first = ranks.len() + 1;
        let last = ranks.len() + tied.len();
        ranks.resize(last, first + last);
    }
    ranks
}

/// The two-sided p-value from the distribution over all 2ⁿ sign patterns, built rank by rank.
fn exact_p_value(doubled: &[usize], positive: usize) -> f64 {
    let total: usize = doubled.iter().sum();
    let mut chance = vec![0.0; total + 1];
    chance[0] = 1.0;
    let mut reached = 0;
    for rank in doubled {
        reached += rank;
        // From the top, so that what is read was not yet changed.
        for sum in (0..=reached).rev() {
            let with = if sum >= *rank { chance[sum - rank] } else { 0.0 };
            chance[sum] = f64::midpoint(chance[sum], with);
        }
    }
    let below: f64 = chance[..=positive].iter().sum();
    let above: f64 = chance[positive..].iter().sum();
    (2.0 * below.min(above)).min(1.0)
}

/// The two-sided p-value from the normal approximation. The variance of the rank sum is a quarter
/// of the sum of squared ranks, ties or not.
fn normal_p_value(doubled: &[usize], positive: usize) -> f64 {
    let mean = doubled.iter().map(|rank| length(*rank)).sum::<f64>() / 4.0;
    let variance = doubled.iter().map(|rank| (length(*rank) / 2.0).powi(2)).sum::<f64>() / 4.0;
    let z = (length(positive) / 2.0 - mean) / variance.sqrt();
    (2.0 * normal_cdf(-z.abs())).min(1.0)
}
