//! What a question to a chatbot demands of the answer.

use indexmap::IndexMap;
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::ExpectedFact;

/// What a question demands of its answer. What it does not mention is not judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExpectedAnswer {
    /// The tools to use, in any order; `None` means that none is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// What the answer must say, and must not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<Keyword>,
    /// What the answer must state, by type.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<ExpectedFact>,
    /// The documents to find, each with how relevant it is; 1 where the suite does not grade.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub documents: IndexMap<String, f64>,
    /// What proves the answer. Checked with the suite, never shown to a subject.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proof: Vec<Proof>,
    /// A right answer in words, for a judge and for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// What a judge should look at in this case, beside the rubric of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rubric: Option<String>,
    /// Within how many seconds the answer must be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl ExpectedAnswer {
    /// Whether two names are of one document: the same path, or a path that ends with the other.
    pub fn is_same_document(a: &str, b: &str) -> bool {
        let tidy = |name: &str| {
            let name = name.trim().replace('\\', "/").to_lowercase();
            name.trim_start_matches("./").trim_matches('/').to_owned()
        };
        let (a, b) = (tidy(a), tidy(b));
        let ends = |long: &str, short: &str| {
            // At a slash only: `lease.pdf` is not the end of `release.pdf`.
            !short.is_empty() && long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'))
        };
        a == b || ends(&a, &b) || ends(&b, &a)
    }
}

/// Something an answer must say, or must not.
///
/// Written as a plain text, or as an object with one key: `{"any_of": […]}`, `{"not": "…"}`,
/// `{"regex": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// The answer holds this text.
    Text(String),
    /// It holds at least one of these.
    AnyOf(Vec<String>),
    /// It does not hold this text.
    Not(String),
    /// The regular expression finds a match in it.
    Regex(String),
}

impl Keyword {
    /// The keyword a value stands for; the error tells what is wrong with it.
    pub fn from_value(value: Value) -> Result<Self, String> {
        const FORM: &str = "a keyword is a text, or one of `any_of`, `not`, `regex`";
        let mut entries = match value {
            Value::String(text) => return Ok(Self::Text(text)),
            // YAML reads a bare `442300` as a number, and a text is meant.
            Value::Number(number) => return Ok(Self::Text(number.to_string())),
            Value::Object(object) if object.len() == 1 => object.into_iter(),
            _ => return Err(FORM.to_owned()),
        };
        let Some((key, value)) = entries.next() else { return Err(FORM.to_owned()) };
        match (key.as_str(), value) {
            ("any_of", Value::Array(items)) => {
                let texts: Option<Vec<String>> = items.iter().map(text).collect();
                texts.map(Self::AnyOf).ok_or_else(|| "`any_of` is a list of texts".to_owned())
            }
            ("not", value) => text(&value).map(Self::Not).ok_or("`not` is a text".to_owned()),
            ("regex", Value::String(pattern)) => Ok(Self::Regex(pattern)),
            (key, _) => Err(format!("`{key}` is not understood; {FORM}")),
        }
    }
}

/// A text, or a number as it is written.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

impl Serialize for Keyword {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = match self {
            Self::Text(text) => return to.serialize_str(text),
            _ => to.serialize_map(Some(1))?,
        };
        match self {
            Self::Text(_) => {}
            Self::AnyOf(texts) => map.serialize_entry("any_of", texts)?,
            Self::Not(text) => map.serialize_entry("not", text)?,
            Self::Regex(pattern) => map.serialize_entry("regex", pattern)?,
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Keyword {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::from_value(Value::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// What proves a golden answer, so that a suite can be checked against its own data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Proof {
    /// A query whose rows hold the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The query proves by finding nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub empty: bool,
    /// The document that holds the passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// Words of the document that hold the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_keyword_is_read_as_it_is_written() {
        for value in [
            json!("rent"),
            json!({"any_of": ["rent", "lease"]}),
            json!({"not": "error"}),
            json!({"regex": "^[0-9]+$"}),
        ] {
            let keyword: Keyword = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(keyword).unwrap(), value);
        }
    }

    #[test]
    fn a_number_is_the_text_it_is_written_with() {
        let keyword: Keyword = serde_json::from_value(json!(442_300)).unwrap();
        assert_eq!(keyword, Keyword::Text("442300".into()));
    }

    #[test]
    fn an_unknown_keyword_is_named() {
        let error = Keyword::from_value(json!({"all_of": []})).unwrap_err();
        assert!(error.contains("`all_of`"), "{error}");
    }
}
