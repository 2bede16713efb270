//! Arguments that Python reads as JSON and JSON proper does not know.

use serde_json::{Map, Value};
use toolgauge_core::json::number_stand_in;

/// The object in a text, as Python's `json.loads` reads it: `NaN`, `Infinity` and whole numbers
/// of any size are numbers.
///
/// With `recovers_quotes`, double quotes behind a complete object are passed over, as Inspect AI
/// does from version 0.3.260 on; the models that leave them there mean the object.
pub(super) fn python_object(text: &str, recovers_quotes: bool) -> Option<Map<String, Value>> {
    let text = with_stand_ins(text.trim());
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let Some(Ok(Value::Object(object))) = values.next() else { return None };
    let rest = &text[values.byte_offset()..];
    // White space as Python's `string.whitespace` has it.
    let is_stray = |letter: char| {
        matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
            || (recovers_quotes && letter == '"')
    };
    rest.chars().all(is_stray).then_some(object)
}

/// The text with a string in place of every number that JSON proper cannot write or hold.
fn with_stand_ins(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' {
            string_length(rest)
        } else {
            let is_word = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
            // At least one character, or a bracket would be read for ever.
            rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()).max(first.len_utf8())
        };
        let (token, after) = rest.split_at(length);
        if is_beyond_json(token) {
            plain.push_str(&number_stand_in(token).to_string());
        } else {
            plain.push_str(token);
        }
        rest = after;
    }
    plain
}

/// How long the string is that a text begins with, its quotes included.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

fn is_beyond_json(token: &str) -> bool {
    if matches!(token, "NaN" | "Infinity" | "-Infinity") {
        return true;
    }
    let digits = token.strip_prefix('-').unwrap_or(token);
    // A leading zero is an error to Python, too.
    let is_whole = !digits.is_empty()
        && !digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole && token.parse::<i64>().is_err() && token.parse::<u64>().is_err()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str, recovers_quotes: bool) -> Option<Value> {
        python_object(text, recovers_quotes).map(Value::Object)
    }

    // Each row was checked with `parse_tool_call` of Inspect AI 0.3.285, which recovers quotes.
    #[test]
    fn stray_quotes_are_passed_over_where_that_is_asked_for() {
        for text in ["{\"a\": 1}\"", "{\"a\": 1}\"\"", "{\"a\": 1} \" \n\""] {
            assert_eq!(read(text, true), Some(json!({"a": 1})), "{text}");
            assert_eq!(read(text, false), None, "{text}");
        }
        for text in ["{\"a\": 1}'", "{\"a\": 1}{\"a\": 2}", "{\"a\": 1", "{\"a\": 1}}", "{a: 1}\""]
        {
            assert_eq!(read(text, true), None, "{text}");
        }
    }

    #[test]
    fn numbers_that_only_python_reads_are_numbers() {
        let text = "{\"a\": NaN, \"b\": [-Infinity], \"c\": 100000000000000000001}";
        let read = read(text, false).unwrap();
        assert_eq!(read["a"], number_stand_in("NaN"));
        assert_eq!(read["b"][0], number_stand_in("-Infinity"));
        assert_eq!(read["c"], number_stand_in("100000000000000000001"));
    }

    #[test]
    fn what_stands_in_a_string_stays_as_it_is() {
        let text = "{\"NaN\": \"NaN, \\\" Infinity\", \"n\": NaN, \"é\": 18446744073709551615}";
        let read = read(text, false).unwrap();
        assert_eq!(read["NaN"], json!("NaN, \" Infinity"));
        assert_eq!(read["é"], json!(u64::MAX));
        assert_eq!(super::python_object("{\"a\": nan}", false), None);
    }
}
