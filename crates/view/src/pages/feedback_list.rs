//! Everything that people said, and the cases that can be made of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_core::{CaseId, Feedback, RunId, Trial};
use toolgauge_feedback::promotion::promoted;
use toolgauge_feedback::{FeedbackEntry, FeedbackStore};
use toolgauge_log::TrialSummary;
use toolgauge_report::html::{Cell, Column, Table, block, name};
use toolgauge_report::number::plural;
use toolgauge_report::{CATEGORY, Comment, Theme, themes};

use super::again::as_shell_reads;
use super::feedback::{SHOWN, thumb};
use crate::conversation::inline_answer;
use crate::feedback_access::with_feedback;
use crate::index::TrialRow;
use crate::layout::{PageFrame, Section, when};
use crate::library::{Lookup, OpenedLog, error_chain};
use crate::parameters::{Link, Parameters};
use crate::site::{Site, missing};

/// The most entries on a page.
const PAGE: usize = 200;
/// The most logs that are opened for what was asked and answered.
const LOGS: usize = 12;
/// As much of an answer as is shown, in bytes.
const ANSWER: usize = 400;
/// As much of an example of a theme, in bytes.
const EXAMPLE: usize = 200;

/// Answers with everything that was said.
pub(crate) async fn page(State(site): State<Site>, parameters: Parameters) -> Response {
    let read = with_feedback(&site, |folder| {
        let store = FeedbackStore::open_existing(folder)?;
        store.map_or(Ok(Vec::new()), |store| store.all())
    });
    let mut entries = match read.await {
        Ok(entries) => entries,
        Err(refusal) => return refusal.page("Feedback cannot be read"),
    };
    entries.reverse();
    let wanted = parameters.given("thumb");
    let text = parameters.get("q").unwrap_or_default().to_lowercase();
    let is_filtered = wanted.is_some() || !text.is_empty();
    entries.retain(|FeedbackEntry { feedback, .. }| {
        let words = [&feedback.comment, &feedback.author, &feedback.suite];
        wanted.is_none_or(|wanted| feedback.thumb.is_some_and(|thumb| thumb.name() == wanted))
            && (words.into_iter().any(|words| words.to_lowercase().contains(&text))
                || feedback.case.as_str().to_lowercase().contains(&text))
    });
    let runs = RunsSpokenOf::find(&site, &entries).await;
    let theme = parameters.given("theme");
    let themes = themes(&comments(&entries, &runs));
    if let Some(name) = theme {
        let called = themes.iter().filter(|theme| theme.is_called(name));
        let places: BTreeSet<usize> = called.flat_map(|theme| theme.entries.clone()).collect();
        let mut place = 0..;
        entries.retain(|_| place.next().is_some_and(|place| places.contains(&place)));
    }
    let is_filtered = is_filtered || theme.is_some();
    let content = html! {
        h1 { "Feedback" }
        (filters(wanted, parameters.get("q").unwrap_or_default()))
        (theme_list(&themes, theme))
        p.found { output { (entries.len()) } " " (plural(entries.len(), "entry")) }
        @if entries.is_empty() && is_filtered {
            p { "No feedback matches. " a href=(Link::to("/feedback")) { "Show all of it" } }
        } @else if entries.is_empty() {
            p { "There is no feedback yet. The page of every case has a form for it; " code { "toolgauge feedback --help" } " shows how to add it in a terminal or from a file." }
        } @else { (table(&entries, &runs)) }
    };
    PageFrame::new(Section::Feedback, "Feedback").with(&content).into_response()
}

/// What people wrote, with what is known of the trials. Feedback that no page shows is read for its
/// words alone.
fn comments(entries: &[FeedbackEntry], runs: &RunsSpokenOf) -> Vec<Comment> {
    let numbered = entries.iter().enumerate();
    let told = |(at, entry): (usize, &FeedbackEntry)| {
        let mut comment = Comment::of(at, &entry.feedback)?;
        let trial = (at < PAGE).then(|| runs.trial(&entry.feedback)).flatten();
        if let Some((_, Some(trial))) = trial {
            comment.learn(&TrialSummary::of(&trial), CATEGORY);
            comment.learn_calls(&trial.transcript);
        }
        Some(comment)
    };
    numbered.filter_map(told).collect()
}

