//! Putting a world together.

use std::sync::Arc;

use indexmap::IndexMap;
use toolgauge_core::Tool;

use super::{HomeAssistantWorld, Prepared, PreparedHome, SettingError};
use crate::clock::Clock;
use crate::inventory::{Inventory, Satellite};
use crate::profile::{Profile, PromptOptions};
use crate::prompt;
use crate::setting::Setting;

/// What a world is made of.
#[derive(Debug)]
pub struct HomeAssistantBuilder {
    homes: Vec<(String, Arc<Inventory>)>,
    profile: Profile,
    options: PromptOptions,
    satellite: Option<String>,
    tools: Option<Arc<[Tool]>>,
    clock: Option<Clock>,
    time_varies: bool,
}

impl HomeAssistantWorld {
    /// Starts a world with a home.
    pub fn builder(inventory: Arc<Inventory>) -> HomeAssistantBuilder {
        HomeAssistantBuilder {
            homes: vec![(String::new(), inventory)],
            profile: Profile::default(),
            options: PromptOptions::default(),
            satellite: None,
            tools: None,
            clock: None,
            time_varies: false,
        }
    }
}

impl HomeAssistantBuilder {
    /// Which Home Assistant it plays.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// What is varied about the prompt.
    #[must_use]
    pub fn prompt(mut self, options: PromptOptions) -> Self {
        self.options = options;
        self
    }

    /// The satellite people speak to where a case does not say; none means no device.
    #[must_use]
    pub fn satellite(mut self, name: Option<String>) -> Self {
        self.satellite = name;
        self
    }

    /// Tools to offer in place of the home's own. Those the profile knows do what they do;
    /// others are offered and not found when they are called.
    #[must_use]
    pub fn tools(mut self, tools: Vec<Tool>) -> Self {
        self.tools = Some(tools.into());
        self
    }

    /// The time, in place of the inventory's.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Gives each case a time of its own, so that a prompt with the time in it differs from
    /// case to case as it would in a home.
    #[must_use]
    pub fn varying_time(mut self) -> Self {
        self.time_varies = true;
        self
    }

    /// Adds a home for the cases of a tier.
    #[must_use]
    pub fn tier(mut self, tier: impl Into<String>, inventory: Arc<Inventory>) -> Self {
        self.homes.push((tier.into(), inventory));
        self
    }

    /// The world. Fails when the satellite is in none of the homes.
    pub fn build(self) -> Result<HomeAssistantWorld, SettingError> {
        let mut world = HomeAssistantWorld {
            profile: self.profile,
            options: self.options,
            satellite: self.satellite,
            clock: self.clock,
            time_varies: self.time_varies,
            homes: IndexMap::new(),
        };
        for (name, inventory) in self.homes {
            let home = prepare(&world, inventory, self.tools.as_ref());
            if world.homes.insert(name.clone(), home).is_some() {
                return Err(SettingError::HomeTwice(name));
            }
        }
        if let Some(name) = &world.satellite
            && !world.homes.values().any(|home| home.satellites.contains_key(name))
        {
            // This fails, with an error that lists the satellites there are.
            world.first().prepared(Some(name))?;
        }
        Ok(world)
    }
}

fn prepare(
    world: &HomeAssistantWorld,
    inventory: Arc<Inventory>,
    tools: Option<&Arc<[Tool]>>,
) -> PreparedHome {
    let mut home = PreparedHome {
        nobody: at(world, &inventory, None, tools),
        satellites: IndexMap::new(),
        inventory,
    };
    for (name, satellite) in &home.inventory.satellites {
        let prepared = at(world, &home.inventory, satellite.clone(), tools);
        home.satellites.insert(name.clone(), prepared);
    }
    // The clock may be the home's own, so prompts are written once the home is known.
    let clock = world.clock_of(&home, None);
    let write = |prepared: &mut Prepared| {
        let satellite = prepared.setting.satellite.as_ref();
        let (profile, options) = (world.profile, &world.options);
        prepared.system =
            prompt::system(&prepared.setting.inventory, profile, options, satellite, &clock).into();
    };
    write(&mut home.nobody);
    home.satellites.values_mut().for_each(write);
    home
}

fn at(
    world: &HomeAssistantWorld,
    inventory: &Arc<Inventory>,
    satellite: Option<Satellite>,
    tools: Option<&Arc<[Tool]>>,
) -> Prepared {
    let inventory = Arc::clone(inventory);
    let setting = Setting::new(inventory, world.profile, satellite, tools.cloned());
    Prepared { setting: Arc::new(setting), system: Arc::from("") }
}
