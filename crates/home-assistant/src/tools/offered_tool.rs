//! A tool that a model is offered.

use toolgauge_core::Tool;

use crate::catalogue::ToolKind;

/// A tool that is offered, and what it does.
#[derive(Clone, Debug)]
pub(crate) struct OfferedTool {
    pub(crate) tool: Tool,
    pub(crate) action: OfferedAction,
}

/// What an offered tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfferedAction {
    /// What a built-in tool does; the second part is its position in the catalogue.
    BuiltIn(ToolKind, usize),
    /// Runs the script at this position of the inventory.
    Script(usize),
}
