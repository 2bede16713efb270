//! The numbers of the trials of each case, in whatever order they come.

use std::collections::BTreeSet;
use std::sync::Arc;

use toolgauge_core::{CaseId, CaseTable};

/// The numbers that trials have, by case. A file may have a case for each of a million trials, so
/// that little is kept of each beside its name.
#[derive(Debug, Default)]
pub(super) struct TrialNumbers {
    /// The cases, in the order in which they came.
    cases: Vec<CaseId>,
    table: CaseTable,
    given: GivenNumbers,
    trials: usize,
}

/// The numbers under which trials are written.
#[derive(Debug)]
pub(super) enum WrittenNumbers {
    /// No case has more than one trial, which has its own number or is the first.
    Alone,
    /// Those that were written so far, beside those that the file gives.
    Counted { all: Box<TrialNumbers>, written: GivenNumbers },
}

/// Numbers by the place of the case.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenNumbers {
    of_case: Vec<CaseNumbers>,
    /// The numbers that are given behind a gap, each behind the place of its case.
    rest: BTreeSet<(usize, u32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct CaseNumbers {
    /// All numbers up to this one are given, as they mostly are.
    first: u32,
    /// How many trials have no number, or one that another trial has.
    further: u32,
}

impl GivenNumbers {
    fn of_cases(count: usize) -> Self {
        Self { of_case: vec![CaseNumbers::default(); count], rest: BTreeSet::new() }
    }

    /// Notes a trial. Says whether it is the first of its number.
    fn add(&mut self, place: usize, number: u32) -> bool {
        let is_new = number != 0 && self.insert(place, number);
        self.of_case[place].further += u32::from(!is_new);
        is_new
    }

    fn insert(&mut self, place: usize, number: u32) -> bool {
        let first = &mut self.of_case[place].first;
        if number <= *first {
            return false;
        }
        if number > *first + 1 {
            return self.rest.insert((place, number));
        }
        *first = number;
        while *first < u32::MAX && self.rest.remove(&(place, *first + 1)) {
            *first += 1;
        }
        true
    }

    fn last_given(&self, place: usize) -> u32 {
        let rest = self.rest.range((place, 0)..=(place, u32::MAX)).next_back();
        rest.map_or(self.of_case[place].first, |(_, number)| *number)
    }
}

impl TrialNumbers {
    /// Notes a trial, whose number is 0 where the file has none.
    pub(super) fn add(&mut self, case: &CaseId, number: u32) -> NotedTrial {
        let known = self.table.find(case, &self.cases);
        let place = known.unwrap_or(self.cases.len());
        if known.is_none() {
            self.cases.push(case.clone());
            self.table.add(place, &self.cases);
            self.given.of_case.push(CaseNumbers::default());
        }
        self.trials += 1;
        let is_new_number = self.given.add(place, number);
        NotedTrial { is_new_case: known.is_none(), is_new_number }
    }

    /// How many trials were noted.
    pub(super) fn trials(&self) -> usize {
        self.trials
    }

    /// The highest number that a trial is written under.
    pub(super) fn highest(&self) -> u32 {
        let highest = |(place, numbers): (usize, &CaseNumbers)| {
            self.given.last_given(place).saturating_add(numbers.further)
        };
        self.given.of_case.iter().enumerate().map(highest).max().unwrap_or_default()
    }

    /// The cases, in the order in which they came, and what it takes to number trials when they come
    /// once more.
    pub(super) fn divided(self) -> (Arc<[CaseId]>, WrittenNumbers) {
        if self.trials == self.cases.len() {
            return (self.cases.into(), WrittenNumbers::Alone);
        }
        let written = GivenNumbers::of_cases(self.cases.len());
        let cases = self.cases.as_slice().into();
        (cases, WrittenNumbers::Counted { all: Box::new(self), written })
    }
}

/// What is new about a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotedTrial {
    pub(super) is_new_case: bool,
    /// False also for a trial without a number.
    pub(super) is_new_number: bool,
}

impl WrittenNumbers {
    /// Notes a trial and returns the number under which it is written: its own where that is free,
    /// else the next behind all that the file gives to this case.
    pub(super) fn place(&mut self, case: &CaseId, number: u32) -> u32 {
        let Self::Counted { all, written } = self else { return number.max(1) };
        let Some(place) = all.table.find(case, &all.cases) else { return number.max(1) };
        if written.add(place, number) {
            return number;
        }
        let further = written.of_case[place].further;
        all.given.last_given(place).saturating_add(further)
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
        let highest = all.highest();
        let (_, mut placed) = all.divided();
        let numbers = given.iter().map(|number| placed.place(&case, *number)).collect();
        (numbers, repeated, highest)
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

    #[test]
    fn cases_that_come_once_are_not_kept_to_be_numbered() {
        let mut all = TrialNumbers::default();
        for number in 0..1000 {
            assert!(all.add(&CaseId::new(format!("case-{number}")), number % 2).is_new_case);
        }
        assert_eq!((all.trials(), all.highest()), (1000, 1));
        let (cases, written) = all.divided();
        assert_eq!((cases.len(), cases[999].as_str()), (1000, "case-999"));
        assert!(matches!(written, WrittenNumbers::Alone));
    }
}
