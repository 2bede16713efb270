//! A home as it stands before anybody speaks: floors, areas, entities, satellites and what the
//! lists, calendars and scripts hold.
//!
//! An [`Inventory`] never changes once it is read. What calls do lives in a
//! [`HomeState`](super::HomeState) on top of it, so that thousands of trials share one home.

mod contents;
pub(crate) mod document;
mod entity;
mod index;
mod place;
mod problem;
mod read;
mod stock;

use indexmap::IndexMap;

pub use contents::{CalendarEvent, Effect, Field, ItemStatus, MediaItem, Script, TodoItem};
pub(crate) use contents::{is_arrangement, open_items, state_text};
pub use entity::Entity;
pub(crate) use entity::{Contents, UNAVAILABLE};
pub(crate) use index::{Index, casefold};
pub use place::{Area, Floor, Satellite};
pub use problem::{InventoryError, Problem};

use super::clock::Clock;

/// A home: its floors, areas, entities and satellites, with everything indexed by name.
#[derive(Debug)]
pub struct Inventory {
    pub(crate) floors: Vec<Floor>,
    pub(crate) areas: Vec<Area>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) satellites: IndexMap<String, Option<Satellite>>,
    pub(crate) library: Option<Vec<MediaItem>>,
    pub(crate) clock: Option<Clock>,
    pub(crate) version: Option<String>,
    pub(crate) index: Index,
    pub(crate) warnings: Vec<Problem>,
}

impl Inventory {
    /// What is odd in the file but does not keep it from being read.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// The version of Home Assistant the home was imported from, such as `2026.10.4`.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
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

    /// All names of the exposed entities of a domain, entity by entity in the order of their names.
    pub(crate) fn exposed_names(&self, domain: &str) -> Vec<String> {
        self.exposed_by_name(domain).flat_map(|(_, entity)| entity.names.clone()).collect()
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
