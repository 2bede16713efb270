//! The state of one entity.

use serde::Deserialize;
use serde_json::{Map, Value};

/// An entity with its state and attributes, as Home Assistant tells them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct EntityState {
    /// The id: `light.lamp`.
    pub entity_id: String,
    /// The state: `on`.
    pub state: String,
    /// The attributes.
    #[serde(default)]
    pub attributes: Map<String, Value>,
}

impl EntityState {
    /// The domain: `light`.
    pub(crate) fn domain(&self) -> &str {
        self.entity_id.split_once('.').map_or(&*self.entity_id, |(domain, _)| domain)
    }

    /// Whether another state has all that this one asks for. An attribute that is null may be
    /// missing.
    pub(crate) fn is_met_by(&self, other: &Self) -> bool {
        let has = |(name, value): (&String, &Value)| match other.attributes.get(name) {
            Some(found) => same(value, found),
            None => value.is_null(),
        };
        self.state == other.state && self.attributes.iter().all(has)
    }
}

/// Whether two values are the same, however a number is written.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        _ => one == other,
    }
}
