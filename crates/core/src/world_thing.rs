//! A thing in a world, as the calls of a trial left it.

use indexmap::IndexMap;
use serde_json::{Map, Value};

/// A thing in a world: what it is called, where it is and how it is now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldThing {
    /// Its identifier.
    pub id: String,
    /// Every name it answers to, the usual one first.
    pub names: Vec<String>,
    /// The words of each of these names.
    pub name_words: Vec<Vec<String>>,
    /// What kind of thing it is, by the world's names of such properties: the widest kind first.
    pub kinds: IndexMap<String, String>,
    /// Where it is, the nearest place first.
    pub places: Vec<ThingPlace>,
    /// Its state in the world's own word: `on`, `closed`, `21.5`.
    pub state: String,
    /// Further properties.
    pub attributes: Map<String, Value>,
}

/// A place in which a thing is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThingPlace {
    /// The world's name of such places, by which a suite may ask for the things in it.
    pub kind: String,
    /// Every name of the place, the usual one first.
    pub names: Vec<String>,
}

impl WorldThing {
    /// A thing with its names, of no kind, in no place and no state yet.
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

    /// What kind of thing it is, in the widest sense; empty if the world has no kinds.
    pub fn kind(&self) -> &str {
        self.kinds.first().map_or("", |(_, kind)| kind)
    }

    /// Which kind within its kind, if the world says so.
    pub fn class(&self) -> Option<&str> {
        self.kinds.get_index(1).map(|(_, class)| class.as_str())
    }

    /// Every name of the nearest place it is in.
    pub fn place_names(&self) -> &[String] {
        self.places.first().map_or(&[], |place| &place.names)
    }

    /// Every name of every place it is in.
    pub fn all_place_names(&self) -> impl Iterator<Item = &String> + Clone {
        self.places.iter().flat_map(|place| &place.names)
    }

    /// Whether it has all of these properties: a kind, a place or an attribute by the world's name
    /// of it, or `state`.
    pub fn has(&self, properties: &IndexMap<String, String>) -> bool {
        properties.iter().all(|(name, wanted)| {
            let is_wanted = |name: &String| name.to_lowercase() == wanted.to_lowercase();
            // Compared letter by letter: states are a world's own words. Names of places are
            // written by people.
            if name == "state" {
                self.state == *wanted
            } else if let Some(kind) = self.kinds.get(name) {
                kind == wanted
            } else if let Some(place) = self.places.iter().find(|place| place.kind == *name) {
                place.names.iter().any(is_wanted)
            } else {
                self.attributes.get(name).and_then(Value::as_str) == Some(wanted)
            }
        })
    }
}
