//! What readers ask of JSON in whichever form it is in memory.

use std::borrow::Cow;

use serde_json::Value;

use crate::python_json::Node;

/// Up to so many members an object is searched one by one, which is quicker than to hash the key.
const FEW: usize = 8;

/// A JSON value: one that stands for itself, or one that only points at the text it was read from.
pub(crate) trait AnyJson: Sized {
    /// What an object has under a key.
    fn member(&self, key: &str) -> Option<&Self>;
    /// The text, if it is one.
    fn as_text(&self) -> Option<&str>;
    /// The items, if it is a list.
    fn as_items(&self) -> Option<&[Self]>;
    /// Whether it is an object.
    fn has_members(&self) -> bool;
    /// The same as a value that stands for itself.
    fn to_value(&self) -> Cow<'_, Value>;

    /// Whether it is `null`.
    fn is_nothing(&self) -> bool;
}

impl AnyJson for Value {
    fn member(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(object) if object.len() <= FEW => {
                object.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
            }
            Self::Object(object) => object.get(key),
            _ => None,
        }
    }

    fn as_text(&self) -> Option<&str> {
        self.as_str()
    }

    fn as_items(&self) -> Option<&[Self]> {
        self.as_array().map(Vec::as_slice)
    }

    fn has_members(&self) -> bool {
        self.is_object()
    }

    fn to_value(&self) -> Cow<'_, Value> {
        Cow::Borrowed(self)
    }

    fn is_nothing(&self) -> bool {
        self.is_null()
    }
}

impl AnyJson for Node<'_> {
    fn member(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        // The last of two equal keys counts.
        members.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn as_items(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    fn has_members(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    fn to_value(&self) -> Cow<'_, Value> {
        Cow::Owned(self.value())
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Null)
    }
}
