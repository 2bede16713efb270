//! The sign-flip permutation test for paired differences.

use rand::Rng;

use crate::cluster::Cluster;
use crate::distribution::length;
use crate::mcnemar::binomial_half_cdf;
use crate::resample::{Resampling, Stream};

/// Up to this many clusters that differ, all sign patterns are tried: about a million.
const ENUMERATE_UP_TO: usize = 20;
/// The clusters whose signs one random byte decides.
const BLOCK: usize = 8;

/// Sums closer than this share of the largest are the same: 0.3 − 0.2 and 0.2 − 0.1 differ in
/// their last bits only.
const ROUNDING: f64 = 1e-12;

/// What the test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignFlip {
    /// The two-sided p-value.
    pub p_value: f64,
    /// The clusters whose difference is not zero.
    pub clusters: usize,
    /// Whether all sign patterns were counted, or random ones.
    pub exact: bool,
}

/// Tests whether paired differences are centred on zero, by flipping their signs (Fisher 1935).
///
/// If it does not matter which side is called A, each cluster's total difference was as likely to
/// come out with the other sign. Trials of a case, and cases of a group, flip together. Exact,
/// whatever the distribution, unlike a t test; absent without any cluster.
///
/// All patterns are counted when at most 20 clusters differ or when all differ by the same amount
/// (then it is the exact McNemar test); otherwise random patterns, with the data themselves
/// counted as one (Phipson & Smyth 2010), so that the p-value is valid and never zero.
pub fn sign_flip(clusters: &[Cluster], resampling: &Resampling) -> Option<SignFlip> {
    if clusters.iter().all(|cluster| cluster.count() == 0) {
        return None;
    }
    let largest = clusters.iter().fold(0.0_f64, |most, cluster| most.max(cluster.sum().abs()));
    let tolerance = ROUNDING * largest;
    let sums: Vec<f64> =
        clusters.iter().map(Cluster::sum).filter(|sum| sum.abs() > tolerance).collect();
    let observed = sums.iter().sum::<f64>().abs();
    // Patterns that are equal by arithmetic must not differ by rounding.
    let reach = observed - 100.0 * ROUNDING * sums.iter().map(|sum| sum.abs()).sum::<f64>();
    let found = |p_value: f64, exact| Some(SignFlip { p_value, clusters: sums.len(), exact });
    if sums.iter().all(|sum| largest - sum.abs() <= tolerance) {
        return found(equal_sizes(&sums), true);
    }
    if sums.len() <= ENUMERATE_UP_TO {
        return found(enumerated(&sums, reach), true);
    }
    let totals = random_totals(&sums, resampling);
    let far = totals.iter().filter(|total| total.abs() >= reach).count();
    found((length(far) + 1.0) / (length(totals.len()) + 1.0), false)
}

/// With differences of one size only the number of positive signs matters.
fn equal_sizes(sums: &[f64]) -> f64 {
    let positive = sums.iter().filter(|sum| **sum > 0.0).count();
    let fewer = positive.min(sums.len() - positive);
    (2.0 * binomial_half_cdf(fewer as u64, sums.len() as u64)).min(1.0)
}

/// Counts the sign patterns whose total reaches as far. The first sign is held, since turning all
/// signs round changes no distance.
fn enumerated(sums: &[f64], reach: f64) -> f64 {
    let (first, rest) = sums.split_first().expect("differences of several sizes are several");
    let mut totals = vec![*first];
    for sum in rest {
        let before = totals.len();
        totals.extend_from_within(..);
        for (index, total) in totals.iter_mut().enumerate() {
            *total += if index < before { *sum } else { -sum };
        }
    }
    length(totals.iter().filter(|total| total.abs() >= reach).count()) / length(totals.len())
}

/// The totals under random sign patterns.
///
/// Eight clusters at a time: the 256 totals they can have are tabled once, and each resample
/// looks its own up by a random byte. This is what makes 10,000 patterns of 100,000 clusters a
/// matter of a fraction of a second.
fn random_totals(sums: &[f64], resampling: &Resampling) -> Vec<f64> {
    let mut generator = resampling.generator(Stream::SignFlip);
    let mut totals = vec![0.0; resampling.resamples.get()];
    let mut bytes = vec![0_u8; totals.len()];
    for block in sums.chunks(BLOCK) {
        let table = block_totals(block);
        generator.fill_bytes(&mut bytes);
        for (total, byte) in totals.iter_mut().zip(&bytes) {
            *total += table[usize::from(*byte)];
        }
    }
    totals
}

/// The total of a block under each pattern of signs, a set bit meaning minus.
fn block_totals(block: &[f64]) -> [f64; 256] {
    let mut table = [0.0; 256];
    for (pattern, total) in table.iter_mut().enumerate() {
        *total = block
            .iter()
            .enumerate()
            .map(|(bit, sum)| if pattern >> bit & 1 == 1 { -sum } else { *sum })
            .sum();
    }
    table
}
