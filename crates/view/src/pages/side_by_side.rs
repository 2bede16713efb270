//! One case in several runs, side by side.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_report::html::{end_state, name};

use super::case::expected;
use super::judgement::mark;
use crate::conversation::{WordForm, conversation};
use crate::layout::{PageFrame, Section};
use crate::library::{OpenedLog, error_chain};
use crate::parameters::{Link, Parameters};
use crate::site::{Site, missing};

/// The most runs that fit beside each other.
const MOST: usize = 4;

/// Answers with a case as several runs have it.
pub(crate) async fn page(State(site): State<Site>, parameters: Parameters) -> Response {
    let Some(id) = parameters.get("id") else { return missing("No case was named.") };
    let names: Vec<&str> = parameters.all("run").filter(|log| !log.is_empty()).take(MOST).collect();
    let mut columns = Vec::new();
    for (place, log) in names.iter().enumerate() {
        match site.open(log).await {
            Ok(opened) => columns.push(column(place, &opened, id)),
            Err(page) => return *page,
        }
    }
    let back = names.iter().fold(Link::to("/compare"), |link, log| link.with("run", *log));
    let content = html! {
        nav.trail aria-label="Where you are" { a #up href=(back) { "Comparison" } " / " span { (name(id)) } }
        h1 { (name(id)) }
        div.side-by-side { @for column in &columns { (column) } }
    };
    PageFrame::new(Section::Compare, id).with(&content).into_response()
}

fn column(place: usize, opened: &OpenedLog, id: &str) -> Markup {
    let rows = opened.index.of_case(id);
    let letter = ["A", "B", "C", "D"][place.min(3)];
    html! {
        section.column aria-label={ "Run " (letter) } {
            h2 { (letter) " " (name(&opened.brief.subject)) @if let Some(variant) = &opened.brief.variant { " · " (name(variant)) } }
            @if rows.is_empty() { p { "This run does not have the case." } }
            @for row in rows.iter().take(5) {
                @match opened.trial(*row) {
                    Ok(trial) => {
                        h3 {
                            a href=(Link::run(&opened.name, "/case").with("id", id).with("trial", trial.number.to_string())) { "Trial " (trial.number) }
                            " " (mark(opened.graded.standing_of(&trial)))
                        }
                        (conversation(opened.run(), &trial, WordForm::Plain))
                        (expected(&trial))
                        (end_state(&trial.transcript.background.changes))
                    }
                    Err(error) => p { (name(&error_chain(&error))) },
                }
            }
        }
    }
}
