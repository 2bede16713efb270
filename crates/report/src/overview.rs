//! Several runs side by side, a line each.

use std::fmt::{self, Display};

use comfy_table::{Cell, CellAlignment, Table, presets};

use crate::summary::Summary;

/// Several runs side by side.
#[derive(Clone, Debug)]
pub struct Overview {
    rows: Vec<[String; 7]>,
}

impl Overview {
    /// The overview of these runs, in their order.
    pub fn of<'a>(summaries: impl IntoIterator<Item = &'a Summary>) -> Self {
        Self { rows: summaries.into_iter().map(row).collect() }
    }
}

fn row(summary: &Summary) -> [String; 7] {
    let (score, interval) = match &summary.score {
        Some(score) => {
            (format!("{:.3}", score.mean), format!("[{:.3}, {:.3}]", score.low, score.high))
        }
        None => ("none".to_owned(), String::new()),
    };
    let latency = summary.latency.total.map(|total| format!("{:.3} s", total.p50));
    [
        summary.suite.name.clone(),
        summary.subject.name.clone(),
        summary.variant.clone().unwrap_or_default(),
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
        for line in table.to_string().lines() {
            writeln!(f, "{}", line.trim())?;
        }
        Ok(())
    }
}
