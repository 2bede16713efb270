//! What judges said of an answer: every vote with its marks and its reason.

use maud::{Markup, html};
use toolgauge_core::Judgement;

use super::table::{Cell, Column, Table};
use super::text::{badge, block, name};
use crate::render::tone::Tone;

/// How many votes and criteria are listed, and how many bytes of a reason are shown.
const MOST_VOTES: usize = 20;
const MOST_CRITERIA: usize = 20;
const MOST_OF_REASON: usize = 8_000;

/// The votes on a trial; nothing if there are none.
pub fn votes(votes: &[Judgement]) -> Markup {
    html! {
        @for (place, vote) in votes.iter().take(MOST_VOTES).enumerate() {
            div.vote {
                p {
                    b { "Vote " (place + 1) } " of " (name(&vote.judge)) " "
                    @match vote.value {
                        Some(value) => b { (format!("{value:.3}")) },
                        None => (badge(Tone::Caution, "could not be read")),
                    }
                }
                @if !vote.reasoning.is_empty() { (block(&vote.reasoning, MOST_OF_REASON)) }
                (criteria(place + 1, vote))
            }
        }
        @if votes.len() > MOST_VOTES { p.left-out { "and " (votes.len() - MOST_VOTES) " more" } }
    }
}

/// The marks of one vote, in a row: they are few.
fn criteria(number: usize, vote: &Judgement) -> Markup {
    let shown = || vote.criteria.iter().take(MOST_CRITERIA);
    let table = Table::new(&format!("Marks of vote {number}"))
        .with(shown().map(|(criterion, _)| Column::numbers(criterion)));
    let marks: Vec<Cell> = shown().map(|(_, value)| Cell::of(format!("{value:.2}"))).collect();
    html! { @if !marks.is_empty() { (table.rows([marks])) } }
}
