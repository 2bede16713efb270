//! Comparing calls as ha-voice-bench does.
//!
//! Its rules are coarser than ours, and some of its judgements are wrong by ours: the pairing is
//! greedy, `"21"` equals `21`, and a list equals another when their items read the same in
//! Python. They are kept so that a result can be held against the published ones.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::{
    ArgumentRules, ExpectedCall, ExtraArguments, ListRule, Pattern, TextRule, ToolCall,
};

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

/// How far off a number may be.
const TOLERANCE: f64 = 0.01;

/// The ending of an argument's name that makes its list a choice.
const ANY_OF: &str = "_any_of";

/// Whether each expected call takes the first call left that matches, and none is over.
pub(super) fn all_match(expected: &[ExpectedCall], made: &[&ToolCall]) -> bool {
    let mut left = made.to_vec();
    expected.len() == made.len()
        && expected.iter().all(|expected| {
            let found = left.iter().position(|made| call_matches(expected, made));
            found.map(|at| left.remove(at)).is_some()
        })
}

fn call_matches(expected: &ExpectedCall, made: &ToolCall) -> bool {
    let none = Map::new();
    let arguments = made.arguments.as_object().unwrap_or(&none);
    expected.name == made.name
        && expected.arguments.iter().all(|(key, pattern)| {
            match (key.strip_suffix(ANY_OF), pattern) {
                (Some(key), Pattern::List(choices)) => given(arguments, key)
                    .is_some_and(|actual| choices.iter().any(|c| reads_as(c, actual))),
                (Some(key), _) => given(arguments, key).is_some(),
                (None, _) => {
                    given(arguments, key).is_some_and(|actual| value_matches(pattern, actual))
                }
            }
        })
}

/// An argument that was given; `null` counts as not given.
fn given<'v>(arguments: &'v Map<String, Value>, key: &str) -> Option<&'v Value> {
    arguments.get(key).filter(|value| !value.is_null())
}

fn value_matches(pattern: &Pattern, actual: &Value) -> bool {
    match (pattern, actual) {
        (Pattern::Scalar(expected), _) => match (number(expected), number(actual)) {
            (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE,
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
    shown::can_show(pattern) && read(pattern).trim().to_lowercase() == normal(actual)
}

fn read(pattern: &Pattern) -> String {
    python_text(&Value::from(pattern.clone()))
}

fn normal(value: &Value) -> String {
    python_text(value).trim().to_lowercase()
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
