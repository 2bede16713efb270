//! What a list of trials is filtered by, and what it shows.

use maud::{Markup, html};
use toolgauge_core::Cause;
use toolgauge_report::harmless;
use toolgauge_report::html::name;

use super::PAGE;
use crate::index::TagColumn;
use crate::library::OpenedLog;
use crate::list_column::ListColumn;
use crate::parameters::Link;
use crate::query::{CaseQuery, StandingFilter};
use crate::sorting::Sorting;

/// A tag with more values than this is searched for in another way.
const MOST_CHOICES: usize = 60;

/// What leads to the list as it is printed.
pub(super) const TO_PRINT: &str = "List to print";

/// The form above the list.
pub(super) fn filters(opened: &OpenedLog, query: &CaseQuery) -> Markup {
    let index = &opened.index;
    let marks = StandingFilter::ALL.map(|mark| (mark.name(), mark.words()));
    let causes: Vec<(&str, &str)> = Cause::ALL.iter().map(|c| (c.name(), c.words())).collect();
    let dimensions: Vec<(&str, &str)> = index.dimensions().map(|name| (name, name)).collect();
    html! {
        form #filters .filters method="get" action=(Link::run(&opened.name, "/cases")) {
            label.search { "search" input #q type="search" name="q" value=(query.text) placeholder="asked, called, answered"; }
            (choice("verdict", "verdict", &marks, query.mark.map(StandingFilter::name)))
            (choice("lost by", "cause", &causes, query.cause.map(Cause::name)))
            @if !dimensions.is_empty() {
                (choice("wrong in", "dimension", &dimensions, query.dimension.as_deref()))
            }
            @for tag in index.tags().iter().filter(|tag| (2..=MOST_CHOICES).contains(&tag.values.len())) {
                (tag_choice(tag, query))
            }
            @if let Some(pattern) = &query.pattern {
                label { "failure" input type="text" name="pattern" value=(pattern); }
            }
            @if query.sorting != Sorting::default() {
                input type="hidden" name="sort" value=(query.sorting.name());
            }
            @if query.reversed { input type="hidden" name="reversed" value="1"; }
            (columns(opened, query))
            button.plain { "Filter" }
            @if index.len() > PAGE {
                button.plain formaction=(Link::run(&opened.name, "/list")) { (TO_PRINT) }
            }
        }
    }
}

/// The choice of columns.
fn columns(opened: &OpenedLog, query: &CaseQuery) -> Markup {
    let tags = opened.index.tags().iter().map(|tag| ListColumn::Tag(tag.name.clone()));
    let all = ListColumn::ALL.into_iter().chain(tags);
    let usual = ListColumn::USUAL.map(|column| column.name()).join(" ");
    html! {
        details.choose-columns {
            summary { "Columns" }
            fieldset.inside data-usual=(usual) {
                legend.unseen { "Columns of the list" }
                @for column in all {
                    label.check {
                        input type="checkbox" name="column" value=(column.name()) checked[query.columns.contains(&column)];
                        (name(column.words()))
                    }
                }
            }
        }
    }
}

fn tag_choice(tag: &TagColumn, query: &CaseQuery) -> Markup {
    let mut values: Vec<(&str, &str)> =
        tag.values.iter().map(|value| (value.as_str(), value.as_str())).collect();
    values.sort_unstable();
    choice(&tag.name, &format!("tag:{}", tag.name), &values, query.tag(&tag.name))
}

fn choice(label: &str, field: &str, values: &[(&str, &str)], chosen: Option<&str>) -> Markup {
    html! {
        label {
            (name(label))
            select name=(field) {
                option value="" { "any" }
                @for (value, words) in values {
                    option value=(value) selected[chosen == Some(*value)] { (harmless::line(words)) }
                }
            }
        }
    }
}
