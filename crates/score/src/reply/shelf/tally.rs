//! What the rows of books come to: their amounts added up and their number, by all that they can be
//! grouped by.

use std::collections::{BTreeSet, HashMap};

use toolgauge_core::{BookRecord, WorldThing};

use crate::reading::{Date, is_same};
use crate::reply::words::book_stem;
use crate::reply::words::date;

/// How many groups are added up at most. Books that would make more are too varied
/// to be grouped.
const MOST_GROUPS: usize = 1 << 20;

/// What rows have in common: their table, and up to two cells.
type Common = [Option<usize>; 3];

/// A part of a year: its first month and how many there are.
type Months = (u32, u32, u32);

/// Sums and counts of rows.
#[derive(Debug, Default)]
pub(in crate::reply) struct Tally {
    /// In order of their values.
    groups: Vec<Group>,
    /// The stems of the words of each cell.
    cells: Vec<Vec<String>>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    value: f64,
    /// The number of the column that was added up.
    column: usize,
    by: Common,
    /// When they are, if not at any time.
    months: Option<Months>,
}

impl Group {
    /// Whether it is of one of these days, if any are given.
    fn is_of_one(&self, dates: &[Date]) -> bool {
        let is_then = |date: &Date| match self.months {
            Some((year, first, count)) => {
                let is_month = |month: u32| count == 1 && first == month;
                date.year.is_none_or(|own| own == year) && date.month.is_none_or(is_month)
            }
            None => date.year.is_none(),
        };
        dates.is_empty() || dates.iter().any(is_then)
    }
}

impl Tally {
    pub(super) fn of(records: &[BookRecord]) -> Option<Self> {
        let mut tally = Self::default();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut number = |text| {
            let next = numbers.len();
            *numbers.entry(text).or_insert(next)
        };
        let mut sums: HashMap<(&str, Common, Option<Months>), f64> = HashMap::new();
        for record in records.iter().filter(|record| record.is_row) {
            let days: Vec<Date> = record.cells.iter().filter_map(|(_, cell)| day(cell)).collect();
            let words = record.cells.iter().filter(|(_, cell)| day(cell).is_none());
            let mut own: Vec<usize> = words.map(|(_, cell)| number(cell.as_str())).collect();
            // A row that names one house twice is counted once among those of the house.
            own.sort_unstable();
            own.dedup();
            let table = number(record.source.as_str());
            let amounts = record.numbers.iter().map(|(name, amount)| (name.as_str(), *amount));
            for (column, amount) in amounts.chain([("", 1.0)]) {
                for by in pairs(table, &own) {
                    for months in periods(days.first().copied()) {
                        *sums.entry((column, by, months)).or_default() += amount;
                    }
                }
            }
            if sums.len() > MOST_GROUPS {
                return None;
            }
        }
        let columns: BTreeSet<&str> = sums.keys().map(|(column, ..)| *column).collect();
        tally.groups = sums
            .into_iter()
            .map(|((column, by, months), value)| {
                let column = columns.iter().position(|own| *own == column).unwrap_or_default();
                Group { value: value.abs(), column, by, months }
            })
            .collect();
        tally.groups.sort_by(|one, other| one.value.total_cmp(&other.value));
        let mut cells: Vec<(&str, usize)> = numbers.into_iter().collect();
        cells.sort_by_key(|(_, number)| *number);
        let stems = |text: &str| WorldThing::words_of(text).iter().map(|w| book_stem(w)).collect();
        tally.cells = cells.into_iter().map(|(text, _)| stems(&text.replace('_', " "))).collect();
        Some(tally)
    }

    /// Whether rows come to a value that have one of these words, and are of these days if any are
    /// given.
    pub(in crate::reply) fn comes_to(&self, value: f64, words: &[String], dates: &[Date]) -> bool {
        // `Rental income` is that of the category `rent`.
        let is_meant = |own: &String| {
            words.iter().any(|word| word == own || own.len() > 3 && word.starts_with(own.as_str()))
        };
        let is_of = |cell: &usize| self.cells[*cell].iter().any(is_meant);
        self.with(value).any(|group| group.by.iter().flatten().any(is_of) && group.is_of_one(dates))
    }

