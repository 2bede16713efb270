//! The numbers of the trials of each case, in whatever order they come.

use std::collections::{BTreeSet, HashMap};

use toolgauge_core::CaseId;

/// The numbers that trials have, by case.
#[derive(Debug, Default)]
pub(super) struct TrialNumbers(HashMap<CaseId, CaseNumbers>);

#[derive(Debug, Default)]
struct CaseNumbers {
    given: BTreeSet<u32>,
    /// How many trials have no number, or one that another trial has.
    further: u32,
}

impl CaseNumbers {
    fn last_given(&self) -> u32 {
        self.given.last().copied().unwrap_or_default()
    }
}

impl TrialNumbers {
    /// Notes a trial, whose number is 0 where the file has none. Says whether it is the first of
    /// this number.
    pub(super) fn add(&mut self, case: &CaseId, number: u32) -> bool {
        let numbers = self.0.entry(case.clone()).or_default();
        let is_new = number != 0 && numbers.given.insert(number);
        numbers.further += u32::from(!is_new);
        is_new
    }

    /// Notes a trial and returns the number under which it is written: its own where that is free,
    /// else the next behind all that the file gives to this case.
    pub(super) fn place(&mut self, case: &CaseId, number: u32, all: &Self) -> u32 {
        if self.add(case, number) {
            return number;
        }
        let last = all.0.get(case).map(CaseNumbers::last_given).unwrap_or_default();
        let further = self.0.get(case).map(|numbers| numbers.further).unwrap_or_default();
        last.saturating_add(further)
    }

    /// The highest number that a trial is written under.
    pub(super) fn highest(&self) -> u32 {
        let highest = |numbers: &CaseNumbers| numbers.last_given().saturating_add(numbers.further);
        self.0.values().map(highest).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under which numbers trials of one case are written, how many repeat one, and the highest.
    fn written(given: &[u32]) -> (Vec<u32>, usize, u32) {
        let case = CaseId::new("a");
        let (mut all, mut placed) = (TrialNumbers::default(), TrialNumbers::default());
        let is_repeated = |number: &&u32| !all.add(&case, **number) && **number != 0;
        let repeated = given.iter().filter(is_repeated).count();
        let numbers = given.iter().map(|number| placed.place(&case, *number, &all)).collect();
        (numbers, repeated, all.highest())
    }

    #[test]
    fn trials_keep_their_numbers_in_any_order() {
        assert_eq!(written(&[2, 1]), (vec![2, 1], 0, 2));
        assert_eq!(written(&[3, 1, 2]), (vec![3, 1, 2], 0, 3));
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
