//! A home as it stands before anybody speaks: floors, areas, entities, satellites and what the
//! lists, calendars and scripts hold.
//!
//! An [`Inventory`] never changes once it is read. What calls do lives in a
//! [`HomeState`](super::HomeState) on top of it, so that thousands of trials share one home.

mod contents;
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
use super::profile::EntityOrder;

/// A home: its floors, areas, entities and satellites, with everything indexed by name.
#[derive(Clone, Debug)]
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

    /// How many entities are exposed.
    pub fn exposed_count(&self) -> usize {
        self.entities.iter().filter(|entity| entity.exposed).count()
    }

    /// The same home with no more than so many entities exposed. They are drawn by chance, always
    /// the same ones; a smaller draw is part of a larger one.
    #[must_use]
    pub fn exposing(&self, count: usize) -> Self {
        let mut home = self.clone();
        let exposed = (0..self.entities.len()).filter(|&at| self.entities[at].exposed).collect();
        let drawn = EntityOrder::Shuffled(0).arrange(exposed, &[]);
        for at in drawn.into_iter().skip(count) {
            home.entities[at].exposed = false;
        }
        home
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_draw_is_part_of_a_larger_one() {
        let lines: Vec<String> = (0..30).map(|n| format!("- {{entity_id: light.l{n}}}")).collect();
        let text =
            format!("entities:\n{}\n- {{entity_id: light.x, exposed: false}}", lines.join("\n"));
        let home = Inventory::from_files(&[("home.yaml", &text)]).unwrap();
        let ids = |count: usize| -> Vec<String> {
            let home = home.exposing(count);
            assert_eq!(home.exposed_count(), count.min(30));
            let exposed = home.entities().iter().filter(|entity| entity.exposed);
            exposed.map(|entity| entity.id.clone()).collect()
        };
        let (few, more) = (ids(5), ids(20));
        assert!(few.iter().all(|id| more.contains(id)));
        assert_eq!(ids(99).len(), 30);
    }
}
