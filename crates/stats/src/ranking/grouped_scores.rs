//! The scores of a contest added up by group, ready to be resampled for all models at once.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use rand::distr::Distribution;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::contest::Contest;
use crate::cluster::Cluster;
use crate::distribution::{as_f64, length};
use crate::resample::{PICKS_PER_BINOMIAL, Picker, binomial};

/// Single additions beyond which the normal limit stands in for resampling.
const MOST_ADDITIONS: usize = 300_000_000;

/// One independent group of cases: each model's summed score, and the number of cases.
#[derive(Debug, Clone, PartialEq)]
struct GroupSums {
    sums: Vec<f64>,
    count: u64,
}

/// The groups of a contest.
pub(super) struct GroupedScores {
    rows: Vec<GroupSums>,
}

impl GroupedScores {
    pub(super) fn new(contest: &Contest<'_>) -> Option<Self> {
        let models = contest.scores.first()?.len();
        let square = contest.scores.iter().all(|row| row.len() == models);
        let matched = contest.groups.is_none_or(|groups| groups.len() == contest.scores.len());
        if models < 2 || !square || !matched {
            return None;
        }
        // Ordered by group and not by hash: sums of floats depend on the order they are added in,
        // and the same data must give the same figures.
        let mut rows: BTreeMap<usize, GroupSums> = BTreeMap::new();
        for (case, scores) in contest.scores.iter().enumerate() {
            let group = contest.groups.map_or(case, |groups| groups[case]);
            let row = rows
                .entry(group)
                .or_insert_with(|| GroupSums { sums: vec![0.0; models], count: 0 });
            row.count += 1;
            for (sum, score) in row.sums.iter_mut().zip(scores) {
                *sum += score;
            }
        }
        let rows: Vec<GroupSums> = rows.into_values().collect();
        // A single group has no spread between groups, and so no interval.
        (rows.len() > 1).then_some(Self { rows })
    }

    pub(super) fn models(&self) -> usize {
        self.rows[0].sums.len()
    }

