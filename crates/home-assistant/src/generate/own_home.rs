//! Somebody's own home, as far as cases are made of it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::home::{Device, GeneratedHome, GeneratedRoom, Speaker};
use crate::clock::Clock;
use crate::inventory::{Entity, Inventory};

impl GeneratedHome {
    /// The home that an inventory describes.
    pub(super) fn of_inventory(inventory: &Inventory) -> Self {
        let floors = inventory
            .floors()
            .iter()
            .map(|floor| std::iter::once(&floor.name).chain(&floor.aliases).cloned().collect());
        let rooms = inventory
            .areas()
            .iter()
            .map(|area| GeneratedRoom { name: area.name.clone(), floor: area.floor });
        let mut home = Self {
            floors: floors.collect(),
            rooms: rooms.collect(),
            devices: inventory.entities().iter().filter_map(device).collect(),
            speakers: speakers(inventory),
            clock: inventory.clock.clone().unwrap_or_else(Clock::recorded),
            shared: BTreeSet::new(),
        };
        home.find_shared();
        // The rooms have no aliases here, yet a thing that is called by one can be mistaken for the
        // room.
        let aliases = inventory.areas().iter().flat_map(|area| &area.aliases);
        home.shared.extend(aliases.map(|alias| alias.to_lowercase()));
        home
    }
}

/// The satellites, the one people are taken to speak to first: one that stands in a room.
fn speakers(inventory: &Inventory) -> Vec<Speaker> {
    let mut speakers: Vec<Speaker> = inventory
        .satellites()
        .filter_map(|name| Some((name, inventory.satellite(name)??)))
        .map(|(name, satellite)| Speaker {
            name: name.to_owned(),
            room: satellite.area,
            timers: satellite.supports_timers,
        })
        .collect();
    speakers.sort_by_key(|speaker| speaker.room.is_none());
    speakers
}

/// An entity that people can speak of.
fn device(entity: &Entity) -> Option<Device> {
    let (name, aliases) = entity.names.split_first()?;
    let can_be_said = |name: &&String| {
        !name.trim().is_empty() && !name.contains(", ") && !name.contains(char::is_control)
    };
    can_be_said(&name).then(|| Device {
        id: entity.id.clone(),
        domain: entity.domain().to_owned(),
        name: name.clone(),
        aliases: aliases.iter().filter(can_be_said).cloned().collect(),
        room: entity.area,
        state: entity.state.clone(),
        attributes: Value::Object(entity.attributes.clone()),
        exposed: entity.exposed,
    })
}
