//! What repeated trials of the same task tell.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, Mean, Range, TrialCount, comparable_trials, flip_share,
    mean_interval,
};

/// What repeated trials of the same task tell. Tasks without a `task_id` are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialReport {
    /// How many different tasks there are.
    pub different_tasks: usize,
    /// Trials that are left out because they have no `task_id`.
    pub left_out: u64,
    /// The fewest trials a task has.
    pub fewest: u64,
    /// The most trials a task has.
    pub most: u64,
    /// pass^k and pass@k, for growing k.
    pub curve: Vec<PassPoint>,
    /// The level of confidence of the intervals.
    pub confidence: f64,
    /// The success rate; absent when no task has a `task_id`.
    pub success: Option<ClusteredFigure>,
    /// The mean partial score; likewise.
    pub partial: Option<ClusteredFigure>,
    /// Tasks that succeed in some trials and fail in others.
    pub flips: TaskFlips,
}

/// What `k` trials promise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassPoint {
    /// The number of trials.
    pub k: u64,
    /// How many tasks have so many trials; the figures are averages over these.
    pub different_tasks: usize,
    /// pass^k: the chance that all of `k` trials succeed.
    pub pass_all: f64,
    /// pass@k: the chance that at least one of `k` trials succeeds.
    pub pass_any: f64,
}

/// A mean and its doubt, with trials of the same task held together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusteredFigure {
    /// The mean over all trials.
    pub mean: f64,
    /// The lower end of the interval; absent when there is but one task.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The standard error, clustered by task; absent when there is but one task.
    pub standard_error: Option<f64>,
    /// The standard error one would claim if all trials were independent.
    pub naive_standard_error: f64,
}

/// Tasks that succeed in some trials and fail in others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskFlips {
    /// How many do.
    pub flipped: usize,
    /// How many could: tasks with two trials or more.
    pub of: usize,
    /// The first of them in the file.
    pub first: Vec<FlippedTask>,
}

/// One task that flips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlippedTask {
    /// Its `task_id`.
    pub task_id: String,
    /// How many of its trials succeeded.
    pub successes: u64,
    /// How many trials it had.
    pub trials: u64,
}

/// How many flipping tasks are named.
const NAMED: usize = 10;

/// The trials of one task.
#[derive(Clone, Debug, Default)]
struct TaskTally {
    success: Cluster,
    partial: Cluster,
    successes: u64,
}

impl TaskTally {
    fn count(&self) -> TrialCount {
        TrialCount::new(self.successes, self.success.count())
            .expect("a task has no more successes than trials")
    }
}

/// The trials so far, task by task.
#[derive(Clone, Debug, Default)]
pub(super) struct TrialTally {
    tasks: IndexMap<Box<str>, TaskTally>,
    left_out: u64,
}

impl TrialTally {
    pub(super) fn add(&mut self, task: Option<&str>, success: bool, score: f64) {
        let Some(task) = task else {
            self.left_out += 1;
            return;
        };
        if !self.tasks.contains_key(task) {
            self.tasks.insert(task.into(), TaskTally::default());
        }
        let tally = self.tasks.get_mut(task).expect("the task was just put in");
        tally.success.add(f64::from(u8::from(success)));
        tally.partial.add(score);
        tally.successes += u64::from(success);
    }

    pub(super) fn finish(self) -> TrialReport {
        let counts: Vec<TrialCount> = self.tasks.values().map(TaskTally::count).collect();
        let most = counts.iter().map(|count| count.trials()).max().unwrap_or(0);
        let confidence = Confidence::P95;
        let success: Vec<Cluster> = self.tasks.values().map(|tally| tally.success).collect();
        let partial: Vec<Cluster> = self.tasks.values().map(|tally| tally.partial).collect();
        TrialReport {
            different_tasks: counts.len(),
            left_out: self.left_out,
            fewest: counts.iter().map(|count| count.trials()).min().unwrap_or(0),
            most,
            curve: curve(&counts),
            confidence: confidence.level(),
            success: figure(&success, confidence),
            partial: figure(&partial, confidence),
            flips: self.flips(&counts),
        }
    }

    fn flips(&self, counts: &[TrialCount]) -> TaskFlips {
        let share = flip_share(counts);
        let named = self.tasks.keys().zip(counts).filter(|(_, count)| count.flips());
        let first = named.take(NAMED).map(|(task, count)| FlippedTask {
            task_id: task.to_string(),
            successes: count.passes(),
            trials: count.trials(),
        });
        TaskFlips { flipped: share.flipped, of: share.cases, first: first.collect() }
    }
}

/// The mean over all trials, as tau-bench has it, with an interval by task.
fn figure(tasks: &[Cluster], confidence: Confidence) -> Option<ClusteredFigure> {
    let mean = ClusteredMean::of(tasks)?;
    let interval = mean_interval(tasks, Range::SCORE, confidence).filter(|_| mean.clusters > 1);
    Some(ClusteredFigure {
        mean: mean.mean,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        standard_error: mean.standard_error(),
        naive_standard_error: mean.naive_standard_error(),
    })
}

/// The numbers of trials that are looked at: each up to ten, then doubling, and the largest.
fn steps(most: u64) -> Vec<u64> {
    let mut steps: Vec<u64> = (1..=most.min(10)).collect();
    let doubling = std::iter::successors(Some(16_u64), |k| k.checked_mul(2));
    steps.extend(doubling.take_while(|k| *k < most));
    if most > 10 {
        steps.push(most);
    }
    steps
}

/// The points of the curve, all over the same tasks, so that it falls or rises throughout.
fn curve(counts: &[TrialCount]) -> Vec<PassPoint> {
    let most = comparable_trials(counts);
    let tried: Vec<TrialCount> =
        counts.iter().copied().filter(|count| count.trials() >= most).collect();
    steps(most).into_iter().filter_map(|k| pass_point(&tried, k)).collect()
}

fn pass_point(counts: &[TrialCount], k: u64) -> Option<PassPoint> {
    let all: Vec<f64> = counts.iter().filter_map(|count| count.pass_all(k)).collect();
    let any: Vec<f64> = counts.iter().filter_map(|count| count.pass_any(k)).collect();
    let (all, any) = (Mean::of(&all)?, Mean::of(&any)?);
    Some(PassPoint { k, different_tasks: all.n, pass_all: all.mean, pass_any: any.mean })
}
