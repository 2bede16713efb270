//! From a YAML or JSON file to an [`Inventory`], with every problem reported at once.

mod contents;
mod effects;

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::document::{self, Node};
use super::{Area, Contents, Entity, Floor, Index, Inventory, InventoryError, Problem};
use super::{Satellite, stock};
use crate::home_assistant::clock::Clock;
use crate::home_assistant::features;

const TOP_KEYS: &[&str] = &[
    "floors",
    "areas",
    "satellites",
    "entities",
    "scenes",
    "scripts",
    "lists",
    "calendars",
    "media",
    "clock",
    "timezone",
];

/// Reads a home from its files, each adding to those before it.
pub(super) fn inventory(files: &[(&str, &str)]) -> Result<Inventory, InventoryError> {
    let mut reader = Reader::new(files.first().map_or("", |(origin, _)| origin));
    let mut documents = Vec::new();
    for (origin, text) in files {
        documents.extend(document::parse(origin, text)?.map(|node| (*origin, node)));
    }
    let home = (!documents.is_empty()).then(|| reader.home(&documents)).flatten();
    match home {
        Some(mut inventory) if reader.problems.is_empty() => {
            inventory.warnings = reader.warnings;
            Ok(inventory)
        }
        _ => {
            if reader.problems.is_empty() {
                reader.problem_at(1, "an inventory is a mapping with `entities`".to_owned());
            }
            Err(InventoryError::Invalid(reader.problems))
        }
    }
}

/// The same part of every file that has it.
struct Parts<'o, 'n, 'a>(Vec<(&'o str, Fields<'n, 'a>)>);

impl<'o, 'n, 'a> Parts<'o, 'n, 'a> {
    fn all(&self, name: &str) -> Vec<(&'o str, &'n Node<'a>)> {
        let parts = self.0.iter().filter_map(|(origin, fields)| {
            let found = fields.iter().find(|(key, _)| key == name);
            found.map(|(_, node)| (*origin, *node))
        });
        parts.collect()
    }

    fn has(&self, name: &str) -> bool {
        !self.all(name).is_empty()
    }
}

/// Collects problems while it reads.
struct Reader<'o> {
    origin: &'o str,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    floors: Vec<Floor>,
    areas: Vec<Area>,
    /// Entities that scenes and scripts name, each with what is to be said if there is none.
    named: Vec<(String, Problem)>,
    /// The older form has no list of floors: an area just names one.
    floors_are_implied: bool,
}

impl<'o> Reader<'o> {
    fn new(origin: &'o str) -> Self {
        Self {
            origin,
            problems: vec![],
            warnings: vec![],
            floors: vec![],
            areas: vec![],
            named: vec![],
            floors_are_implied: false,
        }
    }

    fn home(&mut self, files: &[(&'o str, Node<'_>)]) -> Option<Inventory> {
        let mut parts = Parts(vec![]);
        for (origin, node) in files {
            self.origin = origin;
            let fields = self.mapping(node, "an inventory")?;
            self.known_keys(node, TOP_KEYS);
            parts.0.push((*origin, fields));
        }
        self.floors_are_implied = !parts.has("floors");
        self.each(&parts, "floors", |reader, node| reader.floors(Some(node)));
        self.each(&parts, "areas", |reader, node| reader.areas(Some(node)));
        let older = self.floors_are_implied && !parts.has("satellites");
        if !parts.has("entities") {
            self.problem_at(1, "an inventory needs `entities`".to_owned());
        }
        let mut entities = IndexMap::new();
        self.each(&parts, "entities", |reader, node| reader.entities(node, older, &mut entities));
        let mut entities: Vec<Entity> = entities.into_values().collect();
        let mut satellites = IndexMap::new();
        self.each(&parts, "satellites", |reader, node| {
            satellites.extend(reader.satellites(Some(node)));
        });
        let last = |name: &str| parts.all(name).last().map(|(_, node)| *node);
        let clock = self.clock(last("clock"), last("timezone"));
        let moment = clock.clone().unwrap_or_else(Clock::recorded);
        self.each(&parts, "scenes", |reader, node| reader.scenes(Some(node), &mut entities));
        self.each(&parts, "scripts", |reader, node| reader.scripts(Some(node), &mut entities));
        self.each(&parts, "lists", |reader, node| reader.lists(Some(node), &mut entities));
        self.each(&parts, "calendars", |reader, node| reader.calendars(Some(node), &mut entities));
        let mut library = None;
        self.each(&parts, "media", |reader, node| {
            library.get_or_insert_with(Vec::new).extend(reader.library(node));
        });
        for entity in &mut entities {
            stock::fill(entity, &moment);
        }
        let index = Index::new(&entities, &self.areas, &self.floors);
        let named = std::mem::take(&mut self.named).into_iter();
        let unknown = named.filter(|(id, _)| index.entity(id).is_none());
        self.problems.extend(unknown.map(|(_, problem)| problem));
        Some(Inventory {
            floors: std::mem::take(&mut self.floors),
            areas: std::mem::take(&mut self.areas),
            warnings: vec![],
            entities,
            satellites,
            library,
            clock,
            index,
        })
    }

