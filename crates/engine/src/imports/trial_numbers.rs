//! The numbers of the trials of each case, in whatever order they come.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use toolgauge_core::CaseId;

/// The numbers that trials have, by case. A file may have a case for each of a million trials, so
/// that little is kept of each.
#[derive(Debug, Default)]
pub(super) struct TrialNumbers(IndexMap<CaseId, CaseNumbers>);

/// The numbers under which trials were written so far, by the place of the case in the others.
#[derive(Debug)]
pub(super) struct WrittenNumbers<'a> {
    all: &'a TrialNumbers,
    written: Vec<CaseNumbers>,
}

#[derive(Clone, Debug, Default)]
struct CaseNumbers {
    /// All numbers up to this one are given, as they mostly are.
    first: u32,
    /// How many trials have no number, or one that another trial has.
    further: u32,
    /// The numbers that are given behind a gap.
    rest: BTreeSet<u32>,
}

impl CaseNumbers {
    /// Notes a trial. Says whether it is the first of its number.
    fn add(&mut self, number: u32) -> bool {
        let is_new = number != 0 && self.insert(number);
        self.further += u32::from(!is_new);
        is_new
    }

    fn insert(&mut self, number: u32) -> bool {
        if number <= self.first {
            return false;
        }
        if number > self.first + 1 {
            return self.rest.insert(number);
        }
        self.first = number;
        while self.rest.first().is_some_and(|next| *next == self.first + 1) {
            self.rest.pop_first();
            self.first += 1;
        }
        true
    }

    fn last_given(&self) -> u32 {
        self.rest.last().copied().unwrap_or(self.first)
    }
}

impl TrialNumbers {
    /// Notes a trial, whose number is 0 where the file has none.
    pub(super) fn add(&mut self, case: &CaseId, number: u32) -> NotedTrial {
        let is_known = self.0.contains_key(case);
        if !is_known {
            self.0.insert(case.clone(), CaseNumbers::default());
        }
        let is_new_number = self.0[case].add(number);
        NotedTrial { is_new_case: !is_known, is_new_number }
    }

    /// The cases, in the order in which they came.
    pub(super) fn cases(&self) -> impl Iterator<Item = &CaseId> {
        self.0.keys()
    }

    /// The highest number that a trial is written under.
    pub(super) fn highest(&self) -> u32 {
        let highest = |numbers: &CaseNumbers| numbers.last_given().saturating_add(numbers.further);
        self.0.values().map(highest).max().unwrap_or_default()
    }
}

/// What is new about a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotedTrial {
    pub(super) is_new_case: bool,
    /// False also for a trial without a number.
    pub(super) is_new_number: bool,
}

impl<'a> WrittenNumbers<'a> {
    pub(super) fn of(all: &'a TrialNumbers) -> Self {
        Self { all, written: vec![CaseNumbers::default(); all.0.len()] }
    }

    /// Notes a trial and returns the number under which it is written: its own where that is free,
    /// else the next behind all that the file gives to this case.
    pub(super) fn place(&mut self, case: &CaseId, number: u32) -> u32 {
        let Some((place, _, all)) = self.all.0.get_full(case) else { return number.max(1) };
        let written = &mut self.written[place];
        if written.add(number) {
            return number;
        }
        all.last_given().saturating_add(written.further)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under which numbers trials of one case are written, how many repeat one, and the highest.
    fn written(given: &[u32]) -> (Vec<u32>, usize, u32) {
        let case = CaseId::new("a");
        let mut all = TrialNumbers::default();
        let mut is_repeated = |number: &u32| !all.add(&case, *number).is_new_number && *number != 0;
        let repeated = given.iter().filter(|number| is_repeated(number)).count();
        let mut placed = WrittenNumbers::of(&all);
        let numbers = given.iter().map(|number| placed.place(&case, *number)).collect();
        (numbers, repeated, all.highest())
    }

    #[test]
    fn trials_keep_their_numbers_in_any_order() {
        assert_eq!(written(&[2, 1]), (vec![2, 1], 0, 2));
        assert_eq!(written(&[3, 1, 2]), (vec![3, 1, 2], 0, 3));
        assert_eq!(written(&[5, 3, 1, 2, 3]), (vec![5, 3, 1, 2, 6], 1, 6));
        assert_eq!(written(&[u32::MAX, 1]), (vec![u32::MAX, 1], 0, u32::MAX));
    }

    #[test]
    fn trials_without_numbers_are_counted() {
        assert_eq!(written(&[0, 0, 0]), (vec![1, 2, 3], 0, 3));
    }

    #[test]
    fn a_repeated_trial_takes_no_number_of_another() {
        assert_eq!(written(&[1, 1, 2]), (vec![1, 3, 2], 1, 3));
        assert_eq!(written(&[0, 2, 1]), (vec![3, 2, 1], 0, 3));
    }
}
