//! A home during a trial: what calls have changed, on top of an inventory that never changes.

mod arrangement;
mod changes;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

pub use changes::{AttributeChanges, StateChanges};

use super::clock::Clock;
use super::inventory::{Contents, Entity, Inventory, TodoItem, UNAVAILABLE, open_items};
use super::setting::Setting;
use super::timer::Timer;

/// A home during a trial.
///
/// It starts as cheap as two shared pointers; only what a call touches is copied.
#[derive(Clone, Debug)]
pub struct HomeState {
    pub(crate) setting: Arc<Setting>,
    pub(crate) clock: Clock,
    changed: BTreeMap<usize, EntityState>,
    lists: BTreeMap<usize, Arc<Vec<TodoItem>>>,
    pub(crate) timers: Vec<Timer>,
    pub(crate) timers_started: u32,
    pub(crate) last_paused: Option<LastPaused>,
    pub(crate) happenings: Vec<Happening>,
    /// The scenes and scripts that are being played, the innermost last.
    pub(crate) running: Vec<usize>,
    calls: u64,
}

/// The players that were paused by voice last, and when.
#[derive(Clone, Debug)]
pub(crate) struct LastPaused {
    pub(crate) at_call: u64,
    pub(crate) players: Vec<usize>,
}

/// Something a call brought about that no entity's state shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// A message was said through the home.
    Broadcast(String),
    /// A command was put off by some seconds.
    DelayedCommand {
        /// What will be asked for.
        command: String,
        /// How many seconds from now.
        seconds: i64,
    },
    /// A script was run with these values.
    Script {
        /// The script's entity id.
        script: String,
        /// What was passed, names of areas and floors turned into ids.
        arguments: Map<String, Value>,
    },
    /// A vacuum was sent to clean areas.
    CleanArea {
        /// The entity ids of the vacuums.
        vacuums: Vec<String>,
        /// The ids of the areas.
        areas: Vec<String>,
    },
}

/// The state of one entity that a call has touched.
#[derive(Clone, Debug)]
pub(crate) struct EntityState {
    pub(crate) state: String,
    /// What the device remembers; some of it shows only while it is on.
    pub(crate) attributes: Map<String, Value>,
    pub(crate) presses: u32,
    changed_at_call: u64,
}

/// An entity as it is now.
#[derive(Clone, Copy)]
pub(crate) struct EntityView<'a> {
    pub(crate) entity: &'a Entity,
    pub(crate) state: &'a str,
    attributes: &'a Map<String, Value>,
}

impl HomeState {
    pub(crate) fn new(setting: Arc<Setting>, clock: Clock) -> Self {
        Self {
            setting,
            clock,
            changed: BTreeMap::new(),
            lists: BTreeMap::new(),
            timers: Vec::new(),
            timers_started: 0,
            last_paused: None,
            happenings: Vec::new(),
            running: Vec::new(),
            calls: 0,
        }
    }

    pub(crate) fn inventory(&self) -> &Inventory {
        &self.setting.inventory
    }

