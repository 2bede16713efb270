//! A thing in a world, as the calls of a trial left it.

use indexmap::IndexMap;
use serde_json::{Map, Value};

/// A thing in a world: what it is called, where it is and how it is now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldThing {
    /// Its identifier, such as `light.kitchen_ceiling_light`.
    pub id: String,
    /// Every name it answers to, the usual one first.
    pub names: Vec<String>,
    /// The words of each of these names.
    pub name_words: Vec<Vec<String>>,
    /// Every name of the area it is in.
    pub areas: Vec<String>,
    /// Every name of the floor it is on.
    pub floors: Vec<String>,
    /// Its state.
    pub state: String,
    /// Further properties.
    pub attributes: Map<String, Value>,
}

impl WorldThing {
    /// A thing with its names, in no place and no state yet.
    pub fn new(id: impl Into<String>, names: Vec<String>) -> Self {
        let name_words = names.iter().map(|name| Self::words_of(name)).collect();
        Self { id: id.into(), names, name_words, ..Self::default() }
    }

    /// The words of a name in small letters. A name has no short forms and no layout.
    pub fn words_of(name: &str) -> Vec<String> {
        let is_inside = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
        let words = name.split(|c: char| !is_inside(c)).filter(|word| !word.is_empty());
        words.map(|word| word.to_lowercase().replace('’', "'")).collect()
    }

    /// What kind of thing it is: the part of its identifier before the point.
    pub fn domain(&self) -> &str {
        self.id.split('.').next().unwrap_or_default()
    }

    /// Which kind within its domain, if it says so.
    pub fn device_class(&self) -> Option<&str> {
        self.attributes.get("device_class").and_then(Value::as_str)
    }

    /// Whether it has all of these properties: `domain`, `device_class`, `area`, `floor`, `state`,
    /// or an attribute by its name.
    pub fn has(&self, properties: &IndexMap<String, String>) -> bool {
        let among = |names: &[String], wanted: &str| {
            names.iter().any(|name| name.to_lowercase() == wanted.to_lowercase())
        };
        properties.iter().all(|(name, wanted)| match name.as_str() {
            "domain" => self.domain() == wanted,
            "device_class" => self.device_class() == Some(wanted),
            "area" => among(&self.areas, wanted),
            "floor" => among(&self.floors, wanted),
            "state" => self.state == *wanted,
            other => self.attributes.get(other).and_then(Value::as_str) == Some(wanted),
        })
    }
}
