//! What all trials of a home share: the inventory, the profile, and from where people speak.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use toolgauge_core::{Tool, WorldThing};

use super::inventory::{Inventory, Satellite};
use super::profile::Profile;
use super::tools::{self, OfferedAction};

/// A home, the Home Assistant that runs it, and the satellite that is spoken to.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) inventory: Arc<Inventory>,
    pub(crate) profile: Profile,
    pub(crate) satellite: Option<Satellite>,
    pub(crate) tools: Arc<[Tool]>,
    actions: HashMap<String, OfferedAction>,
    /// What there is in the home before anything is changed, by the position of its entity.
    pub(crate) things: OnceLock<Vec<Option<Arc<WorldThing>>>>,
}

impl Setting {
    /// The tools the home itself offers, or `tools` in their place.
    pub(crate) fn new(
        inventory: Arc<Inventory>,
        profile: Profile,
        satellite: Option<Satellite>,
        own_tools: Option<Arc<[Tool]>>,
    ) -> Self {
        let offered = tools::offered(&inventory, profile, satellite.as_ref());
        let mut actions = HashMap::new();
        let mut named = Vec::new();
        for offer in offered {
            actions.insert(offer.tool.name.clone(), offer.action);
            named.push(offer.tool);
        }
        if let Some(own) = &own_tools {
            // What a suite does not offer cannot be called by guessing its name.
            actions.retain(|name, _| own.iter().any(|tool| &tool.name == name));
        }
        Self {
            tools: own_tools.unwrap_or_else(|| named.into()),
            inventory,
            profile,
            satellite,
            actions,
            things: OnceLock::new(),
        }
    }

    /// What the tool with this name does, if it is offered.
    pub(crate) fn action(&self, name: &str) -> Option<OfferedAction> {
        self.actions.get(name).copied()
    }

    /// The position of the area the satellite stands in.
    pub(crate) fn satellite_area(&self) -> Option<usize> {
        self.satellite.as_ref()?.area
    }

    /// The position of the floor the satellite stands on.
    pub(crate) fn satellite_floor(&self) -> Option<usize> {
        self.inventory.areas()[self.satellite_area()?].floor
    }
}