    /// Reads one part of every file that has it, problems being told of that file.
    fn each(
        &mut self,
        parts: &Parts<'o, '_, '_>,
        name: &str,
        mut read: impl FnMut(&mut Self, &Node<'_>),
    ) {
        for (origin, node) in parts.all(name) {
            self.origin = origin;
            read(self, node);
        }
    }

    fn floors(&mut self, node: Option<&Node<'_>>) {
        for item in self.list(node, "`floors`") {
            let Some(fields) = self.mapping(item, "a floor") else { continue };
            self.known_keys(item, &["id", "floor_id", "name", "aliases", "level"]);
            let Some((id, name)) = self.id_and_name(item, &fields, &["id", "floor_id"]) else {
                continue;
            };
            if self.floors.iter().any(|floor| floor.id == id) {
                self.problem(item, format!("floor `{id}` is there twice"));
                continue;
            }
            let aliases = self.texts(get(&fields, "aliases"), "`aliases`");
            self.floors.push(Floor { id, name, aliases });
        }
    }

    fn areas(&mut self, node: Option<&Node<'_>>) {
        for item in self.list(node, "`areas`") {
            let Some(fields) = self.mapping(item, "an area") else { continue };
            self.known_keys(item, &["id", "area_id", "name", "floor_id", "floor", "aliases"]);
            let Some((id, name)) = self.id_and_name(item, &fields, &["id", "area_id"]) else {
                continue;
            };
            if self.areas.iter().any(|area| area.id == id) {
                self.problem(item, format!("area `{id}` is there twice"));
                continue;
            }
            let floor = get(&fields, "floor_id").or(get(&fields, "floor"));
            let floor = floor.and_then(|node| self.floor_named(node));
            let aliases = self.texts(get(&fields, "aliases"), "`aliases`");
            self.areas.push(Area { id, name, aliases, floor });
        }
    }

    fn floor_named(&mut self, node: &Node<'_>) -> Option<usize> {
        let name = document::text(node)?;
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

    fn entities(&mut self, node: &Node<'_>, older: bool, entities: &mut IndexMap<String, Entity>) {
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

    fn entity(&mut self, item: &Node<'_>) -> Option<Entity> {
        let fields = self.mapping(item, "an entity")?;
        self.known_keys(
            item,
            &[
                "entity_id",
                "name",
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
        let id = self.entity_id(item, &fields)?;
        let attributes = self.attributes(get(&fields, "attributes"));
        let name = get(&fields, "name")
            .and_then(document::text)
            .or_else(|| attributes.get("friendly_name")?.as_str().map(str::to_owned))
            .unwrap_or_else(|| name_from_id(&id));
        let state = get(&fields, "state").and_then(document::text);
        let mut entity =
            Entity::new(id, name, state.unwrap_or_else(|| "unknown".to_owned()), attributes);
        entity.names.extend(self.texts(get(&fields, "aliases"), "`aliases`"));
        entity.exposed = get(&fields, "exposed").is_none_or(|node| self.truth(node, "`exposed`"));
        let area = get(&fields, "area_id").or(get(&fields, "area"));
        entity.area = area.and_then(|node| self.area_named(node));
        entity.display_precision = get(&fields, "display_precision")
            .and_then(|node| document::value(node).as_u64())
            .and_then(|digits| usize::try_from(digits).ok());
        self.inline_contents(&fields, &mut entity);
        Some(entity)
    }

    fn entity_id(&mut self, item: &Node<'_>, fields: &Fields<'_, '_>) -> Option<String> {
        let Some(id) = get(fields, "entity_id").and_then(document::text) else {
            self.problem(item, "an entity needs an `entity_id`".to_owned());
            return None;
        };
        let parts = id.split_once('.');
        if !parts.is_some_and(|(domain, object)| is_slug(domain) && is_slug(object)) {
            self.problem(item, format!("`{id}` is no entity id such as `light.kitchen`"));
            return None;
        }
        if let Some(domain) = get(fields, "domain").and_then(document::text)
            && !id.starts_with(&format!("{domain}."))
        {
            self.problem(item, format!("entity `{id}` cannot be of domain `{domain}`"));
        }
        Some(id)
    }

    fn attributes(&mut self, node: Option<&Node<'_>>) -> Map<String, Value> {
        match node.map(|node| (node, document::value(node))) {
            Some((_, Value::Object(attributes))) => attributes,
            None | Some((_, Value::Null)) => Map::new(),
            Some((node, _)) => {
                let kind = document::kind(node);
                self.problem(node, format!("`attributes` must be a mapping, not {kind}"));
                Map::new()
            }
        }
    }

    fn area_named(&mut self, node: &Node<'_>) -> Option<usize> {
        let name = document::text(node)?;
        let by_id = self.areas.iter().position(|area| area.id == name);
        let found = by_id.or_else(|| self.areas.iter().position(|area| area.name == name));
        if found.is_none() {
            self.problem(node, format!("there is no area `{name}`"));
        }
        found
    }

    fn satellites(&mut self, node: Option<&Node<'_>>) -> IndexMap<String, Option<Satellite>> {
        let Some(node) = node else { return IndexMap::new() };
        let Some(fields) = self.mapping(node, "`satellites`") else { return IndexMap::new() };
        let mut satellites = IndexMap::new();
        for (name, item) in fields {
            let satellite = (!document::is_null(item)).then(|| self.satellite(&name, item));
            satellites.insert(name, satellite.flatten());
        }
        satellites
    }

    fn satellite(&mut self, name: &str, item: &Node<'_>) -> Option<Satellite> {
        let fields = self.mapping(item, "a satellite")?;
        self.known_keys(item, &["area", "area_id", "supports_timers", "timers", "entity_id"]);
        let area = get(&fields, "area").or(get(&fields, "area_id"));
        let timers = get(&fields, "supports_timers").or(get(&fields, "timers"));
        Some(Satellite {
            name: name.to_owned(),
            area: area.and_then(|node| self.area_named(node)),
            supports_timers: timers.is_none_or(|node| self.truth(node, "`supports_timers`")),
            entity_id: get(&fields, "entity_id").and_then(document::text),
        })
    }

    fn clock(&mut self, moment: Option<&Node<'_>>, zone: Option<&Node<'_>>) -> Option<Clock> {
        let node = moment?;
        let text = document::text(node).unwrap_or_default();
        match Clock::new(&text, zone.and_then(document::text).as_deref()) {
            Ok(clock) => Some(clock),
            Err(error) => {
                self.problem(node, format!("`clock` must be a date and time: {error}"));
                None
            }
        }
    }

    fn id_and_name(
        &mut self,
        item: &Node<'_>,
        fields: &Fields<'_, '_>,
        id_keys: &[&str],
    ) -> Option<(String, String)> {
        let id = id_keys.iter().find_map(|key| get(fields, key)).and_then(document::text);
        let name = get(fields, "name").and_then(document::text);
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

    // What every part needs.

    fn mapping<'n, 'a>(&mut self, node: &'n Node<'a>, what: &str) -> Option<Fields<'n, 'a>> {
        let entries = document::entries(node);
        if entries.is_none() {
            let kind = document::kind(node);
            self.problem(node, format!("{what} must be a mapping, not {kind}"));
        }
        entries
    }

    fn list<'n, 'a>(&mut self, node: Option<&'n Node<'a>>, what: &str) -> &'n [Node<'a>] {
        let Some(node) = node else { return &[] };
        match document::items(node) {
            Some(items) => items,
            None if document::is_null(node) => &[],
            None => {
                let kind = document::kind(node);
                self.problem(node, format!("{what} must be a list, not {kind}"));
                &[]
            }
        }
    }

    fn texts(&mut self, node: Option<&Node<'_>>, what: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for item in self.list(node, what) {
            match document::text(item) {
                Some(text) => texts.push(text),
                None => self.problem(item, format!("{what} must hold text")),
            }
        }
        texts
    }

    fn truth(&mut self, node: &Node<'_>, what: &str) -> bool {
        document::value(node).as_bool().unwrap_or_else(|| {
            let kind = document::kind(node);
            self.problem(node, format!("{what} must be true or false, not {kind}"));
            false
        })
    }

    fn known_keys(&mut self, node: &Node<'_>, known: &[&str]) {
        for (key, place) in document::entries(node).unwrap_or_default() {
            if !known.contains(&key.as_str()) {
                let message = format!("`{key}` is not used (known: {})", known.join(", "));
                self.warnings.push(self.problem_here(document::line(place), message));
            }
        }
    }

    fn problem(&mut self, node: &Node<'_>, message: String) {
        self.problem_at(document::line(node), message);
    }

    fn problem_at(&mut self, line: usize, message: String) {
        let problem = self.problem_here(line, message);
        self.problems.push(problem);
    }

    fn problem_here(&self, line: usize, message: String) -> Problem {
        Problem { origin: self.origin.to_owned(), line, message }
    }
}

type Fields<'n, 'a> = Vec<(String, &'n Node<'a>)>;

/// A field that is there and not null.
fn get<'n, 'a>(fields: &Fields<'n, 'a>, name: &str) -> Option<&'n Node<'a>> {
    let found = fields.iter().find(|(key, _)| key == name).map(|(_, node)| *node);
    found.filter(|node| !document::is_null(node))
}

fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
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

fn name_from_id(id: &str) -> String {
    let object = id.split_once('.').map_or(id, |(_, object)| object).replace('_', " ");
    let mut letters = object.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Puts contents into the entity they belong to.
fn hold(entity: &mut Entity, contents: Contents) {
    if let Contents::List(items) = &contents {
        entity.state = super::contents::open_items(items).to_string();
    }
    entity.contents = contents;
}

fn shared(items: Vec<super::TodoItem>) -> Contents {
    Contents::List(Arc::new(items))
}
