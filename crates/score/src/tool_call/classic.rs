//! Comparing calls as ha-voice-bench does.
//!
//! Its rules are coarser than ours, and some of its judgements are wrong by ours: the pairing is
//! greedy, `"21"` equals `21`, and a list equals another when their items read the same in
//! Python. They are kept so that a result can be held against the published ones.
//!
//! That benchmark sees replies through Inspect AI, which takes text that does not begin with `{`
//! for the value of a tool's first parameter; so does this.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::{
    ArgumentRules, Arguments, ExpectedCall, ExtraArguments, ListRule, Pattern, TextRule, Tool,
    ToolCall,
};

use super::python_arguments::python_object;
use crate::matching::Matcher;
use crate::python_text::python_text;
use crate::{scalar, shown};

/// The nearest that our rules come to these; used to explain failures.
pub(super) static RULES: ArgumentRules = ArgumentRules {
    text: TextRule::Loose,
    tolerance: TOLERANCE,
    lists: ListRule::Set,
    extra: ExtraArguments::Allowed,
};

/// The tools one of which a query must call. That benchmark names them itself, whatever tools are
/// offered.
pub(super) const QUERY_TOOLS: [&str; 5] = [
    "HassGetState",
    "HassClimateGetTemperature",
    "HassGetWeather",
    "HassGetCurrentTime",
    "HassGetCurrentDate",
];

/// How far off a number may be.
const TOLERANCE: f64 = 0.01;

/// The ending of an argument's name that makes its list a choice.
const ANY_OF: &str = "_any_of";

/// The argument under which unreadable text is passed on there, so that no call may have one of
/// that name.
const RAW: &str = "_raw";

/// The call each expected call takes, which is the first left that matches; `None` unless each has
/// one and none is over.
pub(super) fn all_match(
    expected: &[ExpectedCall],
    made: &[&ToolCall],
    declared: &[Tool],
    recovers_quotes: bool,
) -> Option<Vec<Option<usize>>> {
    if expected.len() != made.len() {
        return None;
    }
    let mut left: Vec<_> =
        made.iter().map(|call| arguments(call, declared, recovers_quotes)).enumerate().collect();
    let take = |expected: &ExpectedCall| {
        // First fit and no assignment: so it is there, and published results depend on it.
        let found = left.iter().position(|(at, arguments)| {
            expected.name == made[*at].name && arguments_match(expected, arguments)
        });
        found.map(|found| Some(left.remove(found).0))
    };
    expected.iter().map(take).collect()
}

fn arguments_match(expected: &ExpectedCall, arguments: &Map<String, Value>) -> bool {
    expected.arguments.iter().all(|(key, pattern)| match (key.strip_suffix(ANY_OF), pattern) {
        (Some(key), Pattern::List(choices)) => given(arguments, key)
            .is_some_and(|actual| choices.iter().any(|choice| reads_as(choice, actual))),
        (Some(key), _) => given(arguments, key).is_some(),
        (None, _) => given(arguments, key).is_some_and(|actual| value_matches(pattern, actual)),
    })
}

/// Whether that benchmark can read arguments.
pub(super) fn is_readable(arguments: &Arguments, recovers_quotes: bool) -> bool {
    match arguments {
        Arguments::Object(object) => !object.contains_key(RAW),
        Arguments::Malformed { raw, .. } if is_object_text(raw) => {
            let object = python_object(raw, recovers_quotes);
            object.is_some_and(|object| !object.contains_key(RAW))
        }
        Arguments::Malformed { .. } => true,
    }
}

/// Whether Inspect AI reads a text as JSON rather than as a single value.
fn is_object_text(raw: &str) -> bool {
    raw.trim_start().starts_with('{')
}

/// The arguments as that benchmark reads them; none where it cannot.
fn arguments<'c>(
    call: &'c ToolCall,
    declared: &[Tool],
    recovers_quotes: bool,
) -> Cow<'c, Map<String, Value>> {
    match &call.arguments {
        Arguments::Object(object) => Cow::Borrowed(object),
        Arguments::Malformed { raw, .. } if is_object_text(raw) => {
            Cow::Owned(python_object(raw, recovers_quotes).unwrap_or_default())
        }
        Arguments::Malformed { raw, .. } => {
            Cow::Owned(as_first_argument(raw, &call.name, declared))
        }
    }
}

