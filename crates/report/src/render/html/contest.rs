//! Several runs on the same cases: ranks, every pair, and who cannot be told apart.

use maud::{Markup, html};

use super::bar::{difference_bar, rate_bar};
use super::links::Links;
use super::table::{Cell, Column, Table};
use super::text::{Tone, badge, linked, name};
use crate::compare::{Contender, ContestReport, bare_p, described, signed};
use crate::number::{counted, interval};
use crate::rate::Rate;

/// Everything a comparison of several runs says.
pub fn contest(contest: &ContestReport, links: &dyn Links) -> Markup {
    let groups: Vec<String> = contest.groups.iter().map(|group| group.join(" ")).collect();
    html! {
        @for (letter, cautions) in &contest.cautions {
            ul.cautions {
                @for caution in cautions {
                    li {
                        (badge(Tone::Caution, "caution")) " A and " (letter) ": "
                        (name(&caution.message.replace("in B", &format!("in {letter}"))))
                    }
                }
            }
        }
        p { "Compared over " (counted(contest.cases, "case")) " that all of them have." }
        (ranks(contest, links))
        p { "Cannot be told apart: " (groups.join(" | ")) "." }
        (duels(contest, links))
    }
}

fn ranks(contest: &ContestReport, links: &dyn Links) -> Markup {
    let table = Table::new("Runs by rank").sortable().stacked().with([
        Column::numbers("rank"),
        Column::words("run").naming_rows(),
        Column::numbers("score"),
        Column::intervals("95 % interval"),
        Column::words("possible ranks"),
        Column::numbers("chance to be best"),
        Column::bars("as a bar"),
    ]);
    table.rows(contest.contenders.iter().map(|contender| rank_cells(contender, links)))
}

fn rank_cells(contender: &Contender, links: &dyn Links) -> [Cell; 7] {
    let Contender { score: mean, low, high, best_rank, worst_rank, .. } = *contender;
    let rate = Rate { mean, low, high, trials: 0, cases: 0 };
    let run = linked(links.run(&contender.letter), &name(&described(&contender.run)));
    let ranks = if best_rank == worst_rank {
        best_rank.to_string()
    } else {
        format!("{best_rank}–{worst_rank}")
    };
    [
        Cell::of(contender.rank),
        Cell::of(html! { b { (contender.letter) } " " (run) }),
        Cell::of(format!("{mean:.3}")),
        Cell::of(interval(low, high)),
        Cell::of(ranks),
        Cell::of(format!("{:.0} %", contender.probability_best * 100.0)),
        Cell::of(rate_bar(&rate)),
    ]
}

fn duels(contest: &ContestReport, links: &dyn Links) -> Markup {
    let ends = contest.duels.iter().flat_map(|duel| [duel.low.abs(), duel.high.abs()]);
    let scale = ends.fold(0.05, f64::max);
    let table = Table::new("Every pair of runs").sortable().stacked().with([
        Column::words("pair").naming_rows(),
        Column::numbers("difference"),
        Column::intervals("95 % interval"),
        Column::numbers("p"),
        Column::words("told apart"),
        Column::bars("as a bar around zero"),
    ]);
    let rows = contest.duels.iter().map(|duel| {
        let pair = html! { (duel.b) " − " (duel.a) };
        let bar = difference_bar(duel.difference, Some(duel.low), Some(duel.high), scale);
        [
            Cell::of(linked(links.pair(&duel.a, &duel.b), &pair)),
            Cell::of(signed(duel.difference).trim()).sorted_by(&format!("{:.6}", duel.difference)),
            Cell::of(format!("[{}, {}]", signed(duel.low).trim(), signed(duel.high).trim())),
            Cell::of(bare_p(duel.adjusted_p_value)),
            Cell::of(if duel.told_apart { "yes" } else { "no" }),
            Cell::of(bar),
        ]
    });
    table.rows(rows)
}
