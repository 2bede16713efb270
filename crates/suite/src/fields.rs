//! Reads the fields of an object one by one, noting everything that is wrong on the way.
//!
//! Reading goes on after a problem, so that one look at the list mends the whole file.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::nearest::{enumerate, nearest};
use crate::trail::{SuiteFindings, Trail};

/// The fields an object may have.
pub(crate) struct FieldNames {
    /// What the object is, with its article.
    pub(crate) noun: &'static str,
    /// The fields it may have.
    pub(crate) fields: &'static [&'static str],
    /// Words other programs use for a field, and the field.
    pub(crate) synonyms: &'static [(&'static str, &'static str)],
}

/// An object that is being read.
pub(crate) struct ObjectFields<'a> {
    object: Map<String, Value>,
    /// Fields that were suggested in place of unknown ones, and so are not missing.
    suggested: Vec<&'static str>,
    /// The way to the object.
    pub(crate) trail: &'a Trail<'a>,
    /// Where problems go.
    pub(crate) findings: &'a SuiteFindings,
}

impl<'a> ObjectFields<'a> {
    /// Opens an object, noting the fields that do not belong in it.
    pub(crate) fn open(
        value: Value,
        shape: &'static FieldNames,
        trail: &'a Trail<'a>,
        findings: &'a SuiteFindings,
    ) -> Option<Self> {
        let Value::Object(object) = value else {
            let hint = format!("it takes the fields {}", enumerate(shape.fields));
            let message =
                format!("{} should be a mapping, but this is {}", shape.noun, kind(&value));
            findings.error_with(trail, message, hint);
            return None;
        };
        let mut suggested = Vec::new();
        for key in object.keys().filter(|key| !shape.fields.contains(&key.as_str())) {
            let near = meant(key, shape);
            // So that a misspelt field is not told of a second time, as missing.
            suggested.extend(near);
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it takes the fields {}", enumerate(shape.fields)),
            };
            let message = format!("unknown field `{key}` in {}", shape.noun);
            findings.error_with(&trail.key(key), message, hint);
        }
        Some(Self { object, suggested, trail, findings })
    }

    /// Whether the field is given.
    pub(crate) fn has(&self, key: &str) -> bool {
        // A handful of keys is searched faster than hashed, here and below.
        self.object.iter().any(|(own, value)| own == key && !value.is_null())
    }

    /// Takes the value of a field; a field left empty is not there.
    pub(crate) fn take(&mut self, key: &str) -> Option<Value> {
        let (_, value) = self.object.iter_mut().find(|(own, _)| *own == key)?;
        Some(value.take()).filter(|value| !value.is_null())
    }

    /// Takes a string.
    pub(crate) fn text(&mut self, key: &str) -> Option<String> {
        match self.take(key)? {
            Value::String(text) => Some(text),
            other => self.wrong(key, &other, "a string"),
        }
    }

    /// Takes a string that must be there.
    pub(crate) fn required_text(&mut self, key: &str, hint: &str) -> Option<String> {
        if !self.has(key) {
            self.missing(key, hint);
            return None;
        }
        let text = self.text(key)?;
        if text.trim().is_empty() {
            let message = format!("`{key}` is empty");
            self.findings.error_with(&self.trail.key(key), message, hint.to_owned());
            return None;
        }
        Some(text)
    }

    /// Takes a list.
    pub(crate) fn list(&mut self, key: &str) -> Option<Vec<Value>> {
        match self.take(key)? {
            Value::Array(items) => Some(items),
            other => self.wrong(key, &other, "a list"),
        }
    }

    /// Takes an object.
    pub(crate) fn object(&mut self, key: &str) -> Option<Map<String, Value>> {
        match self.take(key)? {
            Value::Object(object) => Some(object),
            other => self.wrong(key, &other, "a mapping"),
        }
    }

    /// Takes `true` or `false`.
    pub(crate) fn flag(&mut self, key: &str) -> Option<bool> {
        match self.take(key)? {
            Value::Bool(flag) => Some(flag),
            other => self.wrong(key, &other, "`true` or `false`"),
        }
    }

    /// Takes a number that is not negative.
    pub(crate) fn amount(&mut self, key: &str) -> Option<f64> {
        let value = self.take(key)?;
        match value.as_f64().filter(|number| *number >= 0.0) {
            Some(number) => Some(number),
            None => self.wrong(key, &value, "a number that is not negative"),
        }
    }

    /// Takes a whole number of at least `least`.
    pub(crate) fn whole(&mut self, key: &str, least: u64) -> Option<u64> {
        let value = self.take(key)?;
        match value.as_u64().filter(|number| *number >= least) {
            Some(number) => Some(number),
            None if least == 0 => self.wrong(key, &value, "a whole number that is not negative"),
            None => self.wrong(key, &value, "a whole number of at least 1"),
        }
    }

    /// Takes one of several words.
    pub(crate) fn choice<T: DeserializeOwned>(
        &mut self,
        key: &str,
        words: &'static [&'static str],
    ) -> Option<T> {
        let word = self.text(key)?;
        if let Ok(choice) = serde_json::from_value(Value::String(word.clone())) {
            return Some(choice);
        }
        let message = format!("`{key}` cannot be `{word}`");
        let hint = match nearest(&word, words) {
            Some(near) => format!("did you mean `{near}`? it takes {}", enumerate(words)),
            None => format!("it takes {}", enumerate(words)),
        };
        self.findings.error_with(&self.trail.key(key), message, hint);
        None
    }

    /// Takes a short text that may also be written as a number or as `true`.
    pub(crate) fn word(&mut self, key: &str) -> Option<String> {
        let value = self.take(key)?;
        match word(&value) {
            Some(word) => Some(word),
            None => self.wrong(key, &value, "a string"),
        }
    }

    /// Notes that a field must be there.
    pub(crate) fn missing(&self, key: &str, hint: &str) {
        if !self.suggested.contains(&key) {
            self.findings.error_with(self.trail, format!("`{key}` is missing"), hint.to_owned());
        }
    }

    fn wrong<T>(&self, key: &str, value: &Value, wanted: &str) -> Option<T> {
        // `-1` is a number, too: the figure itself says what is wrong with it.
        let shown = match value {
            Value::Number(number) if wanted.contains("number") => number.to_string(),
            other => kind(other).to_owned(),
        };
        let message = format!("`{key}` is {shown}, but should be {wanted}");
        let scalar = value.is_number() || value.is_boolean();
        // The number as it was read may not be as it was written: `1.10` reads as 1.1.
        let hint = (scalar && wanted == "a string").then(|| "put it in quotes".to_owned());
        self.findings.error_with(&self.trail.key(key), message, hint);
        None
    }
}

/// The field that somebody meant who wrote `key`.
fn meant(key: &str, shape: &FieldNames) -> Option<&'static str> {
    let synonym = shape.synonyms.iter().find(|(word, _)| word.eq_ignore_ascii_case(key));
    synonym.map(|(_, field)| *field).or_else(|| nearest(key, shape.fields.iter().copied()))
}

/// A scalar as a word.
pub(crate) fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// What a value is, with its article.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "`true` or `false`",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}
