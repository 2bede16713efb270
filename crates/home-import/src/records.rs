//! What Home Assistant keeps of a home, as far as a prompt depends on it.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

/// All that was read of a home.
#[derive(Clone, Debug, Default)]
pub struct HomeRecords {
    pub(crate) version: Option<String>,
    pub(crate) time_zone: Option<String>,
    pub(crate) floors: Vec<FloorRecord>,
    pub(crate) areas: Vec<AreaRecord>,
    pub(crate) devices: HashMap<String, DeviceRecord>,
    /// Registered entities by id.
    pub(crate) entries: IndexMap<String, EntityRecord>,
    /// Every entity that has a state, in the order of the state machine.
    pub(crate) states: Vec<StateRecord>,
    /// The ids of what is exposed.
    pub(crate) exposed: BTreeSet<String>,
    /// Scripts by the name of their service.
    pub(crate) scripts: Map<String, Value>,
    /// The items of to-do lists, by entity id.
    pub(crate) list_items: HashMap<String, Vec<Value>>,
    /// What could not be found out.
    pub(crate) unknown: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FloorRecord {
    pub(crate) floor_id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AreaRecord {
    /// The files call it `id`.
    #[serde(alias = "id")]
    pub(crate) area_id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
    pub(crate) floor_id: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DeviceRecord {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) name_by_user: Option<String>,
    pub(crate) area_id: Option<String>,
    pub(crate) parent_device_id: Option<String>,
}

impl DeviceRecord {
    /// What people call it.
    pub(crate) fn called(&self) -> Option<&str> {
        let given = self.name_by_user.as_deref().filter(|name| !name.is_empty());
        given.or(self.name.as_deref())
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct EntityRecord {
    pub(crate) entity_id: String,
    pub(crate) name: Option<String>,
    pub(crate) original_name: Option<String>,
    pub(crate) area_id: Option<String>,
    pub(crate) device_id: Option<String>,
    #[serde(default)]
    pub(crate) has_entity_name: bool,
    pub(crate) disabled_by: Option<String>,
    #[serde(default)]
    pub(crate) platform: String,
    #[serde(default)]
    pub(crate) unique_id: Value,
    /// `None` stands for the full name of the entity.
    #[serde(default)]
    pub(crate) aliases: Vec<Option<String>>,
    #[serde(default)]
    pub(crate) options: Value,
}

impl EntityRecord {
    /// Whether the registry says that it is exposed to the assistant.
    pub(crate) fn should_expose(&self) -> Option<bool> {
        self.options.pointer("/conversation/should_expose").and_then(Value::as_bool)
    }

    /// Digits a sensor shows behind the point.
    pub(crate) fn precision(&self) -> Option<u64> {
        let sensor = |key: &str| self.options.get("sensor").and_then(|o| o.get(key)?.as_u64());
        sensor("display_precision").or_else(|| sensor("suggested_display_precision"))
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct StateRecord {
    pub(crate) entity_id: String,
    pub(crate) state: String,
    #[serde(default)]
    pub(crate) attributes: Map<String, Value>,
}

impl StateRecord {
    /// The name Home Assistant sorts by: the friendly name, or one made from the id.
    pub(crate) fn name(&self) -> String {
        let friendly = self.attributes.get("friendly_name").and_then(Value::as_str);
        friendly
            .filter(|name| !name.is_empty())
            .map_or_else(|| self.object_id().replace('_', " "), str::to_owned)
    }

    pub(crate) fn domain(&self) -> &str {
        self.entity_id.split_once('.').map_or("", |(domain, _)| domain)
    }

    pub(crate) fn object_id(&self) -> &str {
        self.entity_id.split_once('.').map_or("", |(_, object)| object)
    }
}
