//! Reading a copy of the folder `.storage`, in which Home Assistant keeps its registries.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::HomeImportError;
use crate::default_state::default_state;
use crate::names::without_device_name;
use crate::records::{DeviceRecord, EntityRecord, HomeRecords, StateRecord};

/// The files that are read, with the schemas that are known: the least and the greatest version
/// and, of the greatest, the minor version.
const FILES: &[(&str, u64, u64, u64)] = &[
    ("core.floor_registry", 1, 1, 3),
    ("core.area_registry", 1, 1, 9),
    ("core.device_registry", 1, 3, 4),
    ("core.entity_registry", 1, 1, 23),
    ("homeassistant.exposed_entities", 1, 1, 1),
    ("core.restore_state", 1, 1, 1),
    ("core.config", 1, 1, 4),
];

#[derive(Deserialize)]
struct StoredFile {
    version: u64,
    #[serde(default)]
    minor_version: u64,
    data: Value,
}

/// Reads a home from a copy of `.storage`, or from a configuration folder that has one.
pub fn read_storage(folder: &Path) -> Result<HomeRecords, HomeImportError> {
    let within = folder.join(".storage");
    let folder = if within.is_dir() { within } else { folder.to_owned() };
    let mut storage = Storage { folder, records: HomeRecords::default() };
    storage.read()?;
    Ok(storage.records)
}

struct Storage {
    folder: PathBuf,
    records: HomeRecords,
}

impl Storage {
    fn read(&mut self) -> Result<(), HomeImportError> {
        self.records.version = self.version();
        let registry = self.required("core.entity_registry")?;
        // A registry without its list is not an empty home but one of a form that nobody knows.
        let entities = registry.get("entities").and_then(Value::as_array).ok_or_else(|| {
            let missing = serde::de::Error::missing_field("entities");
            self.unreadable("core.entity_registry", missing)
        })?;
        self.records.floors = self.part("core.floor_registry", "floors")?;
        self.records.areas = self.part("core.area_registry", "areas")?;
        for part in ["devices", "child_devices"] {
            let devices: Vec<DeviceRecord> = self.part("core.device_registry", part)?;
            let named = devices.into_iter().map(|device| (device.id.clone(), device));
            self.records.devices.extend(named);
        }
        let config = self.file("core.config")?.unwrap_or_default();
        self.records.time_zone = config.get("time_zone").and_then(Value::as_str).map(str::to_owned);
        let states = self.restored()?;
        for value in entities {
            self.entity(value, &states)?;
        }
        self.records.expose_by_registry();
        self.unregistered(&states)?;
        self.records.unknown.push(
            "the states of most entities, which no file holds (they are made up: change `state` \
             and `attributes`)"
                .to_owned(),
        );
        self.records.unknown.push("the descriptions, fields and steps of scripts".to_owned());
        Ok(())
    }

    /// The version stands in a file beside the folder.
    fn version(&self) -> Option<String> {
        let beside = self.folder.join("../.HA_VERSION");
        let text = fs::read_to_string(beside)
            .or_else(|_| fs::read_to_string(self.folder.join(".HA_VERSION")))
            .ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn required(&mut self, key: &'static str) -> Result<Value, HomeImportError> {
        self.file(key)?.ok_or_else(|| HomeImportError::NotStorage {
            folder: self.folder.clone(),
            missing: key,
        })
    }

    /// The data of a file, if there is one.
    fn file(&mut self, key: &'static str) -> Result<Option<Value>, HomeImportError> {
        let path = self.folder.join(key);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(HomeImportError::file("read", &path, error)),
        };
        let stored: StoredFile = serde_json::from_str(&text)
            .map_err(|source| HomeImportError::StoredFile { path: path.clone(), source })?;
        let known = FILES.iter().find(|(name, ..)| *name == key);
        if let Some(&(_, least, greatest, minor)) = known {
            if !(least..=greatest).contains(&stored.version) {
                let (found, known) = (stored.version, (least, greatest));
                return Err(HomeImportError::Schema { path, found, known });
            }
            if stored.version == greatest && stored.minor_version > minor {
                let line = format!(
                    "what is new in `{key}`, which has schema {greatest}.{}; known is {greatest}.{minor}",
                    stored.minor_version
                );
                if !self.records.unknown.contains(&line) {
                    self.records.unknown.push(line);
                }
            }
        }
        Ok(Some(stored.data))
    }

