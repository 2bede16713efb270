//! The figures in a log's header, as Inspect would compute them from the samples.

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::Serialize;
use toolgauge_core::{CaseId, Run, Usage};

use super::event::ModelUsage;
use super::summary::values;
use super::wording::Iso;
use crate::TrialSummary;
use crate::archive::PackedText;

/// Adds up what the header says about a run.
#[derive(Debug, Default)]
pub(crate) struct HeaderTally {
    trials: usize,
    failed: usize,
    usage: Usage,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
    scores: IndexMap<String, ScoreTally>,
}

/// One score over all samples.
#[derive(Debug)]
struct ScoreTally {
    is_dimension: bool,
    samples: usize,
    values: HeaderValues,
}

/// With one trial a case, a running mean is all there is to keep. With more, the trials of a
/// case are reduced to their mean before anything else is computed, as Inspect does it.
#[derive(Debug)]
enum HeaderValues {
    Running(Moments),
    ByCase(IndexMap<CaseId, (f64, u32)>),
}

/// Mean and spread of numbers that come one by one (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    /// The standard error of the mean; 0 where there is no spread to speak of, as Inspect has it.
    fn stderr(&self) -> f64 {
        if self.count < 2.0 { 0.0 } else { (self.squares / (self.count - 1.0) / self.count).sqrt() }
    }
}

impl HeaderValues {
    fn add(&mut self, case: &CaseId, value: f64) {
        match self {
            Self::Running(moments) => moments.add(value),
            Self::ByCase(cases) => {
                // Asked first without a copy of the name, which `entry` would need for every trial.
                let (sum, count) = match cases.get_mut(case) {
                    Some(entry) => entry,
                    None => cases.entry(case.clone()).or_default(),
                };
                *sum += value;
                *count += 1;
            }
        }
    }

    fn moments(&self) -> Moments {
        match self {
            Self::Running(moments) => *moments,
            Self::ByCase(cases) => {
                let mut moments = Moments::default();
                for (sum, count) in cases.values() {
                    moments.add(sum / f64::from(*count));
                }
                moments
            }
        }
    }
}

impl HeaderTally {
    /// Takes one trial into account.
    pub(crate) fn add(&mut self, run: &Run, summary: &TrialSummary, failed: bool) {
        self.trials += 1;
        self.failed += usize::from(failed);
        self.usage = self.usage.plus(summary.usage);
        self.first = Some(self.first.map_or(summary.started, |first| first.min(summary.started)));
        self.last = self.last.max(Some(summary.ended));
        for (guess, (name, is_dimension, value)) in values(run, summary).into_iter().enumerate() {
            // Most trials have the same scores in the same order, and so need no look-up.
            let guessed = self.scores.get_index(guess).filter(|(found, _)| **found == name);
            let place = guessed.map(|_| guess).or_else(|| self.scores.get_index_of(&*name));
            let place = place.unwrap_or_else(|| {
                let values = if run.trials > 1 {
                    HeaderValues::ByCase(IndexMap::new())
                } else {
                    HeaderValues::Running(Moments::default())
                };
                let tally = ScoreTally { is_dimension, samples: 0, values };
                self.scores.insert_full(name.into_owned(), tally).0
            });
            let tally = &mut self.scores[place];
            tally.samples += 1;
            tally.values.add(&summary.id.case, value);
        }
    }

