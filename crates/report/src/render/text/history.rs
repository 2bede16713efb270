//! The runs of a suite, a line each, under the curve of their scores.

use std::fmt::{self, Display};

use super::style::{CURVE, HEADING, is_colored, paint};
use super::table::write;
use crate::harmless;
use crate::history::History;
use crate::number::{counted, estimate};
use crate::render::spark::sparkline;
use crate::render::table::{FigureCell, FigureColumn, FigureTable};

/// So many of the latest runs make the curve; more would not fit beside its value.
const MOST_POINTS: usize = 40;

impl Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = counted(self.runs.len(), "run");
        let heading = format!("{} · {runs}", harmless::line(&self.suite));
        writeln!(f, "{}", paint(is_colored(f), HEADING, &heading))?;
        let scores: Vec<f64> =
            self.runs.iter().filter_map(|run| run.score.map(|score| score.mean)).collect();
        if let Some(last) = scores.last() {
            let latest = scores.len().saturating_sub(MOST_POINTS);
            let curve = sparkline(scores[latest..].iter().copied(), 1.0);
            writeln!(f, "score {} {last:.3}", paint(is_colored(f), CURVE, &curve))?;
        }
        let columns = [
            FigureColumn::intervals("started"),
            FigureColumn::words("model"),
            FigureColumn::words("variant"),
            FigureColumn::intervals("score"),
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
                FigureCell::words(run.trials),
                FigureCell::words(run.unscored),
                FigureCell::words(run.changed.join(", ")),
            ]
        });
        write(f, &FigureTable::new("Runs of a suite", columns).at_margin().rows(rows).lean(2))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use crate::history::{History, PastRun};
    use crate::rate::Rate;

    #[test]
    fn scores_are_a_curve_with_the_last_value() {
        let run = |mean| PastRun {
            at: Timestamp::UNIX_EPOCH,
            subject: "bot".to_owned(),
            variant: None,
            score: Some(Rate { mean, low: mean, high: mean, trials: 4, cases: 4 }),
            trials: 4,
            unscored: 0,
            changed: Vec::new(),
            log: String::new(),
        };
        let history = History { suite: "bikes".to_owned(), runs: [0.0, 0.5, 1.0].map(run).into() };
        let shown = history.to_string();
        assert!(shown.starts_with("bikes · 3 runs\nscore ▁▅█ 1.000\n"), "{shown}");
    }
}
