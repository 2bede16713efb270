//! States for entities of which only the existence is known.

use serde_json::{Map, Value, json};

/// A state such an entity may well be in, and attributes that go with it.
pub(crate) fn default_state(domain: &str) -> (&'static str, Map<String, Value>) {
    let (state, attributes) = match domain {
        "light" | "switch" | "fan" | "input_boolean" | "siren" | "remote" | "binary_sensor"
        | "script" | "humidifier" | "automation" => ("off", json!({})),
        "cover" => ("closed", json!({"current_position": 0})),
        "valve" => ("closed", json!({})),
        "lock" => ("locked", json!({})),
        "climate" => ("heat", json!({"temperature": 20.0, "current_temperature": 19.5})),
        "water_heater" => ("eco", json!({"temperature": 50.0})),
        "media_player" => ("idle", json!({"volume_level": 0.4})),
        "vacuum" | "lawn_mower" => ("docked", json!({})),
        "alarm_control_panel" => ("disarmed", json!({})),
        "todo" => ("0", json!({})),
        "weather" => ("cloudy", json!({"temperature": 12.0})),
        _ => ("unknown", json!({})),
    };
    let attributes = match attributes {
        Value::Object(attributes) => attributes,
        _ => Map::new(),
    };
    (state, attributes)
}
