//! Home Assistant without Home Assistant: what it tells a model, the tools it offers, and what
//! happens when they are called.

mod catalogue;
mod clock;
mod confusions;
mod failure_pattern;
mod features;
pub mod generate;
mod inventory;
mod precision;
mod profile;
mod prompt;
mod prompt_cost;
mod python;
mod setting;
mod simulator;
mod state;
mod timer;
mod tools;
mod wire;
mod wording;
mod world;
mod yaml;

pub use clock::Clock;
pub use confusions::{Confusion, ConfusionKind, confusions};
pub use failure_pattern::HomeFailure;
pub use inventory::{
    Area, CalendarEvent, Effect, Entity, Field, Floor, Inventory, InventoryError, ItemStatus,
    MediaItem, Problem, Satellite, Script, TodoItem,
};
pub use profile::{EntityOrder, Profile, PromptOptions, TimePlace, UnknownProfile};
pub use prompt_cost::{EntityCost, PromptCost};
pub use state::{AttributeChanges, Happening, HomeState, StateChanges};
pub use tools::{ToolsError, tools_from_json};
pub use wire::{RequestSettings, request_body};
pub use world::{HomeAssistantBuilder, HomeAssistantWorld, SettingError};
