//! What lists, calendars, scripts and the media library hold, read from a file.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value;

use super::reader::{Fields, Reader, get, present};
use crate::inventory::contents::{
    CalendarEvent, Field, ItemStatus, MediaItem, Script, TodoItem, open_items,
};
use crate::inventory::entity::{Contents, Entity, UNAVAILABLE};
use toolgauge_document::Node;

/// What tells that a script is described.
const SCRIPT_KEYS: &[&str] = &["description", "fields", "sequence"];

impl Reader<'_> {
    /// Contents that stand with their entity.
    pub(super) fn inline_contents(&mut self, fields: Fields<'_>, entity: &mut Entity) {
        match entity.domain() {
            "scene" => {
                if let Some(node) = get(fields, "entities") {
                    let effect = self.states(node);
                    hold(entity, Contents::Scene(effect));
                }
            }
            "script" if SCRIPT_KEYS.iter().any(|key| get(fields, key).is_some()) => {
                let script = self.script(fields);
                hold(entity, Contents::Script(script));
            }
            "todo" => {
                if let Some(node) = present(fields, "items") {
                    let items = self.todo_items(node);
                    hold(entity, shared(items));
                }
            }
            "calendar" => {
                if let Some(node) = present(fields, "events") {
                    let events = self.events(node);
                    hold(entity, Contents::Calendar(events));
                }
            }
            _ => {}
        }
    }

    pub(super) fn scripts(&mut self, node: &Node, entities: &mut [Entity]) {
        for (name, item) in self.by_entity(node, "`scripts`") {
            let Some(entity) = self.holder(item, "script", name, entities) else { continue };
            let Some(fields) = self.mapping(item, "a script") else { continue };
            self.known_keys(item, SCRIPT_KEYS);
            let script = self.script(fields);
            hold(entity, Contents::Script(script));
        }
    }

    pub(super) fn scenes(&mut self, node: &Node, entities: &mut [Entity]) {
        for (name, item) in self.by_entity(node, "`scenes`") {
            let Some(entity) = self.holder(item, "scene", name, entities) else { continue };
            let effect = self.states(item);
            hold(entity, Contents::Scene(effect));
        }
    }

    pub(super) fn lists(&mut self, node: &Node, entities: &mut [Entity]) {
        for (name, item) in self.by_entity(node, "`lists`") {
            let Some(entity) = self.holder(item, "todo", name, entities) else { continue };
            let items = self.todo_items(item);
            hold(entity, shared(items));
        }
    }

    pub(super) fn calendars(&mut self, node: &Node, entities: &mut [Entity]) {
        for (name, item) in self.by_entity(node, "`calendars`") {
            let Some(entity) = self.holder(item, "calendar", name, entities) else { continue };
            let events = self.events(item);
            hold(entity, Contents::Calendar(events));
        }
    }

    pub(super) fn library(&mut self, node: &Node) -> Vec<MediaItem> {
        let mut library = Vec::new();
        for item in self.list(Some(node), "`media`") {
            match serde_json::from_value(with_media_defaults(item.value())) {
                Ok(item) => library.push(item),
                Err(error) => self.problem(item, format!("not something to play: {error}")),
            }
        }
        library
    }

    fn by_entity<'n>(&mut self, node: &'n Node, what: &str) -> Fields<'n> {
        self.mapping(node, what).unwrap_or_default()
    }

    fn holder<'e>(
        &mut self,
        node: &Node,
        domain: &str,
        name: &str,
        entities: &'e mut [Entity],
    ) -> Option<&'e mut Entity> {
        let id = if name.contains('.') { name.to_owned() } else { format!("{domain}.{name}") };
        let found = entities.iter_mut().find(|entity| entity.id == id && entity.domain() == domain);
        if found.is_none() {
            self.problem(node, format!("there is no entity `{id}` to hold this"));
        }
        found
    }

    fn script(&mut self, fields: Fields<'_>) -> Script {
        let description = get(fields, "description").and_then(Node::text);
        let sequence = get(fields, "sequence").map(|node| self.sequence(node)).unwrap_or_default();
        let mut script = Script { description, sequence, fields: IndexMap::new() };
        let Some(node) = get(fields, "fields") else { return script };
        for (name, item) in self.mapping(node, "`fields`").unwrap_or_default() {
            if let Some(field) = self.field(item) {
                script.fields.insert(name.clone(), field);
            }
        }
        script
    }

    fn field(&mut self, item: &Node) -> Option<Field> {
        let fields = self.mapping(item, "a field")?;
        self.known_keys(
            item,
            &["name", "description", "required", "selector", "example", "default", "advanced"],
        );
        // Home Assistant tells a field's name where it has no description.
        let words =
            |name: &str| get(fields, name).and_then(Node::text).filter(|text| !text.is_empty());
        let description = words("description").or_else(|| words("name"));
        let selector = get(fields, "selector").map(Node::value).and_then(|value| match value {
            Value::Object(kinds) => kinds.into_iter().next(),
            Value::String(kind) => Some((kind, Value::Null)),
            _ => None,
        });
        Some(Field {
            description,
            required: get(fields, "required").is_some_and(|node| self.truth(node, "`required`")),
            selector,
        })
    }

    fn todo_items(&mut self, node: &Node) -> Vec<TodoItem> {
        let mut items = Vec::new();
        for (at, item) in self.list(Some(node), "a list's items").iter().enumerate() {
            let uid = (at + 1).to_string();
            if let Some(summary) = item.text() {
                items.push(TodoItem::open(summary, uid));
            } else if let Some(fields) = self.mapping(item, "an item") {
                items.extend(self.todo_item(item, fields, uid));
            }
        }
        items
    }

    fn todo_item(&mut self, item: &Node, fields: Fields<'_>, uid: String) -> Option<TodoItem> {
        self.known_keys(item, &["summary", "uid", "status", "due", "description"]);
        let text = |name: &str| get(fields, name).and_then(Node::text);
        let Some(summary) = text("summary") else {
            self.problem(item, "an item needs a `summary`".to_owned());
            return None;
        };
        let status = match text("status").as_deref() {
            None | Some("needs_action") => ItemStatus::NeedsAction,
            Some("completed") => ItemStatus::Completed,
            Some(other) => {
                self.problem(item, format!("`{other}` is neither needs_action nor completed"));
                return None;
            }
        };
        let uid = text("uid").unwrap_or(uid);
        Some(TodoItem { summary, uid, status, due: text("due"), description: text("description") })
    }

    fn events(&mut self, node: &Node) -> Vec<CalendarEvent> {
        let mut events = Vec::new();
        for item in self.list(Some(node), "a calendar's events") {
            let Some(fields) = self.mapping(item, "an event") else { continue };
            self.known_keys(item, &["start", "end", "summary", "description", "location"]);
            let text = |name: &str| get(fields, name).and_then(Node::text);
            let (Some(start), Some(summary)) = (text("start"), text("summary")) else {
                self.problem(item, "an event needs a `start` and a `summary`".to_owned());
                continue;
            };
            let end = text("end").unwrap_or_else(|| start.clone());
            let (description, location) = (text("description"), text("location"));
            events.push(CalendarEvent { start, end, summary, description, location });
        }
        events
    }
}

fn with_media_defaults(value: Value) -> Value {
    let Value::Object(mut item) = value else { return value };
    item.entry("media_class").or_insert_with(|| "music".into());
    item.entry("media_content_type").or_insert_with(|| "music".into());
    item.entry("can_play").or_insert_with(|| true.into());
    item.entry("can_search").or_insert_with(|| false.into());
    Value::Object(item)
}

/// Puts contents into the entity they belong to.
fn hold(entity: &mut Entity, contents: Contents) {
    if let Contents::List(items) = &contents
        && entity.state != UNAVAILABLE
    {
        entity.state = open_items(items).to_string();
    }
    entity.contents = contents;
}

fn shared(items: Vec<TodoItem>) -> Contents {
    Contents::List(Arc::new(items))
}
