//! Entities, with whatever stands in them.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::reader::{Fields, Reader, get, present};
use crate::features;
use crate::inventory::entity::Entity;
use toolgauge_document::Node;

impl Reader<'_> {
    pub(super) fn entities(
        &mut self,
        node: &Node,
        older: bool,
        entities: &mut IndexMap<String, Entity>,
    ) {
        for item in self.list(Some(node), "`entities`") {
            let Some(mut entity) = self.entity(item) else { continue };
            if entities.contains_key(&entity.id) {
                self.problem(item, format!("entity `{}` is there twice", entity.id));
                continue;
            }
            if older {
                entity.features |= features::implied(entity.domain());
            }
            entities.insert(entity.id.clone(), entity);
        }
    }

    fn entity(&mut self, item: &Node) -> Option<Entity> {
        let fields = self.mapping(item, "an entity")?;
        self.known_keys(
            item,
            &[
                "entity_id",
                "name",
                "names",
                "aliases",
                "area_id",
                "area",
                "domain",
                "state",
                "attributes",
                "exposed",
                "display_precision",
                "description",
                "fields",
                "items",
                "events",
                "entities",
                "sequence",
            ],
        );
        let id = self.entity_id(item, fields)?;
        let attributes = self.attributes(get(fields, "attributes"));
        let name = get(fields, "name")
            .and_then(Node::text)
            .or_else(|| attributes.get("friendly_name")?.as_str().map(str::to_owned))
            .unwrap_or_else(|| name_from_id(&id));
        let state = get(fields, "state").and_then(Node::text);
        let mut entity =
            Entity::new(id, name, state.unwrap_or_else(|| "unknown".to_owned()), attributes);
        self.names(fields, &mut entity);
        entity.exposed = get(fields, "exposed").is_none_or(|node| self.truth(node, "`exposed`"));
        let area = get(fields, "area_id").or(get(fields, "area"));
        entity.area = area.and_then(|node| self.area_named(node));
        entity.display_precision = get(fields, "display_precision")
            .and_then(|node| node.value().as_u64())
            .and_then(|digits| usize::try_from(digits).ok());
        self.inline_contents(fields, &mut entity);
        Some(entity)
    }

    /// Every name it answers to: `names` lists all of them, be it none; `aliases` adds to `name`.
    fn names(&mut self, fields: Fields<'_>, entity: &mut Entity) {
        let Some(node) = present(fields, "names") else {
            entity.names.extend(self.texts(get(fields, "aliases"), "`aliases`"));
            return;
        };
        entity.names = self.texts(Some(node), "`names`");
        if let Some(aliases) = get(fields, "aliases") {
            let id = &entity.id;
            self.problem(
                aliases,
                format!("`{id}` has `names`, which leaves no place for `aliases`"),
            );
        }
    }

    fn entity_id(&mut self, item: &Node, fields: Fields<'_>) -> Option<String> {
        let Some(id) = get(fields, "entity_id").and_then(Node::text) else {
            self.problem(item, "an entity needs an `entity_id`".to_owned());
            return None;
        };
        let parts = id.split_once('.');
        if !parts.is_some_and(|(domain, object)| is_slug(domain) && is_slug(object)) {
            self.problem(item, format!("`{id}` is no entity id such as `light.kitchen`"));
            return None;
        }
        if let Some(domain) = get(fields, "domain").and_then(Node::text)
            && !id.starts_with(&format!("{domain}."))
        {
            self.problem(item, format!("entity `{id}` cannot be of domain `{domain}`"));
        }
        Some(id)
    }

    fn attributes(&mut self, node: Option<&Node>) -> Map<String, Value> {
        match node.map(|node| (node, node.value())) {
            Some((_, Value::Object(attributes))) => attributes,
            None | Some((_, Value::Null)) => Map::new(),
            Some((node, _)) => {
                let kind = node.kind();
                self.problem(node, format!("`attributes` must be a mapping, not {kind}"));
                Map::new()
            }
        }
    }
}

fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn name_from_id(id: &str) -> String {
    let object = id.split_once('.').map_or(id, |(_, object)| object).replace('_', " ");
    let mut letters = object.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
