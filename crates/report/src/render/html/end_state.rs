//! What a trial made of its world: before, after, and as it should have been.

use std::borrow::Cow;

use maud::{Markup, html};
use serde_json::Value;
use toolgauge_core::{StateChange, Verdict};

use super::icon::Icon;
use super::table::{Cell, Column, Table};
use super::text::{marked, name};
use crate::harmless;
use crate::json_text::in_a_line;
use crate::render::tone::Tone;

/// As many properties as are listed, and as many bytes as are shown of a value.
const MOST_ROWS: usize = 200;
const MOST_OF_VALUE: usize = 400;

/// Every property that a trial changed or should have; nothing if nothing is known of the world.
pub fn end_state(changes: &[StateChange]) -> Markup {
    if changes.is_empty() {
        return html! {};
    }
    let table =
        Table::new("What the trial made of its world").of_class("end-state").stacked().with([
            Column::words("what").naming_rows(),
            Column::words("before"),
            Column::words("after"),
            Column::words("expected"),
            Column::unseen("verdict"),
        ]);
    html! {
        (table.rows(changes.iter().take(MOST_ROWS).map(cells)))
        @if changes.len() > MOST_ROWS { p.left-out { "and " (changes.len() - MOST_ROWS) " more" } }
    }
}

fn cells(change: &StateChange) -> [Cell; 5] {
    let what = html! {
        code { (name(&change.thing)) }
        @if !change.property.is_empty() { " " span.property { (name(&change.property)) } }
    };
    [
        Cell::of(what),
        Cell::of(value(&change.before)),
        Cell::of(value(&change.after)),
        Cell::maybe(change.expected.as_ref().map(value)),
        Cell::of(mark(change)),
    ]
}

/// Whether it ended as it should, by a sign and in words.
fn mark(change: &StateChange) -> Markup {
    let (tone, icon) = match change.verdict() {
        Verdict::Correct => (Tone::Good, Icon::Tick),
        Verdict::Incorrect => (Tone::Bad, Icon::Cross),
        Verdict::NotApplicable => (Tone::Plain, Icon::Dash),
    };
    marked(tone, icon, change.words())
}

/// The sign of a change on terminals.
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
        other => in_a_line(other, most).into(),
    }
}
