//! The cells of a matrix, a row each.

use crate::harmless::{line, line_within};
use crate::leaderboard::{Leaderboard, LeaderboardPlace};
use crate::number::{estimate, seconds};
use crate::rate::Rate;
use crate::render::table::{FigureCell, FigureColumn, FigureTable};

/// What the marks of the table mean.
pub(crate) const LEGEND: &str = "Ranks count within a tier, by the scorer that counts; `≈` marks a cell whose 95\u{a0}% interval \
     overlaps that of the best. The floor is what the best constant policy scores that never calls a tool.";

/// The places, with rank and model and the columns for which some cell has a value.
pub(crate) fn leaderboard(board: &Leaderboard) -> FigureTable {
    let columns = [
        FigureColumn::numbers_of("rank"),
        FigureColumn::names("model"),
        FigureColumn::words("quantisation"),
        FigureColumn::numbers_of("context"),
        FigureColumn::words("prompt"),
        FigureColumn::words("tier"),
    ];
    let columns = columns.into_iter().chain(figure_columns());
    let rows = board.places.iter().map(|place| cells(place).map(FigureCell::words));
    FigureTable::new("Leaderboard", columns).at_margin().rows(rows).lean(2)
}

/// The places of one tier in text, where its name and its floor are above: each cell by what it is
/// made of.
pub(crate) fn leaderboard_of_tier(places: &[LeaderboardPlace]) -> FigureTable {
    let columns = [FigureColumn::numbers_of("rank"), FigureColumn::names("cell")];
    let columns = columns.into_iter().chain(figure_columns());
    let is_above = floor_of(places).is_some();
    let rows = places.iter().map(|place| {
        let [rank, model, quantisation, context, prompt, _tier, figures @ .., floor] = cells(place);
        let parts = [model, quantisation, context, prompt];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let floor = if is_above { String::new() } else { floor };
        let row = [rank, parts.join(" · ")].into_iter().chain(figures).chain([floor]);
        row.map(FigureCell::words).collect::<Vec<_>>()
    });
    FigureTable::new("Leaderboard", columns).at_margin().rows(rows).lean(2)
}

/// The columns behind the name of a cell.
fn figure_columns() -> [FigureColumn; 6] {
    [
        FigureColumn::intervals("by calls"),
        FigureColumn::intervals("by state"),
        FigureColumn::numbers_of("p50"),
        FigureColumn::numbers_of("p95"),
        FigureColumn::numbers_of("tokens/s"),
        FigureColumn::numbers_of("floor"),
    ]
}

/// The floor of these places, if it is one.
pub(crate) fn floor_of(places: &[LeaderboardPlace]) -> Option<f64> {
    let floor = places.first()?.floor?;
    places.iter().all(|place| place.floor == Some(floor)).then_some(floor)
}

/// The warnings of its cells, each behind the mark and the name of its cell.
pub(crate) fn warnings(board: &Leaderboard) -> impl Iterator<Item = String> {
    board.places.iter().flat_map(|place| {
        let name = line(&place.cell.model);
        place.warnings.iter().map(move |w| format!("! {name}: {}", line_within(w, 400)))
    })
}

fn cells(place: &LeaderboardPlace) -> [String; 12] {
    let rank = place.rank.map_or("–".to_owned(), |rank| {
        format!("{rank}{}", if place.near_best { " ≈" } else { "" })
    });
    let estimate = |rate: &Option<Rate>| rate.as_ref().map(estimate).unwrap_or_default();
    let time = |value: Option<f64>| value.map(seconds).unwrap_or_default();
    let name = &place.cell;
    let given = |words: &Option<String>| line(words.as_deref().unwrap_or_default()).into_owned();
    let (mut by_calls, mut by_state) = (estimate(&place.by_calls), estimate(&place.by_state));
    // What is missing stands behind the last score there is.
    let last = if by_state.is_empty() { &mut by_calls } else { &mut by_state };
    last.push_str(&shortfall(place));
    [
        rank,
        format!("{}{}", line(&name.model), if place.warnings.is_empty() { "" } else { " !" }),
        given(&name.quantisation),
        name.context.map(|context| context.to_string()).unwrap_or_default(),
        given(&name.prompt),
        given(&name.tier),
        by_calls,
        by_state,
        time(place.p50),
        time(place.p95),
        place.tokens_per_second.map(|speed| format!("{speed:.1}")).unwrap_or_default(),
        place.floor.map(|floor| format!("{floor:.3}")).unwrap_or_default(),
    ]
}

/// What is missing of a cell, behind its last score.
fn shortfall(place: &LeaderboardPlace) -> String {
    match (place.planned.saturating_sub(place.trials), place.unscored) {
        (0, 0) => String::new(),
        (0, unscored) => format!(" ({unscored} unscored)"),
        (missing, 0) => format!(" ({missing} missing)"),
        (missing, unscored) => format!(" ({missing} missing, {unscored} unscored)"),
    }
}
