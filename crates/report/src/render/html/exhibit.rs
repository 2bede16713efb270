//! One trial with what was asked, what was expected, what came, and where points were lost.

use maud::{Markup, html};
use toolgauge_core::{Expectation, ExpectedCall, Loss, Outcome, Score, Trial, TrialId};

use super::answered;
use super::call_diff::call_diff;
use super::conversation::{conversation, json_block};
use super::end_state::end_state;
use super::judged_calls::JudgedCalls;
use super::table::{Cell, Column, Table};
use super::text::{badge, block, letter, name};
use super::votes::votes;
use crate::json_text::in_a_line;
use crate::render::tone::Tone;
use crate::standing::Thresholds;

/// How many bytes of a conversation and of a value are shown at most.
const MOST_OF_CONVERSATION: usize = 24_000;
const MOST_OF_VALUE: usize = 400;

/// How many bytes of a scorer's explanation are shown at most.
const MOST_OF_EXPLANATION: usize = 2_000;

/// How many losses and expected calls are listed.
const MOST_ROWS: usize = 30;

/// One trial, folded away under a line that names it.
pub fn exhibit(trial: &Trial, graded: Thresholds) -> Markup {
    let outcome = trial.outcome();
    let score = outcome.and_then(Outcome::score);
    html! {
        details.exhibit {
            summary {
                (verdict(trial, graded)) " "
                b { (name(&trial.id().to_string())) } " "
                (name(trial.case.sentence()))
            }
            div.inside {
                @if let Some(score) = score { (judged(score)) }
                @if let Some(Outcome::Unscored(reason)) = outcome { p { (name(&reason.to_string())) } }
                (expected(trial))
                @if !trial.transcript.background.judgements.is_empty() {
                    h4 { "What a judge said" }
                    (votes(&trial.transcript.background.judgements))
                }
                @if !trial.transcript.background.changes.is_empty() {
                    h4 { "End state" }
                    (end_state(&trial.transcript.background.changes))
                }
                h4 { "Said" }
                (conversation(&trial.case.input, MOST_OF_CONVERSATION / 4))
                (conversation(&trial.transcript.messages, MOST_OF_CONVERSATION))
            }
        }
    }
}

/// What was expected; where that is an answer, beside the one that was given.
fn expected(trial: &Trial) -> Markup {
    let Expectation { calls, answer, response, more, .. } = &trial.case.expectation;
    let about_calls = answer.is_none() || calls.is_some() || response.is_some() || !more.is_empty();
    html! {
        (answered::under(trial, |words| html! { h4 { (words) } }))
        @if about_calls { h4 { "Expected and called" } (expectation(trial)) }
    }
}

/// The place of a trial that cannot be opened.
pub fn damaged_exhibit(trial: &TrialId, why: &str) -> Markup {
    html! {
        p.exhibit { (badge(Tone::Caution, "damaged")) " " b { (name(&trial.to_string())) } " " (name(why)) }
    }
}

fn verdict(trial: &Trial, graded: Thresholds) -> Markup {
    let counted = trial.outcomes.first();
    let value = counted.and_then(|(_, outcome)| outcome.value());
    let standing = graded.standing_of(trial);
    match value {
        Some(value) => badge(standing.tone(), &format!("{} {value:.2}", standing.name())),
        None => badge(standing.tone(), standing.name()),
    }
}

fn judged(score: &Score) -> Markup {
    html! {
        @if !score.explanation.is_empty() {
            div.prose { (block(&score.explanation, MOST_OF_EXPLANATION)) }
        }
        @if !score.dimensions.is_empty() {
            p.dimensions {
                @for (dimension, verdict) in score.dimensions.iter().take(MOST_ROWS) {
                    span.dimension { (letter(*verdict)) " " (name(dimension.as_str())) } " "
                }
            }
        }
        (loss_list(&score.losses))
    }
}

/// The losses of a trial with what was expected and what was there; nothing if there are none.
fn loss_list(losses: &[Loss]) -> Markup {
    let table = Table::new("Lost points").stacked().lean().with([
        Column::words("lost by").naming_rows(),
        Column::words("where"),
        Column::words("expected"),
        Column::words("was"),
        Column::numbers("points"),
    ]);
    let shown =
        |value: &serde_json::Value| html! { code dir="auto" { (in_a_line(value, MOST_OF_VALUE)) } };
    let rows = losses.iter().take(MOST_ROWS).map(|loss| {
        [
            Cell::of(loss.cause.words()),
            Cell::maybe(
                Some(place(loss)).filter(|place| !place.is_empty()).map(|place| name(&place)),
            ),
            Cell::maybe(loss.expected.as_ref().map(shown)),
            Cell::maybe(loss.actual.as_ref().map(shown)),
            Cell::of(format!("{:.3}", loss.points)),
        ]
    });
    html! {
        @if !losses.is_empty() {
            div.lost {
                (table.rows(rows))
                @if losses.len() > MOST_ROWS { p.left-out { "and " (losses.len() - MOST_ROWS) " more" } }
            }
        }
    }
}

fn place(loss: &Loss) -> String {
    let path = loss.path.to_string();
    match (&loss.tool, path.is_empty()) {
        (Some(tool), true) => tool.clone(),
        (Some(tool), false) => format!("{tool}.{path}"),
        (None, _) => path,
    }
}

/// What a case demands, beside the calls that were made.
fn expectation(trial: &Trial) -> Markup {
    let expectation = &trial.case.expectation;
    html! {
        @match &expectation.calls {
            None if expectation.answer.is_some() => {},
            None => p.note { "calls are not judged" },
            Some(_) => (call_diff(&JudgedCalls::of(trial), trial.outcomes.len() > 1)),
        }
        @if let Some(response) = expectation.response { p { "Expected kind of response: " b { (response.name()) } } }
        @for other in expectation.alternatives.iter().take(MOST_ROWS) {
            details {
                summary { "or, " (other.quality.name()) @if let Some(reason) = &other.reason { ": " (name(reason)) } }
                div.inside { @if other.calls.is_empty() { p { "no call" } } (expected_calls(&other.calls)) }
            }
        }
        @if !expectation.more.is_empty() {
            details.more { summary { "What else is expected" } div.inside { (json_block(&expectation.more, 10 * MOST_OF_VALUE)) } }
        }
    }
}

fn expected_calls(calls: &[ExpectedCall]) -> Markup {
    html! {
        @for call in calls.iter().take(MOST_ROWS) {
            div.call { code { (name(&call.name)) } (json_block(&call.arguments, 4 * MOST_OF_VALUE)) }
        }
        @if calls.len() > MOST_ROWS { p.left-out { "and " (calls.len() - MOST_ROWS) " more" } }
    }
}
