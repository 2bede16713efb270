//! When two scalars are the same: Python's `==` on parsed JSON, or the same with booleans apart.

use std::borrow::Cow;

use serde_json::{Number, Value};
use toolgauge_core::json::STAND_IN;

/// Which scalars are held to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equality {
    /// Python's: `1 == 1.0 == true`, `0 == 0.0 == false`.
    Python,
    /// JSON's: `1` and `1.0` are one number, `true` is none.
    Json,
}

/// The JSON type of a value, stand-ins for numbers counted as the numbers they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonType {
    Null,
    Boolean,
    Number,
    Text,
    List,
    Object,
}

impl JsonType {
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(text) if is_number_stand_in(text) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }
}

/// A scalar by what it is equal to: two scalars are equal exactly when their keys are.
///
/// The one exception is `NaN`, whose keys are equal although the scalars are not; inside a
/// container Python finds even those equal, because it looks at identity first and its parser
/// hands out one and the same `NaN`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScalarKey<'v> {
    Null,
    Boolean(bool),
    Whole(i128),
    /// A whole number beyond 128 bits, by its decimal digits.
    Huge(Cow<'v, str>),
    /// A number with a fraction, or an infinity, by its bits.
    Fraction(u64),
    NaN,
    Text(Cow<'v, str>),
}

impl<'v> ScalarKey<'v> {
    /// The key of a scalar; `None` for a list or an object.
    pub(crate) fn of(value: &'v Value, equality: Equality) -> Option<Self> {
        Some(match value {
            Value::Null => Self::Null,
            Value::Bool(flag) if equality == Equality::Python => Self::Whole(i128::from(*flag)),
            Value::Bool(flag) => Self::Boolean(*flag),
            Value::Number(number) => Self::of_number(number),
            Value::String(text) if is_number_stand_in(text) => Self::of_stand_in(text),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(_) | Value::Object(_) => return None,
        })
    }

    fn of_number(number: &Number) -> Self {
        if let Some(whole) = number.as_i64() {
            Self::Whole(i128::from(whole))
        } else if let Some(whole) = number.as_u64() {
            Self::Whole(i128::from(whole))
        } else {
            Self::of_float(number.as_f64().unwrap_or(f64::NAN))
        }
    }

    fn of_float(float: f64) -> Self {
        /// Every whole float below this is exactly a whole number of 128 bits.
        const LIMIT: f64 = 1e38;
        if float.is_nan() {
            Self::NaN
        } else if float.is_infinite() || float.fract() != 0.0 {
            Self::Fraction(float.to_bits())
        } else if float.abs() < LIMIT {
            #[expect(clippy::cast_possible_truncation, reason = "whole and within the limit")]
            let whole = float as i128;
            Self::Whole(whole)
        } else {
            // Rust writes a float's exact decimal digits, so this is the very whole number.
            Self::of_digits(Cow::Owned(format!("{float:.0}")))
        }
    }

    fn of_stand_in(text: &'v str) -> Self {
        let text = text.strip_prefix(STAND_IN).unwrap_or(text);
        if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            Self::of_digits(Cow::Borrowed(text))
        } else {
            Self::of_float(text.parse().unwrap_or(f64::NAN))
        }
    }

    fn of_digits(digits: Cow<'v, str>) -> Self {
        match digits.parse() {
            Ok(whole) => Self::Whole(whole),
            Err(_) => Self::Huge(digits),
        }
    }
}

/// Whether a string stands for a number that JSON proper cannot write.
fn is_number_stand_in(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(STAND_IN) else { return false };
    let digits = rest.strip_prefix('-').unwrap_or(rest);
    matches!(rest, "NaN" | "Infinity" | "-Infinity")
        || digits.starts_with(|first: char| first.is_ascii_digit())
            && digits.bytes().all(|byte| {
                byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-')
            })
}

/// The number a value holds, as a float; `None` when it holds none.
pub(crate) fn as_float(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if is_number_stand_in(text) => {
            text.strip_prefix(STAND_IN)?.parse().ok()
        }
        _ => None,
    }
}

/// Whether two scalars are the same object or equal, and whether they are equal outright; the
/// two differ for `NaN` alone.
pub(crate) fn compare(expected: &Value, actual: &Value, equality: Equality) -> (bool, bool) {
    let exotic = |text: &str| text.starts_with(STAND_IN);
    match (expected, actual) {
        (Value::String(a), Value::String(b)) if !exotic(a) && !exotic(b) => (a == b, a == b),
        (Value::String(a), _) if !exotic(a) => (false, false),
        (_, Value::String(b)) if !exotic(b) => (false, false),
        (Value::Null, Value::Null) => (true, true),
        (Value::Bool(a), Value::Bool(b)) => (a == b, a == b),
        _ => match (ScalarKey::of(expected, equality), ScalarKey::of(actual, equality)) {
            (Some(a), Some(b)) => (a == b, a == b && a != ScalarKey::NaN),
            _ => (false, false),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::json::number_stand_in;

    use super::*;

    fn python(a: &Value, b: &Value) -> bool {
        compare(a, b, Equality::Python).1
    }

    #[test]
    fn numbers_and_booleans_compare_as_in_python() {
        // Each line was checked with Python's `json.loads(a) == json.loads(b)`.
        assert!(python(&json!(1), &json!(1.0)));
        assert!(python(&json!(1), &json!(true)));
        assert!(python(&json!(0.0), &json!(false)));
        assert!(python(&json!(-0.0), &json!(0)));
        assert!(!python(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992.0)));
        assert!(python(&json!(9_007_199_254_740_992_i64), &json!(9_007_199_254_740_992.0)));
        assert!(python(&json!(1e20), &number_stand_in("100000000000000000000")));
        assert!(!python(&json!(1e23), &number_stand_in("100000000000000000000000")));
        assert!(python(&json!(1e23), &number_stand_in("99999999999999991611392")));
        assert!(python(&number_stand_in("Infinity"), &number_stand_in("1e400")));
        assert!(!python(&json!("1"), &json!(1)));
        assert!(!python(&json!(null), &json!(0)));
    }

    #[test]
    fn whole_floats_of_any_size_equal_their_digits() {
        let digits = format!("{:.0}", 1e300);
        assert!(python(&json!(1e300), &number_stand_in(&digits)));
        assert!(!python(&json!(1e300), &number_stand_in(&digits.replace('1', "2"))));
    }

    #[test]
    fn nan_is_the_same_object_but_not_equal() {
        let nan = number_stand_in("NaN");
        assert_eq!(compare(&nan, &nan, Equality::Python), (true, false));
    }

    #[test]
    fn booleans_are_no_numbers_outside_python() {
        assert_eq!(compare(&json!(1), &json!(true), Equality::Json), (false, false));
        assert_eq!(compare(&json!(1), &json!(1.0), Equality::Json), (true, true));
    }
}
