//! JSON as servers really send it: any field may be missing, null or of another type.
//!
//! A typed struct fails as a whole when one field is odd. [`Loose`] is a borrowed JSON tree with
//! forgiving accessors instead: whoever reads a field decides what a surprise means.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// A JSON value whose strings are borrowed from the text where they can be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Loose<'a> {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Loose<'a>>),
    Object(Vec<(Cow<'a, str>, Loose<'a>)>),
}

/// What every missing field reads as.
static NULL: Loose<'static> = Loose::Null;

impl<'a> Loose<'a> {
    /// Reads a JSON text.
    pub(crate) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// A field of an object; null when there is none.
    pub(crate) fn get(&self, key: &str) -> &Loose<'a> {
        match self {
            Self::Object(fields) => {
                fields.iter().find(|(name, _)| name == key).map_or(&NULL, |(_, value)| value)
            }
            _ => &NULL,
        }
    }

    /// The first of several fields that is there and not null.
    pub(crate) fn first_of(&self, keys: &[&str]) -> &Loose<'a> {
        keys.iter().map(|key| self.get(key)).find(|value| !value.is_null()).unwrap_or(&NULL)
    }

    /// Whether an object has a field, null or not.
    pub(crate) fn has(&self, key: &str) -> bool {
        matches!(self, Self::Object(fields) if fields.iter().any(|(name, _)| name == key))
    }

    /// Whether the value is null or absent.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether the value is an object.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A string that holds something.
    pub(crate) fn some_text(&self) -> Option<&str> {
        self.text().filter(|text| !text.is_empty())
    }

    /// The items of a list. One object in place of a list counts as a list of one.
    pub(crate) fn items(&self) -> &[Loose<'a>] {
        match self {
            Self::List(items) => items,
            Self::Object(_) => std::slice::from_ref(self),
            _ => &[],
        }
    }

    /// A count of things: a whole number, also as `12.0` or `"12"`.
    pub(crate) fn count(&self) -> Option<u64> {
        match self {
            Self::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
            Self::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A finite number.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64().filter(|number| number.is_finite()),
            _ => None,
        }
    }

    /// The value with everything in it owned.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone().into_owned()),
            Self::List(items) => items.iter().map(Loose::to_value).collect(),
            Self::Object(fields) => Value::Object(to_map(fields)),
        }
    }
}

/// The fields of an object, owned.
pub(crate) fn to_map(fields: &[(Cow<'_, str>, Loose<'_>)]) -> Map<String, Value> {
    fields.iter().map(|(key, value)| (key.clone().into_owned(), value.to_value())).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "only whole, non-negative numbers below 2^53 get here"
)]
fn whole(number: f64) -> Option<u64> {
    let exact = number.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&number);
    exact.then_some(number as u64)
}

impl<'de: 'a, 'a> Deserialize<'de> for Loose<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(LooseVisitor)
    }
}

struct LooseVisitor;

impl<'de> Visitor<'de> for LooseVisitor {
    type Value = Loose<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Loose::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Loose::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Loose::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Loose::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Number::from_f64(value).map_or(Loose::Null, Loose::Number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Loose::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Loose::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Loose::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        // A list and no map: objects on the wire have a handful of fields, and a key that is given
        // twice is read by its first value instead of being refused.
        let mut fields = Vec::with_capacity(8);
        while let Some(LooseKey(key)) = map.next_key()? {
            fields.push((key, map.next_value()?));
        }
        Ok(Loose::Object(fields))
    }
}

/// A key of an object, borrowed where it can be (`Cow` alone is always owned by serde).
struct LooseKey<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for LooseKey<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = LooseKey<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(LooseKey(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(LooseKey(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(KeyVisitor)
    }
}

/// The text with halves of surrogate pairs replaced: a server that cuts an emoji in two writes
/// such an escape, and no JSON parser takes it.
pub(crate) fn without_lone_surrogates(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            // Two halves that belong together are one letter, and stay.
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            (Some(_), _) => 6,
            // A backslash and what it escapes, which may be another backslash.
            (None, _) => escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end),
        };
        mended.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    mended.push_str(rest);
    mended
}

/// The text with numbers that are larger than any float replaced by null: a count that nobody can
/// read is no reason to lose the answer beside it.
pub(crate) fn without_huge_numbers(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        let (before, token) = rest.split_at(at);
        mended.push_str(before);
        let length =
            if token.starts_with('"') { string_length(token) } else { number_length(token) };
        let (token, after) = token.split_at(length);
        // A string parses as no number, and passes unchanged.
        let huge = token.parse::<f64>().is_ok_and(f64::is_infinite);
        mended.push_str(if huge { "null" } else { token });
        rest = after;
    }
    mended.push_str(rest);
    mended
}

/// How long a string at the start of a text is, with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let closing = text.bytes().skip(1).position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    closing.map_or(text.len(), |at| at + 2)
}

/// How long a number at the start of a text is; at least one character.
fn number_length(text: &str) -> usize {
    let part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    text.find(|c| !part(c)).unwrap_or(text.len()).max(1)
}

/// The code unit of an escape such as `\ud83d` at the start of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_null_and_odd_fields_read_alike() {
        let body = Loose::parse(r#"{"a": null, "b": 3, "c": "x", "d": {"e": [1]}}"#).unwrap();
        assert!(body.get("a").is_null() && body.get("z").get("y").is_null());
        assert_eq!(body.get("b").text(), None);
        assert_eq!(body.first_of(&["z", "a", "c"]).text(), Some("x"));
        assert_eq!(body.get("d").items().len(), 1);
        assert_eq!(body.get("d").get("e").items()[0].count(), Some(1));
        assert!(body.get("c").items().is_empty());
    }

    #[test]
    fn counts_are_read_from_what_servers_write() {
        let list = Loose::parse(r#"[7, 7.0, "7", 7.5, -7, null, 1e300]"#).unwrap();
        let counts: Vec<_> = list.items().iter().map(Loose::count).collect();
        assert_eq!(counts, [Some(7), Some(7), Some(7), None, None, None, None]);
    }

    #[test]
    fn a_value_comes_back_whole() {
        let text = r#"{"a":[1,-2,1.5,true,null,"x\ny"],"b":{}}"#;
        let expected: Value = serde_json::from_str(text).unwrap();
        assert_eq!(Loose::parse(text).unwrap().to_value(), expected);
    }

    #[test]
    fn numbers_that_no_float_holds_become_null_and_texts_are_kept() {
        for (text, expected) in [
            (r#"{"a":1e400,"b":-1E+999,"c":-1e-400}"#, r#"{"a":null,"b":null,"c":-1e-400}"#),
            (r#"["1e400","\\\"1e400",1e400]"#, r#"["1e400","\\\"1e400",null]"#),
            ("[1,2.5,-", "[1,2.5,-"),
            ("\"1e400", "\"1e400"),
        ] {
            assert_eq!(without_huge_numbers(text), expected);
        }
    }

    #[test]
    fn halves_of_surrogate_pairs_are_replaced_and_whole_ones_kept() {
        for (text, expected) in [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""a\ud83d b""#, r#""a\ufffd b""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\\ud83d\n\u0041""#, r#""\\ud83d\n\u0041""#),
            (r#""\"#, r#""\"#),
            (r#""\ud8"#, r#""\ud8"#),
            ("\"\\é\\uéa", "\"\\é\\uéa"),
        ] {
            assert_eq!(without_lone_surrogates(text), expected);
        }
    }
}
