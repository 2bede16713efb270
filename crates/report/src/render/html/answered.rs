//! The answer that was given, beside a right one and beside all that was demanded of it.

mod demand;
mod passage;
#[cfg(test)]
mod tests;

use maud::{Markup, html};
use toolgauge_core::{Cause, ExpectedAnswer, Loss, Outcome, Proof, Trial};

use self::demand::{DemandRow, demands};
use self::passage::{AnswerPassage, Sort};
use super::table::{Cell, Column, Row, Table};
use super::text::{badge, block, block_of, name};
use crate::harmless;
use crate::render::tone::Tone;

/// How many bytes are shown of an answer, and of what the suite says about it.
const MOST_OF_ANSWER: usize = 12_000;
const MOST_OF_REMARK: usize = 4_000;

/// How many demands and proofs are listed.
const MOST_ROWS: usize = 100;

/// A right answer, the one that was given, and whether each demand was met; nothing where the
/// case demands nothing of its answer.
///
/// What was judged, scorers have judged: here their losses are put in their places. The headings
/// are those of a part of a page.
pub fn answered(trial: &Trial) -> Markup {
    under(trial, |words| html! { h3 { (words) } })
}

/// The same with headings of another kind.
pub(super) fn under(trial: &Trial, heading: fn(&str) -> Markup) -> Markup {
    let Some(answer) = trial.case.expectation.answer.as_deref() else { return html! {} };
    html! {
        div.answered {
            @if let Some(reference) = &answer.reference {
                (heading("A right answer"))
                (block(reference, MOST_OF_REMARK))
            }
            (heading("The answer given"))
            (given(answer, trial))
            (demanded(answer, trial, heading))
            @if let Some(rubric) = &answer.rubric {
                (heading("What a judge should look at"))
                (block(rubric, MOST_OF_REMARK))
            }
            (proofs(&answer.proof, &trial.transcript.background.proved))
        }
    }
}

/// The answer with what was asked for marked, and what it should not say.
fn given(answer: &ExpectedAnswer, trial: &Trial) -> Markup {
    let text = trial.transcript.final_text();
    let (shown, left_out) = harmless::beginning(text, MOST_OF_ANSWER);
    let passages = passage::find(shown, answer, &losses(trial));
    let has = |sort: Sort| passages.iter().any(|passage| passage.sort == Some(sort));
    html! {
        @if text.trim().is_empty() { p { (badge(Tone::Bad, "none")) } }
        @else {
            (block_of(shown, left_out, &html! { @for passage in &passages { (marked_up(passage)) } }))
            @if has(Sort::Asked) || has(Sort::Objected) {
                p.note {
                    @if has(Sort::Asked) { mark.good { "asked for" } " " }
                    @if has(Sort::Objected) { mark.bad { "forbidden, or supported by nothing that was returned" } }
                }
            }
        }
        @if let Some(failure) = &trial.transcript.failure {
            p { (badge(Tone::Caution, failure.kind.name())) " " (name(&failure.message)) }
        }
    }
}

fn marked_up(passage: &AnswerPassage<'_>) -> Markup {
    let text = harmless::block(passage.text);
    html! {
        @match passage.sort {
            None => (text),
            Some(Sort::Asked) => mark.good { (text) },
            Some(Sort::Objected) => mark.bad { (text) },
        }
    }
}

fn demanded(answer: &ExpectedAnswer, trial: &Trial, heading: fn(&str) -> Markup) -> Markup {
    let demands = demands(answer, trial);
    let table = Table::new("What the answer had to have").of_class("diff").stacked().lean().with([
        Column::words("the answer").naming_rows(),
        Column::words("expected"),
        Column::words("found"),
        Column::unseen("verdict"),
    ]);
    html! {
        @if !demands.is_empty() {
            (heading("What it had to have"))
            (table.rows(demands.iter().take(MOST_ROWS).map(row)))
            @if demands.len() > MOST_ROWS { p.left-out { "and more" } }
        }
    }
}

fn row(demand: &DemandRow) -> Row {
    let cells = [
        Cell::of(demand.what),
        Cell::of(&demand.expected),
        Cell::of(&demand.found),
        Cell::of(demand.verdict.mark()),
    ];
    Row::of(cells).of_class(demand.verdict.tone.class())
}

/// The losses of every scorer.
fn losses(trial: &Trial) -> Vec<&Loss> {
    let scores = trial.outcomes.values().filter_map(Outcome::score);
    scores.flat_map(|score| &score.losses).collect()
}

/// Whether a loss is about something that the answer says and should not.
fn is_objection(loss: &Loss) -> bool {
    matches!(
        loss.cause,
        Cause::ForbiddenKeyword | Cause::UnsupportedClaim | Cause::ContradictedValue
    )
}

/// Where the suite has the right answer from, and what its queries found.
fn proofs(proofs: &[Proof], found: &[String]) -> Markup {
    // A query that failed found nothing, and then it is not known which one it was.
    let is_whole = found.len() == proofs.iter().filter(|proof| proof.sql.is_some()).count();
    let mut found = found.iter().filter(|_| is_whole);
    html! {
        @if !proofs.is_empty() {
            details {
                summary { "What proves the right answer" }
                div.inside {
                    @for proof in proofs.iter().take(MOST_ROWS) {
                        @if let Some(sql) = &proof.sql {
                            p { @if proof.empty { "A query that finds nothing" } @else { "A query" } }
                            (block(sql, MOST_OF_REMARK))
                            @if let Some(rows) = found.next() { p { "What it found" } (block(rows, MOST_OF_REMARK)) }
                        }
                        @if let Some(document) = &proof.document { p { "A document: " code { (name(document)) } } }
                        @if let Some(passage) = &proof.passage { (block(passage, MOST_OF_REMARK)) }
                    }
                }
            }
        }
    }
}
