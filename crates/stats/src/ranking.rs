//! Several models on the same cases: ranks with intervals, every pair compared, and the groups
//! that cannot be told apart.

mod contest;
mod grouped_scores;
mod groups;

use crate::bounded_mean::{Range, mean_interval};
use crate::cluster::Cluster;
use crate::clustered_mean::ClusteredMean;
use crate::correction::holm;
use crate::distribution::length;
use crate::interval::{Confidence, Interval};
use crate::permutation::sign_flip;
use crate::resample::{Resampling, Stream};

pub use contest::Contest;
use grouped_scores::GroupedScores;
use groups::indistinguishable;

/// One model's place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelStanding {
    /// The model's column.
    pub model: usize,
    /// Its mean score.
    pub mean: f64,
    /// The interval of the mean, clustered by group.
    pub interval: Interval,
    /// One more than the number of models with a higher mean.
    pub rank: usize,
    /// The ranks it took in the middle share of the resamples, from best to worst.
    pub rank_interval: (usize, usize),
    /// The share of resamples in which its mean was the highest, ties shared out.
    pub probability_best: f64,
}

/// One model against another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairFinding {
    /// The column of A, the smaller of the two.
    pub a: usize,
    /// The column of B.
    pub b: usize,
    /// The mean of B − A over cases.
    pub difference: f64,
    /// Its interval, clustered by group.
    pub interval: Interval,
    /// The two-sided p-value of the sign-flip permutation test.
    pub p_value: f64,
    /// The same, corrected by Holm's method for all the pairs.
    pub adjusted_p_value: f64,
}

/// How several models compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The models from the highest mean to the lowest.
    pub standings: Vec<ModelStanding>,
    /// Every pair once, in order of columns.
    pub pairs: Vec<PairFinding>,
    /// Columns of models that cannot be told apart, best group first. Two models share a group
    /// exactly when their corrected comparison is not significant.
    pub groups: Vec<Vec<usize>>,
}

/// Ranks the models of a contest; absent when rows differ in length, when the groups do not match
/// the rows, for fewer than two models or fewer than two independent groups of cases.
///
/// Ranks are resampled over cases (or groups), all models on the same resample, since a hard case
/// is hard for all (the paired design of Dror et al. 2018). Rank intervals follow Goldstein &
/// Spiegelhalter (1996), who showed that ranks are far less certain than scores look.
pub fn rank(
    contest: &Contest<'_>,
    resampling: &Resampling,
    confidence: Confidence,
) -> Option<Ranking> {
    let scores = GroupedScores::new(contest)?;
    let mut pairs = Vec::new();
    for a in 0..scores.models() {
        for b in a + 1..scores.models() {
            // Every pair, so that Holm corrects for all of them and not for those that look
            // interesting.
            pairs.push(compare(&scores, (a, b), resampling, confidence)?);
        }
    }
    let p_values: Vec<f64> = pairs.iter().map(|pair| pair.p_value).collect();
    for (pair, adjusted) in pairs.iter_mut().zip(holm(&p_values)) {
        pair.adjusted_p_value = adjusted;
    }
    let standings = standings(&scores, resampling, confidence)?;
    let order: Vec<usize> = standings.iter().map(|standing| standing.model).collect();
    let apart: Vec<(usize, usize)> = pairs
        .iter()
        .filter(|pair| pair.adjusted_p_value < confidence.alpha())
        .map(|pair| (pair.a, pair.b))
        .collect();
    Some(Ranking { groups: indistinguishable(&order, &apart), standings, pairs })
}

fn compare(
    scores: &GroupedScores,
    (a, b): (usize, usize),
    plan: &Resampling,
    confidence: Confidence,
) -> Option<PairFinding> {
    let differences: Vec<Cluster> = scores.differences(a, b);
    let difference = ClusteredMean::of(&differences)?.mean;
    let interval = mean_interval(&differences, Range::DIFFERENCE, confidence)?;
    let p_value = sign_flip(&differences, plan)?.p_value();
    Some(PairFinding { a, b, difference, interval, p_value, adjusted_p_value: p_value })
}

fn standings(
    scores: &GroupedScores,
    resampling: &Resampling,
    confidence: Confidence,
) -> Option<Vec<ModelStanding>> {
    let mut tallies = vec![RankCounts::new(scores.models()); scores.models()];
    let mut generator = resampling.generator(Stream::Ranking);
    scores.resample_means(resampling.resamples, &mut generator, |means| {
        for (model, tally) in tallies.iter_mut().enumerate() {
            tally.add(model, means);
        }
    });
    let means = scores.means();
    let mut standings: Vec<ModelStanding> = Vec::with_capacity(means.len());
    for (model, tally) in tallies.iter().enumerate() {
        standings.push(ModelStanding {
            model,
            mean: means[model],
            interval: mean_interval(&scores.column(model), Range::SCORE, confidence)?,
            rank: place(model, &means),
            rank_interval: tally.interval(confidence),
            probability_best: tally.best / length(resampling.resamples.get()),
        });
    }
    standings
        // By column where means are equal, so that the order never depends on the sort.
        .sort_by(|one, other| other.mean.total_cmp(&one.mean).then(one.model.cmp(&other.model)));
    Some(standings)
}

/// How often a model took each rank.
#[derive(Debug, Clone)]
struct RankCounts {
    ranks: Vec<usize>,
    best: f64,
}

impl RankCounts {
    fn new(models: usize) -> Self {
        Self { ranks: vec![0; models + 1], best: 0.0 }
    }

    fn add(&mut self, model: usize, means: &[f64]) {
        let rank = place(model, means);
        self.ranks[rank] += 1;
        if rank == 1 {
            // Models that tie for the first place share it, or their chances would add up to more
            // than 1.
            let equals = means.iter().filter(|mean| **mean >= means[model]).count();
            self.best += 1.0 / length(equals);
        }
    }

    /// The ranks that hold all but the outer tails.
    fn interval(&self, confidence: Confidence) -> (usize, usize) {
        let total = length(self.ranks.iter().sum());
        let tail = confidence.alpha() / 2.0 * total;
        // One end excludes and the other includes the tail, so that both leave the same share out.
        (self.rank_where(|seen| seen > tail), self.rank_where(|seen| seen >= total - tail))
    }

    /// The first rank at which the number of resamples so far satisfies `reached`.
    fn rank_where(&self, reached: impl Fn(f64) -> bool) -> usize {
        let mut seen = 0;
        for (rank, count) in self.ranks.iter().enumerate() {
            seen += count;
            if reached(length(seen)) {
                return rank;
            }
        }
        self.ranks.len() - 1
    }
}

/// One more than the number of models with a higher mean.
fn place(model: usize, means: &[f64]) -> usize {
    1 + means.iter().filter(|mean| **mean > means[model]).count()
}
