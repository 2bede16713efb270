//! The sign-flip permutation test for paired differences.

use rand::Rng;

use crate::cluster::Cluster;
use crate::distribution::{as_f64, length};
use crate::mcnemar::binomial_half_cdf;
use crate::resample::{Resampling, Stream};

/// Up to this many clusters all sign patterns are tried: about a million.
const ENUMERATE_UP_TO: usize = 20;
/// Up to this many clusters of scores the patterns are counted on a grid.
const COUNT_UP_TO: usize = 2_000;
/// Grids for counting, as parts of a point. All but the last few hold the scores that two to six
/// trials of a case can have.
const GRIDS: [u32; 6] = [2_520, 840, 420, 120, 60, 12];
/// Additions that counting may take: a few hundredths of a second.
const MOST_ADDITIONS: f64 = 3e7;
/// The clusters whose signs one random byte decides.
const BLOCK: usize = 8;

/// Sums closer than this share of the largest are the same: 0.3 − 0.2 and 0.2 − 0.1 differ in
/// their last bits only.
const ROUNDING: f64 = 1e-12;

/// What the test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignFlip {
    /// The one-sided p-value for the claim that the truth lies below zero: how often chance alone
    /// gives a total as low as this one. It falls with no difference that rises.
    pub p_below: f64,
    /// The one-sided p-value for the claim that the truth lies above zero.
    pub p_above: f64,
}

impl SignFlip {
    /// The two-sided p-value.
    pub fn p_value(&self) -> f64 {
        (2.0 * self.p_below.min(self.p_above)).min(1.0)
    }
}

/// Tests whether paired differences are centred on zero, by flipping their signs (Fisher 1935).
///
/// If it does not matter which side is called A, each cluster's total difference was as likely to
/// come out with the other sign. Trials of a case, and cases of a group, flip together. Exact,
/// whatever the distribution, unlike a t test; absent without any cluster.
///
/// A pattern that flips the set F gives a total as low as the data exactly when the differences in
/// F add up to zero or more. So `p_below` is the share of sets that do, and it rises with every
/// difference: what is shown to be worse does not become so because a case got better.
///
/// All patterns count where clusters are few, differ by one amount (then it is the exact McNemar
/// test), or hold scores: those are added up on a grid, by the method of Pagano & Tritchler
/// (1983). Otherwise random patterns, with the data themselves counted as one (Phipson & Smyth
/// 2010), so that the p-value is valid and never zero.
pub fn sign_flip(clusters: &[Cluster], resampling: &Resampling) -> Option<SignFlip> {
    if clusters.iter().all(|cluster| cluster.count() == 0) {
        return None;
    }
    let mut sums: Vec<f64> = clusters.iter().map(Cluster::sum).collect();
    let largest = sums.iter().fold(0.0_f64, |most, sum| most.max(sum.abs()));
    // What is zero but for rounding must not count as a sign of its own.
    for sum in sums.iter_mut().filter(|sum| sum.abs() <= ROUNDING * largest) {
        *sum = 0.0;
    }
    let other_size = |sum: &f64| *sum != 0.0 && largest - sum.abs() > ROUNDING * largest;
    if !sums.iter().any(other_size) {
        return Some(equal_sizes(&sums));
    }
    // Counting needs a grid, and only values of bounded size have one that is fine enough.
    let is_score = |cluster: &Cluster| cluster.sum().abs() <= as_f64(cluster.count());
    Some(match sums.len() {
        ..=ENUMERATE_UP_TO => enumerated(&sums),
        ..=COUNT_UP_TO if clusters.iter().all(is_score) => {
            counted(&sums, clusters.iter().map(Cluster::count).sum())
        }
        // In the order of their size, a case that improves moves no other case to another
        // random sign, so that the estimate itself is monotone.
        _ => {
            sums.sort_by(f64::total_cmp);
            estimated(&sums, resampling)
        }
    })
}

