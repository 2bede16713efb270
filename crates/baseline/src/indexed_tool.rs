//! An offered tool, read once for all requests.

use toolgauge_core::Tool;

use super::schema::{ToolParameter, parameters};
use super::words::{identifier_words, stem};

/// Verbs that say a tool only looks something up.
const READING: &[&str] = &[
    "answer", "check", "count", "describe", "display", "fetch", "find", "get", "list", "look",
    "lookup", "provide", "query", "read", "report", "retrieve", "search", "show",
];

/// A tool, ready to be ranked and filled.
#[derive(Debug)]
pub(super) struct IndexedTool {
    pub(super) name: String,
    pub(super) parameters: Vec<ToolParameter>,
    /// Whether it only looks something up.
    pub(super) reads: bool,
}

impl IndexedTool {
    /// Reads a tool's declaration.
    pub(super) fn new(tool: &Tool) -> Self {
        Self {
            name: tool.name.clone(),
            parameters: parameters(&tool.parameters),
            reads: reads(tool),
        }
    }
}

/// A tool reads if its name has a verb of reading and none of acting, or if its description
/// opens with one. `list` counts only in front, because it is a thing as often as a verb.
fn reads(tool: &Tool) -> bool {
    let is_reading = |word: &str| READING.iter().any(|verb| stem(verb) == stem(word));
    let acts =
        |word: &str| matches!(word, "play" | "set" | "add" | "start" | "complete" | "remove");
    let name = tool.name.rsplit("__").next().unwrap_or(&tool.name);
    let named = identifier_words(name);
    let reads =
        named.iter().enumerate().any(|(at, word)| is_reading(word) && (at == 0 || word != "list"));
    let opens = identifier_words(&tool.description).into_iter().next();
    (reads && !named.iter().any(|word| acts(word))) || opens.is_some_and(|word| is_reading(&word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str) -> Tool {
        Tool { name: name.into(), description: description.into(), parameters: json!({}) }
    }

    #[test]
    fn tools_that_look_something_up_are_told_from_those_that_act() {
        assert!(reads(&tool("GetDateTime", "Provides the date")));
        assert!(reads(&tool("live_context", "Reports what is on")));
        assert!(!reads(&tool("TurnOn", "Turns on a device")));
    }
}
