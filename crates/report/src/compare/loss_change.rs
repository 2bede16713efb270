//! Where points were lost before and after.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::Cause;

use super::pairing::{CasePair, RunPairing};
use super::side::RunSide;

/// What one cause cost on both sides, over the cases that both have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossChange {
    /// What the points were lost for.
    pub cause: Cause,
    /// How often on side A.
    pub count_a: usize,
    /// How often on side B.
    pub count_b: usize,
    /// What it cost on side A, over all trials of the cases that both sides have.
    pub points_a: f64,
    /// What it cost on side B, as if every case had as many trials as on side A.
    pub points_b: f64,
}

/// The causes that cost something on either side, the largest change first.
pub(crate) fn loss_changes(pairing: &RunPairing<'_>, pairs: &[CasePair]) -> Vec<LossChange> {
    let weights_a = pairs.iter().map(|pair| (pair.case, 1.0));
    // Sides may have unlike many trials. Scaled to those of A, points are what `summary` shows.
    let weights_b = pairs.iter().filter_map(|pair| {
        let case = pairing.case_of_b(pair.case)?;
        Some((case, f64::from(pair.a.trials) / f64::from(pair.b.trials)))
    });
    let of_a = count(pairing.a, &weights_a.collect());
    let of_b = count(pairing.b, &weights_b.collect());
    let mut changes: Vec<LossChange> = Vec::new();
    for cause in Cause::ALL {
        let (count_a, points_a) = of_a.get(cause).copied().unwrap_or_default();
        let (count_b, points_b) = of_b.get(cause).copied().unwrap_or_default();
        if count_a + count_b > 0 {
            changes.push(LossChange { cause: *cause, count_a, count_b, points_a, points_b });
        }
    }
    let size = |change: &LossChange| (change.points_b - change.points_a).abs();
    changes.sort_by(|one, other| size(other).total_cmp(&size(one)));
    changes
}

/// How often each cause cost points in these cases, and how many, each times the case's weight.
fn count(side: &RunSide, weights: &HashMap<u32, f64>) -> IndexMap<Cause, (usize, f64)> {
    let mut counts: IndexMap<Cause, (usize, f64)> = IndexMap::new();
    for loss in &side.losses {
        let Some(weight) = weights.get(&loss.key.case) else { continue };
        let (count, points) = counts.entry(loss.cause).or_default();
        *count += 1;
        *points += loss.points * weight;
    }
    counts
}
