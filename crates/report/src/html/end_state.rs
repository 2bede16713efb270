//! What a trial made of its world: before, after, and as it should have been.

use std::borrow::Cow;

use maud::{Markup, html};
use serde_json::Value;
use toolgauge_core::{StateChange, Verdict};

use super::conversation::json_line;
use super::text::{Tone, name, scrolling};
use crate::harmless;

/// As many properties as are listed, and as many bytes as are shown of a value.
const MOST_ROWS: usize = 200;
const MOST_OF_VALUE: usize = 400;

/// Every property that a trial changed or should have; nothing if nothing is known of the world.
pub fn end_state(changes: &[StateChange]) -> Markup {
    if changes.is_empty() {
        return html! {};
    }
    let table = html! {
        table.end-state {
            caption.unseen { "What the trial made of its world" }
            thead {
                tr {
                    th scope="col" { "what" }
                    th scope="col" { "before" }
                    th scope="col" { "after" }
                    th scope="col" { "expected" }
                    th scope="col" { span.unseen { "verdict" } }
                }
            }
            tbody { @for change in changes.iter().take(MOST_ROWS) { (row(change)) } }
        }
    };
    html! {
        (scrolling("What the trial made of its world", &table))
        @if changes.len() > MOST_ROWS { p.left-out { "and " (changes.len() - MOST_ROWS) " more" } }
    }
}

fn row(change: &StateChange) -> Markup {
    html! {
        tr {
            th scope="row" {
                code { (name(&change.thing)) }
                @if !change.property.is_empty() { " " (name(&change.property)) }
            }
            td { (value(&change.before)) }
            td { (value(&change.after)) }
            td { @if let Some(expected) = &change.expected { (value(expected)) } }
            td { (mark(change)) }
        }
    }
}

/// Whether it ended as it should, by a sign and in words.
fn mark(change: &StateChange) -> Markup {
    let tone = match change.verdict() {
        Verdict::Correct => Tone::Good,
        Verdict::Incorrect => Tone::Bad,
        Verdict::NotApplicable => Tone::Plain,
    };
    html! {
        span class={ "badge mark " (tone.class()) } {
            span aria-hidden="true" { (sign(change)) " " }
            (change.words())
        }
    }
}

/// The sign of a change in pages and on terminals.
pub(crate) fn sign(change: &StateChange) -> char {
    match change.verdict() {
        Verdict::Correct => '✓',
        Verdict::Incorrect => '✗',
        Verdict::NotApplicable => '·',
    }
}

fn value(value: &Value) -> Markup {
    html! {
        @if value.is_null() { span.note { "none" } }
        @else { code dir="auto" { (shown(value, MOST_OF_VALUE)) } }
    }
}

/// A value in a line: a text as it is, nothing as `none`, anything else as JSON.
pub(crate) fn shown(value: &Value, most: usize) -> Cow<'_, str> {
    match value {
        Value::Null => "none".into(),
        Value::String(text) => harmless::line_within(text, most),
        other => json_line(other, most).into(),
    }
}
