//! Takes in the tasks of a results file, one at a time.

use std::collections::BTreeMap;

use toolgauge_core::{Arguments, Score};
use toolgauge_import::tau::{TauEvidence, TauOddity, TauTrial};

use super::losses::LossTally;
use super::trials::TrialTally;
use super::{
    Bands, Bin, BinaryFigures, CaseOfInterest, Cases, Interesting, OddityCount, PartialFigures,
    PartialReport,
};

/// One task of the file and its score.
#[derive(Clone, Copy, Debug)]
pub struct ScoredTask<'a> {
    /// Its number in the file, counted from 0.
    pub index: u64,
    /// What the file says about it.
    pub trial: &'a TauTrial,
    /// What the scorer says about it.
    pub score: &'a Score,
}

/// What is known of the tasks so far.
#[derive(Clone, Debug, Default)]
pub struct PartialTally {
    tasks: u64,
    successes: u64,
    rewards: f64,
    scores: f64,
    extremes: Option<(f64, f64)>,
    bins: [u64; 6],
    bands: Bands,
    near_failures: Cases,
    far_successes: Cases,
    losses: LossTally,
    trials: TrialTally,
    broken_trials: u64,
    malformed_calls: u64,
    odd_tasks: u64,
    oddities: BTreeMap<TauOddity, (u64, Vec<u64>)>,
}

/// The lower ends of the ranges of the distribution.
const BINS: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
/// A task is a success when its reward is above this.
const SUCCESS: f64 = 0.9;
/// A task is a failure outright when its reward is below this; forks with graded rewards have
/// tasks between the two.
const FAILURE: f64 = 0.1;
/// How many tasks of a kind are named.
const NAMED: usize = 3;

impl PartialTally {
    /// Takes in one more task.
    pub fn add(&mut self, task: &ScoredTask<'_>) {
        let (score, reward) = (task.score.value, task.trial.reward);
        let success = reward > SUCCESS;
        self.tasks += 1;
        self.successes += u64::from(success);
        self.rewards += reward;
        self.scores += score;
        let (low, high) = self.extremes.unwrap_or((score, score));
        self.extremes = Some((low.min(score), high.max(score)));
        // The last range holds only the full score, so that it is told apart from nearly full ones.
        let bin = BINS.iter().rposition(|from| *from <= score).unwrap_or(0);
        self.bins[bin] += 1;
        *self.band(score) += 1;
        if reward < FAILURE && score > 0.7 {
            note(&mut self.near_failures, task);
        }
        if success && score < 0.8 {
            note(&mut self.far_successes, task);
        }
        self.losses.add(&task.score.losses);
        self.trials.add(task.trial.task.as_deref(), success, score);
        self.add_evidence(task);
    }

    fn band(&mut self, score: f64) -> &mut u64 {
        match score {
            1.0.. => &mut self.bands.perfect,
            0.9.. => &mut self.bands.near_miss,
            0.4.. => &mut self.bands.partial,
            _ => &mut self.bands.wrong_approach,
        }
    }

    fn add_evidence(&mut self, task: &ScoredTask<'_>) {
        match &task.trial.evidence {
            TauEvidence::Failed => self.broken_trials += 1,
            TauEvidence::NoActions | TauEvidence::NoTrajectory => {}
            TauEvidence::Calls { made, .. } => {
                let malformed = made
                    .iter()
                    .filter(|call| matches!(call.arguments, Arguments::Malformed { .. }))
                    .count();
                self.malformed_calls += malformed as u64;
            }
        }
        self.odd_tasks += u64::from(!task.trial.oddities.is_empty());
        for oddity in &task.trial.oddities {
            let (count, first) = self.oddities.entry(*oddity).or_default();
            *count += 1;
            if first.len() < NAMED {
                first.push(task.index);
            }
        }
    }

    /// The figures of all tasks taken in.
    pub fn finish(self) -> PartialReport {
        let over_tasks = |sum: f64| (self.tasks > 0).then(|| sum / as_f64(self.tasks));
        let ends = BINS.iter().zip(BINS.iter().skip(1).chain([&1.0]));
        let bins = ends.zip(self.bins);
        let distribution = bins.map(|((from, to), tasks)| Bin { from: *from, to: *to, tasks });
        let oddities = self.oddities.into_iter().map(|(oddity, (tasks, first))| OddityCount {
            oddity: oddity.to_string(),
            tasks,
            first,
        });
        PartialReport {
            version: PartialReport::VERSION,
            tasks: self.tasks,
            binary: BinaryFigures {
                successes: self.successes,
                rate: over_tasks(as_f64(self.successes)),
                average: over_tasks(self.rewards),
            },
            partial: PartialFigures {
                average: over_tasks(self.scores),
                min: self.extremes.map(|(low, _)| low),
                max: self.extremes.map(|(_, high)| high),
            },
            distribution: distribution.collect(),
            interesting: Interesting {
                near_failures: self.near_failures,
                far_successes: self.far_successes,
            },
            losses: self.losses.finish(),
            trials: self.trials.finish(),
            bands: self.bands,
            broken_trials: self.broken_trials,
            malformed_calls: self.malformed_calls,
            odd_tasks: self.odd_tasks,
            oddities: oddities.collect(),
        }
    }
}

fn note(cases: &mut Cases, task: &ScoredTask<'_>) {
    cases.tasks += 1;
    if cases.first.len() < NAMED {
        cases.first.push(CaseOfInterest {
            index: task.index,
            task_id: task.trial.task.clone(),
            partial_score: task.score.value,
        });
    }
}

#[expect(clippy::cast_precision_loss, reason = "no file holds 2^53 tasks")]
fn as_f64(count: u64) -> f64 {
    count as f64
}
