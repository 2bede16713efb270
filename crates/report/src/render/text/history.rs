//! The runs of a suite, a line each.

use std::fmt::{self, Display};

use super::style::{HEADING, is_colored, paint};
use super::table::write;
use crate::harmless;
use crate::history::History;
use crate::number::{counted, estimate};
use crate::rate::Rate;
use crate::render::table::{FigureCell, FigureColumn, FigureTable};

/// How wide the chart of the terminal is.
const CHART_WIDTH: usize = 40;

impl Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = counted(self.runs.len(), "run");
        let heading = format!("{} · {runs}", harmless::line(&self.suite));
        writeln!(f, "{}", paint(is_colored(f), HEADING, &heading))?;
        let columns = [
            FigureColumn::words("started"),
            FigureColumn::words("model"),
            FigureColumn::words("variant"),
            FigureColumn::words("score"),
            FigureColumn::words("0 … 1"),
            FigureColumn::numbers("trials"),
            FigureColumn::numbers("unscored"),
            FigureColumn::words("changed"),
        ];
        let rows = self.runs.iter().map(|run| {
            [
                FigureCell::words(run.at.strftime("%F %H:%M")),
                FigureCell::name(&run.subject),
                FigureCell::name(run.variant.as_deref().unwrap_or_default()),
                FigureCell::words(run.score.as_ref().map_or_else(|| "none".to_owned(), estimate)),
                FigureCell::words(run.score.as_ref().map(interval).unwrap_or_default()),
                FigureCell::words(run.trials),
                FigureCell::words(run.unscored),
                FigureCell::words(run.changed.join(", ")),
            ]
        });
        write(f, &FigureTable::new("Runs of a suite", columns).at_margin().rows(rows))
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
