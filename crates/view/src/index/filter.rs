//! Finds and sorts trials.

use memchr::memmem::Finder;
use toolgauge_core::Verdict;
use toolgauge_report::CaseStanding;

use super::{TrialIndex, TrialRow, bit};
use crate::query::CaseQuery;
use crate::sorting::Sorting;

/// What a trial must pass, by its place.
type TrialTest<'a> = Box<dyn Fn(usize) -> bool + 'a>;

impl TrialIndex {
    /// The trials a query asks for, in its order. `spoken` says which trials hold a word in their
    /// transcripts.
    pub(crate) fn select(
        &self,
        query: &CaseQuery,
        spoken: impl Fn(&str) -> Option<Vec<bool>>,
    ) -> Vec<TrialRow> {
        let mut rows: Vec<TrialRow> = match self.tests(query, spoken) {
            None => Vec::new(),
            // Most pages ask for all trials, and a copy looks at none of them.
            Some(tests) if tests.is_empty() => self.order.clone(),
            Some(tests) => {
                let fits = |row: &TrialRow| tests.iter().all(|test| test(*row as usize));
                self.order.iter().copied().filter(fits).collect()
            }
        };
        self.sort(&mut rows, query);
        rows
    }

    /// What each trial must pass, the cheapest test first; `None` if none can.
    fn tests<'a>(
        &'a self,
        query: &'a CaseQuery,
        spoken: impl Fn(&str) -> Option<Vec<bool>>,
    ) -> Option<Vec<TrialTest<'a>>> {
        let mut tests: Vec<TrialTest<'a>> = Vec::new();
        if let Some(mark) = query.mark {
            tests.push(Box::new(move |at| mark.accepts(self.marks[at])));
        }
        if let Some(cause) = query.cause {
            tests.push(Box::new(move |at| self.causes[at] & bit(cause) != 0));
        }
        for (name, value) in &query.tags {
            let column = self.tags.iter().find(|column| column.name == *name)?;
            let place = column.values.get_index_of(value)?;
            tests.push(Box::new(move |at| column.of[at] as usize == place));
        }
        if let Some(name) = &query.dimension {
            let column = self.dimensions.iter().find(|column| column.name == *name)?;
            tests.push(Box::new(|at| column.of[at] == Some(Verdict::Incorrect)));
        }
        if let Some(name) = &query.pattern {
            let number = self.patterns.iter().position(|pattern| pattern.name() == *name)?;
            let mut shows = vec![false; self.len()];
            for (row, pattern) in self.shown.iter() {
                shows[row as usize] |= usize::from(pattern) == number;
            }
            tests.push(Box::new(move |at| shows[at]));
        }
        for word in query.text.to_lowercase().split_whitespace() {
            let finder = Finder::new(word).into_owned();
            let spoken = spoken(word).unwrap_or_default();
            let is_spoken = move |at: usize| spoken.get(at).copied().unwrap_or(false);
            tests.push(Box::new(move |at| is_spoken(at) || self.folded.contains(at, &finder)));
        }
        Some(tests)
    }

    /// Of equal ones the first in the suite comes first, in whatever direction.
    fn sort(&self, rows: &mut Vec<TrialRow>, query: &CaseQuery) {
        let at = |row: TrialRow| row as usize;
        match query.sorting {
            Sorting::Plan if query.reversed => rows.reverse(),
            Sorting::Plan => {}
            Sorting::Case => {
                // Each name is looked up once, not once for each comparison.
                let mut named: Vec<(&str, TrialRow)> =
                    rows.iter().map(|row| (self.case(*row), *row)).collect();
                if query.reversed {
                    named.sort_by(|a, b| b.0.cmp(a.0));
                } else {
                    named.sort_by(|a, b| a.0.cmp(b.0));
                }
                *rows = named.into_iter().map(|(_, row)| row).collect();
            }
            Sorting::Score => {
                // What has no value comes behind what has the worst.
                sort_from_highest(rows, query.reversed, |row| match self.marks[at(row)] {
                    CaseStanding::Unscored => ordered(f32::NEG_INFINITY),
                    _ => ordered(self.values[at(row)]),
                });
            }
            Sorting::Latency => {
                sort_from_highest(rows, query.reversed, |row| ordered(self.latencies[at(row)]));
            }
            Sorting::Tokens => {
                sort_from_highest(rows, query.reversed, |row| self.tokens[at(row)]);
            }
        }
    }
}

/// Sorts by a key, the highest first unless `reversed`; equal ones stay as they are.
#[expect(clippy::cast_possible_truncation, reason = "the lower half of each number is a place")]
fn sort_from_highest(rows: &mut Vec<TrialRow>, reversed: bool, key: impl Fn(TrialRow) -> u32) {
    // Key and place in one number: comparing looks into no column, and the place keeps equal ones
    // in their order.
    let keyed = |(place, row): (u32, &TrialRow)| {
        let key = if reversed { key(*row) } else { !key(*row) };
        u64::from(key) << 32 | u64::from(place)
    };
    let mut keys: Vec<u64> = (0..).zip(rows.iter()).map(keyed).collect();
    keys.sort_unstable();
    *rows = keys.into_iter().map(|key| rows[(key & u64::from(u32::MAX)) as usize]).collect();
}

/// A number whose order among others is that of `f32::total_cmp`.
fn ordered(value: f32) -> u32 {
    let bits = value.to_bits();
    // Negative numbers grow with their bits in the wrong direction.
    if value.is_sign_negative() { !bits } else { bits | 1 << 31 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_ordered_as_floats_are() {
        let values = [f32::NEG_INFINITY, -1.5, -0.0, 0.0, 1e-40, 0.25, 1.0, f32::INFINITY];
        let keys = values.map(ordered);
        assert!(keys.is_sorted() && keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    }

    #[test]
    fn equal_ones_keep_the_order_of_the_suite_in_both_directions() {
        let keys = [5, 9, 5, 1, 9];
        let sorted = |reversed| {
            let mut rows: Vec<TrialRow> = vec![4, 0, 2, 1, 3];
            sort_from_highest(&mut rows, reversed, |row| keys[row as usize]);
            rows
        };
        assert_eq!(sorted(false), [4, 1, 0, 2, 3]);
        assert_eq!(sorted(true), [3, 0, 2, 4, 1]);
    }
}
