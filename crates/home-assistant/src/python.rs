//! What Home Assistant leaves to Python: how values are turned into numbers and text.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// A character that Python's `repr()` escapes: all that is invisible but the plain space.
static UNPRINTABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\p{C}\p{Z}--\x20]").expect("the pattern is valid"));

/// A value as Python's `str()` writes it.
pub(crate) fn str(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => repr(other),
    }
}

/// A value as Python's `repr()` writes it.
pub(crate) fn repr(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => float_repr(float),
            _ => number.to_string(),
        },
        Value::String(text) => quote(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) => {
            let entries =
                entries.iter().map(|(key, item)| format!("{}: {}", quote(key), repr(item)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// What Python calls the type of a value.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

/// A float as Python's `repr()` writes it: `20.0`, `1e+20`, `1.5e-07`.
fn float_repr(number: f64) -> String {
    let text = format!("{number:?}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(digits) => ('-', digits),
                None => ('+', exponent),
            };
            format!("{mantissa}e{sign}{digits:0>2}")
        }
        None => text,
    }
}

/// Text as Python's `repr()` writes it: in single quotes unless it holds one and no double one,
/// with everything invisible escaped.
pub(crate) fn quote(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(quote);
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if other == quote => {
                quoted.push('\\');
                quoted.push(other);
            }
            other if other.is_ascii_graphic() || other == ' ' => quoted.push(other),
            other if UNPRINTABLE.is_match(other.encode_utf8(&mut [0; 4])) => {
                push_code(&mut quoted, other);
            }
            other => quoted.push(other),
        }
    }
    quoted.push(quote);
    quoted
}

/// Appends the shortest escape that holds a character: `\xa0`, `\u2028`, `\U000e0001`.
fn push_code(out: &mut String, character: char) {
    let code = u32::from(character);
    // Writing to a string cannot fail.
    let _ = match code {
        0..=0xFF => write!(out, "\\x{code:02x}"),
        0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// A list of texts as Python writes it: `['a', 'b']`.
pub(crate) fn list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    format!("[{}]", texts.into_iter().map(quote).collect::<Vec<_>>().join(", "))
}

/// Python's `int()`: numbers lose their fraction, text must be a whole number.
pub(crate) fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(truth) => Some(i64::from(*truth)),
        Value::Number(number) => number.as_i64().or_else(|| truncate(number.as_f64()?)),
        Value::String(text) => parse_int(text),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "truncation is what Python's int() does")]
fn truncate(number: f64) -> Option<i64> {
    // Beyond this range every schema refuses the number anyway.
    (number.is_finite() && number.abs() < 9.0e18).then_some(number as i64)
}

fn parse_int(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let apart = digits
        .split('_')
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if !apart {
        return None;
    }
    let number: i64 = digits.replace('_', "").parse().unwrap_or(i64::MAX);
    Some(if text.starts_with('-') { number.wrapping_neg() } else { number })
}

/// Python's `float()`.
pub(crate) fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let text = text.trim();
            let plain = text.strip_prefix(['+', '-']).unwrap_or(text);
            let numeric = plain.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            let known = ["inf", "infinity", "nan"].iter().any(|w| plain.eq_ignore_ascii_case(w));
            (numeric || known).then(|| text.replace('_', "").parse().ok()).flatten()
        }
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Python's `round()` to a whole number: halves go to the even neighbour.
#[expect(clippy::cast_possible_truncation, reason = "levels and colours are small")]
pub(crate) fn round(number: f64) -> i64 {
    number.round_ties_even() as i64
}

/// Python's `round(number, digits)`: decided by the exact value, not by multiplying first.
pub(crate) fn round_to(number: f64, digits: usize) -> f64 {
    format!("{number:.digits$}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whole_numbers_are_coerced_as_python_does() {
        for (value, expected) in [
            (json!(" 40 "), Some(40)),
            (json!("1_000"), Some(1000)),
            (json!("-5"), Some(-5)),
            (json!(50.7), Some(50)),
            (json!(-0.3), Some(0)),
            (json!(true), Some(1)),
            (json!("50%"), None),
            (json!("4.0"), None),
            (json!("_4"), None),
            (json!(""), None),
            (json!([1]), None),
        ] {
            assert_eq!(int(&value), expected, "{value}");
        }
    }

    #[test]
    fn numbers_are_coerced_as_python_does() {
        assert_eq!(float(&json!("21.5")), Some(21.5));
        assert_eq!(float(&json!("1e1")), Some(10.0));
        assert_eq!(float(&json!("20°C")), None);
        assert_eq!(float(&json!("infinite")), None);
    }

    #[test]
    fn halves_are_rounded_to_even() {
        assert_eq!((round(25.5), round(76.5), round(127.5)), (26, 76, 128));
        assert_eq!(round_to(222.4605, 3).to_string(), "222.46");
    }

    #[test]
    fn values_are_written_as_python_writes_them() {
        assert_eq!(repr(&json!(["off", 1.0, true, null])), "['off', 1.0, True, None]");
        assert_eq!(repr(&json!([1e20, 1.5e-7, 0.0001])), "[1e+20, 1.5e-07, 0.0001]");
    }

    /// Expected: `repr()` of Python 3.13.
    #[test]
    fn text_is_quoted_and_escaped_as_python_does() {
        for (text, expected) in [
            ("Bob's", r#""Bob's""#),
            (r#"Bob's "den""#, r#"'Bob\'s "den"'"#),
            ("Radio\u{a0}", r"'Radio\xa0'"),
            ("BOM\u{feff}x\u{2028}", r"'BOM\ufeffx\u2028'"),
            ("👨\u{200d}👩", r"'👨\u200d👩'"),
            ("a\u{ad}b\u{7f}\u{0}", r"'a\xadb\x7f\x00'"),
            ("\u{e0001}\u{e000}\u{3000}", r"'\U000e0001\ue000\u3000'"),
            ("Küche 照明", "'Küche 照明'"),
        ] {
            assert_eq!(quote(text), expected);
        }
    }
}
