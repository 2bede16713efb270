//! Values that point at the text they were read from.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::build::{DEEPEST, Limits, WANT_END, word};
use super::token::Scalar;
use super::{ScanStop, Scanner};

/// A value that points at the text it was read from, as far as nothing in there is escaped. To make
/// one takes a fraction of the time that a [`Value`] takes, which has a copy of every key and a table
/// for every object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Self>),
    /// The members as they stand there, so that a key may come twice; the last one counts.
    Object(Vec<(Cow<'a, str>, Self)>),
}

impl<'a> Node<'a> {
    /// Reads a whole text as one value.
    pub(crate) fn parse(text: &'a [u8]) -> Result<Self, ScanStop> {
        let mut scanner = Scanner::new(text);
        let node = Self::read(&mut scanner)?;
        match scanner.peek() {
            None => Ok(node),
            Some(_) => Err(scanner.stop(WANT_END)),
        }
    }

    /// Moves past a value, within the limits that hold for a value that is built.
    pub(crate) fn read(scanner: &mut Scanner<'a>) -> Result<Self, ScanStop> {
        Self::nested(scanner, DEEPEST, &mut Limits::default())
    }

    fn nested(
        scanner: &mut Scanner<'a>,
        room: usize,
        limits: &mut Limits,
    ) -> Result<Self, ScanStop> {
        let first = limits.next(scanner, room)?;
        match first {
            Some(b'{') => {
                let mut members = Vec::new();
                scanner.members(|scanner, key| {
                    members.push((key.text(), Self::nested(scanner, room - 1, limits)?));
                    Ok(())
                })?;
                Ok(Self::Object(members))
            }
            Some(b'[') => {
                let mut items = Vec::new();
                scanner.items(|scanner| {
                    items.push(Self::nested(scanner, room - 1, limits)?);
                    Ok(())
                })?;
                Ok(Self::List(items))
            }
            _ => Ok(match scanner.scalar()? {
                Scalar::Text(quoted) => Self::Text(quoted.text()),
                Scalar::Word(written) => match word(written) {
                    Value::Bool(flag) => Self::Bool(flag),
                    Value::Number(number) => Self::Number(number),
                    // A number that stands for itself nowhere but in Python.
                    Value::String(stand_in) => Self::Text(stand_in.into()),
                    _ => Self::Null,
                },
            }),
        }
    }

    /// The same as a value that stands for itself.
    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(*flag),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.as_ref().to_owned()),
            Self::List(items) => Value::Array(items.iter().map(Self::value).collect()),
            Self::Object(members) => Value::Object(object(members.iter())),
        }
    }

    /// Of an object the members of these names.
    pub(crate) fn picked(&self, names: &[&str]) -> Value {
        let Self::Object(members) = self else { return self.value() };
        Value::Object(object(members.iter().filter(|(key, _)| names.contains(&&**key))))
    }
}

fn object<'n, 'a: 'n>(
    members: impl Iterator<Item = &'n (Cow<'a, str>, Node<'a>)>,
) -> Map<String, Value> {
    members.map(|(key, node)| (key.as_ref().to_owned(), node.value())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python_json::parse;

    #[test]
    fn a_value_is_the_same_whether_or_not_it_points_at_its_text() {
        let texts = [
            r#"{"a": [1, -2.5e3, true, null, "x"], "b": {}, "a": {"c\u0041": "\ud83d"}}"#,
            r#"[NaN, -Infinity, 123456789012345678901234567890, "caf\u00e9 é", []]"#,
            "\"\u{10ffff}text\"",
            "7",
        ];
        for text in texts {
            let node = Node::parse(text.as_bytes()).unwrap();
            assert_eq!(node.value(), parse(text.as_bytes()).unwrap(), "{text}");
        }
        let object = Node::parse(texts[0].as_bytes()).unwrap();
        assert_eq!(object.picked(&["b"]), serde_json::json!({"b": {}}));
    }

    #[test]
    fn what_cannot_be_built_is_no_node_either() {
        let deep = |levels: usize| [vec![b'['; levels], vec![b']'; levels]].concat();
        for text in [&deep(DEEPEST + 1)[..], b"", b"[1,]", b"{\"a\" 1}", b"1 2", b"\"\\x\""] {
            assert_eq!(Node::parse(text).unwrap_err(), parse(text).unwrap_err());
        }
        assert!(Node::parse(&deep(DEEPEST)).is_ok());
    }
}
