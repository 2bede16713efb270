//! Rates in tables with bars: dimensions, scorers, measures, slices by tag.

use maud::{Markup, html};

use super::bar::rate_bar;
use super::links::Links;
use super::table::{Cell, Column, Row, Table};
use super::text::{linked, name};
use crate::number::{count, estimate, interval};
use crate::rate::Rate;
use crate::render::text::is_told_by_tier;
use crate::summary::Summary;

/// A table of rates under a heading for their names; nothing if there are none.
pub fn rate_table<'a>(
    heading: &str,
    rates: impl IntoIterator<Item = (&'a String, &'a Rate)>,
    href: impl Fn(&str) -> Option<String>,
) -> Markup {
    let mut rates = rates.into_iter().peekable();
    let table = Table::new(&format!("Rates by {heading}"))
        .sortable()
        .with([Column::words(heading).naming_rows()])
        .with(rate_columns());
    let rows = |(key, rate): (&String, &Rate)| {
        let named = Cell::of(linked(href(key), &name(key)));
        Row::of(std::iter::once(named).chain(rate_cells(rate)))
    };
    html! { @if rates.peek().is_some() { (table.rows(rates.map(rows))) } }
}

fn rate_columns() -> [Column; 4] {
    [
        Column::numbers("trials"),
        Column::numbers("rate"),
        Column::intervals("95 % interval"),
        Column::bars("as a bar"),
    ]
}

fn rate_cells(rate: &Rate) -> [Cell; 4] {
    [
        Cell::of(count(rate.trials)).sorted_by(&rate.trials),
        Cell::of(format!("{:.3}", rate.mean))
            .sorted_by(&format!("{:.6}", rate.mean))
            .titled(estimate(rate)),
        Cell::of(interval(rate.low, rate.high)),
        Cell::of(rate_bar(rate)),
    ]
}

/// What was judged on its own.
pub fn dimensions(summary: &Summary, links: &dyn Links) -> Markup {
    rate_table("dimension", &summary.dimensions, |name| links.dimension(name))
}

/// The means of further scorers.
pub fn scorers(summary: &Summary) -> Markup {
    rate_table("scorer", &summary.scorers, |_| None)
}

/// The means of numbers beside the score. What never happened is not worth a line, nor what the
/// tables by tier tell.
pub fn measures(summary: &Summary) -> Markup {
    let told = |name: &str| summary.tiers.is_some() && is_told_by_tier(name);
    let measures = summary.measures.iter();
    let measures = measures.filter(|(name, rate)| rate.mean > 0.0 && !told(name));
    rate_table("measure", measures, |_| None)
}

/// The score by every tag, a table each.
pub fn slices(summary: &Summary, links: &dyn Links) -> Markup {
    html! {
        div.slices {
            @for (tag, values) in &summary.tags {
                section.slice {
                    h3 { (name(tag)) }
                    (rate_table("value", values, |value| links.slice(tag, value)))
                }
            }
        }
    }
}
