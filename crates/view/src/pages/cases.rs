//! The list of a run's trials: its filters, its lines, its pages.

use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_core::Cause;
use toolgauge_report::CaseStanding;
use toolgauge_report::html::{name, title};
use toolgauge_report::number::{count, seconds};

use super::judgement::mark;
use crate::index::{TagColumn, TrialRow};
use crate::layout::{PageFrame, Section};
use crate::library::OpenedLog;
use crate::parameters::{Link, Parameters};
use crate::query::CaseQuery;
use crate::site::NamedLog;
use crate::sorting::Sorting;

/// Lines on a page without scripts.
const PAGE: usize = 100;
/// Lines on a page that is printed: some sixty sheets.
const PRINTED: usize = 2_000;
/// The most lines that are sent at once.
const MOST: usize = 500;
/// A tag with more values than this is searched for in another way.
const MOST_CHOICES: usize = 60;
/// The most causes that a line names.
const CAUSES: usize = 3;

/// The list with its filters.
pub(super) fn list(opened: &OpenedLog, parameters: &Parameters) -> Markup {
    let query = CaseQuery::read(parameters);
    let rows = opened.index.select(&query);
    let last = rows.len().saturating_sub(1) / PAGE;
    let page = parameters.number("page").unwrap_or(0).min(last);
    let here = Link::run(&opened.name, "");
    html! {
        section #cases aria-labelledby="cases-title" {
            h2 #cases-title { "Cases" }
            (filters(opened, &query))
            p.found {
                output #found-count for="q" { (count(rows.len() as u64)) }
                " of " (count(opened.index.len() as u64)) " trials"
                @if query.is_filter() { " · " a href={ (here) "#cases" } { "show all" } }
                span.act { "· " a href=(annotate(&opened.name, &query)) { "go through these one by one" } }
            }
            div #list .scroll.list tabindex="-1" data-rows=(Link::run(&opened.name, "/rows")) data-total=(rows.len()) {
                table.cases.stacked role="table" aria-rowcount=(rows.len() + 1) {
                    caption.unseen { "Trials" }
                    (heading(&query, &here))
                    (lines(opened, &query, &rows, page * PAGE, PAGE))
                }
            }
            @if rows.is_empty() { p.nothing { "No trial is like that." } }
            @if rows.len() > PAGE {
                p.left-out.on-paper {
                    "The list is printed as far as it was on the screen; “" (TO_PRINT) "” has all of it."
                }
            }
            (pages(&here, &query, page, last))
        }
    }
}

/// What leads to the list as it is printed.
const TO_PRINT: &str = "List to print";

/// Answers with the list alone, as it is printed: every line is in the page, whose length is
/// bounded.
pub(crate) async fn printed(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let query = CaseQuery::read(&parameters);
    let rows = opened.index.select(&query);
    let last = rows.len().saturating_sub(1) / PRINTED;
    let page = parameters.number("page").unwrap_or(0).min(last);
    let from = page * PRINTED;
    let to = rows.len().min(from + PRINTED);
    let here = Link::run(&opened.name, "/list");
    let back = Link::run(&opened.name, "").and(query.parameters());
    let content = html! {
        nav.trail aria-label="Where you are" {
            a href="/" { "Runs" } " / " a href={ (back) "#cases" } { (name(&opened.name)) } " / "
            span { "list" }
        }
        h1 { (title(&opened.summary)) }
        p {
            @if rows.is_empty() { "No trials" }
            @else {
                "Trials " (count(from as u64 + 1)) " to " (count(to as u64)) " of "
                (count(rows.len() as u64))
            }
            @if query.is_filter() {
                ", chosen from " (count(opened.index.len() as u64)) " by" (chosen(&query))
            }
        }
        div #cases .scroll.list tabindex="0" role="group" aria-label="Trials" {
            table.cases.stacked role="table" aria-rowcount=(rows.len() + 1) {
                caption.unseen { "Trials" }
                (heading(&query, &here))
                (lines(&opened, &query, &rows, from, PRINTED))
            }
        }
        (pages(&here, &query, page, last))
    };
    let whose = format!("{} · {}", opened.summary.suite.name, opened.summary.subject.name);
    PageFrame::new(Section::Runs, whose).with(&content).into_response()
}

/// By what a query chooses, for who sees no filters on paper.
fn chosen(query: &CaseQuery) -> Markup {
    let order = ["sort", "reversed"];
    let fields = query.parameters().into_iter().filter(|(field, _)| !order.contains(&&**field));
    html! {
        @for (field, value) in fields {
            " " (if field == "q" { "words" } else { &field }) " “" (name(&value)) "”"
        }
    }
}

/// Links to the page before and to the one after, where there are several.
fn pages(here: &Link, query: &CaseQuery, page: usize, last: usize) -> Markup {
    html! {
        @if last > 0 {
            nav.pages aria-label="Pages of cases" {
                @if page > 0 { (turn(here, query, page - 1, "Previous")) }
                span { "Page " (page + 1) " of " (last + 1) }
                @if page < last { (turn(here, query, page + 1, "Next")) }
            }
        }
    }
}

/// Where the cases of a query are gone through for feedback.
fn annotate(log: &str, query: &CaseQuery) -> Link {
    Link::run(log, "/annotate").and(query.parameters())
}