    pub(super) fn means(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.models()];
        let mut count = 0.0;
        for row in &self.rows {
            add_row(&mut totals, &mut count, row, 1.0);
        }
        totals.iter().map(|total| total / count).collect()
    }

    /// One model's groups.
    pub(super) fn column(&self, model: usize) -> Vec<Cluster> {
        self.rows.iter().map(|row| Cluster::of_totals(row.sums[model], row.count)).collect()
    }

    /// The groups' differences, model `b` minus model `a`.
    pub(super) fn differences(&self, a: usize, b: usize) -> Vec<Cluster> {
        self.rows
            .iter()
            .map(|row| Cluster::of_totals(row.sums[b] - row.sums[a], row.count))
            .collect()
    }

    /// Shows `see` the models' means in each of `resamples` resamples of the groups.
    ///
    /// Rows that are the same for all models are drawn together where that is cheaper, which
    /// changes nothing. Where even that is too much work (tens of thousands of cases with graded
    /// scores) the means are drawn from their joint normal limit, whose covariance is the
    /// clustered one; so many cases are what the limit is for.
    pub(super) fn resample_means(
        &self,
        resamples: NonZeroUsize,
        generator: &mut ChaCha8Rng,
        mut see: impl FnMut(&[f64]),
    ) {
        let distinct = self.distinct();
        let additions = self.rows.len() * self.models();
        // A binomial draw costs as much as many picks, so it pays only if rows repeat often.
        if distinct.len() * PICKS_PER_BINOMIAL <= self.rows.len() {
            for _ in 0..resamples.get() {
                see(&self.multinomial_means(&distinct, generator));
            }
        } else if additions.saturating_mul(resamples.get()) <= MOST_ADDITIONS {
            let mut picker = Picker::new(self.rows.len(), generator);
            for _ in 0..resamples.get() {
                see(&self.picked_means(&mut picker));
            }
        } else {
            let (means, factor) = (self.means(), cholesky(self.covariance()));
            for _ in 0..resamples.get() {
                see(&normal_means(&means, &factor, generator));
            }
        }
    }

    /// The distinct rows with their numbers of copies, commonest first.
    fn distinct(&self) -> Vec<(&GroupSums, u64)> {
        let mut sorted: Vec<&GroupSums> = self.rows.iter().collect();
        sorted.sort_by(|one, other| one.order(other));
        let mut distinct: Vec<(&GroupSums, u64)> = sorted
            .chunk_by(|one, other| one == other)
            .map(|same| (same[0], same.len() as u64))
            .collect();
        // The commonest first: most picks are then used up early, and the draws that follow cost
        // nothing.
        distinct.sort_by_key(|(_, copies)| std::cmp::Reverse(*copies));
        distinct
    }

    fn multinomial_means(
        &self,
        distinct: &[(&GroupSums, u64)],
        generator: &mut ChaCha8Rng,
    ) -> Vec<f64> {
        let mut totals = vec![0.0; self.models()];
        let mut count = 0.0;
        let (mut picks, mut unseen) = (self.rows.len() as u64, self.rows.len() as u64);
        for (row, copies) in distinct {
            // A multinomial draw is a chain of binomial ones, each among what is left.
            let picked = binomial(picks, *copies, unseen, generator);
            add_row(&mut totals, &mut count, row, as_f64(picked));
            picks -= picked;
            unseen -= copies;
        }
        totals.iter().map(|total| total / count).collect()
    }

    fn picked_means(&self, picker: &mut Picker<'_>) -> Vec<f64> {
        let mut totals = vec![0.0; self.models()];
        let mut count = 0.0;
        picker.pick(|index| add_row(&mut totals, &mut count, &self.rows[index], 1.0));
        totals.iter().map(|total| total / count).collect()
    }

    /// The clustered covariance of the models' means.
    fn covariance(&self) -> Vec<Vec<f64>> {
        let (models, means) = (self.models(), self.means());
        let groups = length(self.rows.len());
        let count: u64 = self.rows.iter().map(|row| row.count).sum();
        // The factor G/(G−1) makes up for the mean that was estimated from the same groups.
        let scale = groups / (groups - 1.0) / as_f64(count).powi(2);
        let mut covariance = vec![vec![0.0; models]; models];
        for row in &self.rows {
            let off: Vec<f64> = (0..models)
                .map(|model| row.sums[model] - as_f64(row.count) * means[model])
                .collect();
            for (line, one) in covariance.iter_mut().zip(&off) {
                for (cell, other) in line.iter_mut().zip(&off) {
                    *cell += scale * one * other;
                }
            }
        }
        covariance
    }
}

impl GroupSums {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let by_sum = self.sums.iter().zip(&other.sums).map(|(one, two)| one.total_cmp(two));
        self.count
            .cmp(&other.count)
            .then(by_sum.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then))
    }
}

fn add_row(totals: &mut [f64], count: &mut f64, row: &GroupSums, times: f64) {
    *count += times * as_f64(row.count);
    for (total, sum) in totals.iter_mut().zip(&row.sums) {
        *total += times * sum;
    }
}

fn normal_means(means: &[f64], factor: &[Vec<f64>], generator: &mut ChaCha8Rng) -> Vec<f64> {
    let deviates: Vec<f64> = means.iter().map(|_| StandardNormal.sample(generator)).collect();
    means
        .iter()
        .zip(factor)
        .map(|(mean, line)| mean + line.iter().zip(&deviates).map(|(l, z)| l * z).sum::<f64>())
        .collect()
}

/// The lower triangular root of a covariance. A model that adds nothing of its own (an exact copy
/// of another) gets a zero on the diagonal.
fn cholesky(covariance: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = covariance.len();
    let mut root = vec![vec![0.0; n]; n];
    for (i, line) in covariance.into_iter().enumerate() {
        for (j, cell) in line.iter().enumerate().take(i + 1) {
            let done: f64 = (0..j).map(|k| root[i][k] * root[j][k]).sum();
            let left = cell - done;
            // Rounding may leave a tiny negative rest where a model is a sum of others.
            root[i][j] = if i == j {
                if left > cell * 1e-12 { left.sqrt() } else { 0.0 }
            } else if root[j][j] > 0.0 {
                left / root[j][j]
            } else {
                0.0
            };
        }
    }
    root
}
