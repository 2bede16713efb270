//! The score of a suite over its runs, and what changed between them.

use std::fmt::{self, Display};

use comfy_table::Cell;
use jiff::Timestamp;
use serde::Serialize;
use toolgauge_core::Run;

use crate::chart::TrendPoint;
use crate::number::{counted, estimate};
use crate::rate::Rate;
use crate::summary::Summary;
use crate::{harmless, table};

/// How wide the chart of the terminal is.
const CHART_WIDTH: usize = 40;

/// The runs of a suite in the order of their time.
#[derive(Clone, Debug, Serialize)]
pub struct History {
    /// The suite.
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
    /// How many trials it has.
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

impl Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = counted(self.runs.len(), "run");
        writeln!(f, "{} · {runs}", harmless::line(&self.suite))?;
        let mut shown = table::plain();
        shown.set_header([
            "started", "model", "variant", "score", "0 … 1", "trials", "unscored", "changed",
        ]);
        for run in &self.runs {
            let score = run.score.as_ref().map_or_else(|| "none".to_owned(), estimate);
            shown.add_row([
                Cell::new(run.at.strftime("%F %H:%M")),
                Cell::new(harmless::line(&run.subject)),
                Cell::new(harmless::line(run.variant.as_deref().unwrap_or_default())),
                Cell::new(score),
                Cell::new(run.score.as_ref().map(interval).unwrap_or_default()),
                table::number(run.trials),
                table::number(run.unscored),
                Cell::new(run.changed.join(", ")),
            ]);
        }
        table::write(f, &shown)
    }
}

/// A score on a line from 0 to 1: its interval as a bar, its mean as a mark on it.
fn interval(score: &Rate) -> String {
    let (low, mean, high) = (place(score.low), place(score.mean), place(score.high));
    let mark = |at| match at {
        at if at == mean => '●',
        at if (low..=high).contains(&at) => '─',
        _ => '·',
    };
    (0..CHART_WIDTH).map(mark).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share of a small width"
)]
fn place(value: f64) -> usize {
    let last = (CHART_WIDTH - 1) as f64;
    (value.clamp(0.0, 1.0) * last).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_lies_within_its_interval() {
        let rate = Rate { mean: 0.5, low: 0.25, high: 1.0, trials: 4, cases: 4 };
        let line = interval(&rate);
        assert_eq!(line.chars().count(), CHART_WIDTH);
        assert_eq!(line.chars().filter(|c| *c == '●').count(), 1);
        assert!(line.ends_with('─') && line.starts_with('·'), "{line}");
    }

    #[test]
    fn scores_at_the_ends_are_drawn_at_the_ends() {
        for (value, at) in [(0.0, 0), (1.0, CHART_WIDTH - 1)] {
            let rate = Rate { mean: value, low: value, high: value, trials: 1, cases: 1 };
            assert_eq!(interval(&rate).chars().position(|c| c == '●'), Some(at));
        }
    }
}
