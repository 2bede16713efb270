//! What people think of a trial: the form on its page, and going through trials one by one.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use toolgauge_core::{CaseId, Feedback, Thumb, Trial, timestamp};
use toolgauge_feedback::{FeedbackEntry, FeedbackStore};
use toolgauge_report::html::{Icon, Tone, badge, block, marked, name};

use super::cases::case_link;
use crate::feedback_access::{FeedbackRefusal, with_feedback};
use crate::index::TrialRow;
use crate::layout::{sorry, when};
use crate::library::OpenedLog;
use crate::parameters::{Link, Parameters};
use crate::query::CaseQuery;
use crate::site::{NamedLog, Site, find_trial, missing};

/// The longest comment or correction that is kept.
const LONGEST: usize = 100_000;
/// As much of a comment as a list shows.
pub(super) const SHOWN: usize = 2_000;

/// Why nothing is kept of a log that was made of another tool's file for this viewer alone.
const NOT_KEPT: &str = "Feedback is kept in a file beside a log. This one is in an object store, or \
                        gone when the viewer ends: copy it, or make one that stays with \
                        `toolgauge import`, and open that.";

/// What the form on a trial's page is made of.
pub(super) struct FeedbackForm<'a> {
    pub(super) site: &'a Site,
    /// The log of the trial.
    pub(super) opened: &'a OpenedLog,
    /// The list the trial was found in.
    pub(super) query: &'a CaseQuery,
    /// Whether trials are gone through one by one.
    pub(super) annotating: bool,
    /// What was said of the case.
    pub(super) entries: &'a Result<Vec<FeedbackEntry>, FeedbackRefusal>,
}

