//! Finds and sorts trials.

use std::cmp::Ordering;

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

    fn sort(&self, rows: &mut [TrialRow], query: &CaseQuery) {
        let at = |row: &TrialRow| *row as usize;
        // Of equal ones the first in the suite comes first, in whatever direction.
        let turned = |order: Ordering| if query.reversed { order.reverse() } else { order };
        match query.sorting {
            Sorting::Plan if query.reversed => rows.reverse(),
            Sorting::Plan => {}
            Sorting::Case => rows.sort_by(|a, b| turned(self.case(*a).cmp(self.case(*b)))),
            Sorting::Score => {
                // What has no value comes behind what has the worst.
                let key = |row: &TrialRow| match self.marks[at(row)] {
                    CaseStanding::Unscored => f32::NEG_INFINITY,
                    _ => self.values[at(row)],
                };
                rows.sort_by(|a, b| turned(key(b).total_cmp(&key(a))));
            }
            Sorting::Latency => {
                rows.sort_by(|a, b| {
                    turned(self.latencies[at(b)].total_cmp(&self.latencies[at(a)]))
                });
            }
            Sorting::Tokens => {
                rows.sort_by(|a, b| turned(self.tokens[at(b)].cmp(&self.tokens[at(a)])));
            }
        }
    }
}
