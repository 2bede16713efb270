//! The cells of a matrix side by side, the best of each tier first.

use std::cmp::Ordering;

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::CellName;

use crate::rate::Rate;
use crate::summary::{CutOff, Summary};

/// A leaderboard: a place for every cell, counted in each tier on its own.
#[derive(Clone, Debug, Serialize)]
pub struct Leaderboard {
    /// The places: tier by tier, the best first.
    pub places: Vec<LeaderboardPlace>,
}

/// One cell and its numbers.
#[derive(Clone, Debug, Serialize)]
pub struct LeaderboardPlace {
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
    /// What the best constant policy that never calls a tool scores by the scorer that counts.
    pub floor: Option<f64>,
    /// What may have spoiled it: what was found before its first trial, and answers that were cut
    /// off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Leaderboard {
    /// The leaderboard of these cells. Tiers stand in the order in which they are first met, and
    /// so do cells that are level.
    pub fn of(cells: impl IntoIterator<Item = (CellName, Summary)>) -> Self {
        let mut tiers: IndexMap<Option<String>, Vec<LeaderboardPlace>> = IndexMap::new();
        for (cell, summary) in cells {
            tiers.entry(cell.tier.clone()).or_default().push(place(cell, &summary));
        }
        for places in tiers.values_mut() {
            places.sort_by(|a, b| better_first(a.score.as_ref(), b.score.as_ref()));
            rank(places);
        }
        Self { places: tiers.into_values().flatten().collect() }
    }
}

fn place(cell: CellName, summary: &Summary) -> LeaderboardPlace {
    let by = |scorer: &str| match &summary.score {
        Some(score) if summary.scorer == scorer => Some(*score),
        _ => summary.scorers.get(scorer).copied(),
    };
    let cut_off = summary.cut_off.map(CutOff::words);
    LeaderboardPlace {
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
        warnings: summary.warnings.iter().cloned().chain(cut_off).collect(),
    }
}

fn better_first(a: Option<&Rate>, b: Option<&Rate>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => b.mean.total_cmp(&a.mean),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// Gives ranks to places in their order; those that are level share the better one.
fn rank(places: &mut [LeaderboardPlace]) {
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

#[cfg(test)]
mod tests {
    use toolgauge_core::Run;

    use super::*;
    use crate::tally::SummaryTally;

    fn summary(mean: Option<f64>, half_width: f64) -> Summary {
        let run: Run = serde_json::from_value(serde_json::json!({
            "id": "r", "created": "2026-11-15T00:00:00Z",
            "suite": {"name": "s", "hash": "h", "size": 1},
            "subject": {"name": "m", "provider": "openai"},
            "cases": [], "trials": 1, "scorers": ["end_state"],
            "program": {"version": "0", "revision": "0"},
        }))
        .unwrap();
        let mut summary = SummaryTally::of(&run).summary(&run, None);
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
        let board = Leaderboard::of(vec![
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
    fn a_cell_whose_answers_were_cut_off_has_a_mark() {
        let mut cut = summary(Some(0.5), 0.1);
        cut.cut_off = Some(CutOff { trials: 3, max_tokens: Some(64) });
        let text = Leaderboard::of([(cell("a", "small"), cut)]).to_string();
        assert!(text.contains("a !"), "{text}");
        assert!(text.contains("! a: 3 trials reached max_tokens (64)"), "{text}");
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
