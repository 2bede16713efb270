//! Rates in tables with bars: dimensions, scorers, measures, slices by tag.

use maud::{Markup, html};

use super::bar::rate_bar;
use super::card::rate_cells;
use super::links::Links;
use super::text::{linked, name};
use crate::harmless;
use crate::rate::Rate;
use crate::summary::{Summary, is_told_by_tier};

/// A table of rates under a heading for their names; nothing if there are none.
pub fn rate_table<'a>(
    heading: &str,
    rates: impl IntoIterator<Item = (&'a String, &'a Rate)>,
    href: impl Fn(&str) -> Option<String>,
) -> Markup {
    let mut rates = rates.into_iter().peekable();
    html! {
        @if rates.peek().is_some() {
            div.scroll tabindex="0" role="group" aria-label={ "Rates by " (harmless::line(heading)) } {
                table.sortable {
                    caption.unseen { "Rates by " (name(heading)) }
                    thead {
                        tr {
                            th scope="col" { (name(heading)) }
                            th.number scope="col" { "trials" }
                            th.number scope="col" { "rate" }
                            th scope="col" { "95 % interval" }
                            th.bar-column scope="col" { span.unseen { "as a bar" } }
                        }
                    }
                    tbody {
                        @for (key, rate) in rates {
                            tr {
                                th scope="row" { (linked(href(key), &name(key))) }
                                (rate_cells(rate))
                                td.bar-column { (rate_bar(rate)) }
                            }
                        }
                    }
                }
            }
        }
    }
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
