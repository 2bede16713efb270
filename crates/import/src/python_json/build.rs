//! Makes values of text that has been scanned.

use serde_json::{Map, Value};
use toolgauge_core::json::number_stand_in;

use super::number::number;
use super::text::lossy;
use super::token::Scalar;
use super::{ScanStop, Scanner};

/// How deep a value that is built may be nested. Python's own reader gives up at about a
/// thousand levels; real arguments have fewer than ten.
pub const DEEPEST: usize = 500;

/// How many values one value may hold. A list of nothing but `{"":0}` takes fifty times as much
/// memory as text, so that a bound on its bytes is none on its memory.
const MOST_VALUES: usize = 4_000_000;

const WANT_FEWER: &str = "no more than 4,000,000 values in one";
const WANT_SHALLOWER: &str = "no more than 500 levels of nesting";
pub(super) const WANT_END: &str = "nothing after the value";

/// Reads a whole text as one value.
pub fn parse(text: &[u8]) -> Result<Value, ScanStop> {
    let mut scanner = Scanner::new(text);
    let value = build(&mut scanner)?;
    match scanner.peek() {
        None => Ok(value),
        Some(_) => Err(scanner.stop(WANT_END)),
    }
}

/// Reads a whole text as one value, of an object only the members of these names.
pub(crate) fn members(text: &[u8], names: &[&str]) -> Result<Value, ScanStop> {
    let mut scanner = Scanner::new(text);
    let value = build_members(&mut scanner, names)?;
    match scanner.peek() {
        None => Ok(value),
        Some(_) => Err(scanner.stop(WANT_END)),
    }
}

/// Moves past a value and builds it, of an object only the members of these names.
pub(crate) fn build_members(scanner: &mut Scanner<'_>, names: &[&str]) -> Result<Value, ScanStop> {
    if scanner.peek() != Some(b'{') {
        return build(scanner);
    }
    let mut object = Map::new();
    scanner.members(|scanner, key| {
        let key = key.text();
        if !names.contains(&&*key) {
            return scanner.value().map(drop);
        }
        let key = key.into_owned();
        object.insert(key, build(scanner)?);
        Ok(())
    })?;
    Ok(Value::Object(object))
}

/// Moves past a value and builds it.
pub fn build(scanner: &mut Scanner<'_>) -> Result<Value, ScanStop> {
    nested(scanner, DEEPEST, &mut Limits::default())
}

/// How many values one value may still hold.
pub(super) struct Limits(usize);

impl Default for Limits {
    fn default() -> Self {
        Self(MOST_VALUES)
    }
}

impl Limits {
    /// The first byte of the next value, if there is room for it.
    pub(super) fn next(
        &mut self,
        scanner: &mut Scanner<'_>,
        room: usize,
    ) -> Result<Option<u8>, ScanStop> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| scanner.stop(WANT_FEWER))?;
        match scanner.peek() {
            Some(b'{' | b'[') if room == 0 => Err(scanner.stop(WANT_SHALLOWER)),
            first => Ok(first),
        }
    }
}

fn nested(scanner: &mut Scanner<'_>, room: usize, limits: &mut Limits) -> Result<Value, ScanStop> {
    match limits.next(scanner, room)? {
        Some(b'{') => {
            let mut object = Map::new();
            scanner.members(|scanner, key| {
                let value = nested(scanner, room - 1, limits)?;
                object.insert(key.text().into_owned(), value);
                Ok(())
            })?;
            Ok(Value::Object(object))
        }
        Some(b'[') => {
            let mut list = Vec::new();
            scanner.items(|scanner| {
                list.push(nested(scanner, room - 1, limits)?);
                Ok(())
            })?;
            Ok(Value::Array(list))
        }
        _ => Ok(match scanner.scalar()? {
            Scalar::Text(quoted) => Value::String(quoted.text().into_owned()),
            Scalar::Word(word) => self::word(word),
        }),
    }
}

pub(super) fn word(written: &[u8]) -> Value {
    match written {
        b"true" => Value::Bool(true),
        b"false" => Value::Bool(false),
        b"null" => Value::Null,
        b"NaN" => number_stand_in("NaN"),
        _ => number(&lossy(written)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        assert_eq!(parse(br#"{"a": 1, "b": 2, "\u0061": 3}"#), Ok(json!({"a": 3, "b": 2})));
    }

    #[test]
    fn members_that_nobody_asks_for_are_checked_and_not_built() {
        let text = br#"{"a": 1, "b": [{"c": 2}], "a": 3}"#;
        assert_eq!(members(text, &["a"]), Ok(json!({"a": 3})));
        assert_eq!(members(b"[1]", &["a"]), Ok(json!([1])));
        assert!(members(br#"{"a": 1, "b": [}"#, &["a"]).is_err());
        assert!(members(br#"{"a": 1} 2"#, &["a"]).is_err());
    }

    #[test]
    fn the_words_of_python_are_read() {
        let value = parse(b" [NaN, Infinity, -Infinity, true] ").unwrap();
        let texts: Vec<_> = ["NaN", "Infinity", "-Infinity"].map(number_stand_in).into();
        assert_eq!(value, json!([texts[0], texts[1], texts[2], true]));
    }

    #[test]
    fn nesting_is_built_up_to_the_limit() {
        let deep = |levels: usize| [vec![b'['; levels], vec![b']'; levels]].concat();
        assert!(parse(&deep(DEEPEST)).is_ok());
        let stop = parse(&deep(DEEPEST + 1)).unwrap_err();
        assert_eq!((stop.at, stop.wanted), (DEEPEST, WANT_SHALLOWER));
    }

    #[test]
    fn a_value_of_very_many_values_is_refused() {
        let many = |count: usize| format!("[{}0]", "0,".repeat(count - 2));
        assert!(parse(many(MOST_VALUES).as_bytes()).is_ok());
        assert_eq!(parse(many(MOST_VALUES + 1).as_bytes()).unwrap_err().wanted, WANT_FEWER);
    }

    #[test]
    fn nesting_is_skimmed_without_limit() {
        let levels = 1_000_000;
        let deep = [b"{\"a\":[".repeat(levels), b"1".to_vec(), b"]}".repeat(levels)].concat();
        let mut scanner = Scanner::new(&deep);
        assert_eq!(scanner.value(), Ok(0..deep.len()));
        let mut short = Scanner::new(&deep[..deep.len() - 1]);
        assert!(short.value().unwrap_err().ended);
    }

    #[test]
    fn what_python_refuses_is_refused() {
        let refused = [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "{'a':1}",
            "01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "-NaN",
            "nan",
            "tru",
            "\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\t\"",
            "\"\n\"",
            "[1 2]",
            "{\"a\" 1}",
            "1 2",
            "]",
            "\u{feff}1",
            "[1}",
            "{\"a\":1]",
        ];
        for text in refused {
            assert!(parse(text.as_bytes()).is_err(), "{text:?} was read");
        }
    }
}
