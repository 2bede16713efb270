//! Calls between marks that stand for nothing else.

use serde_json::{Map, Value};
use toolgauge_core::{Arguments, Tool};

use super::found::{Called, FoundCall};
use super::{json, python};

/// Marks around calls written as JSON, as `<function=…>`, or in the style of GLM.
const PAIRS: [(&str, &str); 6] = [
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<function_call>", "</function_call>"),
    ("<functioncall>", "</functioncall>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|tool_call>", "<tool_call|>"),
];

/// Finds the marks of every model family we know; the first kind that holds calls counts.
pub(super) fn find(text: &str, tools: &[Tool]) -> Vec<FoundCall> {
    // Most answers hold no mark at all, and a dozen searches would be wasted.
    if !text.contains(['<', '[']) {
        return Vec::new();
    }
    let pairs = PAIRS
        .iter()
        .map(|(open, close)| between(text, open, close, |inner| inside_pair(inner, tools)));
    let functions = std::iter::once_with(|| {
        between(text, "<function=", "</function>", |inner| function(inner).into_iter().collect())
    });
    let others = std::iter::once_with(|| {
        between(text, "<|python_tag|>", "<|eom_id|>", |inner| after_python_tag(inner, tools))
    })
    // Mistral's mark has no closing one; a character that no text holds stands for it.
    .chain(std::iter::once_with(|| between(text, "[TOOL_CALLS]", "\u{0}", after_mistral_mark)))
    .chain(std::iter::once_with(|| {
        between(text, "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", |inner| {
            named(inner, "<｜tool▁sep｜>").into_iter().collect()
        })
    }))
    .chain(std::iter::once_with(|| {
        between(text, "<|tool_call_begin|>", "<|tool_call_end|>", |inner| {
            named(inner, "<|tool_call_argument_begin|>").into_iter().collect()
        })
    }))
    .chain(std::iter::once_with(|| {
        between(text, "<|channel|>commentary to=", "<|call|>", |inner| {
            named(inner, "<|message|>").into_iter().collect()
        })
    }));
    let mut kinds = pairs.chain(functions).chain(others);
    kinds.find(|found| !found.is_empty()).unwrap_or_default()
}

/// Reads what stands between two marks, each time they come. A closing mark may be missing: the
/// part then ends at the next opening one or with the text.
fn between(
    text: &str,
    open: &str,
    close: &str,
    mut read: impl FnMut(&str) -> Vec<Called>,
) -> Vec<FoundCall> {
    let mut found = Vec::new();
    let mut next = text.find(open);
    while let Some(start) = next {
        let inside = start + open.len();
        next = text[inside..].find(open).map(|at| inside + at);
        let part = &text[inside..next.unwrap_or(text.len())];
        let (inner, end) = match part.find(close) {
            Some(length) => (&part[..length], inside + length + close.len()),
            None => (part, inside + part.len()),
        };
        found.extend(FoundCall::all_at(&(start..end), read(inner)));
    }
    found
}

/// The calls between a pair of marks. Prose between them only talks about calls.
fn inside_pair(inner: &str, tools: &[Tool]) -> Vec<Called> {
    let inner = inner.trim();
    match inner.as_bytes().first() {
        Some(b'{' | b'[') => json::read_all(inner)
            .or_else(|| python::read_lines(inner, tools))
            .unwrap_or_else(|| unreadable(inner)),
        Some(b'<') if inner.contains("<function=") => {
            let parts = inner.split("<function=").skip(1);
            parts.filter_map(|part| function(part.split("</function>").next()?)).collect()
        }
        Some(_) => glm(inner).map_or_else(
            || python::read_lines(inner, tools).unwrap_or_default(),
            |call| vec![call],
        ),
        None => Vec::new(),
    }
}

/// What is meant to be JSON and is none, or none of a call.
fn unreadable(inner: &str) -> Vec<Called> {
    // A declaration that was repeated is no attempt at a call.
    if inner.contains("\"description\"") {
        return Vec::new();
    }
    vec![json::malformed(inner)]
}

