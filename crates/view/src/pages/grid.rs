//! Several runs in one table, case by case.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use indexmap::IndexMap;
use maud::{Markup, html};
use toolgauge_report::CaseStanding;
use toolgauge_report::html::{Cell, Column, Row, Table, name};
use toolgauge_report::number::{count, counted, plural};

use super::compare::with_runs;
use super::judgement::mark;
use crate::conversation::inline_answer;
use crate::index::TrialRow;
use crate::layout::{PageFrame, Section};
use crate::library::OpenedLog;
use crate::parameters::{Link, Parameters};
use crate::query::CaseQuery;
use crate::search::TranscriptSearch;
use crate::site::{Site, missing};

/// The most runs that fit beside each other.
const MOST: usize = 6;
/// Cases on a page.
const PAGE: usize = 50;
/// As much of an answer as is shown, in bytes.
const ANSWER: usize = 200;
/// How long trials are read for one page. The cells behind that lack the answer.
const READING: Duration = Duration::from_millis(1_500);

/// Which cases are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CaseChoice {
    All,
    /// Not the same standing in all runs.
    Different,
    /// Passes in the first run and not in the last.
    Broken,
    /// Passes in the last run and not in the first.
    Fixed,
}

impl CaseChoice {
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::All, "", "all"),
        (Self::Different, "different", "different only"),
        (Self::Broken, "broken", "pass in the first run, not in the last"),
        (Self::Fixed, "fixed", "pass in the last run, not in the first"),
    ];

    fn accepts(self, standings: &[Option<CaseStanding>]) -> bool {
        let passes = |at: Option<&Option<CaseStanding>>| at == Some(&Some(CaseStanding::Pass));
        match self {
            Self::All => true,
            Self::Different => standings.iter().any(|one| one != &standings[0]),
            Self::Broken => passes(standings.first()) && !passes(standings.last()),
            Self::Fixed => !passes(standings.first()) && passes(standings.last()),
        }
    }
}

/// What a page of the grid shows.
struct Grid<'a> {
    names: &'a [String],
    logs: &'a [Arc<OpenedLog>],
    choice: CaseChoice,
    text: &'a str,
}

/// Answers with the cases of several runs.
pub(crate) async fn page(State(site): State<Site>, parameters: Parameters) -> Response {
    let names: Vec<String> =
        parameters.all("run").filter(|log| !log.is_empty()).map(str::to_owned).take(MOST).collect();
    let mut logs = Vec::new();
    for log in &names {
        match site.open(log).await {
            Ok(opened) => logs.push(opened),
            Err(page) => return *page,
        }
    }
    if logs.is_empty() {
        return missing("No run was named. Choose runs in the table of runs.");
    }
    let text = parameters.given("q").unwrap_or_default();
    if !text.is_empty() {
        for log in &logs {
            TranscriptSearch::wait(log).await;
        }
    }
    let wanted = parameters.given("show").unwrap_or_default();
    let known = CaseChoice::ALL.iter().find(|(_, name, _)| *name == wanted);
    let choice = known.map_or(CaseChoice::All, |(choice, ..)| *choice);
    let grid = Grid { names: &names, logs: &logs, choice, text };
    let content = grid.content(parameters.number("page").unwrap_or(0));
    PageFrame::new(Section::Compare, "Cases of several runs").with(&content).into_response()
}

