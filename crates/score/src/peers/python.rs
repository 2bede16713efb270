//! Values as Python sees them after `json.loads`.

use serde_json::Value;
use toolgauge_core::json::{STAND_IN, number_stand_in};

use crate::scalar::{Equality, ScalarKey};

/// What `type(value)` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PythonType {
    None,
    Bool,
    Int,
    Float,
    Str,
    List,
    Dict,
    /// No JSON value is one.
    Set,
}

impl PythonType {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::None,
            Value::Bool(_) => Self::Bool,
            Value::Number(number) if number.is_f64() => Self::Float,
            Value::Number(_) => Self::Int,
            Value::String(text) => match text.strip_prefix(STAND_IN) {
                // `NaN` and infinities are floats; whole numbers of any size are integers.
                Some(number) if number.ends_with(|c: char| c.is_ascii_digit()) => Self::Int,
                Some(_) => Self::Float,
                None => Self::Str,
            },
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Dict,
        }
    }
}

/// Python's `==`: `1 == 1.0 == True`, and objects whatever the order of their keys.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| equal(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        _ => {
            let key = |value| ScalarKey::of(value, Equality::Python);
            key(a).is_some() && key(a) == key(b)
        }
    }
}

/// Python's `value in list`.
pub(super) fn contains(list: &[Value], value: &Value) -> bool {
    list.iter().any(|item| equal(item, value))
}

/// A float, with a stand-in where JSON has no number for it.
pub(super) fn float_value(number: f64) -> Value {
    match serde_json::Number::from_f64(number) {
        Some(number) => Value::Number(number),
        None if number.is_nan() => number_stand_in("NaN"),
        None => number_stand_in(if number > 0.0 { "Infinity" } else { "-Infinity" }),
    }
}

/// Python's `text[1:-1]`.
pub(super) fn without_ends(text: &str) -> &str {
    let mut letters = text.chars();
    letters.next();
    letters.next_back();
    letters.as_str()
}

/// Python's `float(text)`; `None` where it raises.
pub(super) fn parse_float(text: &str) -> Option<Value> {
    without_separators(text)?.parse().ok().map(float_value)
}

/// Python's `int(text)`; `None` where it raises.
pub(super) fn parse_int(text: &str) -> Option<Value> {
    let text = without_separators(text)?;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(match text.trim_start_matches('+').parse::<i64>() {
        Ok(whole) => whole.into(),
        Err(_) => number_stand_in(&text),
    })
}

/// Python allows white space around a number, and an underscore between two of its digits.
fn without_separators(text: &str) -> Option<String> {
    let text = text.trim();
    let misplaced = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    (!misplaced).then(|| text.replace('_', ""))
}

/// Whether a value is the empty text, by which several tools mark what may be left out.
pub(super) fn is_empty_text(value: &Value) -> bool {
    value.as_str().is_some_and(str::is_empty)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_and_booleans_are_equal_and_of_different_types() {
        assert!(equal(&json!([1, {"a": 0.0}]), &json!([true, {"a": 0}])));
        assert!(!equal(&json!({"a": 1}), &json!({"a": 1, "b": 2})));
        assert!(!equal(&json!([]), &json!({})) && !equal(&json!(null), &json!(0)));
        let types = [json!(1), json!(1.0), json!(true)].map(|value| PythonType::of(&value));
        assert_eq!(types, [PythonType::Int, PythonType::Float, PythonType::Bool]);
    }

    #[test]
    fn numbers_that_json_cannot_hold_have_the_types_of_python() {
        let huge = number_stand_in("123456789012345678901234567890");
        assert_eq!(PythonType::of(&huge), PythonType::Int);
        assert_eq!(PythonType::of(&number_stand_in("-Infinity")), PythonType::Float);
    }
}
