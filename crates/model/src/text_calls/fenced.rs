//! Calls inside a fenced block of code.

use toolgauge_core::Tool;

use super::found::{Called, FoundCall, is_declared};
use super::{json, python};

const FENCE: &str = "```";

/// Finds blocks that hold calls of offered tools and nothing else.
pub(super) fn find(text: &str, tools: &[Tool]) -> Vec<FoundCall> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(FENCE).map(|open| at + open) {
        let inside = open + FENCE.len();
        let (inner, end) = match text[inside..].find(FENCE) {
            Some(close) => (&text[inside..inside + close], inside + close + FENCE.len()),
            // An answer that was cut off has no closing fence.
            None => (&text[inside..], text.len()),
        };
        found.extend(FoundCall::all_at(&(open..end), block_calls(inner, tools)));
        at = end;
    }
    found
}

/// The calls in a block; none unless all of it is calls of offered tools.
fn block_calls(block: &str, tools: &[Tool]) -> Vec<Called> {
    let code = without_language(block).trim();
    let calls = match code.as_bytes().first() {
        Some(b'{' | b'[') => json::read_all(code).or_else(|| python::read_lines(code, tools)),
        Some(_) => python::read_lines(code, tools),
        None => None,
    };
    calls.filter(|calls| calls.iter().all(|(name, _)| is_declared(name, tools))).unwrap_or_default()
}

/// The code of a block: all of it but the name of a language behind the fence.
fn without_language(block: &str) -> &str {
    let word = block.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_-+".contains(c));
    if word.starts_with(['\n', '\r', ' ', '{', '[']) { word } else { block }
}
