//! All that is ever sent to somebody's Home Assistant, but for the token: requests that read.

use serde_json::{Value, json};

/// A request that reads. There is no other way to send anything over a
/// `HomeSocket`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadRequest {
    /// The floors.
    Floors,
    /// The areas.
    Areas,
    /// The devices.
    Devices,
    /// Which entities are registered.
    Registry,
    /// Registered entities with their names.
    RegistryEntries(Vec<String>),
    /// What is exposed to assistants; for administrators only.
    Exposed,
    /// The states of everything.
    States,
    /// Time zone and language.
    Settings,
    /// What can be called, of which the scripts matter.
    Services,
    /// The items of a to-do list.
    ListItems(String),
}

impl ReadRequest {
    /// The type of the message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Floors => "config/floor_registry/list",
            Self::Areas => "config/area_registry/list",
            Self::Devices => "config/device_registry/list",
            Self::Registry => "config/entity_registry/list",
            Self::RegistryEntries(_) => "config/entity_registry/get_entries",
            Self::Exposed => "homeassistant/expose_entity/list",
            Self::States => "get_states",
            Self::Settings => "get_config",
            Self::Services => "get_services",
            Self::ListItems(_) => "todo/item/list",
        }
    }

    /// The message as it is sent, but for its number.
    pub(crate) fn message(&self) -> Value {
        let mut message = json!({"id": null, "type": self.kind()});
        match self {
            Self::RegistryEntries(ids) => message["entity_ids"] = json!(ids),
            Self::ListItems(id) => message["entity_id"] = json!(id),
            _ => {}
        }
        message
    }
}
