//! How long the turns of a trial took, as bars on one scale.

use std::time::Duration;

use maud::{Markup, html};
use toolgauge_core::{Message, Trial, Turn};
use toolgauge_report::html::{Cell, Column, Table, Tone, badge, name};
use toolgauge_report::number::{count, seconds};

use crate::parameters::Link;

/// As many turns as are shown.
const MOST: usize = 100;

/// A turn or a call on the way through a trial.
struct TimelineStep {
    label: String,
    /// From the start of the trial on, in seconds.
    start: f64,
    seconds: f64,
    is_call: bool,
}

/// The way through a trial: its turns one behind another, and the calls of each. Waiting in line
/// and what happened between turns are left out, as no log has it.
fn steps(trial: &Trial) -> Vec<TimelineStep> {
    let mut times = trial.transcript.background.tool_times.iter();
    let mut turns = trial.transcript.turns.iter();
    let mut steps = Vec::new();
    let mut now = 0.0;
    let mut number = 0;
    for message in &trial.transcript.messages {
        match message {
            Message::Assistant(message) => {
                number += 1;
                let took = turns.next().map_or(0.0, |turn| turn.timings.total.as_secs_f64());
                let calls: Vec<&str> = message.calls.iter().map(|call| &*call.name).collect();
                let does = if calls.is_empty() { "answers".to_owned() } else { calls.join(", ") };
                let label = format!("turn {number}: {does}");
                steps.push(TimelineStep { label, start: now, seconds: took, is_call: false });
                now += took;
            }
            Message::Tool(message) => {
                let known = times.next();
                let took = known.map_or(0.0, |known| known.time.as_secs_f64());
                // A chatbot calls its tools while its turn goes on: that time is counted already.
                let is_within = known.is_some_and(|known| known.within_turn);
                let start = if is_within { (now - took).max(0.0) } else { now };
                let label = message.name.clone();
                steps.push(TimelineStep { label, start, seconds: took, is_call: true });
                now = if is_within { now } else { now + took };
            }
            Message::System { .. } | Message::User { .. } => {}
        }
    }
    steps
}

/// The way through a trial as bars on one axis of time; nothing where it has only one step.
pub(super) fn timeline(trial: &Trial) -> Markup {
    let steps = steps(trial);
    let end = steps.iter().map(|step| step.start + step.seconds).fold(0.0, f64::max);
    let table = Table::new("Turns and calls in their order").of_class("timeline").with([
        Column::words("step").naming_rows(),
        Column::numbers("from"),
        Column::numbers("took"),
        Column::bars("on the way"),
    ]);
    let rows = steps.iter().take(MOST).map(|step| {
        let took = Some(step.seconds).filter(|took| *took > 0.0 || !step.is_call);
        [
            Cell::of(name(&step.label)),
            Cell::of(seconds(step.start)),
            Cell::maybe(took.map(seconds)),
            Cell::of(step_bar(step, end)),
        ]
    });
    html! {
        @if steps.len() > 1 && end > 0.0 {
            (table.rows(rows))
            @if steps.len() > MOST { p.left-out { "and " (steps.len() - MOST) " more" } }
        }
    }
}

fn step_bar(step: &TimelineStep, end: f64) -> Markup {
    let place = |time: f64| format!("{:.2}", (time / end * 100.0).clamp(0.0, 100.0));
    // What took no time that can be seen still has its place.
    let width = (step.seconds / end * 100.0).clamp(0.6, 100.0);
    let class = if step.is_call { "time-first" } else { "time-rest" };
    html! {
        svg.bar viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            rect class=(class) x=(place(step.start)) y="2" width=(format!("{width:.2}")) height="8" {}
        }
    }
}

/// The turns of a trial, a line each. `raw` leads to what was sent and received.
pub(super) fn turns(trial: &Trial, raw: impl Fn(usize, &str) -> Link) -> Markup {
    let turns = &trial.transcript.turns;
    let longest = turns.iter().map(whole).fold(0.0, f64::max);
    let columns =
        ["turn", "waited", "first token", "total", "tokens read", "tokens written", "tries"];
    let [turn, others @ ..] = columns.map(Column::numbers);
    let table = Table::new("Turns with their times and tokens")
        .stacked()
        .lean()
        .with([turn.naming_rows()])
        .with(others)
        .with([Column::words("raw"), Column::bars("as a bar")]);
    let rows = turns.iter().enumerate().take(MOST);
    let rows = rows.map(|(number, turn)| cells(number, turn, longest, &raw));
    html! {
        @if turns.is_empty() { p.note { "No request was answered." } }
        @else {
            (table.rows(rows))
            p.note {
                span.swatch.queued {} " waiting in line "
                span.swatch.first {} " to the first token "
                span.swatch.rest {} " to the end"
            }
        }
    }
}

fn cells(
    number: usize,
    turn: &Turn,
    longest: f64,
    raw: &impl Fn(usize, &str) -> Link,
) -> [Cell; 9] {
    let times = &turn.timings;
    let time = |time: Duration| seconds(time.as_secs_f64());
    let tries = html! {
        (turn.attempts)
        @if let Some(address) = &turn.address { " at " (name(address)) }
        @for oddity in &turn.oddities { " " (badge(Tone::Caution, &oddity_name(*oddity))) }
    };
    let kept = html! {
        @if turn.request.is_some() { a.raw href=(raw(number, "request")) { "request" } " " }
        @if turn.response.is_some() { a.raw href=(raw(number, "response")) { "response" } }
        @if turn.request.is_none() && turn.response.is_none() { "not kept" }
    };
    [
        Cell::of(number + 1),
        Cell::of(time(times.queued)),
        Cell::maybe(times.first_token.map(time)),
        Cell::of(time(times.total)),
        Cell::maybe(turn.usage.input.map(count)),
        Cell::maybe(turn.usage.output.map(count)),
        Cell::of(tries),
        Cell::of(kept),
        Cell::of(bar(turn, longest)),
    ]
}

fn oddity_name(oddity: toolgauge_core::Oddity) -> String {
    let name = serde_json::to_value(oddity).ok();
    name.and_then(|name| Some(name.as_str()?.replace('_', " "))).unwrap_or_default()
}

fn whole(turn: &Turn) -> f64 {
    turn.timings.queued.as_secs_f64() + turn.timings.total.as_secs_f64()
}

fn bar(turn: &Turn, longest: f64) -> Markup {
    let scale =
        |time: f64| if longest > 0.0 { (time / longest * 100.0).clamp(0.0, 100.0) } else { 0.0 };
    let queued = scale(turn.timings.queued.as_secs_f64());
    let total = scale(turn.timings.total.as_secs_f64());
    let first = turn.timings.first_token.map_or(0.0, |first| scale(first.as_secs_f64())).min(total);
    let shown = |value: f64| format!("{value:.2}");
    html! {
        svg.bar viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            rect.time-queued x="0" y="2" width=(shown(queued)) height="8" {}
            rect.time-first x=(shown(queued)) y="2" width=(shown(first)) height="8" {}
            rect.time-rest x=(shown(queued + first)) y="2" width=(shown(total - first)) height="8" {}
        }
    }
}