fn turn(here: &Link, query: &CaseQuery, page: usize, words: &str) -> Markup {
    let link = here.clone().and(query.parameters()).with("page", page.to_string());
    html! { a href={ (link) "#cases" } { (words) } }
}

/// Answers with lines alone, for the list that scripts scroll.
pub(crate) async fn rows(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let query = CaseQuery::read(&parameters);
    let rows = opened.index.select(&query);
    let from = parameters.number("from").unwrap_or(0);
    let wanted = parameters.number("count").unwrap_or(PAGE).min(MOST);
    html! { table { (lines(&opened, &query, &rows, from, wanted)) } }.into_response()
}

fn lines(
    opened: &OpenedLog,
    query: &CaseQuery,
    rows: &[TrialRow],
    from: usize,
    wanted: usize,
) -> Markup {
    let shown = rows.iter().enumerate().skip(from).take(wanted);
    html! {
        tbody role="rowgroup" data-total=(rows.len()) data-from=(from) {
            @for (place, row) in shown { (line(opened, query, place, *row)) }
        }
    }
}

fn line(opened: &OpenedLog, query: &CaseQuery, place: usize, row: TrialRow) -> Markup {
    let overview = opened.index.overview(row);
    let link = case_link(opened, row, query);
    html! {
        tr role="row" aria-rowindex=(place + 2) {
            td role="cell" { (mark(overview.mark)) }
            td.number role="cell" data-label="score" { @if let Some(value) = overview.value { (format!("{value:.3}")) } }
            th.one-line scope="row" role="rowheader" {
                a href=(link) { (name(overview.case)) }
                @if overview.trial > 1 || opened.run().trials > 1 { " #" (overview.trial) }
            }
            td.one-line.asked role="cell" { (name(overview.sentence)) }
            td.one-line.lost role="cell" data-label="lost by" {
                @for (place, cause) in overview.causes.iter().take(CAUSES).enumerate() {
                    @if place > 0 { ", " }
                    (cause.words())
                }
                @if overview.causes.len() > CAUSES { " …" }
            }
            td.number.calls role="cell" data-label="calls" { (overview.calls) }
            td.number role="cell" data-label="time" { @if let Some(latency) = overview.latency { (seconds(f64::from(latency))) } }
            td.number.tokens role="cell" data-label="tokens" { @if overview.tokens > 0 { (count(u64::from(overview.tokens))) } }
        }
    }
}

/// Where a trial is shown, with the list it was found in.
pub(super) fn case_link(opened: &OpenedLog, row: TrialRow, query: &CaseQuery) -> Link {
    Link::run(&opened.name, "/case")
        .with("id", opened.index.case(row))
        .with("trial", opened.index.trial(row).to_string())
        .and(query.parameters())
}

fn heading(query: &CaseQuery, here: &Link) -> Markup {
    let sortable = |sorting: Sorting, words: &str| {
        let current = query.sorting == sorting;
        // Names go up at first, numbers down.
        let up = (sorting == Sorting::Case) != query.reversed;
        let order = current.then_some(if up { "ascending" } else { "descending" });
        let link = here.clone().and(query.sorted_by(sorting).parameters());
        html! {
            th.number[sorting != Sorting::Case] scope="col" role="columnheader" aria-sort=[order] {
                a.sort href={ (link) "#cases" } data-sort-by=(sorting.name()) { (words) }
            }
        }
    };
    html! {
        thead role="rowgroup" {
            tr role="row" aria-rowindex="1" {
                th scope="col" role="columnheader" { a.sort href={ (here.clone().and(query.sorted_by(Sorting::Plan).parameters())) "#cases" } data-sort-by="plan" { "verdict" } }
                (sortable(Sorting::Score, "score"))
                (sortable(Sorting::Case, "case"))
                th scope="col" role="columnheader" { "asked" }
                th scope="col" role="columnheader" { "lost by" }
                th.number scope="col" role="columnheader" { "calls" }
                (sortable(Sorting::Latency, "time"))
                (sortable(Sorting::Tokens, "tokens"))
            }
        }
    }
}

fn filters(opened: &OpenedLog, query: &CaseQuery) -> Markup {
    let index = &opened.index;
    let marks = CaseStanding::ALL.map(|mark| (mark.name(), mark.name()));
    let causes: Vec<(&str, &str)> = Cause::ALL.iter().map(|c| (c.name(), c.words())).collect();
    let dimensions: Vec<(&str, &str)> = index.dimensions().map(|name| (name, name)).collect();
    html! {
        form #filters .filters method="get" action={ (Link::run(&opened.name, "")) "#cases" } {
            label { "search" input #q type="search" name="q" value=(query.text) placeholder="words of the name or the request"; }
            (choice("verdict", "verdict", &marks, query.mark.map(CaseStanding::name)))
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
            button.plain { "Filter" }
            @if index.len() > PAGE {
                button.plain formaction=(Link::run(&opened.name, "/list")) { (TO_PRINT) }
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
                    option value=(value) selected[chosen == Some(*value)] {
                        (toolgauge_report::harmless::line(words))
                    }
                }
            }
        }
    }
}
