//! Runs side by side: the score of each with its interval.

use super::axis::Axis;
use super::drawing::{SERIES, name, share};
use super::width::ChartWidth;
use super::{Chart, ChartKind, Drawing, rows};
use crate::number::estimate;
use crate::rate::Rate;
use crate::summary::Summary;

/// How many rows are drawn.
const MOST_ROWS: usize = 40;

/// The score of a run under the name it is shown by.
#[derive(Clone, Debug)]
pub struct RunScore {
    /// The name.
    pub label: String,
    /// The score.
    pub score: Rate,
}

impl RunScore {
    /// The score of a run, if it has one, under its subject's name and its variant's.
    pub fn of(summary: &Summary) -> Option<Self> {
        let mut label = summary.subject.name.clone();
        if let Some(variant) = &summary.variant {
            label = format!("{label} · {variant}");
        }
        Some(Self { label, score: summary.score? })
    }
}

/// The score of each run with its interval, and what doing nothing scores; absent without runs.
pub fn scores(runs: &[RunScore], floor: Option<f64>) -> Option<Chart> {
    let rows = runs.iter().map(|run| ForestRow {
        label: run.label.clone(),
        value: share(run.score.mean),
        low: share(run.score.low),
        high: share(run.score.high),
    });
    let rows: Vec<ForestRow> = rows.take(MOST_ROWS).collect();
    let words = |run: &RunScore| format!("{} {}", name(&run.label), estimate(&run.score));
    let words: Vec<String> = runs.iter().take(MOST_ROWS).map(words).collect();
    let line = floor.map(|floor| format!(" The dashed line is the floor, {floor:.3}."));
    let line = line.unwrap_or_default();
    let description = format!("Score with 95 % interval. {}.{line}", words.join("; "));
    let axis = if floor.is_some() { "score (dashed: the floor)" } else { "score" };
    let forest = Forest { rows: &rows, zero: floor.map(share), from: 0.0, to: 1.0, axis };
    forest.chart(ChartKind::Scores, &ranking(runs), description)
}

/// Which run scores highest, and whether its interval keeps clear of the next one.
fn ranking(runs: &[RunScore]) -> String {
    let mut ranked: Vec<&RunScore> = runs.iter().collect();
    ranked.sort_by(|one, other| other.score.mean.total_cmp(&one.score.mean));
    match ranked.as_slice() {
        [best, next, ..] if best.score.low > next.score.high => {
            format!("Score by run: {} is ahead, {:.3}", name(&best.label), best.score.mean)
        }
        [best, _, ..] => {
            let words = "is highest, but the intervals overlap";
            format!("Score by run: {} {words}", name(&best.label))
        }
        _ => "Score by run".to_owned(),
    }
}

/// A row of a forest chart.
pub(super) struct ForestRow {
    pub(super) label: String,
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The rows of a forest chart, and the axis they are drawn along.
pub(super) struct Forest<'a> {
    pub(super) rows: &'a [ForestRow],
    pub(super) zero: Option<f64>,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) axis: &'a str,
}

impl Forest<'_> {
    /// The chart; absent without rows.
    pub(super) fn chart(&self, kind: ChartKind, title: &str, description: String) -> Option<Chart> {
        let draw = |room| self.draw(room);
        (!self.rows.is_empty()).then(|| Chart::new(kind, title, description, draw))
    }

    /// Draws for a room.
    pub(super) fn draw(&self, room: ChartWidth) -> Drawing {
        let names: Vec<&str> = self.rows.iter().map(|row| row.label.as_str()).collect();
        let axis = Axis::round(self.from, self.to, self.axis);
        rows::draw(&names, room, axis, self.zero, |plot, row, middle| {
            let ForestRow { value, low, high, .. } = self.rows[row];
            plot.interval_across(value, (low, high), middle, SERIES[0]);
        })
    }
}