    /// The results of the header: the run's scorers in their order, then the dimensions.
    pub(crate) fn results(&self, run: &Run) -> Results<'_> {
        // No fewer in total than completed, whatever a log that was put together elsewhere planned.
        let planned = run.cases.len() * usize::try_from(run.trials).unwrap_or(usize::MAX);
        Results {
            total_samples: planned.max(self.trials),
            completed_samples: self.trials - self.failed,
            scores: self.ordered(run).map(|(name, tally)| self.eval_score(name, tally)).collect(),
        }
    }

    fn ordered<'a>(&'a self, run: &Run) -> impl Iterator<Item = (&'a str, &'a ScoreTally)> {
        let mut scores: Vec<_> =
            self.scores.iter().map(|(name, tally)| (name.as_str(), tally)).collect();
        let place =
            |name: &str| run.scorers.iter().position(|scorer| scorer == name).unwrap_or(usize::MAX);
        // Which score was seen first depends on which trial ended first.
        scores.sort_by_key(|(name, tally)| (tally.is_dimension, place(name), *name));
        scores.into_iter()
    }

    fn eval_score<'a>(&self, name: &'a str, tally: &ScoreTally) -> EvalScore<'a> {
        let moments = tally.values.moments();
        let centre = if tally.is_dimension { "accuracy" } else { "mean" };
        let metrics = IndexMap::from([
            (centre, Metric { name: centre, value: moments.mean, params: Nothing {} }),
            ("stderr", Metric { name: "stderr", value: moments.stderr(), params: Nothing {} }),
        ]);
        EvalScore {
            name,
            scorer: name,
            scored_samples: tally.samples,
            unscored_samples: self.trials - tally.samples,
            params: Nothing {},
            metrics,
        }
    }

    /// The names of the dimensions' scores.
    pub(crate) fn dimensions<'a>(&'a self, run: &Run) -> impl Iterator<Item = &'a str> {
        self.ordered(run).filter(|(_, tally)| tally.is_dimension).map(|(name, _)| name)
    }

    /// The reduced scores of each case, as JSON; `None` with one trial a case, where they would only
    /// repeat what the samples say.
    pub(crate) fn reductions(&self, run: &Run) -> Option<PackedText> {
        let reduced = self.ordered(run).filter_map(|(scorer, tally)| match &tally.values {
            HeaderValues::Running(_) => None,
            HeaderValues::ByCase(cases) => {
                // In the order of the plan, so that the file does not depend on which trial ended
                // first.
                let known = run.cases.iter().filter_map(|case| cases.get_key_value(case));
                let samples = known.map(|(case, (sum, count))| Reduction {
                    value: sum / f64::from(*count),
                    sample_id: case.as_str(),
                });
                Some(Reductions { scorer, samples: samples.collect() })
            }
        });
        let reduced = (run.trials > 1).then(|| reduced.collect::<Vec<_>>())?;
        Some(PackedText::json(&reduced))
    }

    /// The statistics of the header.
    pub(crate) fn stats<'a>(&self, run: &Run, model: &'a str) -> Stats<'a> {
        Stats {
            // Trials that were judged again are older than the log that has them.
            started_at: Iso(self.first.map_or(run.created, |first| first.min(run.created))),
            completed_at: Iso(self.last.unwrap_or(run.created)),
            model_usage: IndexMap::from([(model, self.usage.into())]),
            role_usage: Nothing {},
        }
    }
}

/// An empty object, which older viewers ask for where newer ones do without.
#[derive(Debug, Serialize)]
pub(crate) struct Nothing {}

#[derive(Debug, Serialize)]
pub(crate) struct Results<'a> {
    total_samples: usize,
    completed_samples: usize,
    scores: Vec<EvalScore<'a>>,
}

#[derive(Debug, Serialize)]
struct EvalScore<'a> {
    name: &'a str,
    scorer: &'a str,
    scored_samples: usize,
    unscored_samples: usize,
    params: Nothing,
    metrics: IndexMap<&'static str, Metric>,
}

#[derive(Debug, Serialize)]
struct Metric {
    name: &'static str,
    value: f64,
    params: Nothing,
}

#[derive(Debug, Serialize)]
struct Reductions<'a> {
    scorer: &'a str,
    samples: Vec<Reduction<'a>>,
}

#[derive(Debug, Serialize)]
struct Reduction<'a> {
    value: f64,
    sample_id: &'a str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Stats<'a> {
    started_at: Iso,
    completed_at: Iso,
    model_usage: IndexMap<&'a str, ModelUsage>,
    role_usage: Nothing,
}