/// With differences of one size only the number of positive signs matters.
fn equal_sizes(sums: &[f64]) -> SignFlip {
    let of = |sign: f64| sums.iter().filter(|sum| **sum * sign > 0.0).count() as u64;
    let (positive, negative) = (of(1.0), of(-1.0));
    SignFlip {
        p_below: binomial_half_cdf(positive, positive + negative),
        p_above: binomial_half_cdf(negative, positive + negative),
    }
}

/// Counts the sets by what their differences add up to, all of them.
fn enumerated(sums: &[f64]) -> SignFlip {
    let mut totals = vec![0.0];
    for sum in sums.iter().filter(|sum| **sum != 0.0) {
        let before = totals.len();
        // Each cluster doubles the sets: all so far without it, then all with it.
        totals.extend_from_within(..);
        totals[before..].iter_mut().for_each(|total| *total += sum);
    }
    // Totals that are equal by arithmetic must not differ by rounding.
    let dust = 100.0 * ROUNDING * sums.iter().map(|sum| sum.abs()).sum::<f64>();
    let share = |keep: &dyn Fn(f64) -> bool| {
        length(totals.iter().filter(|total| keep(**total)).count()) / length(totals.len())
    };
    SignFlip { p_below: share(&|total| total >= -dust), p_above: share(&|total| total <= dust) }
}

/// Counts the sets by what their differences, rounded to a grid, add up to. The grid goes by the
/// number of clusters and `values` and not by what they are, so that rounding keeps their order.
fn counted(sums: &[f64], values: u64) -> SignFlip {
    let longest = length(sums.len()) * as_f64(values);
    let fits = |grid: &&u32| longest * f64::from(**grid) <= MOST_ADDITIONS;
    let grid = f64::from(*GRIDS.iter().find(fits).unwrap_or(&4));
    let steps: Vec<i64> = sums.iter().map(|sum| whole(sum * grid)).filter(|k| *k != 0).collect();
    // By their common divisor the table gets shorter: pass/fail values need steps of one only.
    let unit = steps.iter().fold(0, |unit, step| common_divisor(unit, step.unsigned_abs())).max(1);
    let sizes = steps.iter().map(|step| step.unsigned_abs() / unit);
    // Leaving a negative difference out is as likely as taking it in, so that the sum over a
    // random set is one of sizes alone, less what all negative ones add up to.
    let negative: u64 =
        steps.iter().filter(|step| **step < 0).map(|step| step.unsigned_abs() / unit).sum();
    let chances = subset_sums(sizes);
    let split = place(negative);
    SignFlip {
        p_below: chances[split..].iter().sum::<f64>().min(1.0),
        p_above: chances[..=split].iter().sum::<f64>().min(1.0),
    }
}

/// The chance of each sum over a random set of these sizes.
fn subset_sums(sizes: impl Iterator<Item = u64>) -> Vec<f64> {
    let mut chances = vec![1.0];
    for size in sizes.map(place) {
        let before = chances.len();
        chances.resize(before + size, 0.0);
        // From the top, so that what is read was not yet changed.
        for sum in (0..chances.len()).rev() {
            let with = if sum >= size { chances[sum - size] } else { 0.0 };
            chances[sum] = f64::midpoint(chances[sum], with);
        }
    }
    chances
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[expect(clippy::cast_possible_truncation, reason = "a score times a grid")]
fn whole(value: f64) -> i64 {
    value.round() as i64
}

fn place(sum: u64) -> usize {
    usize::try_from(sum).expect("sums of scores on a grid are small")
}

/// Estimates the shares from random patterns.
fn estimated(sums: &[f64], resampling: &Resampling) -> SignFlip {
    let totals = random_totals(sums, resampling);
    let observed: f64 = sums.iter().sum();
    let dust = 100.0 * ROUNDING * sums.iter().map(|sum| sum.abs()).sum::<f64>();
    let share = |keep: &dyn Fn(f64) -> bool| {
        let kept = totals.iter().filter(|total| keep(**total)).count();
        // The data themselves are one of the patterns, so that no p-value is zero.
        (length(kept) + 1.0) / (length(totals.len()) + 1.0)
    };
    SignFlip {
        p_below: share(&|total| total <= observed + dust),
        p_above: share(&|total| total >= observed - dust),
    }
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
