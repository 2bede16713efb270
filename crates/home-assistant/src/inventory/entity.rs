//! Something in a home that has a state.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::contents::{CalendarEvent, Effect, Script, TodoItem};
use crate::features;

/// The state of what cannot be reached.
pub(crate) const UNAVAILABLE: &str = "unavailable";

/// Something in the home that has a state.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The id: `light.kitchen_ceiling_light`.
    pub id: String,
    /// The friendly name: what it is listed by and what replies call it.
    pub name: String,
    /// Every name it answers to. The friendly name is usually the first, but need not be among
    /// them: Home Assistant keeps this list apart.
    pub names: Vec<String>,
    /// The state at the start.
    pub state: String,
    /// The attributes at the start.
    pub attributes: Map<String, Value>,
    /// Whether it is exposed to the assistant.
    pub exposed: bool,
    /// Digits a sensor shows behind the point, where the inventory says so.
    pub display_precision: Option<usize>,
    /// What calls can make it do, as Home Assistant's bits.
    pub(crate) features: u64,
    /// The position of the area it is in.
    pub(crate) area: Option<usize>,
    pub(crate) contents: Contents,
    domain_length: usize,
}

/// What an entity holds beside its state and attributes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Contents {
    Nothing,
    List(Arc<Vec<TodoItem>>),
    Calendar(Vec<CalendarEvent>),
    Script(Script),
    /// The states that turning on a scene sets.
    Scene(Effect),
}

impl Entity {
    /// An entity as an inventory describes it; `id` holds a dot.
    pub(crate) fn new(
        id: String,
        name: String,
        state: String,
        attributes: Map<String, Value>,
    ) -> Self {
        let domain_length = id.find('.').unwrap_or(id.len());
        let features = features::of(&id[..domain_length], &attributes);
        Self {
            names: vec![name.clone()],
            exposed: true,
            display_precision: None,
            area: None,
            contents: Contents::Nothing,
            id,
            name,
            state,
            attributes,
            features,
            domain_length,
        }
    }

    /// The part of the id before the dot: `light`.
    pub fn domain(&self) -> &str {
        &self.id[..self.domain_length]
    }

    /// The part of the id behind the dot: `kitchen_ceiling_light`.
    pub fn object_id(&self) -> &str {
        self.id.get(self.domain_length + 1..).unwrap_or_default()
    }

    /// Every name it is known by: those it answers to, and the friendly name that replies use.
    pub(crate) fn known_names(&self) -> Vec<String> {
        let mut names = self.names.clone();
        if !names.contains(&self.name) {
            names.push(self.name.clone());
        }
        names
    }

    pub(crate) fn device_class(&self) -> Option<&str> {
        self.attributes.get("device_class").and_then(Value::as_str)
    }

    pub(crate) fn supports(&self, features: u64) -> bool {
        self.features & features == features
    }
}
