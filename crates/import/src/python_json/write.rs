//! Writes values as Python's `json.dumps` does, stand-ins turned back into what they stand for.

use std::fmt::Write;

use serde_json::{Map, Value};
use toolgauge_core::json::STAND_IN;

use super::build::parse;
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
        // What should have been an object and is none stands behind a bare mark, where it has a
        // key to be compared by. It is written as it was.
        Value::Object(members) if is_wrapped(members) => {
            members.values().for_each(|value| write(value, text));
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (key, member)) in members.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                write_key(key, text);
                text.push_str(": ");
                write(member, text);
            }
            text.push('}');
        }
    }
}

/// Whether an object holds nothing but a value behind a bare mark. No file can hold such a key:
/// one that begins with the mark is read with two.
fn is_wrapped(members: &Map<String, Value>) -> bool {
    members.len() == 1 && members.keys().all(|key| key.chars().eq([STAND_IN]))
}

fn write_string(string: &str, text: &mut String) {
    match string.strip_prefix(STAND_IN) {
        // Names and paths are made of stand-ins too, and need not be values of their own.
        Some(rest) if !rest.starts_with(STAND_IN) && parse(rest.as_bytes()).is_ok() => {
            text.push_str(rest);
        }
        _ => write_key(string, text),
    }
}

/// Writes a string that must stay one, as keys must.
fn write_key(key: &str, text: &mut String) {
    let rest = key.strip_prefix(STAND_IN).unwrap_or(key);
    match rest.strip_prefix(STAND_IN).filter(|_| key.len() > rest.len()) {
        Some(spelled) => write_quoted(spelled.chars(), is_spelled(spelled), text),
        None => write_quoted(rest.chars(), false, text),
    }
}

/// Whether every backslash begins an escape, as in a stand-in that nothing was added to.
fn is_spelled(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, escape)) = rest.split_once('\\') {
        let hexadecimal = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let four = escape.strip_prefix('u').and_then(|digits| digits.get(..4));
        rest = match (escape.strip_prefix('\\'), four) {
            (Some(rest), _) => rest,
            (None, Some(digits)) if hexadecimal(digits) => &escape[5..],
            _ => return false,
        };
    }
    true
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
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    proptest! {
        #[test]
        fn whatever_is_written_can_be_read(value in value()) {
            let mut written = String::new();
            write(&value, &mut written);
            prop_assert!(parse(written.as_bytes()).is_ok(), "{}", written);
        }
    }

    /// Values whose strings look like stand-ins, whole and in pieces.
    fn value() -> impl Strategy<Value = Value> {
        let piece = select(vec![
            "\u{10ffff}",
            "\\",
            "\\ud83d",
            "\\u12",
            "\\\\",
            "NaN",
            "-Infinity",
            "1",
            "{}",
            "[1]",
            "\"",
            "a",
            ".",
            "\u{0}",
            "\u{e9}",
        ]);
        let string = vec(piece, 0..5).prop_map(|pieces| pieces.concat());
        string.clone().prop_map(Value::from).prop_recursive(3, 12, 3, move |inner| {
            let member = (string.clone(), inner.clone());
            prop_oneof![
                vec(inner, 0..3).prop_map(Value::from),
                vec(member, 0..3).prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn arguments_that_are_no_object_are_written_as_they_were() {
        for written in ["\"oops\"", "[1, 2]", "NaN", "null"] {
            let value = parse(written.as_bytes()).unwrap();
            let mut again = String::new();
            write(&serde_json::json!({ STAND_IN.to_string(): value }), &mut again);
            assert_eq!(again, written);
        }
    }

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
