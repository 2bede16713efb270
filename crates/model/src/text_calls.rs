//! Calls written into the text, in a notation the server should have recognised and did not.
//!
//! A notation with marks of its own (`<tool_call>`, `[TOOL_CALLS]`, …) is a call whatever tool
//! it names, and one that cannot be read is a malformed call. Where the same text could be an
//! example or an explanation (plain JSON, a line of Python), only calls of tools that were
//! offered count, and only where they stand by themselves.

mod fenced;
mod found;
mod json;
mod python;
mod tagged;

use toolgauge_core::{Tool, ToolCall};

use found::FoundCall;

/// Finds the calls of one notation in a text.
type Notation = fn(&str, &[Tool]) -> Vec<FoundCall>;

/// The notations, the clearest first. The first one found is the one the model speaks.
const NOTATIONS: [Notation; 4] = [tagged::find, fenced::find, json::find, python::find];

/// The calls found in a text, in the order they stand there.
pub(crate) fn calls(text: &str, tools: &[Tool]) -> Vec<ToolCall> {
    let found = find(text, tools).into_iter();
    found.map(FoundCall::into_call).collect()
}

/// The text with the calls in it taken out.
pub(crate) fn without_calls(text: &str, tools: &[Tool]) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut at = 0;
    for found in find(text, tools) {
        // Several calls may share one span.
        if found.span.start >= at {
            rest.push_str(&text[at..found.span.start]);
            at = found.span.end;
        }
    }
    rest.push_str(&text[at..]);
    rest.trim().to_owned()
}

fn find(text: &str, tools: &[Tool]) -> Vec<FoundCall> {
    if !text.contains(['{', '(', '<', '[']) {
        return Vec::new();
    }
    let found = NOTATIONS.iter().map(|find| find(text, tools)).find(|found| !found.is_empty());
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests;
