//! Places of cases by their names, for lists that may have a million of them.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use crate::CaseId;

/// Finds cases in a list by their names. It takes some ten to twenty bytes a case: the names are in
/// the list alone.
#[derive(Clone, Debug, Default)]
pub struct CaseTable {
    /// The places of cases by half of the hash of their names. A case whose hash is taken by another
    /// has the next free one.
    places: HashMap<u32, u32>,
    hasher: RandomState,
}

impl CaseTable {
    /// A table for a list. Of several cases of one name the first is found.
    pub fn of(cases: &[CaseId]) -> Self {
        let mut table = Self { places: HashMap::with_capacity(cases.len()), ..Self::default() };
        for place in 0..cases.len() {
            table.add(place, cases);
        }
        table
    }

    /// The place of a case in the list, if it is there.
    pub fn find(&self, case: &CaseId, cases: &[CaseId]) -> Option<usize> {
        self.look_up(case, cases).1
    }

    /// Adds the case at this place of the list. One whose name is known stays where it is.
    pub fn add(&mut self, place: usize, cases: &[CaseId]) {
        // No list has four billion cases; what is behind them would not be found.
        if let ((key, None), Ok(place)) = (self.look_up(&cases[place], cases), u32::try_from(place))
        {
            self.places.insert(key, place);
        }
    }

    /// The key under which a case is or would be, and its place.
    fn look_up(&self, case: &CaseId, cases: &[CaseId]) -> (u32, Option<usize>) {
        #[expect(clippy::cast_possible_truncation, reason = "half of the hash is enough")]
        let mut key = self.hasher.hash_one(case) as u32;
        loop {
            let Some(place) = self.places.get(&key).map(|place| *place as usize) else {
                return (key, None);
            };
            if cases[place] == *case {
                return (key, Some(place));
            }
            key = key.wrapping_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_found_where_it_first_stands() {
        let name = |number: usize| CaseId::new(format!("case-{number}"));
        // So many that the halves of some hashes are the same.
        let mut cases: Vec<CaseId> = (0..200_000).map(name).collect();
        cases.push(name(7));
        let mut table = CaseTable::of(&cases);
        assert!((0..200_000).all(|place| table.find(&name(place), &cases) == Some(place)));
        assert_eq!(table.find(&name(200_000), &cases), None);
        cases.push(name(200_000));
        table.add(200_001, &cases);
        assert_eq!(table.find(&name(200_000), &cases), Some(200_001));
    }
}
