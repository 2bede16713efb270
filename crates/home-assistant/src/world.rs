//! Home Assistant as a world: homes prepared for every satellite, entered afresh by each trial.

mod builder;

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Value, json};
use toolgauge_core::{
    Arguments, Case, Message, ThingPlace, Tool, ToolCall, Transcript, WorldThing, WorldWords,
};

pub use builder::HomeAssistantBuilder;

use super::clock::Clock;
use super::failure_pattern;
use super::inventory::{Inventory, is_arrangement};
use super::profile::{Profile, PromptOptions};
use super::prompt;
use super::setting::Setting;
use super::state::HomeState;
use toolgauge_world::{ToolReply, World, WorldState};

/// One or more homes run by one version of Home Assistant.
///
/// A case picks its home by its tag `tier`, and the satellite it speaks to by the metadata
/// `satellite`; without either, the first home and the world's own satellite are meant. Its
/// metadata `setup` may change states beforehand, and calls in its conversation so far have
/// already been made when a trial begins.
#[derive(Debug)]
pub struct HomeAssistantWorld {
    profile: Profile,
    options: PromptOptions,
    satellite: Option<String>,
    clock: Option<Clock>,
    time_varies: bool,
    homes: IndexMap<String, PreparedHome>,
}

/// A home, ready to be spoken to from each of its satellites or from no device.
#[derive(Debug)]
struct PreparedHome {
    inventory: Arc<Inventory>,
    nobody: Prepared,
    satellites: IndexMap<String, Prepared>,
}

/// What is said and offered at one satellite.
#[derive(Debug)]
struct Prepared {
    setting: Arc<Setting>,
    system: Arc<str>,
}

/// Why a home cannot be spoken to as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The inventory has no such satellite.
    #[error("there is no satellite `{name}` (known: {})", known.join(", "))]
    UnknownSatellite {
        /// The name that was given.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// Two homes have the same name.
    #[error("there are two homes named `{0}`")]
    HomeTwice(String),
}

impl HomeAssistantWorld {
    /// Which Home Assistant it plays.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The inventory a case plays in.
    pub fn inventory(&self, case: &Case) -> &Arc<Inventory> {
        &self.home_of(case).inventory
    }

    /// The system message and the tools at a satellite of the first home, or at none.
    pub fn at(&self, satellite: Option<&str>) -> Result<(Arc<str>, Arc<[Tool]>), SettingError> {
        let prepared = self.first().prepared(satellite)?;
        Ok((Arc::clone(&prepared.system), Arc::clone(&prepared.setting.tools)))
    }

    /// The first home as its inventory describes it, spoken to from a satellite or from none.
    pub fn home(&self, satellite: Option<&str>) -> Result<HomeState, SettingError> {
        let prepared = self.first().prepared(satellite)?;
        let clock = self.clock_of(self.first(), None);
        Ok(HomeState::new(Arc::clone(&prepared.setting), clock))
    }

    /// Goes on in a state of the first home, spoken to from another satellite or from none.
    pub fn go_to(
        &self,
        state: &mut HomeState,
        satellite: Option<&str>,
    ) -> Result<(), SettingError> {
        state.setting = Arc::clone(&self.first().prepared(satellite)?.setting);
        Ok(())
    }

    /// The home as a case finds it.
    pub fn home_for(&self, case: &Case) -> HomeState {
        let home = self.home_of(case);
        let prepared = self.prepared_for(home, case);
        let clock = self.clock_of(home, Some(case));
        let mut state = HomeState::new(Arc::clone(&prepared.setting), clock);
        if let Some(Value::Object(setup)) = case.metadata.get("setup") {
            state.arrange(setup);
        }
        for message in &case.input {
            if let Message::Assistant(message) = message {
                for call in &message.calls {
                    answer(&mut state, call);
                }
            }
        }
        state
    }

    fn first(&self) -> &PreparedHome {
        &self.homes[0]
    }

    fn home_of(&self, case: &Case) -> &PreparedHome {
        let tier = case.tags.get("tier");
        tier.and_then(|tier| self.homes.get(tier)).unwrap_or_else(|| self.first())
    }

    fn prepared_for<'h>(&self, home: &'h PreparedHome, case: &Case) -> &'h Prepared {
        let named = match case.metadata.get("satellite") {
            Some(Value::String(name)) => Some(name.as_str()),
            Some(Value::Null) => return &home.nobody,
            _ => self.satellite.as_deref(),
        };
        home.prepared(named).unwrap_or(&home.nobody)
    }

    fn clock_of(&self, home: &PreparedHome, case: Option<&Case>) -> Clock {
        let own = self.clock.clone().or_else(|| home.inventory.clock.clone());
        let clock = own.unwrap_or_else(|| match self.profile {
            Profile::Classic => Clock::classic(),
            _ => Clock::recorded(),
        });
        match case.filter(|_| self.time_varies) {
            Some(case) => clock.varied(case.id.as_str()),
            None => clock,
        }
    }
}

impl PreparedHome {
    fn prepared(&self, satellite: Option<&str>) -> Result<&Prepared, SettingError> {
        let Some(name) = satellite else { return Ok(&self.nobody) };
        self.satellites.get(name).ok_or_else(|| SettingError::UnknownSatellite {
            name: name.to_owned(),
            known: self.satellites.keys().cloned().collect(),
        })
    }
}

impl World for HomeAssistantWorld {
    fn tools(&self, case: &Case) -> Arc<[Tool]> {
        Arc::clone(&self.prepared_for(self.home_of(case), case).setting.tools)
    }