    pub(crate) fn view(&self, at: usize) -> EntityView<'_> {
        let entity = &self.inventory().entities()[at];
        match self.changed.get(&at) {
            Some(now) => EntityView { entity, state: &now.state, attributes: &now.attributes },
            None => EntityView { entity, state: &entity.state, attributes: &entity.attributes },
        }
    }

    /// Whether anything of an entity was set since the home was entered.
    pub(crate) fn is_changed(&self, at: usize) -> bool {
        self.changed.contains_key(&at)
    }

    pub(crate) fn begin_call(&mut self) {
        self.calls += 1;
    }

    pub(crate) fn call_number(&self) -> u64 {
        self.calls
    }

    /// In which call an entity last got another state; 0 for never.
    pub(crate) fn changed_at(&self, at: usize) -> u64 {
        self.changed.get(&at).map_or(0, |now| now.changed_at_call)
    }

    pub(crate) fn set_state(&mut self, at: usize, state: &str) {
        if self.view(at).state == state {
            return;
        }
        let call = self.calls;
        let now = self.edit(at);
        state.clone_into(&mut now.state);
        now.changed_at_call = call;
    }

    /// Sets an attribute, whether or not the device had it.
    pub(crate) fn set(&mut self, at: usize, attribute: &str, value: impl Into<Value>) {
        let value = value.into();
        if self.view(at).attributes.get(attribute) != Some(&value) {
            self.edit(at).attributes.insert(attribute.to_owned(), value);
        }
    }

    /// Sets an attribute that the device has; others do not gain it.
    pub(crate) fn set_known(&mut self, at: usize, attribute: &str, value: impl Into<Value>) {
        if self.view(at).attributes.contains_key(attribute) {
            self.set(at, attribute, value);
        }
    }

    /// Counts a press or a run, whose time is all that shows of it.
    ///
    /// The clock stands still, so every press counts as one microsecond: pressing twice is not
    /// the same as pressing once, and nothing else tells them apart.
    pub(crate) fn press(&mut self, at: usize) -> u32 {
        let now = self.edit(at);
        now.presses += 1;
        now.presses
    }

    fn edit(&mut self, at: usize) -> &mut EntityState {
        let entity = &self.setting.inventory.entities()[at];
        self.changed.entry(at).or_insert_with(|| EntityState {
            state: entity.state.clone(),
            attributes: entity.attributes.clone(),
            presses: 0,
            changed_at_call: 0,
        })
    }

    /// The items of a to-do list.
    pub(crate) fn list(&self, at: usize) -> &[TodoItem] {
        match (self.lists.get(&at), &self.inventory().entities()[at].contents) {
            (Some(items), _) | (None, Contents::List(items)) => items,
            (None, _) => &[],
        }
    }

    /// Changes a to-do list; its state follows the number of open items. One that is unavailable
    /// is changed all the same: Home Assistant asks the list itself, not whether it is there.
    pub(crate) fn edit_list(&mut self, at: usize, change: impl FnOnce(&mut Vec<TodoItem>)) {
        let mut items = self.list(at).to_vec();
        change(&mut items);
        if self.view(at).is_available() {
            self.set_state(at, &open_items(&items).to_string());
        }
        self.lists.insert(at, Arc::new(items));
    }

    /// Back to the inventory, except for what nothing can take back: when a button was pressed,
    /// a scene was set and a script was run.
    pub fn reset(&mut self) {
        let mut fresh = Self::new(Arc::clone(&self.setting), self.clock.clone());
        for (at, now) in std::mem::take(&mut self.changed) {
            if now.presses > 0 {
                fresh.changed.insert(at, now);
            }
        }
        *self = fresh;
    }
}

/// What a light shows only while it is on.
const LIGHT_SETTINGS: &[&str] = &[
    "color_mode",
    "brightness",
    "color_temp_kelvin",
    "color_temp",
    "hs_color",
    "rgb_color",
    "rgbw_color",
    "rgbww_color",
    "xy_color",
    "effect",
];

/// What a media player shows only while it is not off.
const PLAYER_SETTINGS: &[&str] = &[
    "volume_level",
    "is_volume_muted",
    "media_content_id",
    "media_content_type",
    "media_duration",
    "media_position",
    "media_title",
    "media_artist",
    "media_album_name",
    "media_track",
    "media_series_title",
    "media_season",
    "media_episode",
    "app_id",
    "app_name",
    "source",
    "sound_mode",
    "shuffle",
    "repeat",
];

impl<'a> EntityView<'a> {
    /// What the device remembers under this name, shown or not.
    pub(crate) fn remembered(&self, attribute: &str) -> Option<&'a Value> {
        self.attributes.get(attribute).filter(|value| !value.is_null())
    }

    /// Whether the device knows of this at all.
    pub(crate) fn has(&self, attribute: &str) -> bool {
        self.attributes.contains_key(attribute)
    }

    /// What Home Assistant shows under this name; `None` when it shows nothing at all.
    pub(crate) fn shown(&self, attribute: &str) -> Option<&'a Value> {
        let value = self.attributes.get(attribute)?;
        match (self.entity.domain(), self.state) {
            ("light", "off") if LIGHT_SETTINGS.contains(&attribute) => Some(&Value::Null),
            ("media_player", "off") if PLAYER_SETTINGS.contains(&attribute) => None,
            _ => Some(value),
        }
    }

    /// The names of all attributes, in order.
    pub(crate) fn attribute_names(&self) -> impl Iterator<Item = &'a String> + use<'a> {
        self.attributes.keys()
    }

    pub(crate) fn is_available(&self) -> bool {
        self.state != UNAVAILABLE
    }
}
