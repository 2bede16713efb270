//! Values as Python's `str` writes them.

use std::fmt::Write as _;

use serde_json::Value;
use toolgauge_core::json::STAND_IN;

/// What `str(json.loads(value))` gives.
pub(crate) fn python_text(value: &Value) -> String {
    let mut text = String::new();
    match value {
        // Only inside of lists and objects does Python put a text into quotes.
        Value::String(string) => text.push_str(stood_for(string).unwrap_or(string)),
        other => write(other, &mut text),
    }
    text
}

/// The number that a text stands in for because JSON or `f64` cannot hold it.
fn stood_for(string: &str) -> Option<&str> {
    // Python reads these names and writes others.
    Some(match string.strip_prefix(STAND_IN)? {
        "NaN" => "nan",
        "Infinity" => "inf",
        "-Infinity" => "-inf",
        number => number,
    })
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("None"),
        Value::Bool(true) => text.push_str("True"),
        Value::Bool(false) => text.push_str("False"),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => write_float(float, text),
            None => text.push_str(&number.to_string()),
        },
        Value::String(string) => match stood_for(string) {
            Some(number) => text.push_str(number),
            None => write_string(string, text),
        },
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                write(item, text);
            }
            text.push(']');
        }
        Value::Object(object) => {
            text.push('{');
            for (at, (key, value)) in object.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                write_string(key, text);
                text.push_str(": ");
                write(value, text);
            }
            text.push('}');
        }
    }
}

/// A float: the fewest digits that read back the same, with an exponent where Python has one.
fn write_float(float: f64, text: &mut String) {
    let scientific = format!("{float:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        // The limits of Python's `repr` for floats.
        Ok(exponent) if (-4..16).contains(&exponent) => {
            let _ = write!(text, "{float:?}");
        }
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            let _ = write!(text, "{digits}e{sign}{:02}", exponent.abs());
        }
        Err(_) => text.push_str(&scientific),
    }
}

fn write_string(string: &str, text: &mut String) {
    // Python's `repr` prefers single quotes, unless that would need an escape and double ones would
    // not.
    let quote = if string.contains('\'') && !string.contains('"') { '"' } else { '\'' };
    text.push(quote);
    for c in string.chars() {
        match c {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\\' => text.push_str("\\\\"),
            c if c == quote => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text.push(quote);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_read_as_in_python() {
        // Each right side is what Python 3 prints for str() of the left side.
        assert_eq!(python_text(&json!("it's")), "it's");
        assert_eq!(
            python_text(&json!(["it's", "a\nb", true, null])),
            r#"["it's", 'a\nb', True, None]"#
        );
        assert_eq!(python_text(&json!({"a": {"b": [1, 1.0, 2.5]}})), "{'a': {'b': [1, 1.0, 2.5]}}");
        assert_eq!(python_text(&json!(1e16)), "1e+16");
        assert_eq!(python_text(&json!(123_456_789_012_345.6)), "123456789012345.6");
        assert_eq!(python_text(&json!(0.000_01)), "1e-05");
        assert_eq!(python_text(&json!(0.000_1)), "0.0001");
    }

    #[test]
    fn numbers_that_json_cannot_hold_read_as_in_python_at_any_depth() {
        let stand_in = |number: &str| format!("{STAND_IN}{number}");
        let huge = "123456789012345678901234567890";
        assert_eq!(python_text(&json!(stand_in("NaN"))), "nan");
        let nested = json!([stand_in("NaN"), {"a": stand_in("-Infinity")}, [stand_in(huge)]]);
        assert_eq!(python_text(&nested), format!("[nan, {{'a': -inf}}, [{huge}]]"));
    }
}