    fn briefing(&self, case: &Case) -> Option<Arc<str>> {
        let home = self.home_of(case);
        let prepared = self.prepared_for(home, case);
        if !self.time_varies {
            return Some(Arc::clone(&prepared.system));
        }
        let satellite = prepared.setting.satellite.as_ref();
        let clock = self.clock_of(home, Some(case));
        Some(prompt::system(&home.inventory, self.profile, &self.options, satellite, &clock).into())
    }

    fn complaints(&self, case: &Case) -> Vec<String> {
        let mut complaints = Vec::new();
        let home = self.home_of(case);
        if let Some(tier) = case.tags.get("tier")
            && self.homes.len() > 1
            && !self.homes.contains_key(tier)
        {
            complaints.push(format!("there is no home for the tier `{tier}`"));
        }
        if let Some(Value::String(name)) = case.metadata.get("satellite")
            && let Err(error) = home.prepared(Some(name))
        {
            complaints.push(error.to_string());
        }
        if let Some(Value::Object(setup)) = case.metadata.get("setup") {
            let unknown = setup.keys().filter(|id| home.inventory.entity(id).is_none());
            complaints.extend(unknown.map(|id| format!("`setup` names no entity: `{id}`")));
            complaints.extend(setup.iter().filter(|(_, wanted)| !is_arrangement(wanted)).map(
                |(id, _)| format!("`setup` gives `{id}` a state that is neither text nor a number"),
            ));
        }
        complaints
    }

    fn size(&self, case: &Case) -> Option<usize> {
        Some(self.home_of(case).inventory.entities.len())
    }

    fn words(&self) -> &WorldWords {
        &failure_pattern::WORDS
    }

    fn shown_patterns(&self, case: &Case, transcript: &Transcript) -> Vec<&'static str> {
        failure_pattern::classify(case, &self.tools(case), transcript)
    }

    fn is_guarded(&self, thing: &str) -> bool {
        failure_pattern::is_guarded(thing)
    }

    fn spoken_to(&self, case: &Case) -> Option<String> {
        let setting = &self.prepared_for(self.home_of(case), case).setting;
        setting.satellite.as_ref()?.entity_id.clone()
    }

    fn has_state(&self) -> bool {
        true
    }

    fn enter(&self, case: &Case) -> Box<dyn WorldState> {
        let start = self.home_for(case);
        Box::new(HomeTrial { home: start.clone(), start })
    }
}

/// A home during one trial, and as the trial found it.
struct HomeTrial {
    home: HomeState,
    start: HomeState,
}

impl WorldState for HomeTrial {
    fn call(&mut self, call: &ToolCall) -> ToolReply {
        answer(&mut self.home, call)
    }

    fn state_changes(&self) -> Option<Arc<Value>> {
        Some(Arc::new(Value::Object(self.home.told_since(&self.start))))
    }

    fn end_state(&self) -> Option<Arc<Value>> {
        Some(Arc::new(self.home.end_state()))
    }

    fn things(&self) -> Vec<Arc<WorldThing>> {
        self.home.things()
    }
}

/// Home Assistant gives up on a turn whose arguments do not parse; a trial goes on with an error.
fn answer(home: &mut HomeState, call: &ToolCall) -> ToolReply {
    match &call.arguments {
        Arguments::Object(arguments) => home.execute(&call.name, arguments),
        Arguments::Malformed { why, .. } => {
            let error = json!({"error": "JSONDecodeError", "error_text": why.to_string()});
            let content = if home.setting.profile.is_current() {
                json!({"data": error, "error": true})
            } else {
                error
            };
            ToolReply::failed(content.to_string())
        }
    }
}

impl HomeState {
    /// Everything in the home as it is now, with what a person would see of it.
    pub fn things(&self) -> Vec<Arc<WorldThing>> {
        // Every trial of a home shares one list of what stands there untouched: a large home has
        // hundreds of things, and a call changes a few of them.
        let untouched = self.setting.things.get_or_init(|| {
            let start = Self::new(Arc::clone(&self.setting), self.clock.clone());
            let entities = self.inventory().entities().iter().enumerate();
            entities.map(|(at, entity)| entity.exposed.then(|| Arc::new(start.thing(at)))).collect()
        });
        let now = untouched.iter().enumerate().filter_map(|(at, thing)| {
            let thing = thing.as_ref()?;
            Some(if self.is_changed(at) { self.thing(at).into() } else { Arc::clone(thing) })
        });
        now.collect()
    }

    fn thing(&self, at: usize) -> WorldThing {
        let inventory = self.inventory();
        let view = self.view(at);
        let area = inventory.area_of(view.entity);
        let floor = area.and_then(|area| inventory.floor_of(area));
        let place = |kind: &str, name: &String, aliases: &[String]| ThingPlace {
            kind: kind.to_owned(),
            names: [std::slice::from_ref(name), aliases].concat(),
        };
        let floor = floor.map(|floor| place("floor", &floor.name, &floor.aliases));
        let area = area.map(|area| place("area", &area.name, &area.aliases));
        let domain = ("domain".to_owned(), view.entity.domain().to_owned());
        let class = view.shown("device_class").and_then(Value::as_str);
        let class = class.map(|class| ("device_class".to_owned(), class.to_owned()));
        let shown = view
            .attribute_names()
            .filter_map(|name| Some((name.clone(), view.shown(name)?.clone())));
        WorldThing {
            kinds: [Some(domain), class].into_iter().flatten().collect(),
            places: [area, floor].into_iter().flatten().collect(),
            state: view.state.to_owned(),
            attributes: shown.collect(),
            ..WorldThing::new(view.entity.id.clone(), view.entity.known_names())
        }
    }
}
