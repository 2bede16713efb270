//! The cells of a matrix, a line each, as text and as Markdown.

use std::fmt::{self, Display, Write as _};

use comfy_table::Cell;

use super::table::{self, number};
use crate::harmless::{line, line_within};
use crate::leaderboard::{Leaderboard, Place};
use crate::number::{estimate, seconds};
use crate::rate::Rate;

impl Leaderboard {
    /// The same as a table of Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let columns = self.columns();
        let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let header = columns.iter().map(|column| HEADER[*column].to_owned()).collect();
        let rule = |column: &usize| if ALIGNED[*column] { "---:" } else { "---" }.to_owned();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}\n{}", row(header), row(columns.iter().map(rule).collect()));
        for place in &self.places {
            let cells = place.cells();
            let cells = columns.iter().map(|column| escaped(&cells[*column])).collect();
            let _ = writeln!(text, "{}", row(cells));
        }
        let _ = writeln!(text, "\n{LEGEND}");
        for warning in self.warnings() {
            let _ = writeln!(text, "\n{}", escaped(&warning));
        }
        text
    }
}

impl Leaderboard {
    /// The columns that say something: rank and model, and what some cell has a value for.
    fn columns(&self) -> Vec<usize> {
        let rows: Vec<[String; 12]> = self.places.iter().map(Place::cells).collect();
        let filled = |column: &usize| rows.iter().any(|cells| !cells[*column].is_empty());
        (0..HEADER.len()).filter(|column| *column < 2 || filled(column)).collect()
    }

    /// The warnings of its cells, each behind the mark and the name of its cell.
    fn warnings(&self) -> impl Iterator<Item = String> {
        self.places.iter().flat_map(|place| {
            let name = line(&place.cell.model);
            place.warnings.iter().map(move |w| format!("! {name}: {}", line_within(w, 400)))
        })
    }
}

const HEADER: [&str; 12] = [
    "rank",
    "model",
    "quantisation",
    "context",
    "prompt",
    "tier",
    "by calls",
    "by state",
    "p50",
    "p95",
    "tokens/s",
    "floor",
];

const ALIGNED: [bool; 12] =
    [true, false, false, true, false, false, false, false, true, true, true, true];

const LEGEND: &str = "Ranks count within a tier, by the scorer that counts; `≈` marks a cell whose 95 % interval \
     overlaps that of the best. The floor is what never calling a tool scores.";

impl Place {
    fn cells(&self) -> [String; 12] {
        let rank = self.rank.map_or("–".to_owned(), |rank| {
            format!("{rank}{}", if self.near_best { " ≈" } else { "" })
        });
        let estimate = |rate: &Option<Rate>| rate.as_ref().map(estimate).unwrap_or_default();
        let time = |value: Option<f64>| value.map(seconds).unwrap_or_default();
        let name = &self.cell;
        let (mut by_calls, mut by_state) = (estimate(&self.by_calls), estimate(&self.by_state));
        // What is missing stands behind the last score there is.
        let last = if by_state.is_empty() { &mut by_calls } else { &mut by_state };
        last.push_str(&self.shortfall());
        [
            rank,
            format!("{}{}", line(&name.model), if self.warnings.is_empty() { "" } else { " !" }),
            name.quantisation.clone().unwrap_or_default(),
            name.context.map(|context| context.to_string()).unwrap_or_default(),
            name.prompt.clone().unwrap_or_default(),
            name.tier.clone().unwrap_or_default(),
            by_calls,
            by_state,
            time(self.p50),
            time(self.p95),
            self.tokens_per_second.map(|speed| format!("{speed:.1}")).unwrap_or_default(),
            self.floor.map(|floor| format!("{floor:.3}")).unwrap_or_default(),
        ]
    }

    /// What is missing of a cell, behind its last score.
    fn shortfall(&self) -> String {
        match (self.planned.saturating_sub(self.trials), self.unscored) {
            (0, 0) => String::new(),
            (0, unscored) => format!(" ({unscored} unscored)"),
            (missing, 0) => format!(" ({missing} missing)"),
            (missing, unscored) => format!(" ({missing} missing, {unscored} unscored)"),
        }
    }
}

/// Text that Markdown takes for a cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

impl Display for Leaderboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = table::plain();
        let aligned =
            |(text, right): (String, bool)| if right { number(text) } else { Cell::new(text) };
        let columns = self.columns();
        let shown = |cells: &[String; 12]| -> Vec<Cell> {
            let cell = |column: &usize| aligned((cells[*column].clone(), ALIGNED[*column]));
            columns.iter().map(cell).collect()
        };
        table.set_header(shown(&HEADER.map(str::to_owned)));
        for place in &self.places {
            table.add_row(shown(&place.cells()));
        }
        table::write(f, &table)?;
        writeln!(f, "\n{LEGEND}")?;
        for warning in self.warnings() {
            writeln!(f, "{warning}")?;
        }
        Ok(())
    }
}
