//! What a state is: everything that was looked at, and how it differs from the beginning.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

/// Everything that was looked at: by kind, by thing.
pub type Snapshot = BTreeMap<String, BTreeMap<String, Thing>>;

/// One thing of a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub enum Thing {
    /// A thing with properties.
    Properties(BTreeMap<String, Value>),
    /// A list whose order does not count.
    List(Vec<Value>),
}

impl Thing {
    /// A thing with one property.
    pub fn with(property: &str, value: impl Into<Value>) -> Self {
        Self::Properties(BTreeMap::from([(property.to_owned(), value.into())]))
    }

    fn properties(&self) -> Option<&BTreeMap<String, Value>> {
        match self {
            Self::Properties(properties) => Some(properties),
            Self::List(_) => None,
        }
    }
}

/// How a snapshot ends: the properties that changed since the start, each with the value before
/// and after, and lists as they are.
pub(crate) fn end(start: &Snapshot, now: &Snapshot) -> Value {
    let mut kinds = Map::new();
    let names = start.keys().chain(now.keys()).collect::<std::collections::BTreeSet<_>>();
    for kind in names {
        let nothing = BTreeMap::new();
        let (before, after) =
            (start.get(kind).unwrap_or(&nothing), now.get(kind).unwrap_or(&nothing));
        let mut things = Map::new();
        let names = before.keys().chain(after.keys()).collect::<std::collections::BTreeSet<_>>();
        for thing in names {
            match (before.get(thing), after.get(thing)) {
                (_, Some(Thing::List(items))) => {
                    things.insert(thing.clone(), Value::Array(items.clone()));
                }
                (Some(Thing::List(_)), None) => drop(things.insert(thing.clone(), json!([]))),
                (before, after) => {
                    let changed = changed(before, after);
                    if !changed.is_empty() {
                        things.insert(thing.clone(), Value::Object(changed));
                    }
                }
            }
        }
        kinds.insert(kind.clone(), Value::Object(things));
    }
    Value::Object(kinds)
}

fn changed(before: Option<&Thing>, after: Option<&Thing>) -> Map<String, Value> {
    let nothing = BTreeMap::new();
    let before = before.and_then(Thing::properties).unwrap_or(&nothing);
    let after = after.and_then(Thing::properties).unwrap_or(&nothing);
    let names = before.keys().chain(after.keys()).collect::<std::collections::BTreeSet<_>>();
    let changes = names.into_iter().filter_map(|name| {
        let (before, after) = (before.get(name), after.get(name));
        (before != after).then(|| (name.clone(), json!([before, at_the_end(after)])))
    });
    changes.collect()
}

/// What is at the end of a change. That nothing is left is a word of its own: whoever compares ends
/// takes no value for one that nobody touched.
fn at_the_end(value: Option<&Value>) -> Value {
    match value {
        None | Some(Value::Null) => Value::from("(none)"),
        Some(Value::Array(items)) if items.is_empty() => Value::from("(none)"),
        Some(value) => value.clone(),
    }
}

/// What changed between the start's end and another, by thing: what reports show before and after.
pub(crate) fn changes(start: &Value, end: &Value) -> Value {
    let mut changes = Map::new();
    for (kind, things) in end.as_object().into_iter().flatten() {
        for (thing, now) in things.as_object().into_iter().flatten() {
            let change = match now {
                Value::Array(_) => {
                    let before = start.get(kind).and_then(|things| things.get(thing));
                    let before = before.cloned().unwrap_or_else(|| json!([]));
                    if before == *now {
                        continue;
                    }
                    json!([before, now])
                }
                properties => properties.clone(),
            };
            changes.insert(thing.clone(), change);
        }
    }
    Value::Object(changes)
}

/// How a trial begins: what its folder is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Its name.
    pub name: String,
    /// The files, by their paths in the folder.
    pub files: Vec<(String, Vec<u8>)>,
    /// The databases, each with the SQL that makes it.
    pub sql: Vec<(String, String)>,
    /// The command lines that are run then.
    pub run: Vec<String>,
}

impl Setup {
    /// A hash of all it is made of: when it changes, what was recorded is of another world.
    pub fn made_of(&self) -> String {
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| {
            // With its length, so that bytes cannot move from one part to the next unnoticed.
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        };
        for (path, bytes) in &self.files {
            add(path.as_bytes());
            add(bytes);
        }
        for (path, sql) in &self.sql {
            add(path.as_bytes());
            add(sql.as_bytes());
        }
        for line in &self.run {
            add(line.as_bytes());
        }
        digits(hash)
    }
}

