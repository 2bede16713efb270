//! The list of a run's trials.

mod download;
mod filters;
mod lines;

pub(crate) use download::csv;
pub(super) use lines::case_link;

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_report::html::{name, title};
use toolgauge_report::number::{count, plural};

use super::run::{RunTab, run_page};
use crate::layout::{PageFrame, Section};
use crate::library::OpenedLog;
use crate::parameters::{Link, Parameters};
use crate::query::CaseQuery;
use crate::search::TranscriptSearch;
use crate::site::NamedLog;
use filters::{TO_PRINT, filters};
use lines::{ListPart, heading, lines};

/// Lines on a page without scripts.
const PAGE: usize = 100;
/// Lines on a page that is printed: some sixty sheets.
const PRINTED: usize = 2_000;
/// The most lines that are sent at once.
const MOST: usize = 500;
/// The transcripts of a log with at most so many trials are read before anybody searches.
const READ_AHEAD: usize = 20_000;

/// Answers with the list of trials.
pub(crate) async fn page(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let query = CaseQuery::read(&parameters);
    ready_to_search(&opened, &query).await;
    run_page(&opened, RunTab::Cases, &list(&opened, &query, &parameters))
}

/// Has the transcripts read where somebody searches, or soon may.
async fn ready_to_search(opened: &Arc<OpenedLog>, query: &CaseQuery) {
    if !query.text.is_empty() {
        TranscriptSearch::wait(opened).await;
    } else if opened.index.len() <= READ_AHEAD {
        TranscriptSearch::start(opened);
    }
}

/// The list with its filters.
fn list(opened: &OpenedLog, query: &CaseQuery, parameters: &Parameters) -> Markup {
    let rows = opened.select(query);
    let last = rows.len().saturating_sub(1) / PAGE;
    let page = parameters.number("page").unwrap_or(0).min(last);
    let here = Link::run(&opened.name, "/cases");
    let shown = ListPart { opened, query, rows: &rows };
    html! {
        section #cases aria-labelledby="cases-title" {
            h2 #cases-title .unseen { "Cases" }
            (filters(opened, query))
            p.found {
                output #found-count for="q" { (count(rows.len() as u64)) }
                " of " (count(opened.index.len() as u64)) " " (plural(opened.index.len(), "trial"))
                @if query.is_filter() { " · " a href=(here) { "show all" } }
                span.act { "· " a href=(Link::run(&opened.name, "/annotate").and(query.parameters())) { "go through these one by one" } }
                span.act { "· " a href=(Link::run(&opened.name, "/cases.csv").and(query.parameters())) { "download as CSV" } }
            }
            p #search-note .note role="status" { (shown.search_note().unwrap_or_default()) }
            div #list .scroll.list tabindex="-1" data-rows=(Link::run(&opened.name, "/rows")) data-total=(rows.len()) {
                table.cases.stacked role="table" aria-rowcount=(rows.len() + 1) {
                    caption.unseen { "Trials" }
                    (heading(query, &here))
                    (lines(&shown, page * PAGE, PAGE))
                }
            }
            (nothing(opened, query, rows.len()))
            @if rows.len() > PAGE {
                p.left-out.on-paper {
                    "The list is printed as far as it was on the screen; “" (TO_PRINT) "” has all of it."
                }
            }
            (pages(&here, query, page, last))
        }
    }
}

/// What to do where the list is empty.
fn nothing(opened: &OpenedLog, query: &CaseQuery, rows: usize) -> Markup {
    html! {
        @if opened.index.len() == 0 {
            p.nothing { "No trial has ended yet. Trials appear here as they end." }
        } @else if rows == 0 {
            p.nothing {
                "No trial matches" @if !query.text.is_empty() { " these words and filters. Names, requests, transcripts, arguments and answers were searched" }
                ". Remove a filter, or " a href=(Link::run(&opened.name, "/cases")) { "show all trials" } "."
            }
        }
    }
}

/// Answers with the list alone, as it is printed: every line is in the page, whose length is
/// bounded.
pub(crate) async fn printed(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let query = CaseQuery::read(&parameters);
    ready_to_search(&opened, &query).await;
    let rows = opened.select(&query);
    let last = rows.len().saturating_sub(1) / PRINTED;
    let page = parameters.number("page").unwrap_or(0).min(last);
    let from = page * PRINTED;
    let to = rows.len().min(from + PRINTED);
    let here = Link::run(&opened.name, "/list");
    let back = Link::run(&opened.name, "/cases").and(query.parameters());
    let shown = ListPart { opened: &opened, query: &query, rows: &rows };
    let content = html! {
        nav.trail aria-label="Where you are" {
            a href=(Link::to("/")) { "Runs" } " / " a href=(back) { (name(&opened.name)) } " / "
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
                (lines(&shown, from, PRINTED))
            }
        }
        (pages(&here, &query, page, last))
    };
    let whose = format!("{} · {}", opened.summary.suite.name, opened.summary.subject.name);
    PageFrame::new(Section::Runs, whose).with(&content).into_response()
}

/// By what a query chooses, for who sees no filters on paper.
fn chosen(query: &CaseQuery) -> Markup {
    let order = ["sort", "reversed", "column"];
    let fields = query.parameters().into_iter().filter(|(field, _)| !order.contains(&&**field));
    html! {
        @for (field, value) in fields {
            " " (if field == "q" { "words" } else { &field }) " “" (name(&value)) "”"
        }
    }
}

/// Links to the page before and to the one after, where there are several.
fn pages(here: &Link, query: &CaseQuery, page: usize, last: usize) -> Markup {
    let turn = |page: usize, words: &str| {
        let link = here.clone().and(query.parameters()).with("page", page.to_string());
        html! { a href=(link) { (words) } }
    };
    html! {
        @if last > 0 {
            nav.pages aria-label="Pages of cases" {
                @if page > 0 { (turn(page - 1, "Previous")) }
                span { "Page " (page + 1) " of " (last + 1) }
                @if page < last { (turn(page + 1, "Next")) }
            }
        }
    }
}

/// Answers with lines alone, for the list that scripts scroll.
pub(crate) async fn rows(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let query = CaseQuery::read(&parameters);
    ready_to_search(&opened, &query).await;
    let rows = opened.select(&query);
    let from = parameters.number("from").unwrap_or(0);
    let wanted = parameters.number("count").unwrap_or(PAGE).min(MOST);
    let shown = ListPart { opened: &opened, query: &query, rows: &rows };
    html! { table { (lines(&shown, from, wanted)) } }.into_response()
}
