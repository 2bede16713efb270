//! Several runs side by side, a line each.

use std::fmt::{self, Display};

use super::style::{CURVE, is_colored, paint};
use super::table::write_rows;
use crate::harmless::line;
use crate::number::seconds;
use crate::render::spark::sparkline;
use crate::render::table::{FigureCell, FigureColumn, FigureTable};
use crate::summary::Summary;

/// From so many runs on a curve shows how the score went.
const ENOUGH_FOR_A_CURVE: usize = 3;

/// Several runs side by side.
#[derive(Clone, Debug)]
pub struct Overview {
    rows: Vec<[String; 7]>,
    /// The scores, in the order of the runs.
    scores: Vec<f64>,
}

impl Overview {
    /// The overview of these runs, in their order.
    pub fn of<'a>(summaries: impl IntoIterator<Item = &'a Summary>) -> Self {
        let mut overview = Self { rows: Vec::new(), scores: Vec::new() };
        for summary in summaries {
            overview.rows.push(row(summary));
            overview.scores.extend(summary.score.map(|score| score.mean));
        }
        overview
    }
}

fn row(summary: &Summary) -> [String; 7] {
    let (score, interval) = match &summary.score {
        Some(score) => {
            (format!("{:.3}", score.mean), format!("[{:.3}, {:.3}]", score.low, score.high))
        }
        None => ("none".to_owned(), String::new()),
    };
    let latency = summary.latency.total.map(|total| seconds(total.p50));
    [
        line(&summary.suite.name).into_owned(),
        line(&summary.subject.name).into_owned(),
        line(summary.variant.as_deref().unwrap_or_default()).into_owned(),
        score,
        interval,
        summary.unscored.values().sum::<usize>().to_string(),
        latency.unwrap_or_default(),
    ]
}

impl Display for Overview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = [
            FigureColumn::words("suite"),
            FigureColumn::names("model"),
            FigureColumn::words("variant"),
            FigureColumn::numbers("score"),
            FigureColumn::intervals("95 % interval"),
            FigureColumn::numbers("unscored"),
            FigureColumn::numbers("p50"),
        ];
        let rows = self.rows.iter().map(|row| row.iter().map(FigureCell::words));
        write_rows(f, &FigureTable::new("Runs", columns).at_margin().rows(rows).lean(2))?;
        if self.scores.len() >= ENOUGH_FOR_A_CURVE {
            let curve = sparkline(self.scores.iter().copied(), 1.0);
            writeln!(f, "scores {}", paint(is_colored(f), CURVE, &curve))?;
        }
        Ok(())
    }
}
