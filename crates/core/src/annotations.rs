//! Named values that most cases do without.

use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

/// A JSON object that takes one word of memory while it is empty.
///
/// A suite may have hundreds of thousands of cases, and an empty map in each of them would be
/// most of what an ordinary case takes. To whoever reads or writes it, it is the map.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct Annotations(Option<Box<Map<String, Value>>>);

static NOTHING: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

impl Annotations {
    /// Whether there are none, in the form serde asks for.
    pub fn are_none(&self) -> bool {
        self.is_empty()
    }
}

impl PartialEq for Annotations {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Serialize for Annotations {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}

impl From<Map<String, Value>> for Annotations {
    fn from(map: Map<String, Value>) -> Self {
        Self((!map.is_empty()).then(|| Box::new(map)))
    }
}

impl From<Annotations> for Map<String, Value> {
    fn from(annotations: Annotations) -> Self {
        annotations.0.map(|map| *map).unwrap_or_default()
    }
}

impl Deref for Annotations {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Self::Target {
        self.0.as_deref().unwrap_or(&NOTHING)
    }
}

impl DerefMut for Annotations {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.0.get_or_insert_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_takes_one_word_and_reads_as_an_empty_object() {
        let none = Annotations::from(Map::new());
        assert_eq!(size_of::<Annotations>(), size_of::<usize>());
        assert!(none.is_empty() && none.0.is_none());
        assert_eq!(none.get("a"), None);
        assert_eq!(serde_json::to_value(&none).unwrap(), json!({}));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut some = Annotations::default();
        some.insert("a".into(), json!([1, null]));
        let text = serde_json::to_string(&some).unwrap();
        assert_eq!(text, r#"{"a":[1,null]}"#);
        assert_eq!(serde_json::from_str::<Annotations>(&text).unwrap(), some);
    }
}
