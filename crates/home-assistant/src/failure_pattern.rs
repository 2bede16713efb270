//! Known ways in which models fail at voice control, and which of them a trial shows.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolgauge_core::{
    Case, ExpectedCall, FailurePattern, Message, ResponseKind, Tool, ToolCall, Transcript,
    WorldWords,
};
use toolgauge_score::Matcher;

use crate::catalogue::{ToolKind, bare};

/// What reports call the things of a home, and how models fail at it.
pub(crate) static WORDS: WorldWords = WorldWords {
    things: Cow::Borrowed("entities"),
    failure_patterns: Cow::Borrowed(HomeFailure::PATTERNS),
};

macro_rules! patterns {
    ($($(#[$doc:meta])* $variant:ident => $id:literal, $words:literal, $remedy:literal;)*) => {
        /// A known way to fail at voice control.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum HomeFailure {
            $($(#[$doc])* $variant,)*
        }

        impl HomeFailure {
            /// Every pattern, in the order of tables.
            const PATTERNS: &[FailurePattern] = &[
                $(FailurePattern {
                    id: Cow::Borrowed($id),
                    words: Cow::Borrowed($words),
                    remedy: Cow::Borrowed($remedy),
                    is_failure: !matches!(Self::$variant, Self::Thinking),
                },)*
            ];

            /// The short name used in measures and tables.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }
        }
    };
}

patterns! {
    /// An entity id stands where a name belongs.
    EntityId => "F1", "entity id for a name",
        "say that `name` takes a value listed under `names`, never an id with a dot or underscores";
    /// A part of a name stands where the whole belongs.
    TruncatedName => "F1p", "truncated name",
        "say that names must be copied whole and letter by letter from the list";
    /// A tool of the same family was called.
    RelatedTool => "F2", "related but wrong tool",
        "name the tool to use for the kind of request in one line";
    /// A lock was turned the wrong way.
    LockDirection => "F2L", "lock direction",
        "repeat at the end of the prompt that turning on locks and turning off unlocks";
    /// A tool was called that is not offered.
    InventedTool => "F3", "invented tool or lost prefix",
        "say that tool names must be used exactly as given, prefix included";
    /// An argument was left out.
    MissingArgument => "F4", "missing argument",
        "say which arguments a request of this kind always carries, such as `domain` with `area`";
    /// An area or a device class was added.
    ExtraFilter => "F5", "extra area or device class",
        "say that a device is addressed by `name` alone, without area or device class";
    /// More or fewer calls were made than needed.
    CallCount => "F6", "wrong number of calls",
        "say that one call by area replaces one call for each device, and that each command gets its call";
    /// A call was made that should not have been, or the other way round.
    CalledOrNot => "F7", "called or did not call",
        "say when to act at once, when to ask, and that a question about the home needs the live context";
    /// The domain does not fit.
    DomainFilter => "F8", "wrong domain filter",
        "say that `domain` is the one listed with the device, or leave it out";
    /// Something no tool can do was forced onto one.
    OutOfScope => "F9", "out of scope forced onto a tool",
        "add one sentence: if no tool fits, say so and call none";
    /// Tool calling does not work at all.
    NoToolCalling => "F10", "no usable tool calling",
        "check the chat template and the server's tool-call parser before changing the prompt";
    /// The subject thought before it answered.
    Thinking => "FT", "thinking that costs latency",
        "turn thinking off or give it a budget, and compare";
}

/// The short names of the patterns that a trial shows if it was judged wrong.
pub(crate) fn classify(case: &Case, tools: &[Tool], transcript: &Transcript) -> Vec<&'static str> {
    let mut found = Vec::new();
    let trial = JudgedTrial { case, tools, transcript };
    trial.failures(&mut found);
    if thinks(transcript) {
        found.push(HomeFailure::Thinking);
    }
    found.into_iter().map(HomeFailure::id).collect()
}

/// Whether a mistake with this entity may open, flood, freeze or arm a home.
pub(crate) fn is_guarded(id: &str) -> bool {
    let (domain, name) = id.split_once('.').unwrap_or((id, ""));
    match domain {
        "lock" | "alarm_control_panel" | "climate" | "water_heater" | "valve" => true,
        // Blinds and awnings are covers too, and moving one harms nobody.
        "cover" => ["door", "gate", "garage"].iter().any(|word| name.contains(word)),
        _ => false,
    }
}

fn thinks(transcript: &Transcript) -> bool {
    let thought = transcript.messages.iter().any(|message| match message {
        Message::Assistant(message) => {
            message.reasoning.as_ref().is_some_and(|text| !text.trim().is_empty())
        }
        _ => false,
    });
    thought || transcript.usage().reasoning.unwrap_or(0) > 0
}

#[derive(Clone, Copy)]
struct JudgedTrial<'a> {
    case: &'a Case,
    tools: &'a [Tool],
    transcript: &'a Transcript,
}

impl JudgedTrial<'_> {
    fn failures(self, found: &mut Vec<HomeFailure>) {
        let expectation = &self.case.expectation;
        let expected = expectation.calls.as_deref().unwrap_or_default();
        let (made, in_text): (Vec<&ToolCall>, Vec<&ToolCall>) =
            self.transcript.calls().partition(|call| call.origin.is_structured());
        // Where calling itself does not work, what else the calls say is no sign of anything.
        let readable = made.iter().any(|call| call.arguments.as_object().is_some());
        if (made.is_empty() && !in_text.is_empty()) || (!made.is_empty() && !readable) {
            found.push(HomeFailure::NoToolCalling);
            return;
        }
        let offered = |call: &&&ToolCall| self.tools.iter().any(|tool| tool.name == call.name);
        if !self.tools.is_empty() && made.iter().filter(offered).count() < made.len() {
            found.push(HomeFailure::InventedTool);
        }
        match (expected.is_empty(), made.is_empty()) {
            (true, true) => {}
            (true, false) if expectation.response == Some(ResponseKind::Error) => {
                found.push(HomeFailure::OutOfScope);
            }
            (true, false) | (false, true) => found.push(HomeFailure::CalledOrNot),
            (false, false) => {
                let expected_names = expected.iter().map(|call| call.name.as_str());
                let made_names = made.iter().map(|call| call.name.as_str());
                // Beside acts, a look more or less changes nothing.
                let by_acts = expected_names.clone().any(is_act) && made_names.clone().any(is_act);
                let counts = |name: &&str| !by_acts || is_act(name);
                if expected_names.filter(counts).count() != made_names.filter(counts).count() {
                    found.push(HomeFailure::CallCount);
                }
                self.compare(expected, &made, found);
            }
        }
    }

    /// Holds each expected call against the call that stands nearest to it.
    fn compare(self, expected: &[ExpectedCall], made: &[&ToolCall], found: &mut Vec<HomeFailure>) {
        let matcher = Matcher::strict(&self.case.expectation.rules);
        let mut free: Vec<&ToolCall> = made.to_vec();
        // Right calls are taken out first, so that no wrong one is held against what they met.
        let mut open: Vec<&ExpectedCall> = Vec::new();
        for call in expected {
            let full = |other: &&ToolCall| {
                let arguments = other.arguments.as_object();
                other.name == call.name
                    && arguments.is_some_and(|made| matcher.fits_all(&call.arguments, made))
            };
            match free.iter().position(full) {
                Some(at) => drop(free.remove(at)),
                None => open.push(call),
            }
        }
        // Then calls of the same tool, so that none of them stands for a call of another.
        open.retain(|call| {
            let Some(at) = free.iter().position(|other| other.name == call.name) else {
                return true;
            };
            if let Some(arguments) = free.remove(at).arguments.as_object() {
                differences(&matcher, call, arguments, found);
            }
            false
        });
        // Of what is left, an act stands in the place of an act: it does not replace a look.
        if expected.iter().any(|call| is_act(&call.name))
            && made.iter().any(|call| is_act(&call.name))
        {
            open.retain(|call| is_act(&call.name));
            free.retain(|call| is_act(&call.name));
        }
        for call in open {
            match free.pop() {
                Some(other) if self.is_inverted(call, other) => {
                    found.push(HomeFailure::LockDirection);
                }
                Some(other) if self.tools.iter().any(|tool| tool.name == other.name) => {
                    found.push(HomeFailure::RelatedTool);
                }
                _ => {}
            }
        }
    }

    fn is_inverted(self, expected: &ExpectedCall, made: &ToolCall) -> bool {
        let is_lock = self.case.tags.get("domain").is_some_and(|domain| domain == "lock");
        let ends = |name: &str, end: &str| name.ends_with(end);
        let (a, b) = (expected.name.as_str(), made.name.as_str());
        is_lock
            && ((ends(a, "TurnOn") && ends(b, "TurnOff"))
                || (ends(a, "TurnOff") && ends(b, "TurnOn")))
    }
}