impl Grid<'_> {
    fn content(&self, page: usize) -> Markup {
        let cases = self.cases();
        let last = cases.len().saturating_sub(1) / PAGE;
        let page = page.min(last);
        html! {
            nav.trail aria-label="Where you are" { a #up href=(with_runs("/compare", self.names)) { "Comparison" } " / " span { "cases" } }
            h1 { "Cases of " (counted(self.logs.len(), "run")) }
            (self.filters())
            p.found { output { (count(cases.len() as u64)) } " " (plural(cases.len(), "case")) }
            @if cases.is_empty() {
                p.nothing { "No case matches. " a href=(with_runs("/compare/cases", self.names)) { "Show all cases" } }
            } @else { (self.table(&cases, page)) }
            @if last > 0 {
                nav.pages aria-label="Pages of cases" {
                    @if page > 0 { a href=(self.link().with("page", (page - 1).to_string())) { "Previous" } }
                    span { "Page " (page + 1) " of " (last + 1) }
                    @if page < last { a href=(self.link().with("page", (page + 1).to_string())) { "Next" } }
                }
            }
        }
    }

    fn link(&self) -> Link {
        let known = CaseChoice::ALL.iter().find(|(choice, ..)| *choice == self.choice);
        let mut link = with_runs("/compare/cases", self.names);
        for (name, value) in [("show", known.map_or("", |(_, name, _)| name)), ("q", self.text)] {
            if !value.is_empty() {
                link = link.with(name, value);
            }
        }
        link
    }

    fn filters(&self) -> Markup {
        html! {
            form.filters method="get" action=(Link::to("/compare/cases")) {
                @for log in self.names { input type="hidden" name="run" value=(log); }
                label.search { "search" input #q type="search" name="q" value=(self.text) placeholder="asked, called, answered"; }
                label {
                    "show"
                    select name="show" {
                        @for (choice, value, words) in CaseChoice::ALL {
                            option value=(value) selected[choice == self.choice] { (words) }
                        }
                    }
                }
                button.plain { "Filter" }
            }
        }
    }

    /// Each case that is shown, with the row of its worst trial in every run.
    fn cases(&self) -> Vec<(&str, Vec<Option<TrialRow>>)> {
        let mut found: IndexMap<&str, Vec<Option<TrialRow>>> = IndexMap::new();
        let query = CaseQuery { text: self.text.to_owned(), ..CaseQuery::default() };
        let mut matching: IndexMap<&str, ()> = IndexMap::new();
        for (at, log) in self.logs.iter().enumerate() {
            for row in log.select(&CaseQuery::default()) {
                let rows = found.entry(log.index.case(row)).or_default();
                rows.resize(self.logs.len(), None);
                let value = |row: TrialRow| log.index.overview(row).value;
                // A trial without a score says less than the worst that has one.
                let is_worse = |known: TrialRow| match (value(row), value(known)) {
                    (Some(new), Some(old)) => new < old,
                    (new, old) => new.is_some() && old.is_none(),
                };
                if rows[at].is_none_or(is_worse) {
                    rows[at] = Some(row);
                }
            }
            if !self.text.is_empty() {
                let rows = log.select(&query).into_iter();
                matching.extend(rows.map(|row| (log.index.case(row), ())));
            }
        }
        let is_shown = |(case, rows): &(&str, Vec<Option<TrialRow>>)| {
            let standing = |(log, row): (&Arc<OpenedLog>, &Option<TrialRow>)| {
                row.map(|row| log.index.overview(row).mark)
            };
            let standings: Vec<_> = self.logs.iter().zip(rows).map(standing).collect();
            (self.text.is_empty() || matching.contains_key(case)) && self.choice.accepts(&standings)
        };
        found.into_iter().filter(is_shown).collect()
    }

    fn table(&self, cases: &[(&str, Vec<Option<TrialRow>>)], page: usize) -> Markup {
        let began = Instant::now();
        let runs = self.logs.iter().zip('A'..).map(|(log, letter)| {
            let subject = &log.brief.subject;
            let heading =
                html! { (letter) " " a href=(Link::run(&log.name, "")) { (name(subject)) } };
            Column::words(&format!("{letter} {subject}")).shown_as(heading)
        });
        let table = Table::new("Cases of several runs")
            .of_class("grid")
            .stacked()
            .with([Column::words("case").naming_rows(), Column::words("asked")])
            .with(runs);
        let rows = cases.iter().skip(page * PAGE).take(PAGE).map(|(case, rows)| {
            let first = self.logs.iter().zip(rows).find_map(|(log, row)| Some((log, (*row)?)));
            let asked = first.map(|(log, row)| name(log.index.overview(row).sentence));
            let link = with_runs("/compare/case", self.names).with("id", *case);
            let head = [Cell::of(html! { a href=(link) { (name(case)) } }), Cell::maybe(asked)];
            let runs = self.logs.iter().zip(rows);
            let runs = runs.map(|(log, row)| Cell::maybe(row.map(|row| result(log, row, began))));
            Row::of(head.into_iter().chain(runs.collect::<Vec<Cell>>()))
        });
        table.rows(rows)
    }
}

/// How a trial went, and what it answered while there is time to read it.
fn result(log: &OpenedLog, row: TrialRow, began: Instant) -> Markup {
    let overview = log.index.overview(row);
    let trial = (began.elapsed() < READING).then(|| log.trial(row).ok()).flatten();
    let link = Link::run(&log.name, "/case")
        .with("id", overview.case)
        .with("trial", overview.trial.to_string());
    html! {
        a href=(link) { (mark(overview.mark)) }
        @if let Some(value) = overview.value { " " (format!("{value:.3}")) }
        @if let Some(trial) = trial { (inline_answer(&trial, ANSWER)) }
    }
}
