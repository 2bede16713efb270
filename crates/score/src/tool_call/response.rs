//! What a subject answered, as the scorer sees it.

use serde_json::Value;
use toolgauge_core::{
    Arguments, Case, ExpectedFact, Loss, Message, ResponseKind, Tool, ToolCall, Transcript,
};

use super::classic;
use super::scorer::{CallComparison, ToolCallScorer};
use crate::evidence::Evidence;
use crate::made_calls::MadeCalls;
use crate::reply::{Context, Reply, facts_of};

/// What a subject answered, as the scorer sees it.
pub(super) struct Response<'a> {
    /// The calls, and which of them count as calls.
    pub(super) made: MadeCalls<'a>,
    /// The tools there are; none when they are not known.
    pub(super) declared: &'a [Tool],
    comparison: CallComparison,
    recovers_quotes: bool,
    /// Whether the last message holds text.
    pub(super) has_text: bool,
    case: &'a Case,
    transcript: &'a Transcript,
    /// Whether the text is judged.
    is_read: bool,
}

impl<'a> Response<'a> {
    pub(super) fn new(
        scorer: &ToolCallScorer,
        case: &'a Case,
        declared: &'a [Tool],
        transcript: &'a Transcript,
    ) -> Self {
        let made = MadeCalls::of(transcript, scorer.count_calls_in_text);
        let has_text = !transcript.final_text().trim().is_empty();
        let comparison = scorer.comparison;
        let is_told = made.counted.is_empty() || is_told_after_calls(case, transcript);
        // That benchmark does not judge words, so the classic comparison must not either.
        let is_read = has_text && is_told && comparison == CallComparison::ByRules;
        let recovers_quotes = scorer.recovers_quotes;
        Self { made, declared, comparison, recovers_quotes, has_text, case, transcript, is_read }
    }

    /// The calls that count as calls.
    pub(super) fn calls(&self) -> &[&'a ToolCall] {
        &self.made.counted
    }

    /// What is wrong with words that should be of this kind. Words in other languages than
    /// English are taken as they are.
    pub(super) fn wrong_words(&self, kind: ResponseKind) -> Option<Loss> {
        if !self.is_read {
            return None;
        }
        let reply = Reply::read(self.transcript.final_text());
        if !reply.is_english() {
            return None;
        }
        let context = &Context::new(&Evidence::new(self.case, self.declared, self.transcript));
        let facts = facts_of(&self.case.expectation, Some(kind));
        // What only the world can tell is left to the scorer that knows it.
        let facts: Vec<ExpectedFact> =
            facts.iter().filter(|fact| !fact.needs_world()).cloned().collect();
        match kind {
            ResponseKind::Action => reply.false_report(context),
            ResponseKind::Query => {
                let missed = reply.held_against(&facts, context).into_iter().next();
                missed.or_else(|| reply.invented(&facts, context))
            }
            kind => {
                let wrong = reply.wrong_kind(kind, &facts, context).into_iter().next();
                wrong.or_else(|| reply.unfounded(kind, context))
            }
        }
    }

    /// Whether a call is to a tool that does not exist. A call without a name is malformed, and
    /// counted there.
    pub(super) fn is_undeclared(&self, call: &ToolCall) -> bool {
        !self.declared.is_empty()
            && !call.name.is_empty()
            && !self.declared.iter().any(|tool| tool.name == call.name)
    }

    /// Whether a call can be read: it has a name, and its arguments are an object.
    pub(super) fn is_well_formed(&self, call: &ToolCall) -> bool {
        let readable = match self.comparison {
            CallComparison::ByRules => matches!(call.arguments, Arguments::Object(_)),
            CallComparison::Classic => classic::is_readable(&call.arguments, self.recovers_quotes),
        };
        readable && !call.name.is_empty()
    }
}

/// Whether the suite wants the words behind calls to be judged here, and there are some. In a
/// world with a state, the scorer of end states does that.
fn is_told_after_calls(case: &Case, transcript: &Transcript) -> bool {
    let settings = case.expectation.more.get("reply");
    let wanted = settings.and_then(|settings| settings.get("after_calls")).and_then(Value::as_bool);
    let last = transcript.messages.iter().rev().find_map(|message| match message {
        Message::Assistant(message) => Some(message),
        _ => None,
    });
    wanted == Some(true) && last.is_some_and(|last| last.calls.is_empty())
}
