//! JavaScript literals as BFCL reads them.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::super::python::{parse_float, parse_int, without_ends};

macro_rules! pattern {
    ($name:ident, $pattern:literal) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($pattern).expect("the expression is valid"));
    };
}

pattern!(INTEGER, r"^-?\d+\n?$");
pattern!(FLOAT, r"^-?\d+(\.\d+)?\n?$");
pattern!(BIGINT, r"^-?\d+n\n?$");
pattern!(
    LISTS,
    r"^(?:\[\s*\[.*?\]\s*(,\s*\[.*?\]\s*)*\]|\bnew\s+Array\(\s*\[.*?\]\s*(,\s*\[.*?\]\s*)*\))"
);
pattern!(INNER_LIST, r"\[(.*?)\]");
pattern!(LIST, r"^(?:\[(.*?)\]|\bnew\s+Array\((.*?)\))");
pattern!(DICT, r"^\{(.*?)\}");

/// A text as a value of a JavaScript type; what does not parse stays text.
pub(super) fn convert(text: &str, js_type: &str, items: Option<&str>) -> Value {
    let converted = match js_type {
        "String" if is_quoted(text) => return without_ends(text).into(),
        "integer" if INTEGER.is_match(text) => parse_int(text),
        "float" if FLOAT.is_match(text) => parse_float(text),
        "Bigint" if BIGINT.is_match(text) => parse_int(text.trim_end().trim_end_matches('n')),
        "Boolean" if matches!(text, "true" | "false") => Some(Value::Bool(text == "true")),
        "dict" => Some(dict(text)),
        "array" => Some(list(text, items)),
        _ => None,
    };
    converted.unwrap_or_else(|| Value::from(text))
}

fn list(code: &str, items: Option<&str>) -> Value {
    let code = code.trim();
    if let Some(found) = LISTS.find(code) {
        let inner = INNER_LIST.captures_iter(found.as_str()).enumerate();
        return inner
            .map(|(place, list)| {
                let list = list[1].trim();
                // The first list was found from the outer bracket on.
                let list = if place == 0 { list.strip_prefix('[').unwrap_or(list) } else { list };
                list.split(',').map(|item| any(item.trim())).collect::<Value>()
            })
            .collect();
    }
    let Some(found) = LIST.captures(code) else { return Value::from(code) };
    let content = found.get(1).or_else(|| found.get(2)).map_or("", |content| content.as_str());
    if content.trim().is_empty() {
        return Value::Array(Vec::new());
    }
    let known = ["String", "integer", "float", "Bigint", "Boolean", "dict", "array", "any"];
    match items {
        Some(items) if !known.contains(&items) => Value::from(code),
        Some(items) => {
            // Items in quotes are told that they hold text, which matters to lists of lists only.
            let inner = |item: &str| item.starts_with(['\'', '"']).then_some("String");
            let item = |item: &str| convert(item, items, inner(item));
            content.trim().split(',').map(|text| item(text.trim())).collect()
        }
        None => content.trim().split(',').map(|item| any(item.trim())).collect(),
    }
}

fn dict(code: &str) -> Value {
    let code = code.trim();
    if code == "{}" {
        return Value::Object(Map::new());
    }
    let Some(found) = DICT.captures(code) else { return Value::from(code) };
    let content = found.get(1).map_or("", |content| content.as_str());
    let value = |text: &str| {
        let text = text.trim();
        if text.starts_with('[') && text.ends_with(']') {
            list(text, None)
        } else if text.starts_with('{') && text.ends_with('}') {
            dict(text)
        } else {
            any(text.trim_matches(['\'', '"']))
        }
    };
    let key = |text: &str| text.trim().trim_matches(['\'', '"']).to_owned();
    Value::Object(pairs(content).map(|(name, text)| (key(name), value(text))).collect())
}

/// What `([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)` finds one after the other. A value goes on until a
/// comma behind which a key follows.
fn pairs(mut rest: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(':');
        let (key, after) = rest.split_once(':')?;
        let value = after.trim_start();
        let ends = value.match_indices(',').find(|(place, _)| {
            let next = &value[place + 1..];
            next.find([',', ':']).is_some_and(|at| at > 0 && next[at..].starts_with(':'))
        });
        let (value, left) = match ends {
            Some((place, _)) => (&value[..place], &value[place + 1..]),
            None => (value, ""),
        };
        rest = left;
        Some((key, value))
    })
}

/// A value whose type nobody states.
fn any(text: &str) -> Value {
    let text = text.trim();
    match text {
        "true" | "false" => Value::Bool(text == "true"),
        _ if is_quoted(text) => without_ends(text).into(),
        _ => parse_int(text).or_else(|| parse_float(text)).unwrap_or_else(|| Value::from(text)),
    }
}

fn is_quoted(text: &str) -> bool {
    ['"', '\''].iter().any(|quote| text.starts_with(*quote) && text.ends_with(*quote))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scalars_are_read_by_their_type_or_stay_text() {
        assert_eq!(convert("'a'", "String", None), json!("a"));
        assert_eq!(convert("a", "String", None), json!("a"));
        assert_eq!(convert("-3.5", "float", None), json!(-3.5));
        assert_eq!(convert("3.5x", "float", None), json!("3.5x"));
        assert_eq!(convert("12n", "Bigint", None), json!(12));
        assert_eq!(convert("true", "Boolean", None), json!(true));
    }

    #[test]
    fn lists_are_read_flat_and_in_lists() {
        assert_eq!(convert("[1, 'two', true]", "array", None), json!([1, "two", true]));
        assert_eq!(convert("new Array(4, 5)", "array", Some("integer")), json!([4, 5]));
        assert_eq!(convert("[]", "array", Some("String")), json!([]));
        let lists = " [ [ 1, 2 ], [ 3,   4], [5, 6]]";
        assert_eq!(convert(lists, "array", Some("array")), json!([[1, 2], [3, 4], [5, 6]]));
    }

    #[test]
    fn objects_are_read_with_lists_in_them() {
        let code = r#"{"state": initial, "list": ["a", "b"], 'n': 123, "s": "x, y"}"#;
        let expected = json!({"state": "initial", "list": ["a", "b"], "n": 123, "s": "x, y"});
        assert_eq!(convert(code, "dict", None), expected);
        assert_eq!(convert("{}", "dict", None), json!({}));
        assert_eq!(convert("state", "dict", None), json!("state"));
    }
}
