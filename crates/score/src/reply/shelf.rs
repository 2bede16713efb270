//! The books of a world, arranged so that a detail of a reply is found in them.

mod tally;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use toolgauge_core::{BookRecord, Books, WorldThing};

pub(super) use self::tally::Tally;
use super::words::book_stem;
use crate::reading::{Date, ItemContent, TextReader, is_same};

/// The books that were arranged last: all trials of a run have the same.
static LAST: Mutex<Option<(Arc<Books>, Arc<Shelf>)>> = Mutex::new(None);

/// All that the books say, by word and by figure.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    entries: Vec<Entry>,
    by_word: HashMap<String, Vec<usize>>,
    /// Every number with the entry it stands in, in order.
    by_number: Vec<(f64, usize)>,
    /// What rows come to, added up and counted; none where they are too varied for that.
    pub(super) tally: Option<Tally>,
    /// The words of the names of what was sold or given up.
    pub(super) gone: Vec<Vec<String>>,
}

/// One row, one passage, or one document as a whole.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// The stems of its words.
    pub(super) words: BTreeSet<String>,
    pub(super) numbers: Vec<f64>,
    pub(super) dates: Vec<Date>,
    pub(super) is_row: bool,
    /// Whether it is a document as a whole.
    is_whole: bool,
}

impl Entry {
    fn of(record: &BookRecord) -> Self {
        let mut entry = Self { is_row: record.is_row, ..Self::default() };
        let words = WorldThing::words_of(&record.text);
        entry.words.extend(words.iter().map(|word| book_stem(word)));
        entry.words.extend(WorldThing::words_of(&record.source).iter().map(|word| book_stem(word)));
        entry.numbers.extend(record.numbers.iter().map(|(_, number)| number.abs()));
        let columns = record.numbers.iter().flat_map(|(column, _)| column.split('_'));
        entry.words.extend(columns.map(book_stem));
        for item in TextReader::default().read(&super::words::plain(&record.text)) {
            match item.content {
                ItemContent::Number(number) => entry.numbers.push(number.value.abs()),
                ItemContent::Date(date) => entry.dates.push(date),
                ItemContent::Ordinal(_) | ItemContent::Word(_) => {}
            }
        }
        entry
    }

    /// The same document as a whole, with another of its passages.
    fn add(&mut self, passage: &Self) {
        self.words.extend(passage.words.iter().cloned());
        self.numbers.extend(&passage.numbers);
        self.dates.extend(&passage.dates);
    }
}

impl Shelf {
    /// The books, arranged.
    pub(super) fn of(books: &Arc<Books>) -> Arc<Self> {
        // The other threads wait rather than arrange the same books.
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((own, shelf)) if Arc::ptr_eq(own, books) => Arc::clone(shelf),
            _ => {
                let shelf = Arc::new(Self::arrange(books));
                *last = Some((Arc::clone(books), Arc::clone(&shelf)));
                shelf
            }
        }
    }

    fn arrange(books: &Books) -> Self {
        let mut entries: Vec<Entry> = books.records.iter().map(Entry::of).collect();
        let mut whole: BTreeMap<&str, Entry> = BTreeMap::new();
        for (record, entry) in books.records.iter().zip(&entries).filter(|(it, _)| !it.is_row) {
            whole.entry(&record.source).or_default().add(entry);
        }
        entries.extend(whole.into_values().map(|entry| Entry { is_whole: true, ..entry }));
        let mut shelf = Self { entries, tally: Tally::of(&books.records), ..Self::default() };
        shelf.gone = books.records.iter().filter_map(gone).collect();
        for (at, entry) in shelf.entries.iter().enumerate() {
            for word in &entry.words {
                shelf.by_word.entry(word.clone()).or_default().push(at);
            }
            shelf.by_number.extend(entry.numbers.iter().map(|number| (*number, at)));
        }
        shelf.by_number.sort_by(|one, other| one.0.total_cmp(&other.0));
        shelf
    }

    /// The entries that hold a word, by its stem.
    pub(super) fn with_word(&self, stem: &str) -> impl Iterator<Item = &Entry> {
        self.by_word.get(stem).into_iter().flatten().map(|at| &self.entries[*at])
    }

    /// The entries that hold a number.
    pub(super) fn with_number(&self, number: f64) -> impl Iterator<Item = &Entry> {
        let number = number.abs();
        let start = self.by_number.partition_point(|(own, _)| *own < number * (1.0 - 1e-6) - 1e-6);
        let rest = self.by_number[start..].iter();
        rest.take_while(move |(own, _)| *own <= number || is_same(*own, number))
            .map(|(_, at)| &self.entries[*at])
    }

    /// Whether one row or passage holds all of these words.
    pub(super) fn holds_together(&self, words: &[String]) -> bool {
        let Some(first) = words.first() else { return true };
        let mut entries = self.with_word(first).filter(|entry| !entry.is_whole);
        entries.any(|entry| words.iter().all(|word| entry.words.contains(word)))
    }

    /// Whether one row or passage holds all of these words and one of the others.
    pub(super) fn holds_with_one_of(&self, words: &[String], others: &[String]) -> bool {
        let Some(first) = words.first() else { return true };
        let mut entries = self.with_word(first).filter(|entry| !entry.is_whole);
        entries.any(|entry| {
            words.iter().all(|word| entry.words.contains(word))
                && others.iter().any(|word| !words.contains(word) && entry.words.contains(word))
        })
    }

    /// Whether one row has both of these days.
    pub(super) fn has_both(&self, one: Date, other: Date) -> bool {
        let has = |entry: &Entry, date: Date| entry.dates.iter().any(|own| date.is_met_by(*own));
        self.entries.iter().any(|entry| entry.is_row && has(entry, one) && has(entry, other))
    }

    /// Whether a row is of a day and has so many of these words.
    pub(super) fn has_day(&self, day: Date, words: &[String], least: usize) -> bool {
        let is_of_day = |entry: &&Entry| entry.dates.iter().any(|own| day.is_met_by(*own));
        let mut rows = self.entries.iter().filter(|entry| entry.is_row).filter(is_of_day);
        rows.any(|row| words.iter().filter(|word| row.words.contains(*word)).count() >= least)
    }

    /// How many of these words the entry that holds most of them leaves out, of those entries that
    /// hold any.
    pub(super) fn left_out(&self, words: &[String]) -> usize {
        let mut held: HashMap<usize, usize> = HashMap::new();
        for at in words.iter().filter_map(|word| self.by_word.get(word)).flatten() {
            *held.entry(*at).or_default() += 1;
        }
        words.len() - held.values().copied().max().unwrap_or(0)
    }
}

/// The words of the name of a row that says on which day it was sold or given up.
fn gone(record: &BookRecord) -> Option<Vec<String>> {
    let is_end = |column: &str| {
        let verb = column.split('_').next().unwrap_or_default();
        matches!(verb, "sold" | "disposed" | "demolished" | "scrapped")
    };
    let is_gone = record.cells.iter().any(|(column, cell)| is_end(column) && !cell.is_empty());
    let (_, name) = record.cells.iter().find(|(column, _)| column == "name")?;
    is_gone.then(|| WorldThing::words_of(name))
}
