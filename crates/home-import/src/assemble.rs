//! From what Home Assistant keeps to an inventory.

use indexmap::IndexMap;
use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Map, Value};

use crate::document::{
    AreaDocument, EntityDocument, FloorDocument, HomeDocument, SatelliteDocument,
};
use crate::records::{EntityRecord, HomeRecords, StateRecord};

/// Attributes that no answer depends on and that say where people are or open what is theirs.
const LEFT_OUT: &[&str] = &[
    "access_token",
    "attribution",
    "device_trackers",
    "editable",
    "entity_picture",
    "entity_picture_local",
    "friendly_name",
    "gps_accuracy",
    "icon",
    "id",
    "latitude",
    "longitude",
    "persons",
    "restored",
    "source",
    "user_id",
];

/// All that matters of an entity that no model gets to see: what a call is matched by.
const OF_UNEXPOSED: &[&str] = &["device_class", "supported_features"];

/// Platforms whose satellites always run timers.
const WITH_TIMERS: &[&str] = &["wyoming", "voip"];

/// The home as an inventory, with the moment its clock shall stand at.
pub fn assemble(records: &HomeRecords, now: Timestamp) -> HomeDocument {
    let mut home = HomeDocument {
        version: records.version.clone(),
        floors: records
            .floors
            .iter()
            .map(|floor| FloorDocument {
                id: floor.floor_id.clone(),
                name: floor.name.clone(),
                aliases: sorted(&floor.aliases),
            })
            .collect(),
        unknown: records.unknown.clone(),
        ..HomeDocument::default()
    };
    let known_floor = |id: &String| records.floors.iter().any(|floor| floor.floor_id == *id);
    home.areas = records
        .areas
        .iter()
        .map(|area| AreaDocument {
            id: area.area_id.clone(),
            name: area.name.clone(),
            floor_id: area.floor_id.clone().filter(known_floor),
            aliases: sorted(&area.aliases),
        })
        .collect();
    home.entities = records.states.iter().map(|state| records.entity(state)).collect();
    home.satellites = records.satellites();
    set_clock(&mut home, records, now);
    tell_unknown(&mut home, records);
    home
}

fn sorted(aliases: &[String]) -> Vec<String> {
    let mut aliases = aliases.to_vec();
    aliases.sort_unstable();
    aliases
}

fn set_clock(home: &mut HomeDocument, records: &HomeRecords, now: Timestamp) {
    let zone = records.time_zone.as_deref().and_then(|name| TimeZone::get(name).ok());
    let zoned = now.to_zoned(zone.unwrap_or(TimeZone::UTC));
    home.clock = Some(zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string());
    home.zone = Some(zoned.strftime("%Z").to_string());
}

fn tell_unknown(home: &mut HomeDocument, records: &HomeRecords) {
    let unsure = |name: &&String| {
        let entry =
            home.satellites[*name].entity_id.as_ref().and_then(|id| records.entries.get(id));
        entry.is_none_or(|entry| !WITH_TIMERS.contains(&entry.platform.as_str()))
    };
    let satellites: Vec<&str> = home.satellites.keys().filter(unsure).map(String::as_str).collect();
    if !satellites.is_empty() {
        let line = format!(
            "whether these satellites run timers: {} (taken as if they do; change \
             `supports_timers` where one does not)",
            satellites.join(", ")
        );
        home.unknown.push(line);
    }
    let has = |domain: &str| home.entities.iter().any(|e| e.exposed && e.domain() == domain);
    for (domain, line) in [
        ("calendar", "the events of the calendars (taken as empty; add `events`)"),
        ("scene", "what the scenes set (add `entities` to a scene)"),
        ("script", "what the scripts do (add `sequence` to a script)"),
    ] {
        if has(domain) {
            home.unknown.push(line.to_owned());
        }
    }
}

impl HomeRecords {
    fn entity(&self, state: &StateRecord) -> EntityDocument {
        let entry = self.entries.get(&state.entity_id);
        let exposed = self.exposed.contains(&state.entity_id);
        let matters = |name: &str| {
            if exposed { !LEFT_OUT.contains(&name) } else { OF_UNEXPOSED.contains(&name) }
        };
        let attributes = state.attributes.iter().filter(|(name, _)| matters(name));
        let mut entity = EntityDocument {
            entity_id: state.entity_id.clone(),
            name: state.name(),
            names: self.names(state),
            area_id: entry.and_then(|entry| self.area_of(entry)).map(str::to_owned),
            state: state.state.clone(),
            attributes: attributes.map(|(name, value)| (name.clone(), value.clone())).collect(),
            exposed,
            ..EntityDocument::default()
        };
        if state.domain() == "sensor" {
            entity.display_precision = entry.and_then(EntityRecord::precision);
        }
        if exposed && state.domain() == "script" {
            self.describe_script(state, &mut entity);
        }
        entity.items = self.list_items.get(&state.entity_id).cloned();
        entity
    }

    fn describe_script(&self, state: &StateRecord, entity: &mut EntityDocument) {
        let entry = self.entries.get(&state.entity_id);
        let service = entry.and_then(|entry| entry.unique_id.as_str()).unwrap_or(state.object_id());
        let script = self.scripts.get(service).and_then(Value::as_object);
        let description = script.and_then(|script| script.get("description")?.as_str());
        entity.description = description.filter(|text| !text.is_empty()).map(str::to_owned);
        let fields = script.and_then(|script| script.get("fields")?.as_object());
        let fields: Map<String, Value> = fields.cloned().unwrap_or_default();
        entity.fields = Some(fields);
    }

    fn satellites(&self) -> IndexMap<String, SatelliteDocument> {
        let mut satellites = IndexMap::new();
        for state in self.states.iter().filter(|state| state.domain() == "assist_satellite") {
            let device = self.entries.get(&state.entity_id).and_then(|entry| self.device(entry));
            let Some(device) = device else { continue };
            let called = device.called().map_or_else(|| state.name(), str::to_owned);
            let numbered = (2..).map(|number| format!("{called} {number}"));
            let name = std::iter::once(called.clone())
                .chain(numbered)
                .find(|name| !satellites.contains_key(name))
                .unwrap_or(called);
            let satellite = SatelliteDocument {
                area_id: self.area_of_device(device).map(str::to_owned),
                supports_timers: true,
                entity_id: Some(state.entity_id.clone()),
            };
            satellites.insert(name, satellite);
        }
        satellites
    }
}
