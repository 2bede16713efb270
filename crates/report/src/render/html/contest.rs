//! Several runs on the same cases: ranks, every pair, and who cannot be told apart.

use maud::{Markup, html};

use super::bar::difference_bar;
use super::figure_table::figure_table;
use super::links::Links;
use super::table::{Cell, Column, Table};
use super::text::{badge, linked, name};
use crate::compare::{ContestReport, bare_p, signed};
use crate::number::counted;
use crate::render::tables;
use crate::render::tone::Tone;

/// Everything a comparison of several runs says.
pub fn contest(contest: &ContestReport, links: &dyn Links) -> Markup {
    html! {
        @for (letter, cautions) in &contest.cautions {
            ul.cautions {
                @for caution in cautions {
                    li {
                        (badge(Tone::Caution, "caution")) " A and " (letter) ": "
                        (name(&caution.message))
                    }
                }
            }
        }
        p { "Compared over " (counted(contest.cases, "case")) " that all of them have." }
        (figure_table(&tables::ranks(contest, links)))
        @match contest.alike() {
            Some(alike) => p { "Cannot be told apart: " (alike) "." },
            None => p { "Each run is told apart from every other." },
        }
        (duels(contest, links))
    }
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
