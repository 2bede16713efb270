//! What a home holds where its inventory tells the state alone.
//!
//! Inventories that were taken from a running home list entities with their states, but not what
//! is behind them: a to-do list says that it has one open item, not which. The contents here are
//! those of the recorded home, so that its own inventory file plays back whole; any other list
//! that only tells a number is filled with groceries up to that number. A file that gives
//! contents, be it an empty list, is never filled up.

use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Span;
use serde_json::json;

use super::contents::{CalendarEvent, Field, Script, TodoItem};
use super::entity::{Contents, Entity};
use crate::clock::Clock;

const GROCERIES: &[&str] =
    &["Milk", "Bread", "Eggs", "Butter", "Apples", "Coffee", "Rice", "Tomatoes", "Cheese", "Tea"];

/// Gives an entity the contents its inventory leaves out.
pub(super) fn fill(entity: &mut Entity, clock: &Clock) {
    if entity.contents != Contents::Nothing {
        return;
    }
    entity.contents = match (entity.domain(), entity.id.as_str()) {
        ("todo", _) => Contents::List(Arc::new(groceries(&entity.state))),
        (_, "calendar.family") => Contents::Calendar(vec![bin_day(clock)]),
        ("calendar", _) => Contents::Calendar(vec![]),
        (_, "script.goodnight") => Contents::Script(good_night()),
        ("script", _) => Contents::Script(Script::default()),
        _ => return,
    };
}

fn groceries(state: &str) -> Vec<TodoItem> {
    let count = state.parse().unwrap_or(0_usize).min(GROCERIES.len());
    let numbered = GROCERIES[..count].iter().zip(1..);
    numbered.map(|(summary, uid)| TodoItem::open(*summary, uid.to_string())).collect()
}

fn bin_day(clock: &Clock) -> CalendarEvent {
    let today = clock.today();
    let tomorrow = today.checked_add(Span::new().days(1)).unwrap_or(today);
    CalendarEvent {
        start: today.to_string(),
        end: tomorrow.to_string(),
        summary: "Bin day".to_owned(),
        description: None,
        location: None,
    }
}

fn good_night() -> Script {
    let minutes = Field {
        description: Some("Minutes to wait".to_owned()),
        required: false,
        selector: Some(("number".to_owned(), json!({"min": 0.0, "max": 60.0}))),
    };
    let room = Field {
        description: Some("Room to leave lit".to_owned()),
        required: true,
        selector: Some(("area".to_owned(), json!({}))),
    };
    Script {
        sequence: Vec::new(),
        description: Some("Turns everything off for the night".to_owned()),
        fields: IndexMap::from([("delay_minutes".to_owned(), minutes), ("room".to_owned(), room)]),
    }
}
