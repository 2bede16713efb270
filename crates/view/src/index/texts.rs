//! Many short texts in one long one: no allocation and no pointer for each.

use memchr::memmem::Finder;

use super::Row;

/// Texts by place.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    all: String,
    ends: Vec<usize>,
}

impl Texts {
    pub(super) fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(self.all.len());
    }

    /// Adds several parts as one text.
    pub(super) fn push_parts(&mut self, parts: &[&str]) {
        for part in parts {
            self.all.push_str(part);
        }
        self.ends.push(self.all.len());
    }

    pub(super) fn get(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[place]]
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() + self.ends.capacity() * size_of::<usize>()
    }

    /// The places of a text.
    pub(super) fn find_all(&self, text: &str) -> impl Iterator<Item = Row> {
        let mut start = 0;
        self.ends.iter().enumerate().filter_map(move |(place, end)| {
            let found = &self.all[start..*end] == text;
            start = *end;
            found.then(|| row(place))
        })
    }

    /// Whether the text at this place contains another.
    pub(super) fn contains(&self, place: usize, part: &Finder<'_>) -> bool {
        part.find(self.get(place).as_bytes()).is_some()
    }

    pub(super) fn shrink(&mut self) {
        self.all.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// A place as the number of a row.
pub(super) fn row(place: usize) -> Row {
    Row::try_from(place).expect("a log has fewer than four billion trials")
}
