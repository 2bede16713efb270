//! The score of a suite over its runs, and what changed between them.

use jiff::Timestamp;
use serde::Serialize;
use toolgauge_core::Run;

use crate::rate::Rate;
use crate::summary::Summary;
use crate::trend::TrendPoint;

/// The runs of a suite in the order of their time.
#[derive(Clone, Debug, Serialize)]
pub struct History {
    /// The name of the suite.
    pub suite: String,
    /// Its runs, the oldest first.
    pub runs: Vec<PastRun>,
}

/// One run of the suite.
#[derive(Clone, Debug, Serialize)]
pub struct PastRun {
    /// When it was started.
    pub at: Timestamp,
    /// Who was measured.
    pub subject: String,
    /// The variant, if there was one.
    pub variant: Option<String>,
    /// Its score; absent if no trial could be scored.
    pub score: Option<Rate>,
    /// How many trials are in its log.
    pub trials: usize,
    /// How many of them could not be scored.
    pub unscored: usize,
    /// What changed since the run before: `suite`, `model`, `server`, `variant`, `prompt`.
    pub changed: Vec<&'static str>,
    /// Where its log is.
    pub log: String,
}

impl History {
    /// The history of a suite, from its runs in any order, each with the name of its log.
    pub fn of(suite: impl Into<String>, mut runs: Vec<(Run, Summary, String)>) -> Self {
        runs.sort_by(|(one, ..), (other, ..)| {
            one.created.cmp(&other.created).then_with(|| one.id.cmp(&other.id))
        });
        // A run without a score has its place in the order, but a point needs some rate.
        let nothing = Rate { mean: 0.0, low: 0.0, high: 0.0, trials: 0, cases: 0 };
        let rates = runs.iter().map(|(run, summary, _)| (run, summary.score.unwrap_or(nothing)));
        let points = TrendPoint::series(rates);
        let past = runs.iter().zip(points).map(|((run, summary, log), point)| PastRun {
            at: run.created,
            subject: run.subject.name.clone(),
            variant: run.variant.clone(),
            score: summary.score,
            trials: summary.trials,
            unscored: summary.unscored.values().sum(),
            changed: point.changed,
            log: log.clone(),
        });
        Self { suite: suite.into(), runs: past.collect() }
    }
}
