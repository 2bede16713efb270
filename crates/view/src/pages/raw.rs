//! What was sent and received, a trial and a log as a whole: as plain text, as a tree, as a file.

use std::fs::File;
use std::io;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::html;
use serde_json::Value;
use toolgauge_core::Trial;
use toolgauge_report::html::name;

use crate::download::{attachment, streamed};
use crate::json_tree::json_tree;
use crate::layout::{PageFrame, Section};
use crate::library::OpenedLog;
use crate::pages::case;
use crate::parameters::{Link, Parameters};
use crate::site::{NamedLog, find_trial, missing};

/// Answers with the text that was asked for by `what`: `request`, `response` or the trial.
pub(crate) async fn page(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let value = match wanted(&opened, &parameters) {
        Ok((_, value)) => value,
        Err(page) => return *page,
    };
    // Plain text, which a browser shows as it is: its type is fixed and may not be guessed.
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

/// Answers with the same as a tree.
pub(crate) async fn tree(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let (trial, value) = match wanted(&opened, &parameters) {
        Ok(found) => found,
        Err(page) => return *page,
    };
    let same = parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    let text = Link::run(&opened.name, "/raw").and(same);
    let back = Link::run(&opened.name, "/case")
        .with("id", trial.case.id.as_str())
        .with("trial", trial.number.to_string());
    let content = html! {
        nav.trail aria-label="Where you are" {
            a href=(Link::to("/")) { "Runs" } " / " a #up href=(back) { (name(trial.case.id.as_str())) } " / " span { "as a tree" }
        }
        h1 { (name(trial.case.id.as_str())) }
        p { a href=(text) { "As text" } }
        (json_tree(&value, 2))
    };
    PageFrame::new(Section::Runs, trial.case.id.as_str()).with(&content).into_response()
}

/// Answers with a trial as a file.
pub(crate) async fn download(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    match wanted(&opened, &parameters) {
        Ok((trial, value)) => {
            let name = format!("{}-{}.json", trial.case.id, trial.number);
            let text = serde_json::to_string_pretty(&value).unwrap_or_default();
            attachment("application/json", &name, Body::from(text))
        }
        Err(page) => *page,
    }
}

/// Answers with the log itself.
pub(crate) async fn log_file(NamedLog(opened): NamedLog) -> Response {
    let path = opened.path();
    let body = streamed(move |out| io::copy(&mut File::open(path)?, out).map(|_| ()));
    attachment("application/octet-stream", &opened.name, body)
}

/// What was asked for, and the trial it is of.
fn wanted(opened: &OpenedLog, parameters: &Parameters) -> Result<(Trial, Value), Box<Response>> {
    let row = find_trial(opened, parameters);
    let row = row.ok_or_else(|| Box::new(missing("The log has no such trial.")))?;
    let trial = opened.trial(row).map_err(|error| Box::new(case::unreadable(&error)))?;
    let turn = || trial.transcript.turns.get(parameters.number("turn")?);
    let value = match parameters.get("what") {
        Some("request") => turn().and_then(|turn| turn.request.clone()),
        Some("response") => turn().and_then(|turn| turn.response.clone()),
        _ => serde_json::to_value(&trial).ok(),
    };
    let value = value.ok_or_else(|| Box::new(missing("That was not kept in the log.")))?;
    Ok((trial, value))
}
