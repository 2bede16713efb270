//! From a YAML or JSON file to an [`Inventory`], with every problem reported at once.

mod contents;
mod effects;
mod entities;
mod places;
mod reader;

use std::io;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use toolgauge_document::Node;
use toolgauge_world::read_regular;

use super::entity::Entity;
use super::index::Index;
use super::problem::{InventoryError, Problem};
use super::{Inventory, stock};
use crate::clock::Clock;
use reader::{Fields, Reader};

/// The largest file that is read, in bytes: far more than any home takes.
const LARGEST: u64 = 64 << 20;

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
    "home_assistant",
];

impl Inventory {
    /// Reads an inventory file, YAML or JSON.
    ///
    /// Fails with every problem in the file at once, each with its line.
    pub fn from_path(path: &Path) -> Result<Arc<Self>, InventoryError> {
        Self::from_paths(&[path])
    }

    /// Reads a home from several files, each adding to those before it.
    pub fn from_paths(paths: &[impl AsRef<Path>]) -> Result<Arc<Self>, InventoryError> {
        let mut files = Vec::new();
        for path in paths {
            let path = path.as_ref();
            let bytes = read_regular(path, LARGEST);
            let text = bytes
                .and_then(|bytes| {
                    String::from_utf8(bytes).map_err(|_| io::Error::other("it is no UTF-8"))
                })
                .map_err(|source| InventoryError::Unreadable { path: path.to_owned(), source })?;
            files.push((path.display().to_string(), text));
        }
        let named = files.iter().map(|(origin, text)| (origin.as_str(), text.as_str()));
        Self::from_files(&named.collect::<Vec<_>>())
    }

    /// Reads an inventory from text; `origin` names it in messages.
    pub fn from_text(origin: &str, text: &str) -> Result<Arc<Self>, InventoryError> {
        Self::from_files(&[(origin, text)])
    }

    /// Reads an inventory from several files, each adding to those before it, so that a home
    /// holds every smaller one by the way it is written. Each file is named and its text given.
    pub fn from_files(files: &[(&str, &str)]) -> Result<Arc<Self>, InventoryError> {
        inventory(files).map(Arc::new)
    }
}

/// Reads a home from its files, each adding to those before it.
fn inventory(files: &[(&str, &str)]) -> Result<Inventory, InventoryError> {
    let mut reader = Reader::new(files.first().map_or("", |(origin, _)| origin));
    let mut documents = Vec::new();
    for (origin, text) in files {
        let node = Node::parse(text)
            .map_err(|problem| InventoryError::Invalid(vec![Problem::syntax(origin, problem)]))?;
        if !node.is_null() {
            documents.push((*origin, node));
        }
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
struct Parts<'o, 'n>(Vec<(&'o str, Fields<'n>)>);

impl<'o, 'n> Parts<'o, 'n> {
    fn all(&self, name: &str) -> Vec<(&'o str, &'n Node)> {
        let parts = self.0.iter().filter_map(|(origin, fields)| {
            let found = fields.iter().find(|(key, _)| key == name);
            found.map(|(_, node)| (*origin, node))
        });
        parts.collect()
    }

    fn has(&self, name: &str) -> bool {
        !self.all(name).is_empty()
    }
}

impl<'o> Reader<'o> {
    fn home(&mut self, files: &[(&'o str, Node)]) -> Option<Inventory> {
        let mut parts = Parts(vec![]);
        for (origin, node) in files {
            self.origin = origin;
            let fields = self.mapping(node, "an inventory")?;
            self.known_keys(node, TOP_KEYS);
            parts.0.push((*origin, fields));
        }
        self.floors_are_implied = !parts.has("floors");
        // Areas name floors, and entities and satellites name areas: whatever is named is read
        // first.
        self.each(&parts, "floors", Reader::floors);
        self.each(&parts, "areas", Reader::areas);
        let older = self.floors_are_implied && !parts.has("satellites");
        if !parts.has("entities") {
            self.problem_at(1, "an inventory needs `entities`".to_owned());
        }
        let mut entities = IndexMap::new();
        self.each(&parts, "entities", |reader, node| reader.entities(node, older, &mut entities));
        let mut entities: Vec<Entity> = entities.into_values().collect();
        let mut satellites = IndexMap::new();
        self.each(&parts, "satellites", |reader, node| {
            satellites.extend(reader.satellites(node));
        });
        let last = |name: &str| parts.all(name).last().map(|(_, node)| *node);
        let clock = self.clock(last("clock"), last("timezone"));
        let moment = clock.clone().unwrap_or_else(Clock::recorded);
        self.each(&parts, "scenes", |reader, node| reader.scenes(node, &mut entities));
        self.each(&parts, "scripts", |reader, node| reader.scripts(node, &mut entities));
        self.each(&parts, "lists", |reader, node| reader.lists(node, &mut entities));
        self.each(&parts, "calendars", |reader, node| reader.calendars(node, &mut entities));
        let mut library = None;
        self.each(&parts, "media", |reader, node| {
            library.get_or_insert_with(Vec::new).extend(reader.library(node));
        });
        for entity in &mut entities {
            stock::fill(entity, &moment);
        }
        let index = Index::new(&entities, &self.areas, &self.floors);
        let named = std::mem::take(&mut self.named).into_iter();
        // Only now: a scene may name an entity that stands further down or in another file.
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
            version: last("home_assistant").and_then(Node::text),
            index,
        })
    }

    /// Reads one part of every file that has it, problems being told of that file.
    fn each(&mut self, parts: &Parts<'o, '_>, name: &str, mut read: impl FnMut(&mut Self, &Node)) {
        for (origin, node) in parts.all(name) {
            self.origin = origin;
            read(self, node);
        }
    }

    fn clock(&mut self, moment: Option<&Node>, zone: Option<&Node>) -> Option<Clock> {
        let node = moment?;
        let text = node.text().unwrap_or_default();
        match Clock::new(&text, zone.and_then(Node::text).as_deref()) {
            Ok(clock) => Some(clock),
            Err(error) => {
                self.problem(node, format!("`clock` must be a date and time: {error}"));
                None
            }
        }
    }
}
