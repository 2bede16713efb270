//! Where in a text a value is.
//!
//! The text is parsed a second time for this, by a parser that keeps positions.

use saphyr::{LoadableYamlNode, MarkedYaml, YamlData};

/// The positions of every value of a text.
pub struct Positions<'t> {
    root: MarkedYaml<'t>,
}

impl<'t> Positions<'t> {
    /// The positions in the first document of a text, or `None` where it cannot be parsed.
    #[must_use]
    pub fn of(text: &'t str) -> Option<Self> {
        let root = MarkedYaml::load_from_str(text).ok()?.into_iter().next()?;
        Some(Self { root })
    }

    /// The whole document.
    #[must_use]
    pub fn root(&self) -> Place<'_> {
        Place { start: &self.root, value: &self.root }
    }
}

/// Line and column of the first thing that the parser of positions refuses.
pub(crate) fn first_fault(text: &str) -> Option<(usize, usize)> {
    let fault = MarkedYaml::load_from_str(text).err()?;
    Some((fault.marker().line(), fault.marker().col() + 1))
}

/// The place of a value: that of its key if it has one.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    start: &'a MarkedYaml<'a>,
    value: &'a MarkedYaml<'a>,
}

impl Place<'_> {
    /// The place of the value under a key of this mapping.
    #[must_use]
    pub fn entry(self, wanted: &str) -> Option<Self> {
        let YamlData::Mapping(entries) = &self.value.data else { return None };
        let (start, value) = entries.iter().find(|(key, _)| is_key(key, wanted))?;
        Some(Self { start, value })
    }

    /// The place of an item of this list.
    #[must_use]
    pub fn item(self, index: usize) -> Option<Self> {
        let YamlData::Sequence(items) = &self.value.data else { return None };
        let value = items.get(index)?;
        Some(Self { start: value, value })
    }

    /// The line and the column, both from 1.
    #[must_use]
    pub fn line_and_column(self) -> (usize, usize) {
        let start = self.start.span.start;
        (start.line().max(1), start.col() + 1)
    }
}

fn is_key(key: &MarkedYaml<'_>, wanted: &str) -> bool {
    let YamlData::Value(scalar) = &key.data else { return false };
    match scalar.as_str() {
        Some(text) => text == wanted,
        // A key such as `1` or `yes` is text to the other parser.
        None => scalar.as_integer().is_some_and(|number| number.to_string() == wanted),
    }
}
