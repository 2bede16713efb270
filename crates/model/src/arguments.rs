//! The arguments of a call, out of whatever a server sent in their place.

use serde_json::{Map, Value};
use toolgauge_core::{Arguments, Malformation, Oddity};

use crate::loose::{Loose, to_map};
use crate::oddities::Oddities;

/// How many times arguments may be wrapped in a string before nobody unwraps them any more.
const DEEPEST_ENCODING: usize = 3;

/// Reads arguments from the field they were sent in.
pub(crate) fn read(sent: &Loose<'_>, oddities: &mut Oddities) -> Arguments {
    match sent {
        Loose::Text(text) => from_text(text, oddities),
        Loose::Object(fields) => {
            oddities.note(Oddity::ArgumentsAsObject);
            Arguments::Object(to_map(fields))
        }
        Loose::Null => {
            oddities.note(Oddity::ArgumentsEmpty);
            Arguments::Object(Map::new())
        }
        other => Arguments::from_text(&other.to_value().to_string()),
    }
}

/// Reads arguments from a text, as the protocol foresees it.
pub(crate) fn from_text(text: &str, oddities: &mut Oddities) -> Arguments {
    let plain = text.trim();
    if plain.is_empty() || plain == "null" {
        oddities.note(Oddity::ArgumentsEmpty);
        return Arguments::Object(Map::new());
    }
    let arguments = Arguments::from_text(text);
    let Arguments::Malformed { why, .. } = &arguments else { return arguments };
    // A text that is JSON but no object may be wrapped twice; one that is no JSON may be said
    // twice.
    let (mended, oddity) = match why {
        Malformation::NotAnObject(_) => (decoded(text), Oddity::ArgumentsDoublyEncoded),
        Malformation::NotJson(_) => (said_once(text), Oddity::ArgumentsRepeated),
    };
    match mended {
        Some(object) => {
            oddities.note(oddity);
            Arguments::Object(object)
        }
        None => arguments,
    }
}

/// The object inside a JSON string, if there is one.
fn decoded(text: &str) -> Option<Map<String, Value>> {
    let mut text = text.to_owned();
    for _ in 0..DEEPEST_ENCODING {
        match serde_json::from_str(&text).ok()? {
            Value::String(inner) => text = inner,
            Value::Object(object) => return Some(object),
            _ => return None,
        }
    }
    serde_json::from_str(&text).ok()
}

/// The object that was sent several times in a row, or behind empty ones. Two objects that
/// differ are two answers, and nobody can say which one was meant.
fn said_once(text: &str) -> Option<Map<String, Value>> {
    let mut said: Option<Map<String, Value>> = None;
    let mut count = 0;
    for object in serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>() {
        let object = object.ok()?;
        count += 1;
        match &said {
            Some(before) if object.is_empty() || *before == object => {}
            Some(before) if !before.is_empty() => return None,
            _ => said = Some(object),
        }
    }
    said.filter(|_| count > 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reading(json: &str) -> (Arguments, Vec<Oddity>) {
        let mut oddities = Oddities::default();
        let arguments = read(&Loose::parse(json).unwrap(), &mut oddities);
        (arguments, oddities.into_list())
    }

    fn object(value: &Value) -> Arguments {
        Arguments::Object(value.as_object().unwrap().clone())
    }

    #[test]
    fn a_string_that_holds_an_object_is_the_protocol() {
        assert_eq!(reading(r#""{\"a\": 1}""#), (object(&json!({"a": 1})), vec![]));
    }

    #[test]
    fn an_object_in_place_of_a_string_is_taken_and_noted() {
        let expected = (object(&json!({"a": [1]})), vec![Oddity::ArgumentsAsObject]);
        assert_eq!(reading(r#"{"a": [1]}"#), expected);
    }

    #[test]
    fn empty_arguments_are_none_and_noted() {
        for sent in ["null", r#""""#, r#"" \n""#, r#""null""#] {
            let expected = (object(&json!({})), vec![Oddity::ArgumentsEmpty]);
            assert_eq!(reading(sent), expected, "{sent}");
        }
    }

    #[test]
    fn arguments_wrapped_in_strings_are_unwrapped() {
        let once = json!(json!({"a": "x"}).to_string()).to_string();
        let twice = json!(once).to_string();
        for sent in [json!(once).to_string(), json!(twice).to_string()] {
            let expected = (object(&json!({"a": "x"})), vec![Oddity::ArgumentsDoublyEncoded]);
            assert_eq!(reading(&sent), expected, "{sent}");
        }
    }

    #[test]
    fn repeated_arguments_count_once() {
        for text in [r#"{"a":1}{"a":1}"#, r#"{}{"a":1}"#, r#"{"a":1} {"a":1} {}"#] {
            let expected = (object(&json!({"a": 1})), vec![Oddity::ArgumentsRepeated]);
            assert_eq!(reading(&json!(text).to_string()), expected, "{text}");
        }
    }

    #[test]
    fn arguments_that_contradict_each_other_are_malformed() {
        let (arguments, oddities) = reading(&json!(r#"{"a":1}{"a":2}"#).to_string());
        assert!(
            matches!(arguments, Arguments::Malformed { raw, .. } if raw == r#"{"a":1}{"a":2}"#)
        );
        assert_eq!(oddities, []);
    }

    #[test]
    fn whatever_else_comes_is_malformed_and_not_absent() {
        for (sent, raw) in
            [("[1]", "[1]"), ("7", "7"), (r#""{name: x""#, "{name: x"), ("true", "true")]
        {
            let (arguments, _) = reading(sent);
            assert!(
                matches!(&arguments, Arguments::Malformed { raw: r, .. } if r == raw),
                "{sent}"
            );
        }
    }
}
