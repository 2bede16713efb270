//! To-do lists: adding, completing and removing items, and telling what is on them.

use serde_json::{Map, Value, json};

use super::matching::{Constraints, Preferences};
use super::reply::{CallAnswer, CallFailure, CallOutcome, IntentAnswer, Target, TargetKind};
use super::slots::Slots;
use super::strict::{self, Parameter, ParameterTakes};
use crate::catalogue::ToolKind;
use crate::inventory::{ItemStatus, TodoItem, casefold};
use crate::state::HomeState;

impl HomeState {
    /// Adds, completes or removes an item of the list that is named.
    pub(super) fn change_list(&mut self, kind: ToolKind, slots: &Slots<'_>) -> CallOutcome {
        let name = slots.text("name").unwrap_or_default();
        let at = self.list_named(name)?;
        self.change_item(kind, at, slots.text("item").unwrap_or_default())?;
        // The answer repeats the name as it was given.
        let target = Target {
            name: name.to_owned(),
            kind: TargetKind::Entity,
            id: self.view(at).entity.id.clone(),
        };
        Ok(CallAnswer::Intent(IntentAnswer { success: vec![target], ..IntentAnswer::default() }))
    }

    pub(super) fn change_item(
        &mut self,
        kind: ToolKind,
        at: usize,
        item: &str,
    ) -> Result<(), CallFailure> {
        // Before 2026.10 an item was taken as it is spelled; only what was added was trimmed.
        let lenient = self.setting.profile.is_current();
        let adds = matches!(kind, ToolKind::ListAdd | ToolKind::ShoppingListAdd);
        let item = if lenient || adds { item.trim() } else { item };
        if adds {
            let summary = if lenient { capitalized(item) } else { item.to_owned() };
            self.edit_list(at, |items| {
                let uid = free_uid(items);
                items.push(TodoItem::open(summary, uid));
            });
            return Ok(());
        }
        let removes = kind == ToolKind::ListRemove;
        let same = |summary: &str| {
            if lenient { casefold(summary) == casefold(item) } else { summary == item }
        };
        let is_meant = |one: &TodoItem| {
            (one.uid == item || same(&one.summary))
                && (removes || one.status == ItemStatus::NeedsAction)
        };
        let Some(found) = self.list(at).iter().position(is_meant) else {
            return Err(CallFailure::handle(format!("Item '{item}' not found on list")));
        };
        self.edit_list(at, |items| {
            if removes {
                items.remove(found);
            } else {
                items[found].status = ItemStatus::Completed;
            }
        });
        Ok(())
    }

    fn list_named(&self, name: &str) -> Result<usize, CallFailure> {
        let constraints = Constraints {
            name: Some(name),
            domains: Some(vec!["todo"]),
            domains_are_a_list: true,
            ..Constraints::default()
        };
        let found = self.find(&constraints, &Preferences::default());
        let found = found.map_err(|reason| self.unmatched(reason, &constraints, None))?;
        Ok(found.entities[0])
    }

    /// What is on a list: what is still to be done, unless another status is asked for.
    pub(super) fn list_items(&self, arguments: &Map<String, Value>) -> CallOutcome {
        let lists = self.inventory().exposed_names("todo");
        let statuses = ["needs_action", "completed", "all"].map(str::to_owned);
        let texts = strict::check(
            self.setting.profile,
            &[
                Parameter::required("todo_list", ParameterTakes::Choice(&lists)),
                Parameter::optional("status", ParameterTakes::Choice(&statuses)),
            ],
            arguments,
        )?;
        let constraints = Constraints {
            name: texts.get("todo_list"),
            domains: Some(vec!["todo"]),
            ..Constraints::default()
        };
        let Ok(found) = self.find(&constraints, &Preferences::default()) else {
            return Err(CallFailure::NotFound("To-do list not found".to_owned()));
        };
        self.answers(found.entities[0])?;
        let wanted = match texts.get("status") {
            Some("all") => None,
            Some("completed") => Some(ItemStatus::Completed),
            _ => Some(ItemStatus::NeedsAction),
        };
        let items = self.list(found.entities[0]).iter();
        let items: Vec<&TodoItem> =
            items.filter(|item| wanted.is_none_or(|status| item.status == status)).collect();
        Ok(CallAnswer::found("items", json!(items)))
    }
}

/// An id that no item of a list has. Home Assistant makes random ones; here they are numbers, so
/// that a trial can be repeated.
fn free_uid(items: &[TodoItem]) -> String {
    let mut number = items.len() + 1;
    // After a removal the number behind the last item may still be in use.
    while items.iter().any(|item| item.uid == number.to_string()) {
        number += 1;
    }
    number.to_string()
}

/// The first letter in upper case, the rest as it is.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
