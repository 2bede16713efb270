//! What the scorers say of a trial: values, dimensions with their reasons, every loss.

use maud::{Markup, html};
use toolgauge_core::{Cause, Loss, Outcome, Score, Trial, Verdict};
use toolgauge_report::html::{Tone, block, end_state, letter, name};

use crate::index::Mark;
use crate::json::in_a_line;

/// As many losses as are listed.
const MOST: usize = 200;
/// As much of one value as is shown.
const VALUE: usize = 400;

/// Every judgement of a trial.
pub(super) fn judgements(trial: &Trial) -> Markup {
    html! {
        @if trial.outcomes.is_empty() { p { "No scorer has judged this trial." } }
        @for (scorer, outcome) in &trial.outcomes {
            section.judgement {
                h3 { "Scorer " (name(scorer)) }
                @match outcome {
                    Outcome::Scored(score) => (scored(score)),
                    Outcome::Unscored(reason) => {
                        p { (mark(Mark::Unscored)) " " (name(&reason.to_string())) }
                    }
                }
            }
        }
    }
}

/// How a trial went, in a sign and a word.
pub(crate) fn mark(mark: Mark) -> Markup {
    let tone = match mark {
        Mark::Right => Tone::Good,
        Mark::Wrong => Tone::Bad,
        Mark::Partly | Mark::Unscored => Tone::Caution,
    };
    html! {
        span class={ "badge mark " (tone.class()) } {
            span aria-hidden="true" { (mark.sign()) " " }
            (mark.name())
        }
    }
}

fn scored(score: &Score) -> Markup {
    html! {
        p {
            (mark(Mark::of(Some(score.value)))) " " b { (format!("{:.3}", score.value)) }
            @if let Some(quality) = score.quality { " · accepted as " (quality.name()) }
        }
        @if !score.explanation.is_empty() { (block(&score.explanation, 4_000)) }
        @if !score.dimensions.is_empty() { (dimensions(score)) }
        @if !score.losses.is_empty() { (losses(&score.losses)) }
        @if score.measures.values().any(|value| *value != 0.0) {
            table.facts {
                caption.unseen { "Numbers beside the score" }
                tbody {
                    @for (measure, value) in score.measures.iter().filter(|(_, value)| **value != 0.0) {
                        tr { th scope="row" { (name(measure)) } td.number { (format!("{value:.3}")) } }
                    }
                }
            }
        }
    }
}

fn dimensions(score: &Score) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label={ "Dimensions" } {
            table {
                caption.unseen { "Dimensions" }
                thead { tr { th scope="col" { "dimension" } th scope="col" { "verdict" } th scope="col" { "because" } } }
                tbody {
                    @for (dimension, verdict) in &score.dimensions {
                        tr {
                            th scope="row" { (name(dimension.as_str())) }
                            td { (letter(*verdict)) }
                            td { (reason(dimension.as_str(), *verdict, &score.losses)) }
                        }
                    }
                }
            }
        }
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
    words
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
        "arguments" => matches!(
            cause,
            C::MissingArgument
                | C::ExtraArgument
                | C::ForbiddenArgument
                | C::WrongValue
                | C::WrongType
                | C::MissingItem
                | C::ExtraItem
                | C::MissingCall
                | C::MalformedCall
        ),
        "call_count" => matches!(
            cause,
            C::MissingCall | C::ExtraCall | C::ShouldHaveCalled | C::ShouldNotHaveCalled
        ),
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
    html! {
        div.scroll tabindex="0" role="group" aria-label={ "Every lost point" } {
            table {
                caption.unseen { "Every lost point" }
                thead {
                    tr {
                        th scope="col" { "lost by" }
                        th.number scope="col" { "points" }
                        th scope="col" { "at" }
                        th scope="col" { "expected" }
                        th scope="col" { "found" }
                    }
                }
                tbody {
                    @for loss in losses.iter().take(MOST) {
                        tr {
                            th scope="row" { (loss.cause.words()) }
                            td.number { (format!("{:.3}", loss.points)) }
                            td { (place(loss)) }
                            td { @if let Some(value) = &loss.expected { code dir="auto" { (in_a_line(value, VALUE)) } } }
                            td { @if let Some(value) = &loss.actual { code dir="auto" { (in_a_line(value, VALUE)) } } }
                        }
                    }
                }
            }
        }
        @if losses.len() > MOST { p.left-out { "… and " (losses.len() - MOST) " more" } }
    }
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
    if changes.is_empty() {
        return lost_changes(trial);
    }
    html! { section { h2 { "End state" } (end_state(changes)) } }
}

/// What changed that should not have, and what did not that should, as far as the scorer that
/// compared it says: all there is in logs that do not hold the end state.
fn lost_changes(trial: &Trial) -> Markup {
    let state = |loss: &&Loss| {
        matches!(loss.cause, Cause::SideEffect | Cause::MissingChange | Cause::WrongChange)
    };
    let scores = trial.outcomes.values().filter_map(Outcome::score);
    let found: Vec<&Loss> = scores.flat_map(|score| &score.losses).filter(state).collect();
    html! {
        @if !found.is_empty() {
            section {
                h2 { "End state" }
                div.scroll tabindex="0" role="group" aria-label={ "Where the end state is not the expected one" } {
                    table {
                        caption.unseen { "Where the end state is not the expected one" }
                        thead {
                            tr {
                                th scope="col" { "what" }
                                th scope="col" { "where" }
                                th scope="col" { "should be" }
                                th scope="col" { "is" }
                            }
                        }
                        tbody {
                            @for loss in found.iter().take(MOST) {
                                tr {
                                    th scope="row" { (loss.cause.words()) }
                                    td { (place(loss)) }
                                    td { @if let Some(value) = &loss.expected { code dir="auto" { (in_a_line(value, VALUE)) } } }
                                    td { @if let Some(value) = &loss.actual { code dir="auto" { (in_a_line(value, VALUE)) } } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
