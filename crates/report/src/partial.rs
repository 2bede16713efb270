//! Partial credit over a tau-bench results file: how near the failures were, what they lacked,
//! and how far the figures can be trusted.
//!
//! A [`PartialTally`] takes in one task at a time and keeps what grows with the number of
//! different tasks, never with the size of the file; [`PartialReport`] is what it adds up to.

mod losses;
mod tally;
mod trials;

use serde::Serialize;

pub use losses::{ArgumentLosses, CauseLosses, LossReport, ToolLosses};
pub use tally::{PartialTally, ScoredTask};
pub use trials::{ClusteredFigure, FlippedTask, PassPoint, TaskFlips, TrialReport};

/// The figures of one results file. `docs/partial.md` explains each of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartialReport {
    /// The version of this form; it changes when a field changes its meaning or goes away.
    pub version: u32,
    /// How many tasks the file holds, each trial counted.
    pub tasks: u64,
    /// What the rewards say.
    pub binary: BinaryFigures,
    /// What the partial scores say.
    pub partial: PartialFigures,
    /// How the partial scores are spread, from the worst to the best.
    pub distribution: Vec<Bin>,
    /// Tasks on which the two do not agree.
    pub interesting: Interesting,
    /// Where the points went.
    pub losses: LossReport,
    /// What repeated trials tell.
    pub trials: TrialReport,
    /// How many tasks fall into each band of scores.
    pub bands: Bands,
    /// Trials that broke before there was anything to score: `info` holds an `error`.
    pub broken_trials: u64,
    /// Calls whose arguments could not be read; they count as calls without arguments.
    pub malformed_calls: u64,
    /// How many tasks are not as tau-bench writes them.
    pub odd_tasks: u64,
    /// What is odd about them.
    pub oddities: Vec<OddityCount>,
}

/// What the rewards say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BinaryFigures {
    /// Tasks with a reward above 0.9.
    pub successes: u64,
    /// Their share of all tasks; absent when there are none.
    pub rate: Option<f64>,
    /// The mean reward.
    pub average: Option<f64>,
}

/// What the partial scores say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartialFigures {
    /// The mean score; absent when there are no tasks.
    pub average: Option<f64>,
    /// The worst score.
    pub min: Option<f64>,
    /// The best score.
    pub max: Option<f64>,
}

/// How many scores lie in a range; the last range holds 1 alone, the others leave their upper
/// end out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
    /// How many tasks have a score in it.
    pub tasks: u64,
}

/// Tasks on which reward and partial score do not agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interesting {
    /// Tasks with a reward below 0.1 and a partial score above 0.7.
    pub near_failures: Cases,
    /// Successes with a partial score below 0.8.
    pub far_successes: Cases,
}

/// Tasks of one kind: how many, and the first three.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cases {
    /// How many there are.
    pub tasks: u64,
    /// The first three in the file.
    pub first: Vec<CaseOfInterest>,
}

/// One task of interest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseOfInterest {
    /// Its number in the file, counted from 0.
    pub index: u64,
    /// Its `task_id`, if the file has one.
    pub task_id: Option<String>,
    /// Its partial score.
    pub partial_score: f64,
}

/// How many tasks fall into each band of scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bands {
    /// 1: everything right.
    pub perfect: u64,
    /// From 0.9: a detail is wrong.
    pub near_miss: u64,
    /// From 0.4: the right tools, with gaps.
    pub partial: u64,
    /// Below 0.4: the wrong approach.
    pub wrong_approach: u64,
}

/// One way in which tasks are odd.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddityCount {
    /// What is odd.
    pub oddity: String,
    /// How many tasks are odd in this way.
    pub tasks: u64,
    /// The numbers of the first few in the file, counted from 0.
    pub first: Vec<u64>,
}

impl PartialReport {
    /// The version of the form that this code writes.
    pub const VERSION: u32 = 1;
}
