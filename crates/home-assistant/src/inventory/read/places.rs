//! Floors, areas and satellites.

use indexmap::IndexMap;

use super::reader::{Fields, Reader, get};
use crate::inventory::place::{Area, Floor, Satellite};
use toolgauge_document::Node;

impl Reader<'_> {
    pub(super) fn floors(&mut self, node: &Node) {
        for item in self.list(Some(node), "`floors`") {
            let Some(fields) = self.mapping(item, "a floor") else { continue };
            self.known_keys(item, &["id", "floor_id", "name", "aliases", "level"]);
            let Some((id, name)) = self.id_and_name(item, fields, &["id", "floor_id"]) else {
                continue;
            };
            if self.floors.iter().any(|floor| floor.id == id) {
                self.problem(item, format!("floor `{id}` is there twice"));
                continue;
            }
            let aliases = self.texts(get(fields, "aliases"), "`aliases`");
            self.floors.push(Floor { id, name, aliases });
        }
    }

    pub(super) fn areas(&mut self, node: &Node) {
        for item in self.list(Some(node), "`areas`") {
            let Some(fields) = self.mapping(item, "an area") else { continue };
            self.known_keys(item, &["id", "area_id", "name", "floor_id", "floor", "aliases"]);
            let Some((id, name)) = self.id_and_name(item, fields, &["id", "area_id"]) else {
                continue;
            };
            if self.areas.iter().any(|area| area.id == id) {
                self.problem(item, format!("area `{id}` is there twice"));
                continue;
            }
            let floor = get(fields, "floor_id").or(get(fields, "floor"));
            let floor = floor.and_then(|node| self.floor_named(node));
            let aliases = self.texts(get(fields, "aliases"), "`aliases`");
            self.areas.push(Area { id, name, aliases, floor });
        }
    }

    fn floor_named(&mut self, node: &Node) -> Option<usize> {
        let name = node.text()?;
        let known = self.floors.iter().position(|floor| floor.id == name || floor.name == name);
        if known.is_none() && !self.floors_are_implied {
            self.problem(node, format!("there is no floor `{name}`"));
            return None;
        }
        Some(known.unwrap_or_else(|| {
            self.floors.push(Floor { id: name.clone(), name, aliases: vec![] });
            self.floors.len() - 1
        }))
    }

    pub(super) fn area_named(&mut self, node: &Node) -> Option<usize> {
        let name = node.text()?;
        let by_id = self.areas.iter().position(|area| area.id == name);
        let found = by_id.or_else(|| self.areas.iter().position(|area| area.name == name));
        if found.is_none() {
            self.problem(node, format!("there is no area `{name}`"));
        }
        found
    }

    pub(super) fn satellites(&mut self, node: &Node) -> IndexMap<String, Option<Satellite>> {
        let Some(fields) = self.mapping(node, "`satellites`") else { return IndexMap::new() };
        let mut satellites = IndexMap::new();
        for (name, item) in fields {
            let satellite = (!item.is_null()).then(|| self.satellite(name, item));
            satellites.insert(name.clone(), satellite.flatten());
        }
        satellites
    }

    fn satellite(&mut self, name: &str, item: &Node) -> Option<Satellite> {
        let fields = self.mapping(item, "a satellite")?;
        self.known_keys(item, &["area", "area_id", "supports_timers", "timers", "entity_id"]);
        let area = get(fields, "area").or(get(fields, "area_id"));
        let timers = get(fields, "supports_timers").or(get(fields, "timers"));
        Some(Satellite {
            name: name.to_owned(),
            area: area.and_then(|node| self.area_named(node)),
            supports_timers: timers.is_none_or(|node| self.truth(node, "`supports_timers`")),
            entity_id: get(fields, "entity_id").and_then(Node::text),
        })
    }

    fn id_and_name(
        &mut self,
        item: &Node,
        fields: Fields<'_>,
        id_keys: &[&str],
    ) -> Option<(String, String)> {
        let id = id_keys.iter().find_map(|key| get(fields, key)).and_then(Node::text);
        let name = get(fields, "name").and_then(Node::text);
        match (id, name) {
            (Some(id), Some(name)) => Some((id, name)),
            (None, Some(name)) => Some((slug(&name), name)),
            (Some(id), None) => Some((id.clone(), id)),
            (None, None) => {
                self.problem(item, "it needs a `name`".to_owned());
                None
            }
        }
    }
}

fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.to_lowercase().chars() {
        if character.is_alphanumeric() {
            slug.push(character);
        } else if !slug.ends_with('_') {
            slug.push('_');
        }
    }
    slug.trim_matches('_').to_owned()
}
