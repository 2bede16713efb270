//! Writes values as Python's `json.dumps` does, stand-ins turned back into what they stand for.

use std::fmt::Write;

use serde_json::Value;
use toolgauge_core::json::STAND_IN;

use super::number::python_repr;

/// Appends a value to `text`, on one line, with `, ` and `: ` between its parts and every
/// character beyond ASCII escaped.
pub fn write(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => text.push_str(&python_repr(float)),
            _ => text.push_str(&number.to_string()),
        },
        Value::String(string) => write_string(string, text),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                write(item, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (key, member)) in members.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                write_string(key, text);
                text.push_str(": ");
                write(member, text);
            }
            text.push('}');
        }
    }
}

fn write_string(string: &str, text: &mut String) {
    match string.strip_prefix(STAND_IN) {
        None => write_quoted(string.chars(), false, text),
        Some(rest) => match rest.strip_prefix(STAND_IN) {
            Some(spelled) => write_quoted(spelled.chars(), true, text),
            None => text.push_str(rest),
        },
    }
}

/// Writes characters between quotes; `spelled` ones have their backslashes and lone surrogates
/// escaped already.
fn write_quoted(characters: impl Iterator<Item = char>, spelled: bool, text: &mut String) {
    text.push('"');
    for character in characters {
        match character {
            '"' => text.push_str("\\\""),
            '\\' if !spelled => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            ' '..='~' => text.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(text, "\\u{unit:04x}").expect("a string takes any text");
                }
            }
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn values_survive_reading_and_writing() {
        let texts = [
            r#"{"a": [1, 1.5, -2, null, true, false], "b": {}}"#,
            "[NaN, Infinity, -Infinity, 123456789012345678901234567890, 1e-07]",
            r#"["\ud83d\ude00", "\ud83d", "caf\u00e9 \"x\" \\ \n\r\t\b\f\u0000\u007f"]"#,
            r#"["\\\ud83d\\ud83d", "\udbff\udfff", "\udbff\udfffNaN", "\udbff\udfff\udbff\udfff\\"]"#,
            r#"{"\ud83d": 1}"#,
        ];
        for written in texts {
            let mut again = String::new();
            write(&parse(written.as_bytes()).unwrap(), &mut again);
            assert_eq!(again, written);
        }
    }
}
