//! Which of the known ways to fail a trial shows.

use serde_json::{Map, Value};
use toolgauge_core::{ExpectedCall, FailurePattern, ResponseKind, ToolCall};

use crate::evidence::Evidence;
use crate::matching::{Matcher, may_be_absent};

/// The patterns a trial shows. Only thinking is told of a trial that went well.
pub(crate) fn classify(evidence: &Evidence<'_>, right: bool) -> Vec<FailurePattern> {
    let mut found = Vec::new();
    if !right {
        failures(evidence, &mut found);
    }
    if thinks(evidence) {
        found.push(FailurePattern::Thinking);
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn thinks(evidence: &Evidence<'_>) -> bool {
    let told = evidence.transcript.messages.iter().any(|message| match message {
        toolgauge_core::Message::Assistant(message) => {
            message.reasoning.as_ref().is_some_and(|text| !text.trim().is_empty())
        }
        _ => false,
    });
    told || evidence.transcript.usage().reasoning.unwrap_or(0) > 0
}

fn failures(evidence: &Evidence<'_>, found: &mut Vec<FailurePattern>) {
    let expectation = &evidence.case.expectation;
    let expected = expectation.calls.as_deref().unwrap_or_default();
    let (made, in_text): (Vec<&ToolCall>, Vec<&ToolCall>) =
        evidence.transcript.calls().partition(|call| call.origin.is_structured());
    let readable = made.iter().any(|call| call.arguments.as_object().is_some());
    if (made.is_empty() && !in_text.is_empty()) || (!made.is_empty() && !readable) {
        found.push(FailurePattern::NoToolCalling);
        return;
    }
    let offered = |call: &&&ToolCall| evidence.tools.iter().any(|tool| tool.name == call.name);
    if !evidence.tools.is_empty() && made.iter().filter(offered).count() < made.len() {
        found.push(FailurePattern::InventedTool);
    }
    match (expected.is_empty(), made.is_empty()) {
        (true, true) => {}
        (true, false) if expectation.response == Some(ResponseKind::Error) => {
            found.push(FailurePattern::OutOfScope);
        }
        (true, false) | (false, true) => found.push(FailurePattern::CalledOrNot),
        (false, false) => {
            if expected.len() != made.len() {
                found.push(FailurePattern::CallCount);
            }
            compare(evidence, expected, &made, found);
        }
    }
}

/// Holds each expected call against the call that stands nearest to it.
fn compare(
    evidence: &Evidence<'_>,
    expected: &[ExpectedCall],
    made: &[&ToolCall],
    found: &mut Vec<FailurePattern>,
) {
    let matcher = Matcher::strict(&evidence.case.expectation.rules);
    let mut free: Vec<&ToolCall> = made.to_vec();
    let mut open: Vec<&ExpectedCall> = Vec::new();
    for call in expected {
        let full = |other: &&ToolCall| {
            let arguments = other.arguments.as_object();
            other.name == call.name
                && arguments.is_some_and(|a| matcher.object(&call.arguments, a).full)
        };
        match free.iter().position(full) {
            Some(at) => drop(free.remove(at)),
            None => open.push(call),
        }
    }
    for call in open {
        let same = free.iter().position(|other| other.name == call.name);
        match same.map(|at| free.remove(at)) {
            Some(other) => {
                if let Some(arguments) = other.arguments.as_object() {
                    differences(&matcher, call, arguments, found);
                }
            }
            None => match free.pop() {
                Some(other) if is_inverted(evidence, call, other) => {
                    found.push(FailurePattern::LockDirection);
                }
                Some(other) if evidence.tools.iter().any(|tool| tool.name == other.name) => {
                    found.push(FailurePattern::RelatedTool);
                }
                _ => {}
            },
        }
    }
}

fn is_inverted(evidence: &Evidence<'_>, expected: &ExpectedCall, made: &ToolCall) -> bool {
    let is_lock = evidence.case.tags.get("domain").is_some_and(|domain| domain == "lock");
    let ends = |name: &str, end: &str| name.ends_with(end);
    let (a, b) = (expected.name.as_str(), made.name.as_str());
    is_lock
        && ((ends(a, "TurnOn") && ends(b, "TurnOff")) || (ends(a, "TurnOff") && ends(b, "TurnOn")))
}

fn differences(
    matcher: &Matcher<'_>,
    expected: &ExpectedCall,
    made: &Map<String, Value>,
    found: &mut Vec<FailurePattern>,
) {
    for (name, pattern) in &expected.arguments {
        match made.get(name) {
            None if may_be_absent(pattern) => {}
            None => found.push(FailurePattern::MissingArgument),
            Some(value) if matcher.value(pattern, value).full => {}
            Some(_) if name == "domain" => found.push(FailurePattern::DomainFilter),
            Some(Value::String(text)) if name == "name" => {
                if is_id(text) {
                    found.push(FailurePattern::EntityId);
                } else if is_part(text, &serde_json::to_value(pattern).unwrap_or_default()) {
                    found.push(FailurePattern::TruncatedName);
                }
            }
            Some(_) => {}
        }
    }
    let filters = ["area", "floor", "device_class", "domain"];
    for filter in filters.into_iter().filter(|filter| !expected.arguments.contains_key(*filter)) {
        match (filter, made.contains_key(filter)) {
            ("domain", true) => found.push(FailurePattern::DomainFilter),
            (_, true) => found.push(FailurePattern::ExtraFilter),
            (_, false) => {}
        }
    }
}

/// Whether a text looks like an id: `light.kitchen`, `kitchen_light`.
fn is_id(text: &str) -> bool {
    let plain =
        text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c));
    plain && text.contains(['.', '_'])
}

/// Whether a text is a part of one of the expected names.
fn is_part(text: &str, expected: &Value) -> bool {
    match expected {
        Value::String(name) => {
            let (part, whole) = (text.trim().to_lowercase(), name.to_lowercase());
            !part.is_empty() && whole.len() > part.len() && whole.contains(&part)
        }
        Value::Array(names) => names.iter().any(|name| is_part(text, name)),
        Value::Object(rule) => rule.values().any(|value| is_part(text, value)),
        _ => false,
    }
}
