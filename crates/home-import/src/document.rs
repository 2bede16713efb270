//! A home as an inventory file has it.

use std::fmt::Write as _;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::HomeImportError;

/// A home, part by part as an inventory file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HomeDocument {
    /// The version of Home Assistant it comes from.
    pub version: Option<String>,
    /// The moment it was read, with its offset.
    pub clock: Option<String>,
    /// What people call the time zone: `CET`.
    pub zone: Option<String>,
    /// The floors.
    pub floors: Vec<FloorDocument>,
    /// The areas.
    pub areas: Vec<AreaDocument>,
    /// The satellites by name.
    pub satellites: IndexMap<String, SatelliteDocument>,
    /// The entities in the order of the state machine.
    pub entities: Vec<EntityDocument>,
    /// What could not be found out, in sentences that begin in lower case.
    pub unknown: Vec<String>,
}

/// A floor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FloorDocument {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// Other names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// An area.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AreaDocument {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The id of its floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_id: Option<String>,
    /// Other names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// A satellite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SatelliteDocument {
    /// The id of the area it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area_id: Option<String>,
    /// Whether it can run timers.
    pub supports_timers: bool,
    /// Its entity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity_id: Option<String>,
}

/// An entity.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EntityDocument {
    /// The id.
    pub entity_id: String,
    /// The friendly name, by which it is listed.
    pub name: String,
    /// Every name it answers to.
    pub names: Vec<String>,
    /// The id of its area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area_id: Option<String>,
    /// The state.
    pub state: String,
    /// The attributes that matter.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub attributes: Map<String, Value>,
    /// Whether it is exposed to the assistant.
    #[serde(skip_serializing_if = "is_true")]
    pub exposed: bool,
    /// Digits a sensor shows behind the point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_precision: Option<u64>,
    /// What a script does, as its author says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What can be passed to a script.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Map<String, Value>>,
    /// The items of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<Value>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_true(truth: &bool) -> bool {
    *truth
}

impl EntityDocument {
    /// The part of the id before the dot.
    pub fn domain(&self) -> &str {
        self.entity_id.split_once('.').map_or("", |(domain, _)| domain)
    }
}

impl HomeDocument {
    /// How many entities are exposed.
    pub fn exposed(&self) -> usize {
        self.entities.iter().filter(|entity| entity.exposed).count()
    }

    /// Fails if nothing is exposed: no model would be told anything of such a home.
    pub fn require_exposed(&self) -> Result<(), HomeImportError> {
        match self.exposed() {
            0 => Err(HomeImportError::NothingExposed { entities: self.entities.len() }),
            _ => Ok(()),
        }
    }

    /// The inventory file: YAML with one JSON value per line, and at its head what is unknown.
    pub fn to_yaml(&self) -> String {
        // Writing to a string cannot fail.
        let mut text =
            String::from("# A home as Home Assistant has it, made by `toolgauge home import`.\n");
        if !self.unknown.is_empty() {
            text.push_str("# Not known:\n");
        }
        for line in &self.unknown {
            let _ = writeln!(text, "# * {}", line.replace(['\n', '\r'], " "));
        }
        let heads =
            [("home_assistant", &self.version), ("clock", &self.clock), ("timezone", &self.zone)];
        for (key, value) in heads {
            if let Some(value) = value {
                let _ = writeln!(text, "{key}: {}", json!(value));
            }
        }
        list(&mut text, "floors", &self.floors);
        list(&mut text, "areas", &self.areas);
        text.push_str("\nsatellites:\n");
        for (name, satellite) in &self.satellites {
            let _ = writeln!(text, "  {}: {}", json!(name), json!(satellite));
        }
        // A request from a phone or a browser comes from no device.
        text.push_str("  \"(no device)\": null\n");
        list(&mut text, "entities", &self.entities);
        text
    }
}

fn list<T: Serialize>(text: &mut String, key: &str, items: &[T]) {
    let _ = match items {
        [] => writeln!(text, "\n{key}: []"),
        _ => writeln!(text, "\n{key}:"),
    };
    for item in items {
        let _ = writeln!(text, "- {}", escaped(&json!(item)));
    }
}

/// JSON in which nothing is left that a YAML reader takes for the end of a line, or refuses.
fn escaped(value: &Value) -> String {
    let mut text = String::new();
    for character in value.to_string().chars() {
        match character {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            other => text.push(other),
        }
    }
    text
}
