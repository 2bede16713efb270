//! Several runs side by side, a line each.

use std::fmt::{self, Display};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::harmless::line;
use crate::number::seconds;
use crate::render::spark::sparkline;
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
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header([
            "suite",
            "model",
            "variant",
            "score",
            "95 % interval",
            "unscored",
            "p50",
        ]);
        for row in &self.rows {
            table.add_row(row.iter().enumerate().map(|(column, text)| match column {
                3 | 5 | 6 => Cell::new(text).set_alignment(CellAlignment::Right),
                _ => Cell::new(text),
            }));
        }
        if let Some(width) = f.width().and_then(|width| u16::try_from(width).ok()) {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        for line in table.to_string().lines() {
            writeln!(f, "{}", line.trim())?;
        }
        if self.scores.len() >= ENOUGH_FOR_A_CURVE {
            writeln!(f, "scores {}", sparkline(self.scores.iter().copied(), 1.0))?;
        }
        Ok(())
    }
}
