//! Where the points went.

use maud::{Markup, html};

use super::bar::share_bar;
use super::links::Links;
use super::table::{Cell, Column, Table};
use super::text::linked;
use crate::number::count;
use crate::summary::Summary;

/// The causes of lost points, the costliest first; nothing if no point was lost.
pub fn losses(summary: &Summary, links: &dyn Links) -> Markup {
    let all: f64 = summary.losses.iter().map(|loss| loss.points).sum();
    let share = |points: f64| if all > 0.0 { points / all } else { 0.0 };
    let table = Table::new("Lost points by cause").sortable().with([
        Column::words("lost by").naming_rows(),
        Column::numbers("times"),
        Column::numbers("points"),
        Column::numbers("share"),
        Column::bars("as a bar"),
    ]);
    let rows = summary.losses.iter().map(|loss| {
        let cause = linked(links.cause(loss.cause), &html! { (loss.cause.words()) });
        [
            Cell::of(cause),
            Cell::of(count(loss.count as u64)).sorted_by(&loss.count),
            Cell::of(format!("{:.2}", loss.points)).sorted_by(&format!("{:.6}", loss.points)),
            Cell::of(format!("{:.0} %", share(loss.points) * 100.0)),
            Cell::of(share_bar(share(loss.points))),
        ]
    });
    html! { @if !summary.losses.is_empty() { (table.rows(rows)) } }
}
