//! What is said, held against what happened and what was asked.

use toolgauge_core::{Cause, ExpectedFact, Loss, ResponseKind};

use super::facts::Facts;
use super::{Way, context, is_answered, wording};
use crate::end_states::EndStates;
use crate::evidence::Evidence;
use crate::reply::{Context, Reply, facts_of};

/// The last words of a trial, read once for all accepted ways.
pub(super) struct Spoken<'a> {
    reply: Reply,
    told: Context<'a>,
}

impl<'a> Spoken<'a> {
    pub(super) fn new(evidence: &Evidence<'a>) -> Self {
        let reply = Reply::read(evidence.transcript.final_text());
        Self { reply, told: Context::new(evidence) }
    }

    /// What is wrong with the words by one accepted way, with no points given yet.
    pub(super) fn losses(
        &self,
        evidence: &Evidence<'_>,
        states: &EndStates,
        way: &Way<'_>,
    ) -> Vec<Loss> {
        losses(evidence, states, way, self)
    }
}

fn losses(
    evidence: &Evidence<'_>,
    states: &EndStates,
    way: &Way<'_>,
    Spoken { reply, told }: &Spoken<'_>,
) -> Vec<Loss> {
    let expectation = &evidence.case.expectation;
    let demands = wording::Demands::of(expectation);
    let text = evidence.transcript.final_text();
    let facts = facts_of(expectation, way.kind);
    let in_english = reply.is_english();
    match way.kind {
        Some(ResponseKind::Query) => {
            let mut losses = Vec::new();
            if !is_read(evidence, states, way, &demands) {
                losses.push(Loss::new(Cause::NotRead, 0.0));
            }
            if is_answered(evidence) {
                losses.extend(demands.unmet(text));
                losses.extend(answered(reply, facts, told));
                let is_untouched = states.actual.end == states.untouched;
                if losses.is_empty() && in_english && is_untouched {
                    losses.extend(reply.invented(facts, told));
                }
            }
            losses
        }
        Some(ResponseKind::Text) => {
            let mut losses: Vec<Loss> =
                wording::unsaid(text).or(demands.unmet(text)).into_iter().collect();
            if losses.is_empty() && (in_english || !facts.is_empty()) {
                losses.extend(reply.wrong_kind(ResponseKind::Text, facts, told));
            }
            if losses.is_empty() && in_english {
                losses.extend(reply.false_state(told));
            }
            losses
        }
        Some(ResponseKind::Clarification) if in_english => reply.held_against(facts, told),
        Some(ResponseKind::Clarification) => wording::no_question(text).into_iter().collect(),
        Some(ResponseKind::Error) if in_english => {
            let mut losses = reply.held_against(facts, told);
            if losses.is_empty() {
                losses.extend(reply.false_state(told).or_else(|| reply.wrong_amount(told, true)));
            }
            losses
        }
        Some(ResponseKind::Error) => wording::false_claim(text).into_iter().collect(),
        Some(ResponseKind::Action) | None if in_english => {
            reply.false_report(told).into_iter().collect()
        }
        Some(ResponseKind::Action) | None => Vec::new(),
    }
}

/// What a reply to a question lacks, and what it says of the world that is not so.
fn answered(reply: &Reply, facts: &[ExpectedFact], told: &Context<'_>) -> Vec<Loss> {
    let mut losses = reply.held_against(facts, told);
    if losses.is_empty() && reply.is_english() {
        losses.extend(reply.false_state(told));
    }
    losses
}

/// Whether what the expected calls read was read too, known from before, or told by a tool.
fn is_read(
    evidence: &Evidence<'_>,
    states: &EndStates,
    way: &Way<'_>,
    demands: &wording::Demands<'_>,
) -> bool {
    let needed = Facts::of(way.played);
    let mut known = Facts::of(&states.actual);
    known.extend(context(evidence));
    let told = states.actual.answers.iter().filter(|answer| !answer.failed);
    needed.is_within(&known) || demands.is_met_by(told.map(|answer| answer.content.as_str()))
}