/// What the comments have in common, each theme with a link to its comments.
fn theme_list(themes: &[Theme], chosen: Option<&str>) -> Markup {
    let table = Table::new("Themes of comments").stacked().with([
        Column::words("shared"),
        Column::words("theme").naming_rows(),
        Column::numbers("comments"),
        Column::numbers("right"),
        Column::numbers("wrong"),
        Column::words("for example"),
    ]);
    let rows = themes.iter().map(|theme| {
        let link = Link::to("/feedback").with("theme", theme.full_name());
        let case = theme.cases.first().map_or("", CaseId::as_str);
        [
            Cell::of(theme.kind.name()),
            Cell::of(html! { a href=(link) { (name(&theme.name)) } }),
            Cell::of(theme.comments),
            Cell::of(theme.up),
            Cell::of(theme.down),
            Cell::of(html! { (name(case)) ": " (beginning(&theme.example)) }),
        ]
    });
    html! {
        @if !themes.is_empty() {
            details open[chosen.is_none()] {
                summary { "Themes of comments" }
                (table.rows(rows))
            }
        }
        @if let Some(chosen) = chosen {
            p { "Comments of the theme " b { (name(chosen)) } ". " a href=(Link::to("/feedback")) { "Show all" } }
        }
    }
}

/// The beginning of a comment, in a line.
fn beginning(text: &str) -> Markup {
    let end = text.floor_char_boundary(EXAMPLE);
    html! { (name(&text[..end])) @if end < text.len() { "…" } }
}

/// The runs that feedback is about.
struct RunsSpokenOf {
    /// The log of each, and the log itself where it could be opened in a moment.
    logs: BTreeMap<RunId, (String, Option<Arc<OpenedLog>>)>,
}

impl RunsSpokenOf {
    async fn find(site: &Site, entries: &[FeedbackEntry]) -> Self {
        let listed = site.library.list().await;
        let mut logs = BTreeMap::new();
        for run in entries.iter().take(PAGE).map(|entry| &entry.feedback.run) {
            let is_of_run = |log: &&crate::library::ListedLog| matches!(&log.brief, Some(Ok(brief)) if brief.run == run.as_str());
            let Some(log) = listed.iter().find(is_of_run).filter(|_| !logs.contains_key(run))
            else {
                continue;
            };
            let opened = if logs.len() < LOGS {
                match site.library.open(&log.name).await {
                    Lookup::Ready(opened) => Some(opened),
                    _ => None,
                }
            } else {
                None
            };
            logs.insert(run.clone(), (log.name.clone(), opened));
        }
        Self { logs }
    }

    /// What was asked, and the trial, where its log is open.
    fn trial(&self, feedback: &Feedback) -> Option<(String, Option<Trial>)> {
        let opened = self.logs.get(&feedback.run)?.1.as_ref()?;
        let row = row_of(opened, feedback)?;
        Some((opened.index.overview(row).sentence.to_owned(), opened.trial(row).ok()))
    }
}

/// The trial that feedback is about.
fn row_of(opened: &OpenedLog, feedback: &Feedback) -> Option<TrialRow> {
    let rows = opened.index.of_case(feedback.case.as_str());
    rows.into_iter().find(|row| opened.index.trial(*row) == feedback.trial)
}

fn filters(wanted: Option<&str>, text: &str) -> Markup {
    html! {
        form #filters .filters method="get" action=(Link::to("/feedback")) {
            label.search { "search" input #q type="search" name="q" value=(text) placeholder="comment, author, case, suite"; }
            label {
                "opinion"
                select name="thumb" {
                    option value="" { "any" }
                    option value="up" selected[wanted == Some("up")] { "right" }
                    option value="down" selected[wanted == Some("down")] { "wrong" }
                }
            }
            button.plain { "Filter" }
        }
    }
}

fn table(entries: &[FeedbackEntry], runs: &RunsSpokenOf) -> Markup {
    let table = Table::new("Feedback").of_class("remarks").stacked().with([
        Column::words("when"),
        Column::words("suite"),
        Column::words("case").naming_rows(),
        Column::words("asked"),
        Column::words("answered"),
        Column::words("opinion"),
        Column::words("said"),
        Column::words("as a case"),
    ]);
    let rows = entries.iter().take(PAGE);
    html! {
        (table.rows(rows.map(|entry| cells(entry, runs))))
        @if entries.len() > PAGE { p.left-out { "and " (entries.len() - PAGE) " more" } }
    }
}

