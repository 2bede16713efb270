//! A JSON value read without forgiveness: a key given twice is an error, not a lost line.
//!
//! Both parsers use it, so that a suite means the same in YAML and in JSON. YAML's own twists
//! are decided here: `<<` merges, tags and numbers that JSON cannot hold are refused.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// A value in which no key was given twice.
pub(crate) struct Strict(pub(crate) Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain value without a tag")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        Err(E::custom(format!("the number `{value}` is too large; put it in quotes")))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        Err(E::custom(format!("the number `{value}` is too large; put it in quotes")))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom(format!("`{value}` is not a number that JSON can hold")))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        let mut merged = None;
        while let Some(key) = entries.next_key::<String>()? {
            let Strict(value) = entries.next_value()?;
            // Kept until all keys are read: what an object says itself wins, wherever the merge
            // stands.
            if key == "<<" {
                merged = Some(value);
            } else {
                match object.entry(key) {
                    Entry::Vacant(entry) => _ = entry.insert(value),
                    Entry::Occupied(entry) => {
                        let key = entry.key();
                        return Err(A::Error::custom(format!("`{key}` is given twice")));
                    }
                }
            }
        }
        if let Some(value) = merged {
            merge(&mut object, value).map_err(A::Error::custom)?;
        }
        Ok(Value::Object(object))
    }
}

/// Fills in what `object` does not say itself, as YAML's `<<` does.
fn merge(object: &mut Map<String, Value>, value: Value) -> Result<(), &'static str> {
    match value {
        Value::Object(defaults) => {
            for (key, value) in defaults {
                object.entry(key).or_insert(value);
            }
            Ok(())
        }
        Value::Array(sources) => sources.into_iter().try_for_each(|source| merge(object, source)),
        _ => Err("`<<` takes a mapping, or a list of mappings"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn yaml(text: &str) -> Result<Value, String> {
        yaml_serde::from_str::<Strict>(text).map(|strict| strict.0).map_err(|e| e.to_string())
    }

    #[test]
    fn words_and_leading_zeros_stay_text() {
        let value = yaml("country: NO\nzip: 07001\nanswer: yes\nreal: true\n").unwrap();
        let expected = json!({"country": "NO", "zip": "07001", "answer": "yes", "real": true});
        assert_eq!(value, expected);
    }

    #[test]
    fn a_key_given_twice_is_an_error_in_both_languages() {
        assert!(yaml("a: 1\nb: 2\na: 3\n").unwrap_err().contains("`a` is given twice"));
        let json = serde_json::from_str::<Strict>(r#"{"a": {"b": 1, "b": 2}}"#);
        assert!(json.err().unwrap().to_string().contains("`b` is given twice"));
    }

    #[test]
    fn merge_keys_fill_in_what_is_missing() {
        let value = yaml("base: &base {a: 1, b: 2}\nmore:\n  <<: *base\n  b: 3\n").unwrap();
        assert_eq!(value["more"], json!({"b": 3, "a": 1}));
    }

    #[test]
    fn tags_and_numbers_without_json_are_refused() {
        assert!(yaml("a: !secret x\n").is_err());
        assert!(yaml("a: .nan\n").is_err());
        assert!(yaml("a: 340282366920938463463374607431768211455\n").is_err());
    }
}
