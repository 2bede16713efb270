//! The lines of a list of trials, and its headings.

use std::time::{Duration, Instant};

use maud::{Markup, html};
use toolgauge_core::Trial;
use toolgauge_report::html::name;
use toolgauge_report::number::{count, seconds};
use toolgauge_report::{CaseResult, FailedCase, response};

use crate::index::{TrialOverview, TrialRow};
use crate::library::OpenedLog;
use crate::list_column::ListColumn;
use crate::pages::judgement::mark;
use crate::parameters::Link;
use crate::query::CaseQuery;
use crate::sorting::Sorting;

/// The most causes that a line names.
const CAUSES: usize = 3;
/// How long trials are read for one answer. The lines behind that lack what only a trial knows.
const READING: Duration = Duration::from_millis(1_500);

/// The trials that a query chose.
pub(super) struct ListPart<'a> {
    pub(super) opened: &'a OpenedLog,
    pub(super) query: &'a CaseQuery,
    pub(super) rows: &'a [TrialRow],
}

impl ListPart<'_> {
    /// Says so where not all transcripts are searched.
    pub(super) fn search_note(&self) -> Option<String> {
        let all = self.opened.index.len();
        let progress = self.opened.search.progress(all).filter(|_| !self.query.text.is_empty())?;
        let read = format!("{} of {}", count(progress.read as u64), count(all as u64));
        Some(if progress.is_full {
            format!("Only the first {read} transcripts are searched: there are too many words.")
        } else {
            format!("{read} transcripts are searched so far. More trials may be found.")
        })
    }

    fn is_searching(&self) -> bool {
        let progress = self.opened.search.progress(self.opened.index.len());
        !self.query.text.is_empty() && progress.is_some_and(|progress| !progress.is_full)
    }
}

/// A part of the list.
pub(super) fn lines(list: &ListPart<'_>, from: usize, wanted: usize) -> Markup {
    let shown = list.rows.iter().enumerate().skip(from).take(wanted);
    let note = list.search_note();
    let needs_trials = list.query.columns.iter().any(ListColumn::needs_the_trial);
    let began = Instant::now();
    html! {
        tbody role="rowgroup" data-total=(list.rows.len()) data-from=(from) data-note=[note] data-searching=[list.is_searching().then_some("1")] {
            @for (place, row) in shown {
                @let in_time = needs_trials && began.elapsed() < READING;
                @let trial = if in_time { list.opened.trial(*row).ok() } else { None };
                (line(list, place, *row, trial.as_ref()))
            }
        }
    }
}

fn line(list: &ListPart<'_>, place: usize, row: TrialRow, trial: Option<&Trial>) -> Markup {
    let opened = list.opened;
    let overview = opened.index.overview(row);
    html! {
        tr role="row" aria-rowindex=(place + 2) {
            td role="cell" { (mark(overview.mark)) }
            td.number.score role="cell" data-label="score" { @if let Some(value) = overview.value { (format!("{value:.3}")) } }
            th.one-line.name scope="row" role="rowheader" {
                a href=(case_link(opened, row, list.query)) { (name(overview.case)) }
                @if overview.trial > 1 || opened.run().trials > 1 { " #" (overview.trial) }
            }
            @for column in &list.query.columns {
                @let classes = if column.is_number() { "number" } else { "one-line" };
                td class={ (classes) " " (column.class()) } role="cell" data-label=(column.words()) {
                    @match cell(list, column, (row, &overview), trial) {
                        Some(words) if column.is_number() => (words),
                        Some(words) => (name(&words)),
                        None => {}
                    }
                }
            }
        }
    }
}

/// What a column says of a trial, in words.
pub(super) fn cell(
    list: &ListPart<'_>,
    column: &ListColumn,
    (row, overview): (TrialRow, &TrialOverview<'_>),
    trial: Option<&Trial>,
) -> Option<String> {
    match column {
        ListColumn::Asked => Some(overview.sentence.to_owned()),
        ListColumn::Answered => trial.map(response),
        ListColumn::Expected => Some(failed(list.opened, row, trial?)?.expected),
        ListColumn::Instead => Some(failed(list.opened, row, trial?)?.got),
        ListColumn::LostBy => {
            let causes = &overview.causes;
            let words: Vec<&str> = causes.iter().take(CAUSES).map(|cause| cause.words()).collect();
            let more = if causes.len() > CAUSES { " …" } else { "" };
            Some(words.join(", ") + more)
        }
        ListColumn::Calls => Some(overview.calls.to_string()),
        ListColumn::Time => overview.latency.map(|latency| seconds(f64::from(latency))),
        ListColumn::Tokens => (overview.tokens > 0).then(|| count(u64::from(overview.tokens))),
        ListColumn::Tag(tag) => list.opened.index.tag_of(row, tag).map(str::to_owned),
    }
}

/// What was expected of a trial that lost points, and what came instead.
fn failed(opened: &OpenedLog, row: TrialRow, trial: &Trial) -> Option<FailedCase> {
    let overview = opened.index.overview(row);
    let lost = overview.value.is_some_and(|value| value < 1.0);
    let result = CaseResult {
        case: overview.case.into(),
        sentence: overview.sentence.to_owned(),
        score: overview.value.map(f64::from),
        standing: overview.mark,
        worst: opened.trial_id(row),
    };
    lost.then(|| FailedCase::new(result, Some(trial)))
}

/// Where a trial is shown, with the list it was found in.
pub(crate) fn case_link(opened: &OpenedLog, row: TrialRow, query: &CaseQuery) -> Link {
    Link::run(&opened.name, "/case")
        .with("id", opened.index.case(row))
        .with("trial", opened.index.trial(row).to_string())
        .and(query.parameters())
}

/// The headings, most of which sort the list.
pub(super) fn heading(query: &CaseQuery, here: &Link) -> Markup {
    let sortable = |sorting: Sorting, class: &str, words: &str| {
        let current = query.sorting == sorting && sorting != Sorting::Plan;
        // Names go up at first, numbers down.
        let up = (sorting == Sorting::Case) != query.reversed;
        let order = current.then_some(if up { "ascending" } else { "descending" });
        let link = here.clone().and(query.sorted_by(sorting).parameters());
        html! {
            th class=(class) scope="col" role="columnheader" aria-sort=[order] {
                a.sort href=(link) data-sort-by=(sorting.name()) { (words) }
            }
        }
    };
    html! {
        thead role="rowgroup" {
            tr role="row" aria-rowindex="1" {
                (sortable(Sorting::Plan, "mark", "verdict"))
                (sortable(Sorting::Score, "number score", "score"))
                (sortable(Sorting::Case, "name", "case"))
                @for column in &query.columns {
                    @let class = format!("{} {}", if column.is_number() { "number" } else { "" }, column.class());
                    @match column {
                        ListColumn::Time => (sortable(Sorting::Latency, class.trim(), "time")),
                        ListColumn::Tokens => (sortable(Sorting::Tokens, class.trim(), "tokens")),
                        column => th class=(class.trim()) scope="col" role="columnheader" { (name(column.words())) },
                    }
                }
            }
        }
    }
}