/// `name>{…}` or `name><parameter=key>value</parameter>…`, the rest of `<function=`.
fn function(inner: &str) -> Option<Called> {
    let (name, rest) = inner.split_once('>')?;
    let name = name.trim().trim_matches('"');
    if name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    let rest = rest.trim();
    if !rest.starts_with("<parameter=") {
        return Some((name.to_owned(), Arguments::from_text(rest)));
    }
    let mut arguments = Map::new();
    for part in rest.split("<parameter=").skip(1) {
        let (key, value) = part.split_once('>')?;
        let value = value.split("</parameter>").next().unwrap_or_default();
        arguments.insert(key.trim().to_owned(), loose_value(value));
    }
    Some((name.to_owned(), Arguments::Object(arguments)))
}

/// `name`, then pairs of `<arg_key>` and `<arg_value>`.
fn glm(inner: &str) -> Option<Called> {
    let (name, rest) = inner.split_once("<arg_key>")?;
    let mut arguments = Map::new();
    for part in rest.split("<arg_key>") {
        let (key, value) = part.split_once("</arg_key>")?;
        let (_, value) = value.split_once("<arg_value>")?;
        let value = value.split("</arg_value>").next().unwrap_or_default();
        arguments.insert(key.trim().to_owned(), loose_value(value));
    }
    Some((name.trim().to_owned(), Arguments::Object(arguments)))
}

/// A value written without quotes: JSON where it is JSON, text where it is not.
fn loose_value(text: &str) -> Value {
    let text = text.trim_matches(['\n', '\r']);
    serde_json::from_str(text.trim()).unwrap_or_else(|_| Value::from(text))
}

/// `{…}`, several of them, or `tool.call(…)`.
fn after_python_tag(inner: &str, tools: &[Tool]) -> Vec<Called> {
    let inner = inner.trim();
    if inner.starts_with(['{', '[']) {
        return json::read_all(inner)
            .or_else(|| python::read_lines(inner, tools))
            .unwrap_or_else(|| unreadable(inner));
    }
    let plain = inner.replace(".call(", "(");
    python::read_lines(&plain, tools).unwrap_or_default()
}

/// `[{…}, …]`, or `name[ARGS]{…}`, or `name{…}`.
fn after_mistral_mark(inner: &str) -> Vec<Called> {
    let inner = inner.trim();
    if inner.starts_with(['{', '[']) {
        // Text may follow the list; the list is what counts.
        let read = json::read_value(inner).map(|(calls, _)| calls);
        return read.unwrap_or_else(|| unreadable(inner));
    }
    let mark = if inner.contains("[ARGS]") { "[ARGS]" } else { "{" };
    let Some(at) = inner.find(mark) else { return Vec::new() };
    let (name, rest) = inner.split_at(at);
    let name = name.split("[CALL_ID]").next().unwrap_or_default().trim();
    let rest = rest.strip_prefix("[ARGS]").unwrap_or(rest);
    if name.contains(char::is_whitespace) {
        return Vec::new();
    }
    vec![(name.to_owned(), first_object(rest))]
}

/// `functions.name:0`, a mark, and the arguments, perhaps fenced.
fn named(inner: &str, mark: &str) -> Option<Called> {
    let (name, rest) = inner.split_once(mark)?;
    let (name, rest) = match name.trim() {
        // DeepSeek's older form has the word `function` here and the name behind the mark.
        "function" => rest.split_once('\n').unwrap_or((rest, "")),
        name => (name, rest),
    };
    let name = name.split_whitespace().next()?;
    let name = name.split("<|").next().unwrap_or(name);
    let name = name.strip_prefix("functions.").unwrap_or(name);
    // Kimi numbers its calls: `functions.name:0`.
    let name = name.split(':').next().unwrap_or(name);
    let rest = rest.trim().trim_start_matches("```json").trim_matches('`');
    Some((name.to_owned(), first_object(rest)))
}

/// The arguments at the start of a text, whatever follows them.
fn first_object(text: &str) -> Arguments {
    let text = text.trim();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    match values.next() {
        Some(Ok(object)) => Arguments::Object(object),
        _ => Arguments::from_text(text),
    }
}
