//! What a tool answered: rows of a database as a table, passages of documents as such, anything
//! else as it is.

use maud::{Markup, html};
use serde_json::{Map, Value};

use super::table::{Cell, Column, Table};
use super::text::{block, name};
use crate::json_text::in_a_line;

/// Longer answers are shown as they are: they are cut off as text.
const LONGEST: usize = 100_000;

/// How many columns, rows and passages are laid out, and how many bytes are shown of a value.
const MOST_COLUMNS: usize = 40;
const MOST_ROWS: usize = 100;
const MOST_PASSAGES: usize = 20;
const MOST_OF_VALUE: usize = 400;

/// What a tool answered, at most so many bytes of it where it is plain text.
pub fn tool_answer(content: &str, most: usize) -> Markup {
    laid_out(content, most).unwrap_or_else(|| block(content, most))
}

/// What a tool answered, where it has a form that is read better than its text.
pub fn laid_out(content: &str, most: usize) -> Option<Markup> {
    if content.len() > LONGEST.min(most.saturating_mul(4)) || !content.starts_with('{') {
        return None;
    }
    let Ok(Value::Object(answer)) = serde_json::from_str(content) else { return None };
    rows(&answer).or_else(|| passages(&answer, most))
}

/// An answer with `columns` and `rows` that fit them.
fn rows(answer: &Map<String, Value>) -> Option<Markup> {
    let columns: Option<Vec<&str>> =
        answer.get("columns")?.as_array()?.iter().map(Value::as_str).collect();
    let columns = columns.filter(|columns| !columns.is_empty() && columns.len() <= MOST_COLUMNS)?;
    let rows: Option<Vec<&Vec<Value>>> =
        answer.get("rows")?.as_array()?.iter().map(Value::as_array).collect();
    let rows = rows.filter(|rows| rows.iter().all(|row| row.len() == columns.len()))?;
    let is_number = |at: usize| rows.iter().all(|row| row[at].is_number()) && !rows.is_empty();
    let heads = columns.iter().enumerate().map(|(at, column)| {
        if is_number(at) { Column::numbers(column) } else { Column::words(column) }
    });
    let table = Table::new("Rows of the answer").of_class("returned").with(heads);
    let shown = rows.iter().take(MOST_ROWS);
    Some(html! {
        (table.rows(shown.map(|row| row.iter().map(cell).collect::<Vec<Cell>>())))
        @if rows.is_empty() { p.note { "no rows" } }
        @if rows.len() > MOST_ROWS { p.left-out { "and " (rows.len() - MOST_ROWS) " more" } }
        (rest(answer, &["columns", "rows", "row_count"]))
    })
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::String(text) => Cell::of(name(text)),
        other => Cell::of(html! { bdi { (in_a_line(other, MOST_OF_VALUE)) } }),
    }
}

/// An answer with `results`, each a text from a document.
fn passages(answer: &Map<String, Value>, most: usize) -> Option<Markup> {
    let found: Option<Vec<(&str, &str, Option<&str>)>> =
        answer.get("results")?.as_array()?.iter().map(passage).collect();
    let found = found.filter(|found| !found.is_empty())?;
    Some(html! {
        @for (document, text, heading) in found.iter().take(MOST_PASSAGES) {
            p.note { code { (name(document)) } @if let Some(heading) = heading { " · " (name(heading)) } }
            (block(text, most))
        }
        @if found.len() > MOST_PASSAGES { p.left-out { "and " (found.len() - MOST_PASSAGES) " more" } }
        (rest(answer, &["results"]))
    })
}

fn passage(found: &Value) -> Option<(&str, &str, Option<&str>)> {
    let of = |key: &str| found.get(key).and_then(Value::as_str);
    Some((of("document")?, of("text")?, of("heading")))
}

/// What else an answer says.
fn rest(answer: &Map<String, Value>, known: &[&str]) -> Markup {
    let more: Map<String, Value> = answer
        .iter()
        .filter(|(key, _)| !known.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    html! { @if !more.is_empty() { p.note { code { (in_a_line(&more, MOST_OF_VALUE)) } } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_database_are_a_table() {
        let answer = r#"{"columns":["name","rent"],"rows":[["A <b>",1450],["B",null]],"row_count":2,"cut":true}"#;
        let page = tool_answer(answer, 4_000).0;
        assert!(page.contains("<td><bdi>A &lt;b&gt;</bdi></td><td><bdi>1450</bdi></td>"), "{page}");
        assert!(page.contains("cut") && !page.contains("row_count"), "{page}");
    }

    #[test]
    fn passages_stand_under_their_documents() {
        let answer =
            r#"{"results":[{"document":"a.md","text":"One cat.\nNo dog.","heading":"Pets"}]}"#;
        let page = tool_answer(answer, 4_000).0;
        assert!(page.contains("a.md") && page.contains("Pets"), "{page}");
        assert!(page.contains("One cat.\nNo dog."), "{page}");
    }

    #[test]
    fn what_has_no_such_form_stays_as_it_is() {
        for answer in [
            "plain",
            "{broken",
            r#"{"error":"no such column"}"#,
            r#"{"columns":["a"],"rows":[[1,2]]}"#,
            r#"{"columns":[],"rows":[]}"#,
            r#"{"results":[{"document":"a.md"}]}"#,
            r#"{"results":[]}"#,
        ] {
            assert_eq!(tool_answer(answer, 4_000).0, block(answer, 4_000).0);
        }
    }
}
