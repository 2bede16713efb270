//! Two runs laid side by side: which trials both have, and what belongs together.

use std::collections::HashMap;

use toolgauge_stats::Cluster;

use super::column::{Column, TrialKey};
use super::side::Side;

/// Two sides and what they share. Cases go by their numbers on side A.
pub(crate) struct Pairing<'a> {
    pub(crate) a: &'a Side,
    pub(crate) b: &'a Side,
    /// The number on side A of each case of side B, where it has one.
    to_a: Vec<Option<u32>>,
    /// The number on side B of each case of side A.
    to_b: Vec<Option<u32>>,
    /// What each case of side A is drawn together with: its group, or itself alone.
    units: Vec<u32>,
    /// Whether some cases share a group.
    pub(crate) grouped: bool,
}

/// One figure of one trial on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) unit: u32,
    /// The trial, by side A's number of the case.
    pub(crate) key: TrialKey,
    pub(crate) a: f64,
    pub(crate) b: f64,
}

impl<'a> Pairing<'a> {
    pub(crate) fn of(a: &'a Side, b: &'a Side) -> Self {
        let to_a: Vec<Option<u32>> =
            b.cases.keys().map(|case| a.cases.get_index_of(case).map(number)).collect();
        let mut to_b = vec![None; a.cases.len()];
        for (place, case) in to_a.iter().enumerate() {
            if let Some(case) = case {
                to_b[*case as usize] = Some(number(place));
            }
        }
        let (units, grouped) = units(a);
        Self { a, b, to_a, to_b, units, grouped }
    }

    /// How many cases both sides have.
    pub(crate) fn shared_cases(&self) -> usize {
        self.to_a.iter().flatten().count()
    }

    /// How many shared cases were put in other words on the other side.
    pub(crate) fn reworded(&self) -> usize {
        let pairs = self.to_a.iter().enumerate().filter_map(|(b, a)| Some((b, (*a)?)));
        let facts = |(b, a): (usize, u32)| (&self.a.cases[a as usize], &self.b.cases[b]);
        let pairs = pairs.map(facts);
        pairs.filter(|(a, b)| a.sentence != b.sentence).count()
    }

    /// A trial by side B's number of its case, given side A's.
    pub(crate) fn key_of_b(&self, key: TrialKey) -> Option<TrialKey> {
        let case = (*self.to_b.get(key.case as usize)?)?;
        Some(TrialKey { case, ..key })
    }

    /// A trial of side B by side A's number of its case.
    pub(crate) fn key_of_a(&self, key: TrialKey) -> Option<TrialKey> {
        let case = (*self.to_a.get(key.case as usize)?)?;
        Some(TrialKey { case, ..key })
    }

    /// The trials that both columns have, by unit, case and trial.
    pub(crate) fn pairs(&self, a: &Column, b: &Column) -> Vec<Pair> {
        let mut of_b: Vec<(TrialKey, f64)> =
            b.iter().filter_map(|(key, value)| Some((self.key_of_a(key)?, value))).collect();
        of_b.sort_by_key(|(key, _)| *key);
        let mut of_b = of_b.into_iter().peekable();
        let mut pairs = Vec::with_capacity(a.iter().len());
        for (key, value) in a.iter() {
            while of_b.next_if(|(other, _)| *other < key).is_some() {}
            if let Some((_, other)) = of_b.next_if(|(other, _)| *other == key) {
                let unit = self.units[key.case as usize];
                pairs.push(Pair { unit, key, a: value, b: other });
            }
        }
        if self.grouped {
            pairs.sort_by_key(|pair| (pair.unit, pair.key));
        }
        pairs
    }
}

/// The differences B − A, a cluster a unit. The pairs come by unit.
pub(crate) fn differences(pairs: &[Pair]) -> Vec<Cluster> {
    clusters(pairs, |pair| pair.b - pair.a)
}

/// What `value` says of each pair, a cluster a unit.
pub(crate) fn clusters(pairs: &[Pair], value: impl Fn(&Pair) -> f64) -> Vec<Cluster> {
    let cluster = |unit: &[Pair]| {
        let mut cluster = Cluster::new();
        for pair in unit {
            cluster.add(value(pair));
        }
        cluster
    };
    pairs.chunk_by(|one, other| one.unit == other.unit).map(cluster).collect()
}

/// The unit of each case, and whether any unit has several cases.
pub(crate) fn units(side: &Side) -> (Vec<u32>, bool) {
    let mut members: HashMap<u32, usize> = HashMap::new();
    for facts in side.cases.values() {
        if let Some(group) = facts.group {
            *members.entry(group).or_default() += 1;
        }
    }
    let mut first_of_group: HashMap<u32, u32> = HashMap::new();
    let unit = |(place, group): (usize, Option<u32>)| match group {
        // A group is known by the first of its cases, so that units stay in the order of cases.
        Some(group) => *first_of_group.entry(group).or_insert_with(|| number(place)),
        None => number(place),
    };
    let groups = side.cases.values().map(|facts| facts.group);
    let units = groups.enumerate().map(unit).collect();
    let grouped = side.cases.values().any(|case| case.group.is_some_and(|g| members[&g] > 1));
    (units, grouped)
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("a run has fewer than four billion cases")
}
