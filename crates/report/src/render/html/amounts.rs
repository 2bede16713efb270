//! What a run took, and what was odd about it: time, tokens, repetition, unscored trials.

use maud::{Markup, html};

use super::figure_table::figure_table;
use super::links::Links;
use super::table::{Cell, Column, Row, Table};
use super::text::{badge, linked, name};
use crate::harmless;
use crate::number::{count, counted, seconds};
use crate::render::tables;
use crate::render::tone::Tone;
use crate::summary::Summary;
use crate::times::Percentiles;
use crate::unscored::{advice, oddity_advice};

/// Percentiles of the parts of a trial's time; nothing if no time is known.
pub fn latency(summary: &Summary) -> Markup {
    let times = &summary.latency;
    let waits = times.waits.unwrap_or_default();
    let parts = [
        ("whole trial", times.total),
        ("first token", times.first_token),
        ("first word", waits.first_word),
        ("last act", waits.last_act),
        ("whole trial, prompt not cached", waits.cold_total),
        ("first word, prompt not cached", waits.cold_first_word),
        ("last act, prompt not cached", waits.cold_last_act),
        ("subject itself", times.own),
        ("waiting in line", times.queued),
    ];
    let parts: Vec<(&str, Percentiles)> =
        parts.into_iter().filter_map(|(name, found)| Some((name, found?))).collect();
    let columns = ["p50", "p90", "p95", "p99"].map(Column::numbers);
    let table = Table::new("Percentiles of times")
        .with([Column::words("time").naming_rows()])
        .with(columns);
    let rows = parts.iter().map(|(part, found)| {
        let times = [found.p50, found.p90, found.p95, found.p99];
        let times = times.into_iter().map(|time| Cell::of(seconds(time)));
        Row::of(std::iter::once(Cell::of(part)).chain(times))
    });
    html! { @if !parts.is_empty() { (table.rows(rows)) } }
}

/// Tokens and speed; nothing if none is known.
pub fn tokens(summary: &Summary) -> Markup {
    let usage = summary.usage;
    let mut rows: Vec<(&str, String)> = Vec::new();
    let known = [
        ("read", usage.input),
        ("of those from a cache", usage.cached.filter(|cached| *cached > 0)),
        ("written", usage.output),
        ("of those reasoning", usage.reasoning.filter(|reasoning| *reasoning > 0)),
    ];
    rows.extend(known.into_iter().filter_map(|(name, found)| Some((name, count(found?)))));
    let about = |tokens: u64| format!("~{}", count(tokens));
    let tools = summary.tool_tokens;
    rows.extend(tools.definitions.map(|it| ("definitions of tools, a request", about(it))));
    if tools.results > 0 {
        rows.push(("results of tools", about(tools.results)));
    }
    let speeds =
        [("read a second", summary.speed.prompt), ("written a second", summary.speed.generated)];
    rows.extend(
        speeds.into_iter().filter_map(|(name, found)| Some((name, format!("{:.1}", found?)))),
    );
    counts("Tokens", &rows)
}

/// What repeated trials promise; nothing when each case was run once.
pub fn reliability(summary: &Summary) -> Markup {
    let flipped = summary.flipped;
    html! {
        @if !summary.reliability.is_empty() {
            (figure_table(&tables::reliability(summary)))
            p { (flipped.flipped) " of " (counted(flipped.cases, "case")) " flip between trials." }
        }
    }
}

/// Why trials could not be scored; nothing if all could.
pub fn unscored(summary: &Summary, links: &dyn Links) -> Markup {
    let table = Table::new("Unscored trials by reason")
        .sortable()
        .with([Column::words("unscored").naming_rows(), Column::numbers("trials")]);
    let rows = summary.unscored.iter().map(|(reason, trials)| {
        let reason = Cell::of(linked(links.unscored(reason), &name(reason)));
        [reason, Cell::of(count(*trials as u64)).sorted_by(trials)]
    });
    html! {
        @if !summary.unscored.is_empty() {
            (table.rows(rows))
            @for advice in summary.unscored.keys().filter_map(|reason| advice(reason)) {
                p { (advice) "." }
            }
        }
    }
}

/// What was odd about the answers; nothing if nothing was.
pub fn oddities(summary: &Summary) -> Markup {
    let rows: Vec<(&str, String)> = summary
        .oddities
        .iter()
        .map(|(oddity, trials)| (oddity.as_str(), count(*trials as u64)))
        .collect();
    let advice = summary.oddities.keys().filter_map(|name| oddity_advice(name));
    html! { (counts("Oddities", &rows)) @for advice in advice { p { (advice) } } }
}

fn counts(caption: &str, rows: &[(&str, String)]) -> Markup {
    let rows = rows.iter().map(|(fact, value)| [Cell::of(name(fact)), Cell::of(value)]);
    html! { @if rows.len() > 0 { (Table::counts(caption).rows(rows)) } }
}

/// The server behind a run, and what was found before its first trial that may have spoiled it.
pub fn server(summary: &Summary) -> Markup {
    html! {
        @if let Some(server) = &summary.server { p.facts-line { "Server: " (name(&server.to_string())) } }
        @for warning in &summary.warnings {
            p { (badge(Tone::Caution, "warning")) " " (harmless::line_within(warning, 1000)) }
        }
        @if let Some(words) = summary.repeats.words() {
            p { (badge(Tone::Caution, "repeated")) " " (words) }
        }
        @if let Some(cut_off) = summary.cut_off {
            p { (badge(Tone::Caution, "cut off")) " " (cut_off.words()) }
        }
        @for failure in summary.failures.iter().take(5) {
            p {
                (badge(Tone::Bad, "error")) " " (counted(failure.trials, "trial")) ": "
                (failure.kind.name()) " " (harmless::line_within(&failure.message, 300))
            }
        }
    }
}
