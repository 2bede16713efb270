//! Statistics for evaluation results: numbers in, numbers out.
//!
//! Nothing here knows what a case, a trial or a log is. Whatever can be missing is an `Option`,
//! never NaN; whatever is random takes a seed and gives the same answer for the same seed.
//! `docs/statistics.md` explains each figure to the person who reads it.

mod cluster;
mod distribution;
mod interval;
mod mean;
mod proportion;
mod quantile;
mod reliability;

pub use cluster::{Cluster, ClusteredMean};
pub use interval::{Confidence, Interval};
pub use mean::Mean;
pub use proportion::Proportion;
pub use quantile::{percentile, percentile_of_sorted};
pub use reliability::{FlipShare, ReliabilityPoint, TrialCount, flip_share, reliability_curve};