    fn part<T: DeserializeOwned>(
        &mut self,
        key: &'static str,
        part: &str,
    ) -> Result<Vec<T>, HomeImportError> {
        let Some(mut data) = self.file(key)? else { return Ok(Vec::new()) };
        let items = data.get_mut(part).map_or(Value::Array(vec![]), Value::take);
        serde_json::from_value(items).map_err(|source| self.unreadable(key, source))
    }

    fn unreadable(&self, key: &str, source: serde_json::Error) -> HomeImportError {
        HomeImportError::StoredFile { path: self.folder.join(key), source }
    }

    /// The states that Home Assistant kept for its next start.
    fn restored(&mut self) -> Result<HashMap<String, StateRecord>, HomeImportError> {
        let data = self.file("core.restore_state")?.unwrap_or_default();
        let states = data.as_array().into_iter().flatten().filter_map(|kept| {
            serde_json::from_value::<StateRecord>(kept.get("state")?.clone()).ok()
        });
        Ok(states.map(|state| (state.entity_id.clone(), state)).collect())
    }

    fn entity(
        &mut self,
        value: &Value,
        states: &HashMap<String, StateRecord>,
    ) -> Result<(), HomeImportError> {
        let mut entry: EntityRecord = serde_json::from_value(value.clone())
            .map_err(|source| self.unreadable("core.entity_registry", source))?;
        // A disabled entity has no state, and so is not there.
        if entry.disabled_by.is_some() {
            return Ok(());
        }
        entry.aliases = aliases(value);
        let device = self.records.device(&entry).and_then(DeviceRecord::called);
        if let (false, Some(device), Some(name)) =
            (entry.has_entity_name, device, &entry.original_name)
            && let Some(short) = without_device_name(name, device)
        {
            entry.original_name = Some(short);
        }
        let mut state = made_up(&entry.entity_id, value);
        if let Some(kept) = states.get(&entry.entity_id) {
            state.state.clone_from(&kept.state);
            state.attributes.extend(kept.attributes.clone());
        }
        let friendly = self.records.friendly_name(&entry);
        state.attributes.insert("friendly_name".to_owned(), friendly.into());
        self.records.entries.insert(entry.entity_id.clone(), entry);
        self.records.states.push(state);
        Ok(())
    }

    /// Exposed entities without a registry entry have a file of their own.
    fn unregistered(
        &mut self,
        states: &HashMap<String, StateRecord>,
    ) -> Result<(), HomeImportError> {
        let data = self.file("homeassistant.exposed_entities")?.unwrap_or_default();
        let all = data.get("exposed_entities").and_then(Value::as_object);
        for (id, settings) in all.into_iter().flatten() {
            let exposed = settings.pointer("/assistants/conversation/should_expose");
            if exposed != Some(&Value::Bool(true)) || self.records.entries.contains_key(id) {
                continue;
            }
            self.records.exposed.insert(id.clone());
            let state = states.get(id).cloned().unwrap_or_else(|| made_up(id, &Value::Null));
            self.records.states.push(state);
        }
        Ok(())
    }
}

/// The aliases with the place of the entity's own name among them. Before schema 1.22 that was
/// always the first.
fn aliases(entry: &Value) -> Vec<Option<String>> {
    let texts = |key: &str| -> Option<Vec<Option<String>>> {
        serde_json::from_value(entry.get(key)?.clone()).ok()
    };
    texts("aliases_v2").unwrap_or_else(|| {
        std::iter::once(None).chain(texts("aliases").unwrap_or_default()).collect()
    })
}

/// A state with what the registry knows of an entity's abilities.
fn made_up(id: &str, entry: &Value) -> StateRecord {
    let domain = id.split_once('.').map_or("", |(domain, _)| domain);
    let (state, mut attributes) = default_state(domain);
    if let Some(Value::Object(capabilities)) = entry.get("capabilities") {
        attributes.extend(capabilities.clone());
    }
    let mut known = Map::new();
    let own = |key: &str| entry.get(key).filter(|value| !value.is_null()).cloned();
    known.extend(own("supported_features").map(|value| ("supported_features".to_owned(), value)));
    let class = own("device_class").or_else(|| own("original_device_class"));
    known.extend(class.map(|value| ("device_class".to_owned(), value)));
    let unit = own("unit_of_measurement");
    known.extend(unit.map(|value| ("unit_of_measurement".to_owned(), value)));
    attributes.extend(known);
    StateRecord { entity_id: id.to_owned(), state: state.to_owned(), attributes }
}
