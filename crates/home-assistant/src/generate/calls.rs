//! The calls that requests are met by.

use serde_json::{Value, json};

use super::home::Device;

/// An expected call, as a suite writes it.
#[expect(clippy::needless_pass_by_value, reason = "recipes read better without `&`")]
pub(super) fn call(tool: &str, arguments: Value) -> Value {
    json!({"tool": tool, "arguments": arguments})
}

/// The name of a device as it must be passed: any of its own.
pub(super) fn name_of(device: &Device) -> Value {
    match device.aliases.as_slice() {
        [] => json!(device.name),
        _ => json!({"$any_of": device.names().collect::<Vec<_>>()}),
    }
}

/// Turning a device on or off by its name.
pub(super) fn turn(on: bool, device: &Device) -> Value {
    let tool = if on { "intent__HassTurnOn" } else { "intent__HassTurnOff" };
    call(tool, json!({"name": name_of(device)}))
}

/// Turning everything of a domain in a room on or off.
pub(super) fn turn_room(on: bool, room: &str, domain: &str) -> Value {
    let tool = if on { "intent__HassTurnOn" } else { "intent__HassTurnOff" };
    call(tool, json!({"area": room, "domain": [domain]}))
}

/// Looking at a device.
pub(super) fn look(device: &Device) -> Value {
    call("homeassistant__GetLiveContext", json!({"name": name_of(device)}))
}
