//! A call that was found in a text.

use std::ops::Range;

use toolgauge_core::{Arguments, CallOrigin, Tool, ToolCall};

/// A name and arguments.
pub(super) type Called = (String, Arguments);

/// A call and where it stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundCall {
    pub(super) span: Range<usize>,
    name: String,
    arguments: Arguments,
}

impl FoundCall {
    /// The calls that one place in the text holds.
    pub(super) fn all_at(span: &Range<usize>, calls: Vec<Called>) -> impl Iterator<Item = Self> {
        let found = |(name, arguments)| Self { span: span.clone(), name, arguments };
        calls.into_iter().map(found)
    }

    /// The call, as one that was made.
    pub(super) fn into_call(self) -> ToolCall {
        ToolCall { id: None, name: self.name, arguments: self.arguments, origin: CallOrigin::Text }
    }
}

/// Whether a tool of this name was offered.
pub(super) fn is_declared(name: &str, tools: &[Tool]) -> bool {
    tools.iter().any(|tool| tool.name == name)
}