/// The form on a trial's page, and what was said of the trial.
pub(super) fn form(form: &FeedbackForm<'_>, trial: &Trial) -> Markup {
    let FeedbackForm { site, opened, query, annotating, entries } = *form;
    if site.temporary {
        return html! { section { h2 { "Feedback" } p { (NOT_KEPT) } } };
    }
    let correction = match trial.case.expectation.answer {
        Some(_) => r#"It was $128,450. Or: {"answer": {"keywords": ["128,450"]}}"#,
        None => r#"{"calls": [{"tool": "…", "arguments": {}}]}"#,
    };
    let (case, trial) = (trial.case.id.as_str(), trial.number);
    let own = entries
        .iter()
        .flatten()
        .find(|entry| entry.feedback.author.is_empty() && entry.feedback.trial == trial);
    let own = own.map(|entry| &entry.feedback);
    let thumb = own.and_then(|own| own.thumb);
    html! {
        section.feedback aria-labelledby="feedback-title" {
            h2 #feedback-title { "Feedback" }
            @if let Err(why) = entries { p { (badge(Tone::Bad, "cannot be read")) " " (name(why.words())) } }
            (opinions(entries.as_deref().unwrap_or_default()))
            form #feedback method="post" action=(Link::to("/feedback")) {
                input type="hidden" name="token" value=(site.token.as_str());
                input type="hidden" name="log" value=(opened.name);
                input type="hidden" name="id" value=(case);
                input type="hidden" name="trial" value=(trial);
                @if annotating { input type="hidden" name="annotate" value="1"; }
                @for (field, value) in query.parameters() {
                    input type="hidden" name=(field) value=(value);
                }
                fieldset {
                    legend { "This answer is" }
                    label.good { input #thumb-up type="radio" name="thumb" value="up" checked[thumb == Some(Thumb::Up)]; (Icon::ThumbUp) "right" }
                    label.bad { input #thumb-down type="radio" name="thumb" value="down" checked[thumb == Some(Thumb::Down)]; (Icon::ThumbDown) "wrong" }
                    label { input type="radio" name="thumb" value="" checked[thumb.is_none()]; "no opinion" }
                }
                label.block { "Comment" textarea #comment name="comment" rows="2" { (own.map_or("", |own| own.comment.as_str())) } }
                label.block {
                    "What it should have been, in words or as the " code { "expect" } " of a suite"
                    textarea.code name="correction" rows="3" placeholder=(correction) {
                        (own.and_then(|own| own.correction.as_deref()).unwrap_or_default())
                    }
                }
                button.plain { @if annotating { "Keep and go on" } @else { "Keep" } }
                @if annotating {
                    p.note.scripted {
                        kbd { "u" } " right, " kbd { "d" } " wrong: both keep what is here and go on; "
                        kbd { "c" } " comment, " kbd { "j" } " leave it and go on"
                    }
                }
            }
        }
    }
}

fn opinions(entries: &[FeedbackEntry]) -> Markup {
    html! {
        @if !entries.is_empty() {
            ul.said-of {
                @for FeedbackEntry { feedback, .. } in entries {
                    li {
                        (thumb(feedback.thumb)) " trial " (feedback.trial)
                        " · " (when(feedback.at))
                        @if !feedback.author.is_empty() { " · " (name(&feedback.author)) }
                        @if !feedback.comment.is_empty() { div.prose { (block(&feedback.comment, SHOWN)) } }
                        @if let Some(correction) = &feedback.correction { p.note { "should have been" } (block(correction, SHOWN)) }
                    }
                }
            }
        }
    }
}

/// An opinion as a badge.
pub(super) fn thumb(thumb: Option<Thumb>) -> Markup {
    match thumb {
        Some(Thumb::Up) => marked(Tone::Good, Icon::ThumbUp, "right"),
        Some(Thumb::Down) => marked(Tone::Bad, Icon::ThumbDown, "wrong"),
        None => badge(Tone::Plain, "no opinion"),
    }
}

/// What was said of a case.
pub(super) async fn of_case(
    site: &Site,
    opened: &OpenedLog,
    case: &CaseId,
) -> Result<Vec<FeedbackEntry>, FeedbackRefusal> {
    let (run, case) = (opened.run().id.clone(), case.clone());
    with_feedback(site, move |folder| {
        let store = FeedbackStore::open_existing(folder)?;
        store.map_or(Ok(Vec::new()), |store| store.of_case(&run, &case))
    })
    .await
}

/// Keeps what somebody thinks of a trial.
pub(crate) async fn keep(State(site): State<Site>, body: Bytes) -> Response {
    let form = Parameters::read(&body);
    if !form.get("token").is_some_and(|token| site.token.is(token)) {
        let why = "The form is of an earlier start of the viewer, or of another site. Load the \
                   page again.";
        return sorry(StatusCode::FORBIDDEN, "Not kept", why);
    }
    if site.temporary {
        return sorry(StatusCode::CONFLICT, "Not kept", NOT_KEPT);
    }
    let opened = match site.open(form.get("log").unwrap_or_default()).await {
        Ok(opened) => opened,
        Err(page) => return *page,
    };
    let Some(row) = find_trial(&opened, &form) else {
        return missing("The log has no such trial.");
    };
    let field = |name: &str| form.get(name).unwrap_or_default().trim().to_owned();
    let (comment, correction) = (field("comment"), field("correction"));
    if comment.len().max(correction.len()) > LONGEST {
        return sorry(StatusCode::PAYLOAD_TOO_LARGE, "Not kept", "That is too long.");
    }
    let feedback = Feedback {
        run: opened.run().id.clone(),
        suite: opened.brief.suite.clone(),
        case: CaseId::new(opened.index.case(row)),
        trial: opened.index.trial(row),
        author: field("author"),
        thumb: match form.get("thumb") {
            Some("up") => Some(Thumb::Up),
            Some("down") => Some(Thumb::Down),
            _ => None,
        },
        comment,
        correction: Some(correction).filter(|text| !text.is_empty()),
        at: timestamp(SystemTime::now()),
    };
    let add = move |folder: &Path| FeedbackStore::open(folder)?.add(&feedback);
    if let Err(refusal) = with_feedback(&site, add).await {
        return refusal.page("Not kept");
    }
    Redirect::to(&onwards(&opened, row, &form).href()).into_response()
}

/// Where to go after feedback: to the next trial when going through them, else back.
fn onwards(opened: &OpenedLog, row: TrialRow, form: &Parameters) -> Link {
    let query = CaseQuery::read(form);
    if form.given("annotate").is_none() {
        return case_link(opened, row, &query);
    }
    let rows = opened.select(&query);
    let place = rows.iter().position(|found| *found == row);
    match place.and_then(|place| rows.get(place + 1)) {
        Some(next) => case_link(opened, *next, &query).with("annotate", "1"),
        None => Link::run(&opened.name, "").and(query.parameters()),
    }
}

/// Leads to the first trial of a list that nobody has said anything about.
pub(crate) async fn annotate(
    State(site): State<Site>,
    NamedLog(opened): NamedLog,
    parameters: Parameters,
) -> Response {
    let query = CaseQuery::read(&parameters);
    let rows = opened.select(&query);
    let run = opened.run().id.clone();
    let read = with_feedback(&site, move |folder| {
        let store = FeedbackStore::open_existing(folder)?;
        store.map_or(Ok(Vec::new()), |store| store.of_run(&run))
    });
    let entries = match read.await {
        Ok(entries) => entries,
        Err(refusal) => return refusal.page("Feedback cannot be read"),
    };
    let known: BTreeSet<(&str, u32)> =
        entries.iter().map(|entry| (entry.feedback.case.as_str(), entry.feedback.trial)).collect();
    let fresh =
        |row: &&TrialRow| !known.contains(&(opened.index.case(**row), opened.index.trial(**row)));
    match rows.iter().find(fresh).or(rows.first()) {
        Some(row) => {
            let link = case_link(&opened, *row, &query).with("annotate", "1");
            Redirect::to(&link.href()).into_response()
        }
        None => missing("No trial matches."),
    }
}
