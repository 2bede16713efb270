//! Tables of several runs on the same cases.

use crate::compare::{Contender, ContestReport, described, signed};
use crate::number::interval;
use crate::rate::Rate;
use crate::render::html::Links;
use crate::render::table::{CellContent, FigureCell, FigureColumn, FigureTable, Forms};

/// The runs by rank.
pub(crate) fn ranks(contest: &ContestReport, links: &dyn Links) -> FigureTable {
    let columns = [
        FigureColumn::numbers("rank"),
        FigureColumn::names("run").short(""),
        FigureColumn::numbers("score"),
        FigureColumn::intervals("95 % interval"),
        FigureColumn::words("possible ranks").short("ranks"),
        FigureColumn::numbers("chance to be best").short("best"),
        FigureColumn::bars("as a bar").only_in(Forms::HTML),
    ];
    let rows = contest.contenders.iter().map(|contender| rank_row(contender, links));
    FigureTable::new("Runs by rank", columns).sortable().stacked().rows(rows)
}

fn rank_row(contender: &Contender, links: &dyn Links) -> [FigureCell; 7] {
    let Contender { score: mean, low, high, best_rank, worst_rank, .. } = *contender;
    let ranks = if best_rank == worst_rank {
        best_rank.to_string()
    } else {
        format!("{best_rank}–{worst_rank}")
    };
    let run = CellContent::Lettered(contender.letter.clone(), described(&contender.run));
    [
        FigureCell::words(contender.rank),
        FigureCell::of(run).linked(links.run(&contender.letter)),
        FigureCell::words(format!("{mean:.3}")),
        FigureCell::words(interval(low, high)),
        FigureCell::words(ranks),
        FigureCell::words(format!("{:.0} %", contender.probability_best * 100.0)),
        FigureCell::of(CellContent::RateBar(Rate { mean, low, high, trials: 0, cases: 0 })),
    ]
}

/// Every run against every other in text: the row's score less the column's, with a star where
/// they can be told apart.
pub(crate) fn duels(contest: &ContestReport) -> FigureTable {
    let letters: Vec<&str> = contest.contenders.iter().map(|c| c.letter.as_str()).collect();
    let names = std::iter::once(FigureColumn::names("row − column"));
    let columns = names.chain(letters.iter().map(|letter| FigureColumn::numbers(*letter)));
    let rows = letters.iter().map(|row| {
        let cells = letters.iter().map(|column| FigureCell::words(duel(contest, row, column)));
        std::iter::once(FigureCell::words(row)).chain(cells).collect::<Vec<_>>()
    });
    FigureTable::new("Every pair of runs", columns).rows(rows)
}

fn duel(contest: &ContestReport, row: &str, column: &str) -> String {
    let found = contest.duels.iter().find_map(|duel| {
        let sign = match (duel.a == row && duel.b == column, duel.a == column && duel.b == row) {
            (true, _) => -1.0,
            (_, true) => 1.0,
            _ => return None,
        };
        let star = if duel.told_apart { "*" } else { "" };
        Some(format!("{}{star}", signed(sign * duel.difference)))
    });
    found.unwrap_or_default()
}
