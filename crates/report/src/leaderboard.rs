//! The cells of a matrix side by side, the best of each tier first.

use std::cmp::Ordering;
use std::fmt::{self, Display, Write as _};

use comfy_table::Cell;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::harmless::{line, line_within};
use crate::number::{estimate, seconds};
use crate::rate::Rate;
use crate::summary::Summary;
use crate::table::{self, number};

/// What one cell of a matrix is of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellName {
    /// The model, as the matrix calls it.
    pub model: String,
    /// Its quantisation, if the matrix names one.
    pub quantisation: Option<String>,
    /// The context its server was given, in tokens.
    pub context: Option<u64>,
    /// The prompt, as the matrix calls it.
    pub prompt: Option<String>,
    /// The tier.
    pub tier: Option<String>,
}

/// A leaderboard: a place for every cell, counted in each tier on its own.
#[derive(Clone, Debug, Serialize)]
pub struct Leaderboard {
    /// The places: tier by tier, the best first.
    pub places: Vec<Place>,
}

/// One cell and its numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// Its rank in its tier; absent when nothing could be scored.
    pub rank: Option<usize>,
    /// Whether the best of the tier is not shown to be better: the intervals overlap.
    pub near_best: bool,
    /// What it is of.
    pub cell: CellName,
    /// The mean by the scorer that counts.
    pub score: Option<Rate>,
    /// How many trials it has, and how many it should have.
    pub trials: usize,
    /// How many it should have.
    pub planned: usize,
    /// How many trials could not be scored.
    pub unscored: usize,
    /// The mean by the calls, where they are judged.
    pub by_calls: Option<Rate>,
    /// The mean by the end state, where it is judged.
    pub by_state: Option<Rate>,
    /// The median of the time a trial took, in seconds.
    pub p50: Option<f64>,
    /// Nineteen trials in twenty were faster.
    pub p95: Option<f64>,
    /// Tokens a second while writing, as the server reports them.
    pub tokens_per_second: Option<f64>,
    /// What a subject that never calls a tool would score by the scorer that counts.
    pub floor: Option<f64>,
    /// What was found before its first trial that may have spoiled it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Leaderboard {
    /// The leaderboard of these cells. Tiers stand in the order in which they are first met, and
    /// so do cells that are level.
    pub fn of(cells: impl IntoIterator<Item = (CellName, Summary)>) -> Self {
        let mut tiers: IndexMap<Option<String>, Vec<Place>> = IndexMap::new();
        for (cell, summary) in cells {
            tiers.entry(cell.tier.clone()).or_default().push(place(cell, &summary));
        }
        for places in tiers.values_mut() {
            places.sort_by(|a, b| better_first(a.score.as_ref(), b.score.as_ref()));
            rank(places);
        }
        Self { places: tiers.into_values().flatten().collect() }
    }

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

fn place(cell: CellName, summary: &Summary) -> Place {
    let by = |scorer: &str| match &summary.score {
        Some(score) if summary.scorer == scorer => Some(*score),
        _ => summary.scorers.get(scorer).copied(),
    };
    Place {
        rank: None,
        near_best: false,
        cell,
        score: summary.score,
        trials: summary.trials,
        planned: summary.planned,
        unscored: summary.unscored.values().sum(),
        by_calls: by("tool_calls").or_else(|| by("tool_calls_classic")),
        by_state: by("end_state"),
        p50: summary.latency.total.map(|total| total.p50),
        p95: summary.latency.total.map(|total| total.p95),
        tokens_per_second: summary.speed.generated,
        floor: summary.floor,
        warnings: summary.warnings.clone(),
    }
}

fn better_first(a: Option<&Rate>, b: Option<&Rate>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => b.mean.total_cmp(&a.mean),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// Gives ranks to places in their order; those that are level share the better one.
fn rank(places: &mut [Place]) {
    let best = places.first().and_then(|place| place.score);
    let mut last: Option<(f64, usize)> = None;
    for (position, place) in places.iter_mut().enumerate() {
        let Some(score) = place.score else { continue };
        let rank = match last {
            Some((mean, rank)) if mean.total_cmp(&score.mean).is_eq() => rank,
            _ => position + 1,
        };
        last = Some((score.mean, rank));
        place.rank = Some(rank);
        place.near_best = rank > 1 && best.is_some_and(|best| score.high >= best.low);
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

#[cfg(test)]
mod tests {
    use toolgauge_core::Run;

    use super::*;
    use crate::tally::Tally;

    fn summary(mean: Option<f64>, half_width: f64) -> Summary {
        let run: Run = serde_json::from_value(serde_json::json!({
            "id": "r", "created": "2026-11-15T00:00:00Z",
            "suite": {"name": "s", "hash": "h", "size": 1},
            "subject": {"name": "m", "provider": "openai"},
            "cases": [], "trials": 1, "scorers": ["end_state"],
            "program": {"version": "0", "revision": "0"},
        }))
        .unwrap();
        let mut summary = Tally::of(&run).summary(&run, None);
        summary.score = mean.map(|mean| Rate {
            mean,
            low: mean - half_width,
            high: mean + half_width,
            trials: 10,
            cases: 10,
        });
        summary
    }

    fn cell(model: &str, tier: &str) -> CellName {
        CellName { model: model.into(), tier: Some(tier.into()), ..CellName::default() }
    }

    #[test]
    fn cells_are_ranked_within_their_tier_and_near_ones_marked() {
        let board = Leaderboard::of([
            (cell("a", "small"), summary(Some(0.5), 0.1)),
            (cell("b", "small"), summary(Some(0.9), 0.05)),
            (cell("a", "large"), summary(Some(0.2), 0.1)),
            (cell("c", "small"), summary(None, 0.0)),
            (cell("d", "small"), summary(Some(0.88), 0.05)),
            (cell("e", "small"), summary(Some(0.5), 0.1)),
        ]);
        let told: Vec<(&str, Option<usize>, bool)> = board
            .places
            .iter()
            .map(|place| (place.cell.model.as_str(), place.rank, place.near_best))
            .collect();
        assert_eq!(
            told,
            [
                ("b", Some(1), false),
                ("d", Some(2), true),
                ("a", Some(3), false),
                ("e", Some(3), false),
                ("c", None, false),
                ("a", Some(1), false),
            ]
        );
    }

    #[test]
    fn a_name_cannot_break_the_markdown() {
        let board = Leaderboard::of([(cell("a|b", "small"), summary(Some(0.5), 0.1))]);
        let text = board.markdown();
        assert!(text.contains("| 1 | a\\|b |"), "{text}");
        assert_eq!(
            text.lines().next(),
            Some("| rank | model | tier | by state |"),
            "no empty columns"
        );
    }
}
