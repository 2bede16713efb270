//! What lists, calendars, scripts and media players hold.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An item of a to-do list, in the shape Home Assistant reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TodoItem {
    /// What is to be done or bought.
    pub summary: String,
    /// The item's id within its list.
    pub uid: String,
    /// Whether it is done.
    pub status: ItemStatus,
    /// When it is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// More about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl TodoItem {
    /// An item that is still to be done.
    pub fn open(summary: impl Into<String>, uid: impl Into<String>) -> Self {
        Self {
            summary: summary.into(),
            uid: uid.into(),
            status: ItemStatus::NeedsAction,
            due: None,
            description: None,
        }
    }
}

/// Whether an item is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    /// Not yet.
    NeedsAction,
    /// Yes.
    Completed,
}

/// An event of a calendar: dates for whole days, date-times otherwise; the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarEvent {
    /// When it starts: `2026-11-15` or `2026-11-15T18:00:00+01:00`.
    pub start: String,
    /// When it ends, exclusively, in the same form.
    pub end: String,
    /// What it is.
    pub summary: String,
    /// More about it.
    pub description: Option<String>,
    /// Where it is.
    pub location: Option<String>,
}

/// A script that a model may run as a tool of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// What it does, as its author wrote it.
    pub description: Option<String>,
    /// What can be passed to it, by name.
    pub fields: IndexMap<String, Field>,
    /// What it does, in order; empty where the inventory does not say.
    pub sequence: Vec<Effect>,
}

/// One thing that a scene or a script does to the home.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Entities take these states: by id, a state or a mapping of `state` and attributes.
    Set(Map<String, Value>),
    /// A tool is called, by its name without a prefix. An argument `{field}` stands for what was
    /// passed to the script under that name.
    Call {
        /// The name of the tool, without its prefix.
        tool: String,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
}

/// One field of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What to pass.
    pub description: Option<String>,
    /// Whether it must be passed.
    pub required: bool,
    /// Home Assistant's selector, such as `{"area": {}}`: its kind and its settings.
    pub selector: Option<(String, Value)>,
}

/// Something that can be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaItem {
    /// The name people use.
    pub title: String,
    /// Artist, album, track and so on.
    pub media_class: String,
    /// Music, video and so on.
    pub media_content_type: String,
    /// What a player needs to play it.
    pub media_content_id: String,
    /// Whether it can be played as it is.
    pub can_play: bool,
    /// Whether it can be searched inside.
    pub can_search: bool,
}

/// How many items are still to be done, which is the state of a to-do list.
pub(crate) fn open_items(items: &[TodoItem]) -> usize {
    items.iter().filter(|item| item.status == ItemStatus::NeedsAction).count()
}

/// A state as Home Assistant keeps it, which is text, whatever a file writes it as; none if the
/// value can be no state.
pub(crate) fn state_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        // YAML takes `on` and `off` for words here, and other programs for truth.
        Value::Bool(on) => Some(if *on { "on" } else { "off" }.to_owned()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether an entity can be put into this: a state, or a mapping of `state` and attributes.
pub(crate) fn is_arrangement(value: &Value) -> bool {
    match value {
        Value::Object(settings) => {
            settings.get("state").is_none_or(|state| state_text(state).is_some())
        }
        bare => state_text(bare).is_some(),
    }
}
