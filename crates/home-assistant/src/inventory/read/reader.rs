//! What every part of a home needs to be read: its fields, and a place for problems.

use crate::inventory::place::{Area, Floor};
use crate::inventory::problem::Problem;
use toolgauge_document::Node;

/// Collects problems while it reads.
pub(super) struct Reader<'o> {
    pub(super) origin: &'o str,
    pub(super) problems: Vec<Problem>,
    pub(super) warnings: Vec<Problem>,
    pub(super) floors: Vec<Floor>,
    pub(super) areas: Vec<Area>,
    /// Entities that scenes and scripts name, each with what is to be said if there is none.
    pub(super) named: Vec<(String, Problem)>,
    /// The older form has no list of floors: an area just names one.
    pub(super) floors_are_implied: bool,
}

impl<'o> Reader<'o> {
    /// A reader of a file.
    pub(super) fn new(origin: &'o str) -> Self {
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

    /// The fields of what must be a mapping.
    pub(super) fn mapping<'n>(&mut self, node: &'n Node, what: &str) -> Option<Fields<'n>> {
        let entries = node.entries();
        if entries.is_none() {
            let kind = node.kind();
            self.problem(node, format!("{what} must be a mapping, not {kind}"));
        }
        entries
    }

    /// The items of what must be a list.
    pub(super) fn list<'n>(&mut self, node: Option<&'n Node>, what: &str) -> &'n [Node] {
        let Some(node) = node else { return &[] };
        match node.items() {
            Some(items) => items,
            None if node.is_null() => &[],
            None => {
                let kind = node.kind();
                self.problem(node, format!("{what} must be a list, not {kind}"));
                &[]
            }
        }
    }

    /// The texts of what must be a list of texts.
    pub(super) fn texts(&mut self, node: Option<&Node>, what: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for item in self.list(node, what) {
            match item.text() {
                Some(text) => texts.push(text),
                None => self.problem(item, format!("{what} must hold text")),
            }
        }
        texts
    }

    /// What must be true or false.
    pub(super) fn truth(&mut self, node: &Node, what: &str) -> bool {
        node.value().as_bool().unwrap_or_else(|| {
            let kind = node.kind();
            self.problem(node, format!("{what} must be true or false, not {kind}"));
            false
        })
    }

    /// Warns of keys that nobody reads.
    pub(super) fn known_keys(&mut self, node: &Node, known: &[&str]) {
        for (key, place) in node.entries().unwrap_or_default() {
            if !known.contains(&key.as_str()) {
                let message = format!("`{key}` is not used (known: {})", known.join(", "));
                self.warnings.push(self.problem_here(place.line(), message));
            }
        }
    }

    /// Notes a problem with a part of the file.
    pub(super) fn problem(&mut self, node: &Node, message: String) {
        self.problem_at(node.line(), message);
    }

    /// Notes a problem at a line.
    pub(super) fn problem_at(&mut self, line: usize, message: String) {
        let problem = self.problem_here(line, message);
        self.problems.push(problem);
    }

    /// A problem at a line of the file that is read.
    pub(super) fn problem_here(&self, line: usize, message: String) -> Problem {
        Problem { origin: self.origin.to_owned(), line, message }
    }
}

/// The fields of a mapping.
pub(super) type Fields<'n> = &'n [(String, Node)];

/// A field that is there, be it null: a list that is there and empty is not a list left out.
pub(super) fn present<'n>(fields: Fields<'n>, name: &str) -> Option<&'n Node> {
    fields.iter().find(|(key, _)| key == name).map(|(_, node)| node)
}

/// A field that is there and not null.
pub(super) fn get<'n>(fields: Fields<'n>, name: &str) -> Option<&'n Node> {
    present(fields, name).filter(|node| !node.is_null())
}
