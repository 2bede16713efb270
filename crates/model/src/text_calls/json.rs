//! Calls written as JSON objects with a name and arguments.

use serde_json::Map;
use toolgauge_core::{Arguments, Malformation, Tool};

use super::found::{Called, FoundCall, is_declared};
use crate::arguments;
use crate::loose::Loose;
use crate::oddities::Oddities;

/// The keys a call's name can have.
const NAMES: [&str; 5] = ["name", "tool", "function", "tool_name", "function_name"];
/// The keys a call's arguments can have.
const ARGUMENTS: [&str; 5] = ["arguments", "parameters", "args", "input", "tool_input"];

/// After so many objects that are no calls, a text is data, and nobody looks any further.
const MOST_FAILURES: usize = 64;

/// Finds calls that stand at the start of a line, as JSON and nothing else.
pub(super) fn find(text: &str, tools: &[Tool]) -> Vec<FoundCall> {
    let mut found = Vec::new();
    let (mut at, mut failures) = (0, 0);
    while let Some(start) = next_line_start(text, at).filter(|_| failures < MOST_FAILURES) {
        match read_value(&text[start..]) {
            Some((calls, length)) if calls.iter().all(|(name, _)| is_declared(name, tools)) => {
                found.extend(FoundCall::all_at(&(start..start + length), calls));
                at = start + length;
            }
            _ => {
                failures += 1;
                // To the next line, not the next byte: inside an object every brace would be tried
                // again.
                at = text[start..].find('\n').map_or(text.len(), |end| start + end);
            }
        }
    }
    found
}

/// The next place at or after `from` where a call may stand: at the start of a line, or right
/// behind another call.
fn next_line_start(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    let mut fresh = from == 0 || is_after_call(text, from);
    loop {
        let rest = &text[at..];
        let candidate = at + rest.len() - rest.trim_start().len();
        fresh |= text[at..candidate].contains('\n');
        if fresh && opens_an_object(&text[candidate..]) {
            return Some(candidate);
        }
        at = candidate + text[candidate..].find('\n')?;
        fresh = false;
    }
}

/// Whether a place comes right after a call, where another may follow on the same line.
fn is_after_call(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at.wrapping_sub(1)), Some(b'}' | b']'))
}

/// Whether a text starts like an object with a key, or a list of such: the cheap look before
/// the parser is asked, which could be fed brackets for a long time.
fn opens_an_object(text: &str) -> bool {
    let inside = text.strip_prefix('[').map_or(text, str::trim_start);
    let Some(inside) = inside.strip_prefix('{') else { return false };
    inside.trim_start().starts_with(['"', '{'])
}

/// Reads one value at the start of a text; the calls in it, and how long it is. `None` unless
/// all of it is calls with arguments.
pub(super) fn read_value(text: &str) -> Option<(Vec<Called>, usize)> {
    // Some templates teach models to double their braces.
    if let Some(inner) = text.strip_prefix('{').filter(|inner| inner.starts_with('{')) {
        let (calls, length) = read_plain(inner)?;
        let end = inner[length..].trim_start();
        return end.starts_with('}').then(|| (calls, text.len() - end.len() + 1));
    }
    read_plain(text)
}

fn read_plain(text: &str) -> Option<(Vec<Called>, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Loose<'_>>();
    let value = values.next()?.ok()?;
    let calls = of_value(&value)?;
    Some((calls, values.byte_offset()))
}

/// Reads everything between two marks: one value, or several in a row with a comma, a semicolon
/// or nothing between them. `None` unless all of it is calls.
pub(super) fn read_all(text: &str) -> Option<Vec<Called>> {
    let mut calls = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (more, length) = read_value(rest)?;
        calls.extend(more);
        rest = rest[length..].trim_start_matches([',', ';', ' ', '\n', '\r', '\t']);
    }
    (!calls.is_empty()).then_some(calls)
}

/// What was meant to be a call and cannot be read as one, named as far as its name goes.
pub(super) fn malformed(text: &str) -> Called {
    let why = match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Err(error) => Malformation::NotJson(error.to_string()),
        Ok(_) => Malformation::NotAnObject("something else".into()),
    };
    let name = text.split_once("\"name\"").map_or("", |(_, rest)| {
        let rest = rest.trim_start_matches([':', ' ', '\n', '\t']);
        rest.strip_prefix('"').and_then(|rest| rest.split('"').next()).unwrap_or_default()
    });
    (name.trim().to_owned(), Arguments::malformed(text, why))
}

fn of_value(value: &Loose<'_>) -> Option<Vec<Called>> {
    match value {
        Loose::List(items) if !items.is_empty() => {
            let calls: Option<Vec<_>> = items.iter().map(of_value).collect();
            Some(calls?.into_iter().flatten().collect())
        }
        Loose::Object(_) if value.get("tool_calls").items().iter().any(Loose::is_object) => {
            of_value(value.get("tool_calls"))
        }
        Loose::Object(_) => of_object(value).map(|call| vec![call]),
        _ => None,
    }
}

fn of_object(object: &Loose<'_>) -> Option<Called> {
    let function = object.get("function");
    let object = if function.is_object() { function } else { object };
    let name = NAMES.iter().find_map(|key| object.get(key).some_text())?;
    let arguments = object.first_of(&ARGUMENTS);
    // A tool's description means that a declaration was repeated, and not that it was called.
    if !object.get("description").is_null() {
        return None;
    }
    let arguments = match arguments {
        Loose::Object(_) | Loose::Text(_) => arguments::read(arguments, &mut Oddities::default()),
        // `"arguments": null` is a call without arguments; an object without the key is just data.
        Loose::Null if ARGUMENTS.iter().any(|key| object.has(key)) => Arguments::Object(Map::new()),
        Loose::Null => return None,
        other => Arguments::from_text(&other.to_value().to_string()),
    };
    Some((name.to_owned(), arguments))
}
