//! Java literals as BFCL reads them: with regular expressions, and what they do not find stays text.

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
pattern!(FLOAT, r"^-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]\n?$");
pattern!(DOUBLE, r"^-?\d+(\.\d+)?([eE][+-]?\d+)?\n?$");
pattern!(LONG, r"^-?\d+[lL]\n?$");
pattern!(AS_LIST, r"new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)");
pattern!(ADDED, r"(?s)new\s+ArrayList<\w*>\(\)\s*\{\{\s*(.+?)\s*\}\}");
pattern!(ADD, r"add\((.+?)\)");
pattern!(EMPTY_LIST, r"new\s+ArrayList<\w*>\(\)");
pattern!(ARRAY, r"new\s+\w+\[\]\s*\{(.*?)\}");
pattern!(MAP, r"(?s)new\s+HashMap<.*?>\s*\(\)\s*\{\s*\{?\s*(.*?)\s*\}?\s*\}");
pattern!(PUT, r#"put\("(.*?)",\s*(.*?)\)"#);
pattern!(EMPTY_MAP, r"new\s+HashMap<.*?>\s*\(\)");

/// A text as a value of a Java type; `None` for the types that BFCL has no converter for.
pub(super) fn convert(text: &str, java_type: &str, items: Option<&str>) -> Option<Value> {
    let as_text = || Value::from(text);
    Some(match java_type {
        "byte" | "short" | "integer" if INTEGER.is_match(text) => parse_int(text)?,
        "float" if FLOAT.is_match(text) => {
            parse_float(text.trim_end().trim_end_matches(['f', 'F']))?
        }
        "double" if DOUBLE.is_match(text) => parse_float(text)?,
        "long" if LONG.is_match(text) => parse_int(text.trim_end().trim_end_matches(['l', 'L']))?,
        "boolean" if matches!(text, "true" | "false") => Value::Bool(text == "true"),
        "ArrayList" => list(text, items)?,
        "Array" => array(text, items)?,
        "HashMap" => map(text),
        "Set" | "Hashtable" | "Queue" | "Stack" => return None,
        _ => as_text(),
    })
}

fn list(text: &str, items: Option<&str>) -> Option<Value> {
    if let Some(found) = AS_LIST.captures(text) {
        return found[1].split(',').map(|item| list_item(item.trim(), items)).collect();
    }
    if let Some(found) = ADDED.captures(text) {
        return ADD.captures_iter(&found[1]).map(|add| list_item(add[1].trim(), items)).collect();
    }
    let empty = || Value::Array(Vec::new());
    Some(if EMPTY_LIST.is_match(text) { empty() } else { Value::from(text) })
}

fn list_item(text: &str, items: Option<&str>) -> Option<Value> {
    match items {
        // Whatever stands there, its first and last letters are taken for quotes.
        Some("char" | "String") => Some(without_ends(text).into()),
        Some(items) => convert(text, items, None),
        None => Some(any(text)),
    }
}

fn array(text: &str, items: Option<&str>) -> Option<Value> {
    let Some(found) = ARRAY.captures(text) else { return Some(Value::from(text)) };
    let written = found[1].split(',').map(str::trim).filter(|item| !item.is_empty());
    written
        .map(|item| match items {
            Some(items) => convert(item, items, None),
            None => Some(any(item)),
        })
        .collect()
}

fn map(text: &str) -> Value {
    if let Some(found) = MAP.captures(text) {
        let put = |put: regex::Captures<'_>| (put[1].to_owned(), any(put[2].trim()));
        return Value::Object(PUT.captures_iter(&found[1]).map(put).collect());
    }
    if EMPTY_MAP.is_match(text) { Value::Object(Map::new()) } else { Value::from(text) }
}

/// A value whose type nobody states.
fn any(text: &str) -> Value {
    if matches!(text, "true" | "false") {
        return Value::Bool(text == "true");
    }
    if text.starts_with('"') && text.ends_with('"') {
        return without_ends(text).into();
    }
    let number = if LONG.is_match(text) {
        parse_int(text.trim_end().trim_end_matches(['l', 'L']))
    } else if FLOAT.is_match(text) {
        parse_float(text.trim_end().trim_end_matches(['f', 'F']))
    } else {
        parse_int(text).or_else(|| parse_float(text))
    };
    number.unwrap_or_else(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scalars_are_read_by_their_type_or_stay_text() {
        let converted = |text, java_type| convert(text, java_type, None).unwrap();
        assert_eq!(converted("-12", "integer"), json!(-12));
        assert_eq!(converted("12L", "integer"), json!("12L"));
        assert_eq!(converted("12L", "long"), json!(12));
        assert_eq!(converted("3e3F", "float"), json!(3000.0));
        assert_eq!(converted("3.14e-2", "double"), json!(0.0314));
        assert_eq!(converted("'a'", "char"), json!("'a'"));
        assert_eq!(convert("{}", "Queue", None), None);
    }

    #[test]
    fn collections_are_read() {
        let list = r#"new ArrayList<>(Arrays.asList("a", "b"))"#;
        assert_eq!(convert(list, "ArrayList", Some("String")), Some(json!(["a", "b"])));
        let added = "new ArrayList<Integer>() {{ add(1); add(2); }}";
        assert_eq!(convert(added, "ArrayList", Some("integer")), Some(json!([1, 2])));
        assert_eq!(convert("new int[]{1, 2}", "Array", Some("integer")), Some(json!([1, 2])));
        assert_eq!(convert("new int[]{}", "Array", Some("integer")), Some(json!([])));
        let map = r#"new HashMap<String, Object>() {{ put("a", 123); put("b", "x y"); }}"#;
        assert_eq!(convert(map, "HashMap", None), Some(json!({"a": 123, "b": "x y"})));
        assert_eq!(convert("new HashMap<>()", "HashMap", None), Some(json!({})));
        assert_eq!(convert("myMap", "HashMap", None), Some(json!("myMap")));
    }
}