/// The name of a state: the same for the same end of the same beginning, whichever calls led there.
pub(crate) fn state_key(setup: &str, made_of: &str, end: &Value) -> String {
    let text = format!("{setup}\n{made_of}\n{}", canonical(end));
    digits(Sha256::new_with_prefix(text))
}

/// The name of the state that a call leads to where nothing is looked at: that of the calls so far.
pub(crate) fn next_key(state: &str, tool: &str, arguments: &str) -> String {
    digits(Sha256::new_with_prefix(format!("{state}\n{tool}\n{arguments}")))
}

fn digits(hash: Sha256) -> String {
    let digest = hash.finalize();
    digest.iter().take(6).fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A value as text that does not depend on the order of its keys.
pub(crate) fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

/// The same of the arguments of a call.
pub(crate) fn canonical_arguments(arguments: &Map<String, Value>) -> String {
    let mut text = String::new();
    write_object(arguments, &mut text);
    text
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => write_object(map, text),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write_value(item, text);
            }
            text.push(']');
        }
        other => {
            // Writing to a string cannot fail.
            let _ = write!(text, "{other}");
        }
    }
}

fn write_object(map: &Map<String, Value>, text: &mut String) {
    let mut entries: Vec<(&String, &Value)> = map.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    text.push('{');
    for (at, (key, value)) in entries.into_iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{}:", Value::from(key.as_str()));
        write_value(value, text);
    }
    text.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(files: &[(&str, &str)], lines: &[&str]) -> Snapshot {
        let files =
            files.iter().map(|(path, text)| ((*path).to_owned(), Thing::with("content", *text)));
        let lines = lines.iter().map(|line| Value::from(*line)).collect();
        Snapshot::from([
            ("files".to_owned(), files.collect()),
            ("lines".to_owned(), BTreeMap::from([("notes".to_owned(), Thing::List(lines))])),
        ])
    }

    #[test]
    fn only_what_changed_is_part_of_an_end_and_lists_stand_whole() {
        let start = snapshot(&[("a", "1"), ("b", "2")], &["x"]);
        let now = snapshot(&[("a", "1"), ("b", "3"), ("c", "4")], &["x", "y"]);
        let first = end(&start, &start);
        assert_eq!(first, json!({"files": {}, "lines": {"notes": ["x"]}}));
        let then = end(&start, &now);
        let files = json!({"b": {"content": ["2", "3"]}, "c": {"content": [null, "4"]}});
        assert_eq!(then, json!({"files": files, "lines": {"notes": ["x", "y"]}}));
        let mut told = files;
        told["notes"] = json!([["x"], ["x", "y"]]);
        assert_eq!(changes(&first, &then), told);
        assert_eq!(changes(&first, &first), json!({}));
    }

    #[test]
    fn a_thing_that_is_gone_is_not_one_that_nobody_touched() {
        let start = snapshot(&[("a", "1"), ("b", "2")], &[]);
        let moved = snapshot(&[("b", "2")], &[]);
        assert_eq!(end(&start, &moved)["files"], json!({"a": {"content": ["1", "(none)"]}}));
        let staged = |items: Value| {
            let git = BTreeMap::from([("project".to_owned(), Thing::with("status", items))]);
            Snapshot::from([("git".to_owned(), git)])
        };
        let clean = end(&staged(json!(["M a"])), &staged(json!([])));
        assert_eq!(clean["git"]["project"], json!({"status": [["M a"], "(none)"]}));
    }

    #[test]
    fn a_state_is_named_by_its_beginning_and_its_end() {
        let setup = |text: &str| Setup {
            name: "desk".to_owned(),
            files: vec![("a".to_owned(), text.as_bytes().to_vec())],
            ..Setup::default()
        };
        let key = |text: &str, end: &Value| state_key("desk", &setup(text).made_of(), end);
        let one = json!({"x": 1, "y": {"b": [1, "\"", []], "a": 2}});
        let same = json!({"y": {"a": 2, "b": [1, "\"", []]}, "x": 1});
        assert_eq!(canonical(&one), r#"{"x":1,"y":{"a":2,"b":[1,"\"",[]]}}"#);
        assert_eq!(key("1", &one), key("1", &same));
        assert_ne!(key("1", &one), key("2", &one));
        assert_ne!(key("1", &one), key("1", &json!({})));
    }
}
