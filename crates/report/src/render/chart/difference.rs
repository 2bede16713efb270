//! The paired differences of two runs, one below another.

use super::drawing::name;
use super::forest::{Forest, ForestRow};
use super::{Chart, ChartKind};
use crate::compare::{Comparison, Difference, signed};

/// How many rows are drawn.
const MOST_ROWS: usize = 30;

/// Tags with more values than this are left to the tables.
const MOST_VALUES: usize = 6;

/// The difference in score, in each dimension and in each slice of few values, with intervals;
/// absent when nothing is shared.
pub fn differences(comparison: &Comparison) -> Option<Chart> {
    let rows: Vec<ForestRow> = rows(comparison).into_iter().take(MOST_ROWS).collect();
    let words = |row: &ForestRow| {
        let [value, low, high] = [row.value, row.low, row.high].map(signed);
        format!("{} {} [{}, {}]", name(&row.label), value.trim(), low.trim(), high.trim())
    };
    let words: Vec<String> = rows.iter().map(words).collect();
    let description = format!("B − A with 95 % interval. {}.", words.join("; "));
    let ends = rows.iter().flat_map(|row| [row.low.abs(), row.high.abs(), row.value.abs()]);
    // Never narrower than 0.05, or a difference of nothing would fill the chart; the same to both
    // sides, so that zero is in the middle.
    let reach = (ends.fold(0.05, f64::max) * 1.1).min(1.0);
    let (from, to) = (-reach, reach);
    let forest = Forest { rows: &rows, zero: Some(0.0), from, to, axis: "B − A" };
    let title = match rows.first().filter(|row| row.label == "score") {
        Some(score) => {
            let [value, low, high] = [score.value, score.low, score.high].map(signed);
            let interval = format!("[{}, {}]", low.trim(), high.trim());
            format!("Difference, B − A: the score changes by {} {interval}", value.trim())
        }
        None => "Difference, B − A".to_owned(),
    };
    forest.chart(ChartKind::Differences, &title, description)
}

fn rows(comparison: &Comparison) -> Vec<ForestRow> {
    let mut rows = Vec::new();
    rows.extend(comparison.score.as_ref().and_then(|found| row("score".to_owned(), found)));
    rows.extend(comparison.right.as_ref().and_then(|found| row("all right".to_owned(), found)));
    for (name, found) in comparison.dimensions.iter().chain(&comparison.scorers) {
        rows.extend(row(name.clone(), found));
    }
    let few = comparison.slices.iter().filter(|(_, values)| values.len() <= MOST_VALUES);
    for (tag, values) in few {
        for (value, found) in values {
            rows.extend(row(format!("{tag} {value}"), found));
        }
    }
    rows
}

fn row(label: String, found: &Difference) -> Option<ForestRow> {
    let drawn = |value: f64| if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
    let (low, high) = (drawn(found.low?), drawn(found.high?));
    Some(ForestRow { label, value: drawn(found.difference), low, high })
}
