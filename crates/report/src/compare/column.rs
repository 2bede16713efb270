//! One figure of every trial of a run, in a form that two runs can be laid side by side in.

/// A trial, by the number of its case within its side and its own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TrialKey {
    pub(crate) case: u32,
    pub(crate) trial: u32,
}

/// One figure of trials, by trial. A trial without it is left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    values: Vec<(TrialKey, f64)>,
}

impl Column {
    pub(crate) fn push(&mut self, key: TrialKey, value: f64) {
        self.values.push((key, value));
    }

    /// Puts the values in order. A trial that was given twice keeps what was given last.
    pub(crate) fn settle(&mut self) {
        self.values.sort_by_key(|(key, _)| *key);
        self.values.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = later.1;
            }
            same
        });
    }

    pub(crate) fn values(&self) -> &[(TrialKey, f64)] {
        &self.values
    }

    /// The value of one trial, if it has one.
    pub(crate) fn get(&self, key: TrialKey) -> Option<f64> {
        let place = self.values.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.values[place].1)
    }

    /// This column with other values put between its own, as when unscored trials count as 0.
    pub(crate) fn with(&self, others: impl Iterator<Item = (TrialKey, f64)>) -> Self {
        let mut column = self.clone();
        column.values.extend(others);
        column.settle();
        column
    }

    /// The same trials, each with what `change` makes of its value.
    pub(crate) fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        Self { values: self.values.iter().map(|(key, value)| (*key, change(*value))).collect() }
    }
}
