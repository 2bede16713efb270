//! Rates in tables with bars: dimensions, scorers, measures, slices by tag.

use maud::{Markup, html};

use super::figure_table::figure_table;
use super::links::Links;
use super::text::name;
use crate::rate::Rate;
use crate::render::tables;
use crate::summary::Summary;

/// A table of rates under a heading for their names; nothing if there are none.
pub fn rate_table<'a>(
    heading: &str,
    rates: impl IntoIterator<Item = (&'a String, &'a Rate)>,
    href: impl Fn(&str) -> Option<String>,
) -> Markup {
    figure_table(&tables::rates(heading, rates, href))
}

/// What was judged on its own.
pub fn dimensions(summary: &Summary, links: &dyn Links) -> Markup {
    figure_table(&tables::dimensions(summary, links))
}

/// The means of further scorers.
pub fn scorers(summary: &Summary) -> Markup {
    rate_table("scorer", &summary.scorers, |_| None)
}

/// The means of numbers beside the score.
pub fn measures(summary: &Summary) -> Markup {
    figure_table(&tables::measures(summary))
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

/// Which tools were called in the place of which; nothing if none was.
pub fn confusions(summary: &Summary) -> Markup {
    figure_table(&tables::confusions(summary))
}

/// How often arguments broke the schemas of tools; nothing if none did.
pub fn violations(summary: &Summary) -> Markup {
    figure_table(&tables::violations(summary))
}

/// The causes of lost points, the costliest first; nothing if no point was lost.
pub fn losses(summary: &Summary, links: &dyn Links) -> Markup {
    figure_table(&tables::losses(summary, links))
}
