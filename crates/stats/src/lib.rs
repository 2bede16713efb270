//! Statistics for evaluation results: numbers in, numbers out.
//!
//! Nothing here knows what a case, a trial or a log is. Whatever can be missing is an `Option`,
//! never NaN; whatever is random takes a seed and gives the same answer for the same seed.
//! `docs/statistics.md` explains each figure to the person who reads it.
//!
//! Most figures start from [`Cluster`]s: what is remembered of the values that belong together.
//! A score has a cluster a case (or a group of cases) that holds its trials; a paired comparison
//! has clusters that hold the differences B − A.

mod agreement;
mod bayes;
mod bounded_mean;
mod cluster;
mod clustered_mean;
mod correction;
mod distribution;
mod effect;
mod equivalence;
mod estimate;
mod interval;
mod mcnemar;
mod mean;
mod noise;
mod permutation;
mod power;
mod quantile;
mod ranking;
mod reliability;
mod resample;
mod sequence;
mod threshold_test;
mod variance;
mod wilcoxon;

pub use agreement::{Agreement, Correlation, correlation};
pub use bayes::{Posterior, posterior_of_mean, probability_pairs_better};
pub use bounded_mean::{
    Range, best_lower_end, clusters_to_show, mean_interval, mean_interval_over,
};
pub use cluster::Cluster;
pub use clustered_mean::ClusteredMean;
pub use correction::holm;
pub use effect::hedges_g;
pub use equivalence::Margin;
pub use estimate::Estimate;
pub use interval::{Confidence, Interval};
pub use mcnemar::PairTable;
pub use mean::Mean;
pub use noise::{NoiseFloor, noise_floor};
pub use permutation::{SignFlip, sign_flip};
pub use power::TestTarget;
pub use quantile::{percentile, percentile_interval, percentile_of_sorted, values_for_percentile};
pub use ranking::{Contest, ModelStanding, PairFinding, Ranking, rank};
pub use reliability::{
    FlipShare, ReliabilityPoint, TrialCount, comparable_trials, flip_share, reliability_curve,
};
pub use resample::Resampling;
pub use sequence::ConfidenceSequence;
pub use threshold_test::{ThresholdDecision, ThresholdTest};
pub use variance::VarianceComponents;
pub use wilcoxon::{SignedRank, signed_rank};
