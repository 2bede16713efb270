//! Expected calls beside the calls that were made, argument by argument, as a scorer judged them.

use maud::{Markup, html};
use serde_json::Value;
use toolgauge_core::{Arguments, Pattern};

use super::judged_calls::{CallPair, Fit, JudgedCalls};
use super::table::{Cell, Column, Row, Table};
use super::text::{badge, name};
use crate::json_text::in_a_line;
use crate::render::tone::Tone;

/// As many calls as are laid side by side, and as many arguments of each.
const MOST_CALLS: usize = 60;
const MOST_ARGUMENTS: usize = 100;
/// As much of one value as is shown.
const MOST_OF_VALUE: usize = 600;

impl Fit {
    fn words(self) -> (Tone, &'static str) {
        match self {
            Self::Same => (Tone::Good, "same"),
            Self::Accepted => (Tone::Good, "accepted"),
            Self::Differs => (Tone::Bad, "differs"),
            Self::Missing => (Tone::Bad, "missing"),
            Self::Extra => (Tone::Bad, "extra"),
            Self::Unasked => (Tone::Plain, "not asked for"),
            Self::NotJudged => (Tone::Plain, "not judged"),
        }
    }
}

/// Expected calls beside those that were made. With several scorers, a line says by which one the
/// calls are marked.
pub fn call_diff(calls: &JudgedCalls<'_>, several_scorers: bool) -> Markup {
    let pairs = calls.pairs();
    let compared = pairs.iter().any(|pair| pair.expected.is_some() && pair.made.is_some());
    html! {
        @if compared && calls.is_recorded() {
            @if let Some(scorer) = calls.scorer.filter(|_| several_scorers) {
                p.note { "Marked as the scorer " (name(scorer)) " judged." }
            }
        } @else if compared && pairs.len() > 1 {
            p.note { "The log does not say which calls were compared; the most similar ones are shown side by side." }
        }
        @for (number, pair) in pairs.iter().take(MOST_CALLS).enumerate() {
            (side_by_side(number + 1, pair, calls))
        }
        @if pairs.len() > MOST_CALLS {
            p.left-out { "… and " (pairs.len() - MOST_CALLS) " more calls" }
        }
        @if pairs.is_empty() { p { "No call was expected, and none was made." } }
    }
}

fn side_by_side(number: usize, pair: &CallPair<'_>, calls: &JudgedCalls<'_>) -> Markup {
    let bad = if calls.right { Tone::Plain } else { Tone::Bad };
    let (tone, words) = match pair.tools() {
        [Some(wanted), Some(called)] if wanted == called => (Tone::Good, "same tool"),
        [Some(_), Some(_)] => (bad, "another tool"),
        [Some(_), None] => (bad, "not called"),
        _ => (Tone::Caution, "not expected"),
    };
    let tool = |tool: &str| html! { code { (name(tool)) } };
    let named = match pair.tools() {
        [Some(wanted), Some(called)] if wanted != called => {
            html! { (tool(called)) " instead of " (tool(wanted)) }
        }
        [wanted, called] => html! { @if let Some(one) = wanted.or(called) { (tool(one)) } },
    };
    let table = Table::new(&format!("Call {number}"))
        .of_class("diff")
        .stacked()
        .captioned(html! { b { "Call " (number) } " " (badge(tone, words)) " " (named) })
        .with([
            Column::words("argument").naming_rows(),
            Column::words("expected"),
            Column::words("called"),
            Column::unseen("comparison"),
        ]);
    table.rows(arguments(pair, calls))
}

fn arguments(pair: &CallPair<'_>, calls: &JudgedCalls<'_>) -> Vec<Row> {
    let wanted = pair.expected.map(|(_, call)| &call.arguments);
    let made = pair.made.map(|(_, call)| &call.arguments);
    let given = made.and_then(Arguments::as_object);
    let mut rows = Vec::new();
    if let Some(Arguments::Malformed { raw, .. }) = made {
        let badge = Cell::of(badge(Tone::Bad, "malformed"));
        let cells = [Cell::of("(unreadable)"), Cell::of(""), Cell::of(name(raw)), badge];
        rows.push(Row::of(cells).of_class("bad"));
    }
    let asked = wanted.into_iter().flatten().map(|(key, pattern)| (key, Some(pattern)));
    let unasked = given.into_iter().flatten().map(|(key, _)| key);
    let unasked = unasked.filter(|key| wanted.is_none_or(|wanted| !wanted.contains_key(*key)));
    let keys = asked.chain(unasked.map(|key| (key, None)));
    // Counted as rows: an argument that was expected and given is one.
    let count = keys.clone().count();
    for (key, pattern) in keys.take(MOST_ARGUMENTS) {
        let value = given.and_then(|given| given.get(key));
        rows.push(argument(key, pattern, value, calls.fit(pair, key, pattern, value)));
    }
    if rows.is_empty() {
        rows.push(Row::of(["(none)", "", "", ""].map(Cell::of)));
    }
    if count > MOST_ARGUMENTS {
        let more = html! { span.left-out { "… and more: " (count) " in all" } };
        rows.push(Row::of([Cell::of(more).across(4)]));
    }
    rows
}

fn argument(key: &str, wanted: Option<&Pattern>, given: Option<&Value>, fit: Fit) -> Row {
    let (tone, words) = fit.words();
    let value = |text: String| html! { code dir="auto" { (text) } };
    let cells = [
        Cell::of(name(key)),
        Cell::maybe(wanted.map(|wanted| value(in_a_line(wanted, MOST_OF_VALUE)))),
        Cell::maybe(given.map(|given| value(in_a_line(given, MOST_OF_VALUE)))),
        Cell::of(badge(tone, words)),
    ];
    Row::of(cells).of_class(tone.class())
}
