//! What the scorers say of a trial: values, dimensions with their reasons, every loss.

use maud::{Markup, html};
use serde_json::Value;
use toolgauge_core::{Cause, Loss, Outcome, Score, StateChange, Trial, Verdict};
use toolgauge_report::html::{
    Cell, Column, Icon, Table, Tone, block, end_state, marked, name, votes,
};

use toolgauge_report::json_text::in_a_line;
use toolgauge_report::{CaseStanding, Thresholds};

/// As many losses as are listed.
const MOST: usize = 200;
/// As much of one value as is shown.
const VALUE: usize = 400;

/// As much of a value as stands in the reason for a verdict.
const NAMED: usize = 60;

/// Every judgement of a trial.
pub(super) fn judgements(trial: &Trial, graded: Thresholds) -> Markup {
    html! {
        @if trial.outcomes.is_empty() { p { "No scorer has judged this trial." } }
        @for (scorer, outcome) in &trial.outcomes {
            section.judgement {
                h3 { "Scorer " (name(scorer)) }
                @match outcome {
                    Outcome::Scored(score) => (scored(Thresholds::of_scorer(scorer, graded), score)),
                    Outcome::Unscored(reason) => {
                        p { (mark(CaseStanding::Unscored)) " " (name(&reason.to_string())) }
                    }
                }
            }
        }
        @if !trial.transcript.background.judgements.is_empty() {
            h3 { "What a judge said" }
            (votes(&trial.transcript.background.judgements))
        }
    }
}

/// How a trial went, in a sign and a word.
pub(crate) fn mark(mark: CaseStanding) -> Markup {
    let (tone, icon) = match mark {
        CaseStanding::Pass => (Tone::Good, Icon::Tick),
        CaseStanding::Partial => (Tone::Caution, Icon::Half),
        CaseStanding::Fail => (Tone::Bad, Icon::Cross),
        CaseStanding::Unscored => (Tone::Plain, Icon::Dash),
    };
    marked(tone, icon, mark.name())
}

fn scored(thresholds: Thresholds, score: &Score) -> Markup {
    html! {
        p {
            (mark(thresholds.standing(Some(score.value)))) " " b { (format!("{:.3}", score.value)) }
            @if let Some(quality) = score.quality { " · accepted as " (quality.name()) }
        }
        @if !score.explanation.is_empty() { (block(&score.explanation, 4_000)) }
        @if !score.dimensions.is_empty() { (dimensions(score)) }
        @if !score.losses.is_empty() { (losses(&score.losses)) }
        @if score.measures.values().any(|value| *value != 0.0) { (measures(score)) }
    }
}

fn measures(score: &Score) -> Markup {
    let table = Table::counts("Measures").captioned(html! { "Measures" });
    let told = score.measures.iter().filter(|(_, value)| **value != 0.0);
    table.rows(told.map(|(measure, value)| {
        // Many of them count: digits after the point would say nothing.
        let value = format!("{value:.3}");
        let value = value.trim_end_matches('0').trim_end_matches('.');
        [Cell::of(name(measure)), Cell::of(value)]
    }))
}

fn dimensions(score: &Score) -> Markup {
    let table = Table::new("Dimensions").stacked().with([
        Column::words("dimension").naming_rows(),
        Column::words("verdict"),
        Column::words("because"),
    ]);
    table.rows(score.dimensions.iter().map(|(dimension, verdict)| {
        [
            Cell::of(name(dimension.as_str())),
            Cell::of(verdict_mark(*verdict)),
            Cell::of(reason(dimension.as_str(), *verdict, &score.losses)),
        ]
    }))
}

fn verdict_mark(verdict: Verdict) -> Markup {
    match verdict {
        Verdict::Correct => marked(Tone::Good, Icon::Tick, "pass"),
        Verdict::Incorrect => marked(Tone::Bad, Icon::Cross, "fail"),
        Verdict::NotApplicable => marked(Tone::Plain, Icon::Dash, "not applicable"),
    }
}

/// Why a dimension was judged as it was, in the words of the losses that belong to it.
fn reason(dimension: &str, verdict: Verdict, losses: &[Loss]) -> Markup {
    let mut words: Vec<String> = Vec::new();
    for loss in losses.iter().filter(|loss| belongs(loss.cause, dimension)).take(MOST) {
        let told = described(loss);
        if !words.contains(&told) {
            words.push(told);
        }
    }
    html! {
        @match verdict {
            Verdict::Correct => "as expected",
            Verdict::NotApplicable => "nothing to judge here",
            Verdict::Incorrect if words.is_empty() => "see the losses below",
            Verdict::Incorrect => {
                @for (place, word) in words.iter().take(4).enumerate() {
                    @if place > 0 { "; " }
                    (name(word))
                }
                @if words.len() > 4 { " and " (words.len() - 4) " more" }
            }
        }
    }
}

/// A loss in a few words.
fn described(loss: &Loss) -> String {
    let path = loss.path.to_string();
    let mut words = loss.cause.words().to_owned();
    if let Some(tool) = &loss.tool {
        words = format!("{words} ({tool}{}{path})", if path.is_empty() { "" } else { "." });
    }
    // A keyword, a claim or a document has no place but itself.
    let itself = loss.actual.as_ref().or(loss.expected.as_ref()).filter(|_| loss.tool.is_none());
    match itself.filter(|_| is_of_an_answer(loss.cause)) {
        Some(value) => format!("{words} {}", in_a_line(value, NAMED)),
        None => words,
    }
}

