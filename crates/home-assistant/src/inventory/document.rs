//! YAML with its line numbers: what reading an inventory needs to say where a problem is.

use std::borrow::Cow;

use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};
use serde_json::{Map, Number, Value};

use super::problem::{InventoryError, Problem};

/// A place in the file.
pub(crate) type Node<'a> = MarkedYaml<'a>;

/// The file's one document; an empty file holds nothing.
pub(crate) fn parse<'a>(origin: &str, text: &'a str) -> Result<Option<Node<'a>>, InventoryError> {
    let documents = Node::load_from_str(text).map_err(|error| {
        InventoryError::Invalid(vec![Problem {
            origin: origin.to_owned(),
            line: error.marker().line(),
            message: format!("not YAML: {}", error.info()),
        }])
    })?;
    Ok(documents.into_iter().next())
}

/// JSON in a form that YAML readers understand. JSON may write one character as two escapes
/// (`\ud83d\udca1`), which YAML does not know.
pub(super) fn without_surrogates(text: &str) -> Cow<'_, str> {
    let may_have = text.trim_start().starts_with('{') && text.to_ascii_lowercase().contains("\\ud");
    match may_have.then(|| serde_json::from_str::<Value>(text)) {
        Some(Ok(value)) => Cow::Owned(format!("{value:#}")),
        _ => Cow::Borrowed(text),
    }
}

/// The line a node starts on, from 1.
pub(crate) fn line(node: &Node<'_>) -> usize {
    node.span.start.line().max(1)
}

/// The scalar of a node as text, numbers and booleans as they are written in JSON; `None` for
/// null and for collections.
pub(super) fn text(node: &Node<'_>) -> Option<String> {
    match value(node) {
        Value::String(text) => Some(text),
        other @ (Value::Number(_) | Value::Bool(_)) => Some(other.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a node is null, written or left out.
pub(super) fn is_null(node: &Node<'_>) -> bool {
    value(node).is_null()
}

/// A mapping's entries, keys as text.
pub(super) fn entries<'n, 'a>(node: &'n Node<'a>) -> Option<Vec<(String, &'n Node<'a>)>> {
    match &node.data {
        YamlData::Mapping(mapping) => {
            Some(mapping.iter().map(|(key, value)| (key_text(key), value)).collect())
        }
        YamlData::Tagged(_, inner) => entries(inner),
        _ => None,
    }
}

/// A list's items.
pub(crate) fn items<'n, 'a>(node: &'n Node<'a>) -> Option<&'n [Node<'a>]> {
    match &node.data {
        YamlData::Sequence(list) => Some(list),
        YamlData::Tagged(_, inner) => items(inner),
        _ => None,
    }
}

/// A node as JSON.
pub(crate) fn value(node: &Node<'_>) -> Value {
    match &node.data {
        YamlData::Value(scalar) => scalar_value(scalar),
        YamlData::Representation(text, style, tag) => {
            Scalar::parse_from_cow_and_metadata(text.clone(), *style, tag.as_ref())
                .map_or(Value::Null, |scalar| scalar_value(&scalar))
        }
        YamlData::Sequence(items) => Value::Array(items.iter().map(value).collect()),
        YamlData::Mapping(mapping) => Value::Object(
            mapping.iter().map(|(key, item)| (key_text(key), value(item))).collect::<Map<_, _>>(),
        ),
        YamlData::Tagged(_, inner) => value(inner),
        YamlData::Alias(_) | YamlData::BadValue => Value::Null,
    }
}

fn scalar_value(scalar: &Scalar<'_>) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Boolean(truth) => Value::Bool(*truth),
        Scalar::Integer(number) => Value::from(*number),
        Scalar::FloatingPoint(number) => {
            Number::from_f64(number.0).map_or(Value::Null, Value::Number)
        }
        Scalar::String(text) => Value::String(text.to_string()),
    }
}

fn key_text(key: &Node<'_>) -> String {
    text(key).unwrap_or_default()
}

/// What kind of thing a node is, for messages.
pub(super) fn kind(node: &Node<'_>) -> &'static str {
    match value(node) {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}
