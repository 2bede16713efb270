//! What is different between two moments of a home.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::{HomeState, TodoItem};
use crate::inventory::ItemStatus;

/// What changed in an entity: `state` or an attribute, with its value before and after.
pub type AttributeChanges = IndexMap<String, [Value; 2]>;

/// What changed in a home, by entity id in the order of the inventory.
pub type StateChanges = IndexMap<String, AttributeChanges>;

impl HomeState {
    /// What changed between an earlier moment and now.
    pub fn changes_since(&self, before: &Self) -> StateChanges {
        let touched: BTreeSet<usize> =
            self.changed.keys().chain(before.changed.keys()).copied().collect();
        let mut changes = StateChanges::new();
        for at in touched {
            let changed = self.entity_changes(before, at);
            if !changed.is_empty() {
                changes.insert(self.inventory().entities()[at].id.clone(), changed);
            }
        }
        changes
    }

    /// What changed since the inventory.
    pub fn changes(&self) -> StateChanges {
        self.changes_since(&Self::new(self.setting.clone(), self.clock.clone()))
    }

    /// What changed between an earlier moment and now, told in full: beside the entities also the
    /// items of to-do lists, the timers, and happenings that leave no state.
    pub(crate) fn told_since(&self, before: &Self) -> Map<String, Value> {
        let entities = self.changes_since(before).into_iter();
        let mut told: Map<String, Value> = entities.map(|(id, it)| (id, json!(it))).collect();
        // A home holds only the lists that were touched in it, and the other moment may have
        // others.
        let lists: BTreeSet<usize> =
            self.lists.keys().chain(before.lists.keys()).copied().collect();
        for at in lists {
            let (then, now) = (items(before.list(at)), items(self.list(at)));
            if then != now {
                let id = self.inventory().entities()[at].id.clone();
                let entity = told.entry(id).or_insert_with(|| Value::Object(Map::new()));
                entity["items"] = json!([then, now]);
            }
        }
        let (then, now) = (before.timers_told(), self.timers_told());
        if then != now {
            told.insert("timers".to_owned(), json!([then, now]));
        }
        if before.happenings != self.happenings {
            let happenings = json!([before.happenings, self.happenings]);
            told.insert("happenings".to_owned(), happenings);
        }
        told
    }

    fn timers_told(&self) -> Vec<Value> {
        self.timers.iter().map(super::Timer::end_state).collect()
    }

    fn entity_changes(&self, before: &Self, at: usize) -> AttributeChanges {
        let (then, now) = (before.view(at), self.view(at));
        let mut changes = AttributeChanges::new();
        if then.state != now.state {
            changes.insert("state".to_owned(), [json!(then.state), json!(now.state)]);
        }
        for name in then.attribute_names().chain(now.attribute_names()) {
            let (old, new) = (then.shown(name), now.shown(name));
            let (old, new) = (old.unwrap_or(&Value::Null), new.unwrap_or(&Value::Null));
            if old != new && !changes.contains_key(name) {
                changes.insert(name.clone(), [old.clone(), new.clone()]);
            }
        }
        changes
    }

    /// Everything that tells this home from its inventory, in one value to compare by: changed
    /// entities and lists, timers, and happenings that leave no state.
    pub fn end_state(&self) -> Value {
        let untouched = Self::new(self.setting.clone(), self.clock.clone());
        let told = |items: &[TodoItem]| -> Vec<Value> {
            items.iter().map(|item| json!([item.summary, item.status])).collect()
        };
        // A list that a call touched may hold again what it held before.
        let lists: IndexMap<&str, Vec<Value>> = self
            .lists
            .iter()
            .map(|(&at, items)| (at, told(items)))
            .filter(|(at, items)| *items != told(untouched.list(*at)))
            .map(|(at, items)| (self.inventory().entities()[at].id.as_str(), items))
            .collect();
        json!({
            "entities": self.changes(),
            "lists": lists,
            "timers": self.timers_told(),
            "happenings": self.happenings,
        })
    }
}

/// The items of a to-do list as people read them.
fn items(list: &[TodoItem]) -> Vec<String> {
    let shown = |item: &TodoItem| match item.status {
        ItemStatus::NeedsAction => item.summary.clone(),
        ItemStatus::Completed => format!("{} (completed)", item.summary),
    };
    list.iter().map(shown).collect()
}