fn is_of_an_answer(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::MissingKeyword
            | Cause::ForbiddenKeyword
            | Cause::MissedDocument
            | Cause::UnsupportedClaim
            | Cause::ContradictedValue
    )
}

fn is_of_an_argument(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::MissingArgument
            | Cause::ExtraArgument
            | Cause::ForbiddenArgument
            | Cause::WrongValue
            | Cause::WrongType
            | Cause::MissingItem
            | Cause::ExtraItem
    )
}

/// Whether a cause speaks against a dimension.
fn belongs(cause: Cause, dimension: &str) -> bool {
    use Cause as C;
    match dimension {
        "tool_name" => matches!(
            cause,
            C::WrongTool
                | C::MissingCall
                | C::ShouldHaveCalled
                | C::ShouldNotHaveCalled
                | C::UndeclaredTool
        ),
        "arguments" => {
            is_of_an_argument(cause) || matches!(cause, C::MissingCall | C::MalformedCall)
        }
        "call_count" => matches!(
            cause,
            C::MissingCall | C::ExtraCall | C::ShouldHaveCalled | C::ShouldNotHaveCalled
        ),
        "tool_usage" => is_of_an_argument(cause) || matches!(cause, C::MissingCall | C::ExtraCall),
        "response_quality" | "keywords" => {
            matches!(cause, C::MissingKeyword | C::ForbiddenKeyword)
        }
        "error_handling" => {
            matches!(cause, C::SystemFailure | C::ToolFailure | C::ErrorAnswered | C::MissingText)
        }
        "found" => cause == C::MissedDocument,
        "grounded" => matches!(cause, C::UnsupportedClaim | C::ContradictedValue),
        "in_time" => cause == C::TooSlow,
        "no_undeclared_tools" => cause == C::UndeclaredTool,
        "format_valid" => matches!(cause, C::MalformedCall | C::CallInText),
        "response_kind" => matches!(
            cause,
            C::WrongResponseKind | C::MissingText | C::ShouldHaveCalled | C::ShouldNotHaveCalled
        ),
        _ => false,
    }
}

fn losses(losses: &[Loss]) -> Markup {
    let table = Table::new("Every lost point").of_class("every-loss").stacked().lean().with([
        Column::words("lost by").naming_rows(),
        Column::numbers("points"),
        Column::words("at"),
        Column::words("expected"),
        Column::words("found"),
    ]);
    let rows = losses.iter().take(MOST).map(|loss| {
        [
            Cell::of(loss.cause.words()),
            Cell::of(format!("{:.3}", loss.points)),
            Cell::of(place(loss)),
            Cell::maybe(loss.expected.as_ref().map(value)),
            Cell::maybe(loss.actual.as_ref().map(value)),
        ]
    });
    html! {
        (table.rows(rows))
        @if losses.len() > MOST { p.left-out { "… and " (losses.len() - MOST) " more" } }
    }
}

fn value(value: &Value) -> Markup {
    html! { code dir="auto" { (in_a_line(value, VALUE)) } }
}

fn place(loss: &Loss) -> Markup {
    html! {
        @if let Some(tool) = &loss.tool { code { (name(tool)) } }
        @if !loss.path.is_root() { " " code { (name(&loss.path.to_string())) } }
    }
}

/// What became of the world, where there is one.
pub(super) fn world(trial: &Trial) -> Markup {
    let changes = &trial.transcript.background.changes;
    html! {
        @if changes.is_empty() { (lost_changes(trial)) }
        @else { section { h2 { "End state" } (end_state(changes)) } }
        (observed(&trial.transcript.background.observed))
    }
}

/// What changed in a real home, beside what the simulator says the calls change.
fn observed(changes: &[StateChange]) -> Markup {
    let table = Table::new("What changed in the real home").stacked().with([
        Column::words("what").naming_rows(),
        Column::words("before"),
        Column::words("after"),
    ]);
    let rows = changes.iter().take(MOST).map(|change| {
        let what = html! { code { (name(&change.thing)) } " " (name(&change.property)) };
        [Cell::of(what), Cell::of(value(&change.before)), Cell::of(value(&change.after))]
    });
    html! {
        @if !changes.is_empty() {
            section {
                h2 { "In the real home" }
                p.note { "What Home Assistant reported. The score goes by the calls, played in the simulator." }
                (table.rows(rows))
                @if changes.len() > MOST { p.left-out { "and " (changes.len() - MOST) " more" } }
            }
        }
    }
}

/// What changed that should not have, and what did not that should, as far as the scorer that
/// compared it says: all there is in logs that do not hold the end state.
fn lost_changes(trial: &Trial) -> Markup {
    let state = |loss: &&Loss| {
        matches!(loss.cause, Cause::SideEffect | Cause::MissingChange | Cause::WrongChange)
    };
    let scores = trial.outcomes.values().filter_map(Outcome::score);
    let found: Vec<&Loss> = scores.flat_map(|score| &score.losses).filter(state).collect();
    let table = Table::new("Where the end state is not the expected one").stacked().with([
        Column::words("what").naming_rows(),
        Column::words("where"),
        Column::words("should be"),
        Column::words("is"),
    ]);
    let rows = found.iter().take(MOST).map(|loss| {
        [
            Cell::of(loss.cause.words()),
            Cell::of(place(loss)),
            Cell::maybe(loss.expected.as_ref().map(value)),
            Cell::maybe(loss.actual.as_ref().map(value)),
        ]
    });
    html! { @if !found.is_empty() { section { h2 { "End state" } (table.rows(rows)) } } }
}