/// Text that is no object, as the value of the tool's first parameter. It is read as YAML there;
/// JSON and plain words are all of YAML that models write.
fn as_first_argument(raw: &str, name: &str, declared: &[Tool]) -> Map<String, Value> {
    let tool = declared.iter().find(|tool| tool.name == *name);
    let parameters = tool.and_then(|tool| tool.parameters.get("properties")?.as_object());
    let first = parameters.and_then(|parameters| parameters.keys().next());
    let raw = raw.trim();
    let value = || serde_json::from_str(raw).unwrap_or_else(|_| Value::from(raw));
    first.map(|first| (first.clone(), value())).into_iter().collect()
}

/// An argument that was given; `null` counts as not given.
fn given<'v>(arguments: &'v Map<String, Value>, key: &str) -> Option<&'v Value> {
    arguments.get(key).filter(|value| !value.is_null())
}

fn value_matches(pattern: &Pattern, actual: &Value) -> bool {
    match (pattern, actual) {
        (Pattern::Scalar(expected), _) => match (number(expected), number(actual)) {
            // To Python no comparison with NaN holds, not even that it is too far off.
            (Some(a), Some(b)) => (a - b).is_nan() || (a - b).abs() <= TOLERANCE,
            _ => normal(expected) == normal(actual),
        },
        // What is nested too deeply to be written out is left to our own rules.
        (Pattern::List(_) | Pattern::Object(_), _) if !shown::can_show(pattern) => {
            Matcher::strict(&RULES).value(pattern, actual).full
        }
        (Pattern::List(items), Value::Array(values)) => {
            let mut wanted: Vec<String> =
                items.iter().map(|item| read(item).to_lowercase()).collect();
            let mut got: Vec<String> =
                values.iter().map(|value| python_text(value).to_lowercase()).collect();
            // That benchmark compares lists as sorted texts, so the order does not count.
            wanted.sort_unstable();
            got.sort_unstable();
            wanted == got
        }
        (Pattern::List(_) | Pattern::Object(_), _) => reads_as(pattern, actual),
        (Pattern::AnyOf(choices), _) => choices.iter().any(|choice| value_matches(choice, actual)),
        _ => Matcher::strict(&RULES).value(pattern, actual).full,
    }
}

fn reads_as(pattern: &Pattern, actual: &Value) -> bool {
    shown::can_show(pattern) && normalised(&read(pattern)) == normal(actual)
}

fn read(pattern: &Pattern) -> String {
    python_text(&Value::from(pattern.clone()))
}

fn normal(value: &Value) -> String {
    normalised(&python_text(value))
}

/// Trimmed of what Python holds to be white space, and in lower case.
fn normalised(text: &str) -> String {
    let is_space = |c: char| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c);
    text.trim_matches(is_space).to_lowercase()
}

/// The number a value is to Python, to which booleans are numbers too.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        _ => scalar::as_float(value),
    }
}

/// The same calls with every `x_any_of` written as a choice for `x`.
pub(super) fn written_out(expected: &[ExpectedCall]) -> Vec<ExpectedCall> {
    expected
        .iter()
        .map(|call| ExpectedCall {
            name: call.name.clone(),
            arguments: call.arguments.iter().map(written_out_argument).collect::<IndexMap<_, _>>(),
        })
        .collect()
}

fn written_out_argument((key, pattern): (&String, &Pattern)) -> (String, Pattern) {
    let (key, pattern) = match (key.strip_suffix(ANY_OF), pattern) {
        (Some(key), Pattern::List(choices)) => (key, Cow::Owned(Pattern::AnyOf(choices.clone()))),
        (Some(key), _) => (key, Cow::Owned(Pattern::Anything)),
        (None, _) => (key.as_str(), Cow::Borrowed(pattern)),
    };
    (key.to_owned(), pattern.into_owned())
}
