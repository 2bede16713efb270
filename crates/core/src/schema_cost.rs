//! How often parts of a schema are applied to one value, before anything is applied.
//!
//! Thirty definitions that each refer twice to the one before them are a page of text and a
//! billion steps. The validator follows every reference, so such schemas are found beforehand.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// How many parts of a schema may be applied to one value and to what is nested in it.
pub const MOST: u64 = 200_000;

/// How long a chain of references may be. The validator follows them on its stack.
const LONGEST_CHAIN: usize = 500;

/// Keywords whose schemas are applied to the same value.
const IN_PLACE: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];
/// Keywords whose schemas have names and are applied to the same value.
const IN_PLACE_BY_NAME: [&str; 2] = ["dependentSchemas", "dependencies"];
/// Keywords that refer to a schema elsewhere.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// Keywords whose schemas are applied to what is nested in the value.
const NESTED: [&str; 8] = [
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose schemas have names and are applied to what is nested in the value.
const NESTED_BY_NAME: [&str; 2] = ["properties", "patternProperties"];

/// How many parts of `schema` are applied at most along one path into a value that is `depth`
/// deep. Different properties are different paths; what several branches say of one property
/// counts for each.
pub fn cost(schema: &Value, depth: usize) -> u64 {
    let mut anchors = BTreeMap::new();
    collect_anchors(schema, &mut anchors);
    Counter { root: schema, anchors, known: BTreeMap::new(), chain: 0 }.of(schema, depth)
}

/// How deep a value is: 0 for a number or a text.
pub fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(object) => 1 + object.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

struct Counter<'a> {
    root: &'a Value,
    anchors: BTreeMap<&'a str, &'a Value>,
    /// By the address of the schema and the depth that is left. While a schema is being counted
    /// it counts as one, so that a reference to itself ends.
    known: BTreeMap<(usize, usize), u64>,
    /// How many schemas are being counted at the moment, one within the other.
    chain: usize,
}

impl<'a> Counter<'a> {
    fn of(&mut self, schema: &'a Value, depth: usize) -> u64 {
        let Value::Object(object) = schema else { return 1 };
        let key = (std::ptr::from_ref(schema).addr(), depth);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.chain > LONGEST_CHAIN {
            return u64::MAX;
        }
        self.known.insert(key, 1);
        self.chain += 1;
        let cost = self.of_object(object, depth);
        self.chain -= 1;
        self.known.insert(key, cost);
        cost
    }

    fn of_object(&mut self, schema: &'a Map<String, Value>, depth: usize) -> u64 {
        let mut sum: u64 = 1;
        for (keyword, value) in schema {
            let keyword = keyword.as_str();
            let inner = depth.checked_sub(1);
            let more = if REFERENCES.contains(&keyword) {
                let target = value.as_str().and_then(|reference| self.find(reference));
                target.map_or(1, |target| self.of(target, depth))
            } else if IN_PLACE.contains(&keyword) {
                self.all(listed(value), depth)
            } else if IN_PLACE_BY_NAME.contains(&keyword) {
                self.all(named(value), depth)
            } else if NESTED.contains(&keyword) {
                // Counted along one way down: an item meets one of these schemas and not all of them.
                inner.map_or(0, |depth| self.largest(listed(value), depth))
            } else if NESTED_BY_NAME.contains(&keyword) {
                inner.map_or(0, |depth| self.largest(named(value), depth))
            } else {
                0
            };
            sum = sum.saturating_add(more);
        }
        sum
    }

    /// All schemas of a keyword together.
    fn all(&mut self, schemas: Vec<&'a Value>, depth: usize) -> u64 {
        schemas.into_iter().fold(0, |sum: u64, schema| sum.saturating_add(self.of(schema, depth)))
    }

    /// The costliest of the schemas of a keyword.
    fn largest(&mut self, schemas: Vec<&'a Value>, depth: usize) -> u64 {
        schemas.into_iter().map(|schema| self.of(schema, depth)).max().unwrap_or(0)
    }

    /// The schema that a reference within the document names.
    fn find(&self, reference: &str) -> Option<&'a Value> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = if base.is_empty() { self.root } else { self.anchors.get(base)? };
        if fragment.is_empty() || fragment.starts_with('/') {
            return base.pointer(&fragment.replace("%25", "%"));
        }
        self.anchors.get(fragment).copied()
    }
}

/// The schemas of a keyword that holds one or a list of them.
fn listed(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |items| items.iter().collect())
}

/// The schemas of a keyword that holds them by name.
fn named(value: &Value) -> Vec<&Value> {
    value.as_object().map_or_else(Vec::new, |object| object.values().collect())
}

fn collect_anchors<'a>(value: &'a Value, anchors: &mut BTreeMap<&'a str, &'a Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_anchors(item, anchors)),
        Value::Object(object) => {
            for keyword in ["$id", "id", "$anchor", "$dynamicAnchor"] {
                if let Some(name) = object.get(keyword).and_then(Value::as_str) {
                    // Older drafts write an anchor as `"$id": "#name"`.
                    anchors.insert(name.trim_matches('#'), value);
                }
            }
            object.values().for_each(|value| collect_anchors(value, anchors));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::*;

    /// Definitions of which each refers twice to the one before, in one way of several.
    fn doubled(times: usize, way: fn(Value) -> Value) -> Value {
        let mut definitions = Map::new();
        definitions.insert("d0".into(), json!({"type": "object"}));
        for number in 1..=times {
            let before = json!({"$ref": format!("#/$defs/d{}", number - 1)});
            definitions.insert(format!("d{number}"), way(before));
        }
        json!({"type": "object", "$ref": format!("#/$defs/d{times}"), "$defs": definitions})
    }

    #[test]
    fn doubling_is_counted_and_not_carried_out() {
        let start = Instant::now();
        let ways: [fn(Value) -> Value; 4] = [
            |before| json!({"allOf": [before, before]}),
            |before| json!({"anyOf": [before], "oneOf": [before]}),
            |before| json!({"if": before, "then": before, "else": before}),
            |before| json!({"not": before, "dependentSchemas": {"a": before}, "allOf": [before]}),
        ];
        for way in ways {
            assert!(cost(&doubled(60, way), 0) > MOST);
        }
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn doubling_by_depth_counts_as_deep_as_the_value_is() {
        let branch = json!({"properties": {"not": {"$ref": "#"}}});
        let schema = json!({"type": "object", "anyOf": [branch, branch]});
        assert!(cost(&schema, 3) < 100);
        assert!(cost(&schema, 60) > MOST);
    }

    #[test]
    fn a_tree_is_no_doubling() {
        let tree = json!({"type": "object", "properties": {
            "left": {"$ref": "#"}, "right": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}}});
        assert!(cost(&tree, 100) < 2_000, "{}", cost(&tree, 100));
    }

    #[test]
    fn names_lead_to_their_schemas() {
        let schema = json!({"$ref": "#end", "$defs": {
            "a": {"$anchor": "start", "type": "object"},
            "b": {"$anchor": "end", "allOf": [{"$ref": "#start"}, {"$ref": "#start"}]}}});
        assert_eq!(cost(&schema, 0), 6);
    }
}
