//! What a subject answered, as the scorer sees it.

use toolgauge_core::{Arguments, Tool, ToolCall, Transcript};

use super::classic;
use super::scorer::{Comparison, ToolCallScorer};

/// What a subject answered, as the scorer sees it.
pub(super) struct Response<'a> {
    /// The calls that count as calls.
    pub(super) calls: Vec<&'a ToolCall>,
    /// The calls written into the text that do not.
    pub(super) calls_in_text: Vec<&'a ToolCall>,
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
        let counts = |call: &&ToolCall| scorer.count_calls_in_text || call.origin.is_structured();
        let (calls, calls_in_text) = transcript.calls().partition(counts);
        let has_text = !transcript.final_text().trim().is_empty();
        let comparison = scorer.comparison;
        Self { calls, calls_in_text, declared, comparison, has_text }
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