fn cells(FeedbackEntry { id, feedback }: &FeedbackEntry, runs: &RunsSpokenOf) -> [Cell; 8] {
    let case = feedback.case.as_str();
    let log = runs.logs.get(&feedback.run).map(|(log, _)| log);
    let trial = |log: &str| {
        Link::run(log, "/case").with("id", case).with("trial", feedback.trial.to_string())
    };
    let (asked, answer) = runs.trial(feedback).unwrap_or_default();
    let can_be_promoted = log.is_some() && feedback.correction.is_some();
    [
        Cell::of(html! { span.nowrap { (when(feedback.at)) } }),
        Cell::of(name(&feedback.suite)),
        Cell::of(html! {
            @match log { Some(log) => a href=(trial(log)) { (name(case)) }, None => (name(case)) }
            " #" (feedback.trial)
        }),
        Cell::of(name(&asked)),
        Cell::of(html! { @if let Some(trial) = &answer { (inline_answer(trial, ANSWER)) } }),
        Cell::of(html! {
            (thumb(feedback.thumb))
            @if !feedback.author.is_empty() { " " span.note { "by " (name(&feedback.author)) } }
        }),
        Cell::of(html! {
            @if !feedback.comment.is_empty() { div.prose { (block(&feedback.comment, SHOWN)) } }
            @if let Some(correction) = &feedback.correction { p.note { "should have been" } (block(correction, SHOWN)) }
        }),
        Cell::of(html! {
            @if can_be_promoted { a href=(Link::to("/feedback/case").with("entry", id.to_string())) { "promote" } }
        }),
    ]
}

/// Answers with the case that an entry is about, corrected, as a line for a suite.
pub(crate) async fn promote(State(site): State<Site>, parameters: Parameters) -> Response {
    let entry = parameters.get("entry").and_then(|entry| entry.parse().ok());
    let Some(id) = entry else { return missing("No such feedback.") };
    let read = with_feedback(&site, move |folder| {
        FeedbackStore::open_existing(folder)?.map_or(Ok(None), |store| store.get(id))
    });
    let entry = match read.await {
        Ok(Some(entry)) => entry,
        Ok(None) => return missing("No such feedback."),
        Err(refusal) => return refusal.page("Feedback cannot be read"),
    };
    let found = RunsSpokenOf::find(&site, std::slice::from_ref(&entry)).await;
    let trial = match found.logs.get(&entry.feedback.run) {
        None => return missing("Its log is not here."),
        Some((log, None)) => match site.open(log).await {
            Ok(opened) => row_of(&opened, &entry.feedback).and_then(|row| opened.trial(row).ok()),
            Err(page) => return *page,
        },
        Some((_, Some(_))) => found.trial(&entry.feedback).and_then(|(_, trial)| trial),
    };
    let Some(trial) = trial else { return missing("The log has no such trial.") };
    let new_id = format!("{}-corrected", trial.case.id);
    let line = match promoted(&trial.case, &entry.feedback, &new_id) {
        Ok(case) => case.to_string() + "\n",
        Err(error) => return missing(&error_chain(&error)),
    };
    if parameters.get("as") == Some("text") {
        return ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], line).into_response();
    }
    let content = promotion(&site, &entry, &new_id, &line);
    PageFrame::new(Section::Feedback, new_id).with(&content).into_response()
}

fn promotion(site: &Site, entry: &FeedbackEntry, new_id: &str, line: &str) -> Markup {
    let folder = site.library.logs().path().display().to_string();
    let (number, suite) = (entry.id.to_string(), format!("{}.yaml", entry.feedback.suite));
    let command = ["feedback", "promote", &number, "--into", &suite, "--log-dir", &folder];
    let text = Link::to("/feedback/case").with("entry", number.clone()).with("as", "text");
    html! {
        nav.trail aria-label="Where you are" { a #up href=(Link::to("/feedback")) { "Feedback" } " / " span { (name(new_id)) } }
        h1 { (name(new_id)) }
        p { "The case as it should be. This command adds it to a suite; change the name of the file to that of your suite:" }
        pre.text.command tabindex="0" role="group" aria-label="Command" { (as_shell_reads(&command.map(str::to_owned))) }
        p { "Or add this line to a file of cases (" code { ".ndjson" } "):" }
        (block(line, usize::MAX))
        p { a href=(text) { "As text" } }
    }
}
