//! One figure of every trial of a run, in a form that two runs can be laid side by side in.

use std::sync::Arc;

use toolgauge_stats::Cluster;

use crate::standing::{ROUNDING, Thresholds};

/// A trial, by the number of its case within its side and its own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TrialKey {
    pub(crate) case: u32,
    pub(crate) trial: u32,
}

/// One figure of one case: what its trials come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CaseMean {
    pub(crate) mean: f64,
    pub(crate) trials: u32,
    /// How many trials pass.
    pub(crate) passed: u32,
}

/// One figure of trials, by trial. A trial without it is left out.
#[derive(Clone, Debug)]
pub(crate) struct ComparedColumn {
    /// The trials, which most columns of a side have in common.
    keys: Arc<Vec<TrialKey>>,
    figures: Figures,
    /// From which value on a trial passes.
    pass_from: f64,
}

impl Default for ComparedColumn {
    fn default() -> Self {
        Self::passing_from(Thresholds::ALL_OR_NOTHING.pass)
    }
}

/// A figure of each trial. Most columns are verdicts, for which a byte will do.
#[derive(Clone, Debug)]
enum Figures {
    /// Only ever 0 or 1.
    Plain(Vec<bool>),
    Graded(Vec<f64>),
}

impl Default for Figures {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

impl Figures {
    fn push(&mut self, value: f64) {
        let right = value.total_cmp(&1.0).is_eq();
        match self {
            Self::Plain(plain) if right || value.total_cmp(&0.0).is_eq() => plain.push(right),
            Self::Plain(plain) => {
                let known = plain.iter().map(|right| f64::from(u8::from(*right)));
                *self = Self::Graded(known.chain([value]).collect());
            }
            Self::Graded(graded) => graded.push(value),
        }
    }

    fn get(&self, place: usize) -> f64 {
        match self {
            Self::Plain(plain) => f64::from(u8::from(plain[place])),
            Self::Graded(graded) => graded[place],
        }
    }
}

impl ComparedColumn {
    /// A column without trials, of which those with at least this value will pass.
    pub(crate) fn passing_from(pass_from: f64) -> Self {
        Self { keys: Arc::default(), figures: Figures::default(), pass_from }
    }

    /// A column without trials whose trials will pass as those of this one do.
    pub(crate) fn emptied(&self) -> Self {
        Self::passing_from(self.pass_from)
    }

    /// Whether a trial with this value passes.
    pub(crate) fn passes(&self, value: f64) -> bool {
        value + ROUNDING >= self.pass_from
    }

    pub(crate) fn push(&mut self, key: TrialKey, value: f64) {
        Arc::make_mut(&mut self.keys).push(key);
        self.figures.push(value);
    }