/// Whether a tool does something or answers a request: not one that only looks around before that.
fn is_act(name: &str) -> bool {
    !matches!(ToolKind::of(bare(name)), Some(ToolKind::LiveContext | ToolKind::DateTime))
}

fn differences(
    matcher: &Matcher<'_>,
    expected: &ExpectedCall,
    made: &Map<String, Value>,
    found: &mut Vec<HomeFailure>,
) {
    for (name, pattern) in &expected.arguments {
        match made.get(name) {
            None if pattern.may_be_absent() => {}
            None => found.push(HomeFailure::MissingArgument),
            Some(value) if matcher.fits(pattern, value) => {}
            Some(_) if name == "domain" => found.push(HomeFailure::DomainFilter),
            Some(Value::String(text)) if name == "name" => {
                if is_id(text) {
                    found.push(HomeFailure::EntityId);
                } else if is_part(text, &serde_json::to_value(pattern).unwrap_or_default()) {
                    found.push(HomeFailure::TruncatedName);
                }
            }
            Some(_) => {}
        }
    }
    let filters = ["area", "floor", "device_class", "domain"];
    for filter in filters.into_iter().filter(|filter| !expected.arguments.contains_key(*filter)) {
        match (filter, made.contains_key(filter)) {
            ("domain", true) => found.push(HomeFailure::DomainFilter),
            (_, true) => found.push(HomeFailure::ExtraFilter),
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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::AssistantMessage;

    use super::*;

    /// The patterns that a trial shows in which calls were made in the place of others.
    fn shown(expected: &[(&str, Value)], made: &[(&str, Value)]) -> Vec<&'static str> {
        let mut case = Case::new("c", "make it warm");
        let call = |(tool, arguments): &(&str, Value)| {
            let expected = json!({"name": tool, "arguments": arguments});
            serde_json::from_value::<ExpectedCall>(expected).unwrap()
        };
        case.expectation.calls = Some(expected.iter().map(call).collect());
        let call = |(tool, arguments): &(&str, Value)| {
            ToolCall::new(*tool, arguments.as_object().unwrap().clone())
        };
        let calls: Vec<ToolCall> = made.iter().map(call).collect();
        let tool = |call: &ToolCall| serde_json::from_value(json!({"name": call.name})).unwrap();
        let tools: Vec<Tool> = calls.iter().map(tool).collect();
        let said = AssistantMessage { calls, ..AssistantMessage::default() };
        let messages = vec![Message::Assistant(said)];
        classify(&case, &tools, &Transcript { messages, ..Transcript::default() })
    }

    fn look() -> (&'static str, Value) {
        ("homeassistant__GetLiveContext", json!({}))
    }

    fn warm(degrees: u32) -> (&'static str, Value) {
        ("climate__HassClimateSetTemperature", json!({"temperature": degrees}))
    }

    fn on(name: &str) -> (&'static str, Value) {
        ("intent__HassTurnOn", json!({"name": name}))
    }

    #[test]
    fn a_call_of_the_right_tool_replaces_no_look_that_was_left_out() {
        assert_eq!(shown(&[look(), warm(22)], &[warm(24)]), Vec::<&str>::new());
        assert_eq!(shown(&[warm(22)], &[look(), warm(24)]), Vec::<&str>::new());
        // Not in which order they are expected either.
        assert_eq!(shown(&[on("Lamp"), warm(22)], &[warm(24), on("Fan")]), Vec::<&str>::new());
    }

    #[test]
    fn a_related_tool_stands_in_the_place_of_the_right_one() {
        assert_eq!(shown(&[warm(22)], &[on("Heater")]), ["F2"]);
        assert_eq!(shown(&[look(), warm(22)], &[look(), on("Heater")]), ["F2"]);
        assert_eq!(shown(&[look(), warm(22)], &[on("Heater")]), ["F2"]);
        assert_eq!(shown(&[look()], &[on("Heater")]), ["F2"]);
        assert_eq!(shown(&[warm(22)], &[look()]), ["F2"]);
    }

    #[test]
    fn acts_are_counted_and_looks_beside_them_are_not() {
        assert_eq!(shown(&[on("Lamp")], &[on("Fan"), on("Blind")]), ["F6"]);
        assert_eq!(shown(&[on("Lamp"), on("Fan")], &[look(), on("Lamp")]), ["F6"]);
        assert_eq!(shown(&[on("Lamp")], &[look(), look(), on("Fan")]), Vec::<&str>::new());
    }
}
