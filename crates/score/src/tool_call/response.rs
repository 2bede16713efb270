//! What a subject answered, as the scorer sees it.

use toolgauge_core::{Arguments, Tool, ToolCall, Transcript};

use super::classic;
use super::scorer::{Comparison, ToolCallScorer};
use crate::made_calls::MadeCalls;

/// What a subject answered, as the scorer sees it.
pub(super) struct Response<'a> {
    /// The calls, and which of them count as calls.
    pub(super) made: MadeCalls<'a>,
    /// The tools there are; none when they are not known.
    pub(super) declared: &'a [Tool],
    comparison: Comparison,
    /// Whether the last message holds text.
    pub(super) has_text: bool,
}

impl<'a> Response<'a> {
    pub(super) fn new(
        scorer: &ToolCallScorer,
        declared: &'a [Tool],
        transcript: &'a Transcript,
    ) -> Self {
        let made = MadeCalls::of(transcript, scorer.count_calls_in_text);
        let has_text = !transcript.final_text().trim().is_empty();
        let comparison = scorer.comparison;
        Self { made, declared, comparison, has_text }
    }

    /// The calls that count as calls.
    pub(super) fn calls(&self) -> &[&'a ToolCall] {
        &self.made.counted
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
            Comparison::ByRules => matches!(call.arguments, Arguments::Object(_)),
            Comparison::Classic => classic::is_readable(&call.arguments),
        };
        readable && !call.name.is_empty()
    }
}
