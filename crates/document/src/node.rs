//! A value in which every part has its line.

use serde_json::Value;

use crate::positions::{Place, Positions};
use crate::{SyntaxProblem, parse_json, parse_yaml};

/// A value of a document, with the line it is written on.
#[derive(Debug)]
pub struct Node {
    line: usize,
    data: NodeData,
}

#[derive(Debug)]
enum NodeData {
    Scalar(Value),
    List(Vec<Node>),
    Mapping(Vec<(String, Node)>),
}

impl Node {
    /// Reads a text of YAML or JSON. An empty text is null.
    pub fn parse(text: &str) -> Result<Self, SyntaxProblem> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let json = text.trim_start().starts_with('{').then(|| parse_json(text));
        let Some(Ok(value)) = json else {
            let value = parse_yaml(text)?;
            return Ok(Self::placed(value, Positions::of(text).as_ref().map(Positions::root), 1));
        };
        // JSON may write one character as two escapes (`\ud83d\udca1`), which the parser of
        // positions refuses. Other escapes of the same length do not move anything.
        let text = text.replace("\\ud", "\\u0").replace("\\uD", "\\u0");
        Ok(Self::placed(value, Positions::of(&text).as_ref().map(Positions::root), 1))
    }

    /// Gives a value its lines. What has no place of its own, such as a merged key, has the line
    /// of what it is in.
    fn placed(value: Value, place: Option<Place<'_>>, outer: usize) -> Self {
        let line = place.map_or(outer, |place| place.line_and_column().0);
        let data = match value {
            Value::Array(items) => NodeData::List(
                (0..)
                    .zip(items)
                    .map(|(at, item)| Self::placed(item, place.and_then(|p| p.item(at)), line))
                    .collect(),
            ),
            Value::Object(entries) => NodeData::Mapping(
                entries
                    .into_iter()
                    .map(|(key, item)| {
                        let node = Self::placed(item, place.and_then(|p| p.entry(&key)), line);
                        (key, node)
                    })
                    .collect(),
            ),
            scalar => NodeData::Scalar(scalar),
        };
        Self { line, data }
    }

    /// The line this is written on, from 1: that of its key if it has one.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The scalar as text, numbers and booleans as they are written in JSON; `None` for null and
    /// for collections.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match &self.data {
            NodeData::Scalar(Value::String(text)) => Some(text.clone()),
            NodeData::Scalar(Value::Null) | NodeData::List(_) | NodeData::Mapping(_) => None,
            NodeData::Scalar(other) => Some(other.to_string()),
        }
    }

    /// Whether this is null, written or left out.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.data, NodeData::Scalar(Value::Null))
    }

    /// A mapping's entries.
    #[must_use]
    pub fn entries(&self) -> Option<&[(String, Self)]> {
        match &self.data {
            NodeData::Mapping(entries) => Some(entries),
            NodeData::Scalar(_) | NodeData::List(_) => None,
        }
    }

    /// A list's items.
    #[must_use]
    pub fn items(&self) -> Option<&[Self]> {
        match &self.data {
            NodeData::List(items) => Some(items),
            NodeData::Scalar(_) | NodeData::Mapping(_) => None,
        }
    }

    /// The value without its lines.
    #[must_use]
    pub fn value(&self) -> Value {
        match &self.data {
            NodeData::Scalar(value) => value.clone(),
            NodeData::List(items) => Value::Array(items.iter().map(Self::value).collect()),
            NodeData::Mapping(entries) => Value::Object(
                entries.iter().map(|(key, node)| (key.clone(), node.value())).collect(),
            ),
        }
    }

    /// What kind of thing this is, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.data {
            NodeData::Scalar(Value::Null) => "nothing",
            NodeData::Scalar(Value::Bool(_)) => "a boolean",
            NodeData::Scalar(Value::Number(_)) => "a number",
            NodeData::Scalar(_) => "text",
            NodeData::List(_) => "a list",
            NodeData::Mapping(_) => "a mapping",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at<'n>(node: &'n Node, key: &str) -> &'n Node {
        node.entries()
            .unwrap()
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, node)| node)
            .unwrap()
    }

    #[test]
    fn every_value_has_the_line_of_its_key() {
        let node = Node::parse("a: 1\nb:\n  - x\n  - c: NO\n").unwrap();
        let items = at(&node, "b").items().unwrap();
        assert_eq!((at(&node, "b").line(), items[0].line()), (2, 3));
        assert_eq!((at(&items[1], "c").line(), at(&items[1], "c").text()), (4, Some("NO".into())));
        assert_eq!(node.value(), json!({"a": 1, "b": ["x", {"c": "NO"}]}));
    }

    #[test]
    fn json_with_a_character_in_two_escapes_keeps_its_lines() {
        let node = Node::parse("{\"a\": \"\\ud83d\\udca1\",\n\"b\": 2}").unwrap();
        assert_eq!((at(&node, "a").text(), at(&node, "b").line()), (Some("💡".into()), 2));
    }

    #[test]
    fn what_a_merge_brings_has_the_line_of_what_it_is_in() {
        let node = Node::parse("base: &base {x: 1}\nmore:\n  <<: *base\n  y: 2\n").unwrap();
        assert_eq!((at(at(&node, "more"), "x").line(), at(at(&node, "more"), "y").line()), (2, 4));
    }

    #[test]
    fn an_empty_text_is_null() {
        assert!(Node::parse("").unwrap().is_null());
        assert!(Node::parse("# nothing\n").unwrap().is_null());
    }
}
