//! The words of toolgauge with their meanings.

use axum::response::{IntoResponse, Response};
use maud::html;

use crate::glossary::terms;
use crate::layout::{PageFrame, Section};

/// Answers with every word.
pub(crate) async fn page() -> Response {
    let content = html! {
        h1 { "Glossary" }
        dl.glossary {
            @for term in terms() {
                div id=(term.id()) { dt { (term.word) } dd { (term.meaning) } }
            }
        }
    };
    PageFrame::new(Section::Glossary, "Glossary").with(&content).into_response()
}