    /// Whether a value is what the same rows come to in these days as come to one of the others at
    /// some other time: the rent of January beside that of the quarter.
    pub(in crate::reply) fn is_kin(&self, value: f64, others: &[f64], dates: &[Date]) -> bool {
        let of_days = |group: &&Group| group.months.is_some() && group.is_of_one(dates);
        !dates.is_empty()
            && self.with(value).filter(of_days).any(|group| {
                others.iter().any(|other| self.with(*other).any(|other| other.by == group.by))
            })
    }

    /// What those of the rows come to that a name is told of, where all of them come to a value: the
    /// interest for one house in that for all. None where several such sums are possible.
    pub(in crate::reply) fn part_of(&self, whole: f64, name: &[String]) -> Option<f64> {
        let is_named = |cell: usize| {
            let words = &self.cells[cell];
            !words.is_empty() && words.iter().all(|word| name.contains(word))
        };
        let wholes: Vec<&Group> = self.with(whole).filter(|group| group.by[2].is_none()).collect();
        let is_part = |group: &&Group| {
            let added = group.by.iter().flatten().filter(|cell| is_named(**cell)).count();
            added == 1
                && wholes.iter().any(|whole| {
                    let cells = |group: &Group| group.by.iter().flatten().count();
                    whole.column == group.column
                        && whole.months == group.months
                        && cells(group) == cells(whole) + 1
                        && whole.by.iter().flatten().all(|cell| group.by.contains(&Some(*cell)))
                })
        };
        let mut parts = self.groups.iter().filter(is_part).map(|group| group.value);
        let first = parts.next()?;
        parts.all(|other| is_same(other, first)).then_some(first)
    }

    /// The groups that come to a value.
    fn with(&self, value: f64) -> impl Iterator<Item = &Group> {
        let value = value.abs();
        let start = self.groups.partition_point(|group| group.value < value - 0.006);
        let near = self.groups[start..].iter().take_while(move |group| group.value < value + 0.006);
        near.filter(move |group| is_same(group.value, value) || value.fract() != 0.0)
    }
}

fn day(text: &str) -> Option<Date> {
    let is_day = text.len() == 10 && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    date(text).filter(|_| is_day)
}

/// The table with none, one or two of the cells of a row.
fn pairs(table: usize, cells: &[usize]) -> Vec<Common> {
    let mut found = vec![[Some(table), None, None]];
    for (at, one) in cells.iter().enumerate() {
        found.push([Some(table), Some(*one), None]);
        let rest = cells[at + 1..].iter().filter(|other| *other != one);
        found.extend(rest.map(|other| [Some(table), Some(*one), Some(*other)]));
    }
    found
}

/// Any time, and the year, the half, the quarter and the month of a day.
fn periods(day: Option<Date>) -> Vec<Option<Months>> {
    let mut found = vec![None];
    if let Some((year, month)) = day.and_then(|day| Some((day.year?, day.month?))) {
        let lengths = [12, 6, 3, 1].into_iter();
        found.extend(lengths.map(|count| Some((year, (month - 1) / count * count + 1, count))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(category: &str, day: &str, amount: f64) -> BookRecord {
        BookRecord {
            source: "payments".into(),
            numbers: vec![("amount".into(), amount)],
            cells: vec![("category".into(), category.into()), ("paid_on".into(), day.into())],
            is_row: true,
            ..BookRecord::default()
        }
    }

    #[test]
    fn rows_are_added_up_by_what_they_have_in_common() {
        let rows = [
            row("repairs", "2025-03-04", 120.5),
            row("repairs", "2025-08-09", 79.5),
            row("rent", "2025-03-01", 900.0),
        ];
        let tally = Tally::of(&rows).unwrap();
        let words = |word: &str| [book_stem(word)];
        let year = |year| [Date { year: Some(year), month: None, day: None }];
        assert!(tally.comes_to(200.0, &words("repairs"), &year(2025)));
        assert!(tally.comes_to(1100.0, &words("payments"), &[]));
        assert!(!tally.comes_to(200.0, &words("rent"), &[]));
        assert!(!tally.comes_to(200.0, &words("repairs"), &year(2024)));
    }
}
