//! Two runs laid side by side: which cases both have, and what belongs together.

use std::collections::HashMap;

use toolgauge_core::CaseId;
use toolgauge_stats::Cluster;

use super::column::{CaseMean, ComparedColumn};
use super::side::{CaseFacts, RunSide};

/// Two sides and what they share. Cases go by their numbers on side A.
pub(crate) struct RunPairing<'a> {
    pub(crate) a: &'a RunSide,
    pub(crate) b: &'a RunSide,
    /// The number on side A of each case of side B, where it has one.
    to_a: Vec<Option<u32>>,
    /// The number on side B of each case of side A.
    to_b: Vec<Option<u32>>,
    /// What each case of side A is drawn together with: its group, or itself alone.
    units: Vec<u32>,
    /// Whether some cases share a group.
    pub(crate) grouped: bool,
}

/// One figure of one case on both sides. A case counts once, however often each side tried it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CasePair {
    pub(crate) unit: u32,
    /// The case, by side A's number.
    pub(crate) case: u32,
    pub(crate) a: CaseMean,
    pub(crate) b: CaseMean,
}

impl CasePair {
    /// B − A. Means of the same trials in another order may differ in their last bits, which is
    /// no difference.
    pub(crate) fn difference(&self) -> f64 {
        let (a, b) = (self.a.mean, self.b.mean);
        if (b - a).abs() <= 1e-12 * a.abs().max(b.abs()) { 0.0 } else { b - a }
    }
}

impl<'a> RunPairing<'a> {
    pub(crate) fn of(a: &'a RunSide, b: &'a RunSide) -> Self {
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
        self.shared().filter(|(_, a, b)| a.sentence != b.sentence).count()
    }

    /// The shared cases of which the other side expects something else, as far as logs say.
    pub(crate) fn expecting_otherwise(&self) -> Vec<&'a CaseId> {
        let changed = |a: &CaseFacts, b: &CaseFacts| {
            a.gold.as_ref().zip(b.gold.as_ref()).is_some_and(|(a, b)| a != b)
        };
        self.shared().filter(|(_, a, b)| changed(a, b)).map(|(case, _, _)| case).collect()
    }

    /// The cases both sides have, with what each knows of them.
    fn shared(&self) -> impl Iterator<Item = (&'a CaseId, &'a CaseFacts, &'a CaseFacts)> {
        let (a, b) = (self.a, self.b);
        a.cases.iter().filter_map(move |(case, facts)| Some((case, facts, b.cases.get(case)?)))
    }

    /// Side B's number of a case, given side A's.
    pub(crate) fn case_of_b(&self, case: u32) -> Option<u32> {
        *self.to_b.get(case as usize)?
    }

    /// The cases that both columns have, by unit and case.
    pub(crate) fn pairs(&self, a: &ComparedColumn, b: &ComparedColumn) -> Vec<CasePair> {
        let of_b = b.cases().filter_map(|(case, mean)| Some((self.to_a[case as usize]?, mean)));
        let mut of_b: Vec<(u32, CaseMean)> = of_b.collect();
        of_b.sort_by_key(|(case, _)| *case);
        let mut of_b = of_b.into_iter().peekable();
        let mut pairs = Vec::new();
        for (case, a) in a.cases() {
            // Both come in the order of side A's numbers, so that one pass over each finds all
            // pairs.
            while of_b.next_if(|(other, _)| *other < case).is_some() {}
            if let Some((_, b)) = of_b.next_if(|(other, _)| *other == case) {
                pairs.push(CasePair { unit: self.units[case as usize], case, a, b });
            }
        }
        if self.grouped {
            pairs.sort_by_key(|pair| (pair.unit, pair.case));
        }
        pairs
    }
}

/// The differences B − A, a cluster a unit. The pairs come by unit.
pub(crate) fn differences(pairs: &[CasePair]) -> Vec<Cluster> {
    clusters(pairs, CasePair::difference)
}

/// What `value` says of each pair, a cluster a unit.
pub(crate) fn clusters(pairs: &[CasePair], value: impl Fn(&CasePair) -> f64) -> Vec<Cluster> {
    let cluster = |unit: &[CasePair]| {
        let mut cluster = Cluster::new();
        for pair in unit {
            cluster.add(value(pair));
        }
        cluster
    };
    pairs.chunk_by(|one, other| one.unit == other.unit).map(cluster).collect()
}

/// The unit of each case, and whether any unit has several cases.
pub(crate) fn units(side: &RunSide) -> (Vec<u32>, bool) {
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
