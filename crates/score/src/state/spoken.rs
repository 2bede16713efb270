//! What is said, held against what happened and what was asked.

use std::rc::Rc;

use toolgauge_core::{Cause, ExpectedFact, Loss, ResponseKind};

use super::facts::Facts;
use super::{AcceptedEnd, context, is_answered, wording};
use crate::end_states::EndStates;
use crate::evidence::Evidence;
use crate::reply::{Context, Reply, facts_of};

/// The last words of a trial, read once for all accepted ways.
pub(super) struct LastReply<'a> {
    /// In English where it was said in another language.
    reply: Rc<Reply>,
    in_english: bool,
    told: Context<'a>,
}

impl<'a> LastReply<'a> {
    pub(super) fn new(evidence: &Evidence<'a>) -> Self {
        let text = evidence.transcript.final_text();
        let reply = Reply::read(text);
        let asked = Reply::read(evidence.case.sentence());
        // A word or two may be of any language; then that of the request decides.
        let is_asked = asked.is_english() && !Reply::is_glossed(evidence.case.sentence());
        let in_english = reply.is_english() && (is_asked || reply.is_surely_english());
        let reply = if in_english { reply } else { Reply::read_glossed(text) };
        Self { reply, in_english, told: Context::new(evidence) }
    }

    /// Which words were read as what, if there are any.
    pub(super) fn read_as(&self) -> Option<String> {
        self.reply.read_as(&self.told)
    }

    /// What is wrong with the words by one accepted way, with no points given yet.
    pub(super) fn losses(
        &self,
        evidence: &Evidence<'_>,
        states: &EndStates,
        way: &AcceptedEnd<'_>,
    ) -> Vec<Loss> {
        losses(evidence, states, way, self)
    }
}

fn losses(
    evidence: &Evidence<'_>,
    states: &EndStates,
    way: &AcceptedEnd<'_>,
    LastReply { reply, in_english, told }: &LastReply<'_>,
) -> Vec<Loss> {
    let expectation = &evidence.case.expectation;
    let demands = wording::AnswerDemands::of(expectation);
    let text = evidence.transcript.final_text();
    let facts = facts_of(expectation, way.kind);
    let in_english = *in_english;
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
                // Where something was changed beside the question, words about that act are no
                // invention.
                if losses.is_empty() && in_english && is_untouched {
                    losses.extend(reply.invented(facts, told));
                } else if losses.is_empty() && is_untouched {
                    losses.extend(reply.invented_in_gloss(facts, told));
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
                let untrue = reply.untrue(facts, told).or_else(|| reply.taken_back(facts, told));
                let unknown = || reply.unmeasured(facts, told).or_else(|| reply.unknown_past(told));
                losses.extend(untrue.or_else(unknown));
            }
            losses
        }
        Some(ResponseKind::Clarification) if in_english => {
            let mut losses = reply.held_against(facts, told);
            if losses.is_empty() {
                losses.extend(reply.untrue(facts, told).or_else(|| reply.unknown_past(told)));
            }
            losses
        }
        Some(ResponseKind::Clarification) => {
            let open = || reply.asks_nothing_open();
            let claim = || reply.claims_an_act(told).or_else(|| reply.false_state(told));
            let amiss = || reply.asked_amiss(&[], told);
            let wrong = wording::no_question(text).or_else(open).or_else(claim).or_else(amiss);
            wrong.into_iter().collect()
        }
        Some(ResponseKind::Error) if in_english => refused(reply, facts, told),
        Some(ResponseKind::Error) => {
            let act = || reply.act_beside_refusal(told);
            let none = || reply.no_refusal_in_gloss(evidence).or_else(act);
            let other = || reply.false_state(told).or_else(none);
            wording::false_claim(text).or_else(other).into_iter().collect()
        }
        Some(ResponseKind::Action) | None if in_english => {
            reply.false_report(told).into_iter().collect()
        }
        Some(ResponseKind::Action) | None => reply.false_gloss(told).into_iter().collect(),
    }
}

/// What is wrong with a refusal, and with what it tells beside it.
fn refused(reply: &Reply, facts: &[ExpectedFact], told: &Context<'_>) -> Vec<Loss> {
    let mut losses = reply.held_against(facts, told);
    if losses.is_empty() {
        let untrue = reply.untrue(facts, told);
        let amount = || reply.wrong_amount(told, true);
        let excuse = || reply.unknown_excuse(told).or_else(|| reply.new_thing(facts, told));
        let past = || reply.unknown_past(told);
        losses.extend(untrue.or_else(amount).or_else(excuse).or_else(past));
    }
    losses
}

/// What a reply to a question lacks, and what it says of the world that is not so.
fn answered(reply: &Reply, facts: &[ExpectedFact], told: &Context<'_>) -> Vec<Loss> {
    let mut losses = reply.held_against(facts, told);
    if losses.is_empty() {
        losses.extend(reply.untrue(facts, told));
    }
    losses
}

/// Whether what the expected calls read was read too, known from before, or told by a tool.
fn is_read(
    evidence: &Evidence<'_>,
    states: &EndStates,
    way: &AcceptedEnd<'_>,
    demands: &wording::AnswerDemands<'_>,
) -> bool {
    let needed = Facts::of(way.played);
    let mut known = Facts::of(&states.actual);
    known.extend(context(evidence));
    let told = states.actual.answers.iter().filter(|answer| !answer.failed);
    needed.is_within(&known) || demands.is_met_by(told.map(|answer| answer.content.as_str()))
}