    /// Puts the values in order. A trial that was given twice keeps what was given last.
    pub(crate) fn settle(&mut self) {
        // Trials mostly come in the order in which their cases were met.
        if self.keys.is_sorted_by(|one, other| one < other) {
            return;
        }
        let mut values: Vec<(TrialKey, f64)> = self.iter().collect();
        // The sort is stable, so that of two values of a trial the later one stays behind the
        // earlier.
        values.sort_by_key(|(key, _)| *key);
        values.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = later.1;
            }
            same
        });
        let mut settled = self.emptied();
        for (key, value) in values {
            settled.push(key, value);
        }
        *self = settled;
    }

    /// Keeps the trials only once, if this column is of the same ones as another.
    pub(crate) fn share_trials_of(&mut self, other: &Self) {
        if self.keys == other.keys {
            self.keys = other.keys.clone();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Every trial with its value.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (TrialKey, f64)> {
        self.keys.iter().enumerate().map(|(place, key)| (*key, self.figures.get(place)))
    }

    /// Every case with what its trials come to, in the order of cases.
    pub(crate) fn cases(&self) -> impl Iterator<Item = (u32, CaseMean)> {
        let cases = self.keys.chunk_by(|one, other| one.case == other.case);
        let mut from = 0;
        cases.map(move |keys| {
            let places = from..from + keys.len();
            from = places.end;
            let mut cluster = Cluster::new();
            let mut passed = 0;
            for value in places.map(|place| self.figures.get(place)) {
                cluster.add(value);
                passed += u32::from(self.passes(value));
            }
            let mean = cluster.averaged().sum();
            let trials = u32::try_from(keys.len()).unwrap_or(u32::MAX);
            (keys[0].case, CaseMean { mean, trials, passed })
        })
    }

    /// The trials of one case with their values.
    pub(crate) fn trials_of(&self, case: u32) -> impl Iterator<Item = (TrialKey, f64)> {
        let first = self.keys.partition_point(|key| key.case < case);
        let of_case = self.keys[first..].iter().take_while(move |key| key.case == case);
        of_case.enumerate().map(move |(place, key)| (*key, self.figures.get(first + place)))
    }

    /// Every value, in the order of the trials.
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> + Clone {
        (0..self.keys.len()).map(|place| self.figures.get(place))
    }

    /// Whether some value lies beyond 0 to 1, so that nobody can say which trials passed.
    pub(crate) fn is_open_scale(&self) -> bool {
        matches!(&self.figures, Figures::Graded(_))
            && self.values().any(|value| !(0.0..=1.0).contains(&value))
    }

    /// The value of one trial, if it has one.
    pub(crate) fn get(&self, key: TrialKey) -> Option<f64> {
        self.keys.binary_search(&key).ok().map(|place| self.figures.get(place))
    }

    /// This column with other values put between its own, as when unscored trials count as 0.
    pub(crate) fn with(&self, others: impl Iterator<Item = (TrialKey, f64)>) -> Self {
        let mut column = self.clone();
        others.for_each(|(key, value)| column.push(key, value));
        column.settle();
        column
    }

    /// The same trials, each with what `change` makes of its value.
    pub(crate) fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        let mut figures = Figures::default();
        self.values().for_each(|value| figures.push(change(value)));
        // What becomes of the values need not be on their scale.
        Self { keys: self.keys.clone(), figures, ..Self::default() }
    }
}

impl FromIterator<(TrialKey, f64)> for ComparedColumn {
    fn from_iter<I: IntoIterator<Item = (TrialKey, f64)>>(values: I) -> Self {
        let mut column = Self::default();
        values.into_iter().for_each(|(key, value)| column.push(key, value));
        column
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_settled_column_has_the_last_value_of_each_trial_in_order(
            given in proptest::collection::vec(
                (0..5_u32, 0..4_u32, prop_oneof![Just(0.0), Just(1.0), Just(-0.0), -2.0..2.0]),
                0..40,
            ),
        ) {
            let keyed = |(case, trial, value)| (TrialKey { case, trial }, value);
            let mut column: ComparedColumn = given.iter().copied().map(keyed).collect();
            column.settle();
            let bits = |(key, value): (TrialKey, f64)| (key, value.to_bits());
            let want: BTreeMap<_, _> = given.iter().copied().map(keyed).map(bits).collect();
            prop_assert_eq!(column.iter().map(bits).collect::<Vec<_>>(), want.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn trials_that_columns_have_in_common_are_kept_once() {
        let key = |case| TrialKey { case, trial: 1 };
        let score: ComparedColumn = (0..3).map(|case| (key(case), 0.5)).collect();
        let mut same = score.map(|_| 1.0);
        let mut fewer: ComparedColumn = [(key(1), 1.0)].into_iter().collect();
        same.share_trials_of(&score);
        fewer.share_trials_of(&score);
        assert!(Arc::ptr_eq(&same.keys, &score.keys));
        same.push(key(9), 0.0);
        assert_eq!((score.iter().len(), same.iter().len(), fewer.iter().len()), (3, 4, 1));
    }
}
