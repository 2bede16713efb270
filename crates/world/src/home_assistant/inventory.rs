//! A home as it stands before anybody speaks: floors, areas, entities, satellites and what the
//! lists, calendars and scripts hold.
//!
//! An [`Inventory`] never changes once it is read. What calls do lives in a
//! [`HomeState`](super::HomeState) on top of it, so that thousands of trials share one home.

mod contents;
mod document;
mod index;
mod problem;
mod read;
mod stock;

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};

pub(crate) use contents::open_items;
pub use contents::{CalendarEvent, Effect, Field, ItemStatus, MediaItem, Script, TodoItem};
pub(crate) use index::{Index, casefold};
pub use problem::{InventoryError, Problem};

use super::clock::Clock;
use super::features;

/// A home: its floors, areas, entities and satellites, with everything indexed by name.
#[derive(Debug)]
pub struct Inventory {
    pub(crate) floors: Vec<Floor>,
    pub(crate) areas: Vec<Area>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) satellites: IndexMap<String, Option<Satellite>>,
    pub(crate) library: Option<Vec<MediaItem>>,
    pub(crate) clock: Option<Clock>,
    pub(crate) index: Index,
    pub(crate) warnings: Vec<Problem>,
}

impl Inventory {
    /// Reads an inventory file, YAML or JSON.
    ///
    /// Fails with every problem in the file at once, each with its line.
    pub fn from_path(path: &Path) -> Result<Arc<Self>, InventoryError> {
        Self::from_paths(&[path])
    }

    /// Reads a home from several files, each adding to those before it.
    pub fn from_paths(paths: &[impl AsRef<Path>]) -> Result<Arc<Self>, InventoryError> {
        let mut files = Vec::new();
        for path in paths {
            let path = path.as_ref();
            let text = std::fs::read_to_string(path)
                .map_err(|source| InventoryError::Unreadable { path: path.to_owned(), source })?;
            files.push((path.display().to_string(), text));
        }
        let named = files.iter().map(|(origin, text)| (origin.as_str(), text.as_str()));
        Self::from_files(&named.collect::<Vec<_>>())
    }

    /// Reads an inventory from text; `origin` names it in messages.
    pub fn from_text(origin: &str, text: &str) -> Result<Arc<Self>, InventoryError> {
        Self::from_files(&[(origin, text)])
    }

    /// Reads an inventory from several files, each adding to those before it, so that a home
    /// holds every smaller one by the way it is written. Each file is named and its text given.
    pub fn from_files(files: &[(&str, &str)]) -> Result<Arc<Self>, InventoryError> {
        read::inventory(files).map(Arc::new)
    }

    /// What is odd in the file but does not keep it from being read.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// The entities, in the order of the file.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// The areas, in the order of the file.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// The floors, in the order of the file.
    pub fn floors(&self) -> &[Floor] {
        &self.floors
    }

    /// The names of the satellites, in the order of the file.
    pub fn satellites(&self) -> impl Iterator<Item = &str> {
        self.satellites.keys().map(String::as_str)
    }

    /// The entity with this id.
    pub fn entity(&self, id: &str) -> Option<&Entity> {
        self.index.entity(id).map(|at| &self.entities[at])
    }

    /// The satellite with this name: `None` when there is none, `Some(None)` when the name
    /// stands for a request that comes from no device.
    pub fn satellite(&self, name: &str) -> Option<Option<&Satellite>> {
        self.satellites.get(name).map(Option::as_ref)
    }

    pub(crate) fn area_of(&self, entity: &Entity) -> Option<&Area> {
        entity.area.map(|at| &self.areas[at])
    }

    pub(crate) fn floor_of(&self, area: &Area) -> Option<&Floor> {
        area.floor.map(|at| &self.floors[at])
    }

    /// Positions of the exposed entities a prompt lists, in the order Home Assistant lists them:
    /// by name, code point by code point. Calendars and scripts have tools of their own.
    pub(crate) fn listed(&self) -> impl Iterator<Item = usize> + '_ {
        self.index.by_name.iter().copied().filter(|&at| {
            let entity = &self.entities[at];
            entity.exposed && !matches!(entity.domain(), "calendar" | "script")
        })
    }

    /// Exposed entities of one domain, ordered by name.
    pub(crate) fn exposed_by_name<'a>(
        &'a self,
        domain: &'a str,
    ) -> impl Iterator<Item = (usize, &'a Entity)> + 'a {
        let entities = self.index.by_name.iter().map(|&at| (at, &self.entities[at]));
        entities.filter(move |(_, entity)| entity.exposed && entity.domain() == domain)
    }
}

/// A floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// The id: `ground_floor`.
    pub id: String,
    /// The name: `Ground floor`.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
}

/// A room or another part of the home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// The id: `living_room`.
    pub id: String,
    /// The name: `Living Room`.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// The position of the floor it is on.
    pub(crate) floor: Option<usize>,
}

/// A voice satellite: the device a person speaks to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Satellite {
    /// The name the inventory gives it.
    pub name: String,
    /// The position of the area it stands in.
    pub(crate) area: Option<usize>,
    /// Whether it can run timers.
    pub supports_timers: bool,
    /// The `assist_satellite` entity that belongs to it.
    pub entity_id: Option<String>,
}

/// Something in the home that has a state.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The id: `light.kitchen_ceiling_light`.
    pub id: String,
    /// The friendly name.
    pub name: String,
    /// Every name it answers to, the friendly name first.
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

    pub(crate) fn device_class(&self) -> Option<&str> {
        self.attributes.get("device_class").and_then(Value::as_str)
    }

    pub(crate) fn supports(&self, features: u64) -> bool {
        self.features & features == features
    }
}
