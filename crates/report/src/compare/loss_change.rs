//! Where points were lost before and after.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::Cause;

use super::column::{Column, TrialKey};
use super::pairing::Pairing;
use super::side::Side;

/// What one cause cost on both sides, over the trials that both have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossChange {
    /// The cause.
    pub cause: Cause,
    /// How often on side A.
    pub count_a: usize,
    /// How often on side B.
    pub count_b: usize,
    /// What it cost on side A.
    pub points_a: f64,
    /// What it cost on side B.
    pub points_b: f64,
}

/// The causes that cost something on either side, the largest change first.
pub(crate) fn loss_changes(pairing: &Pairing<'_>, a: &Column, b: &Column) -> Vec<LossChange> {
    let of_a = count(pairing.a, |key| {
        pairing.key_of_b(key).is_some_and(|other| b.get(other).is_some()) && a.get(key).is_some()
    });
    let of_b = count(pairing.b, |key| {
        pairing.key_of_a(key).is_some_and(|other| a.get(other).is_some()) && b.get(key).is_some()
    });
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

fn count(side: &Side, compared: impl Fn(TrialKey) -> bool) -> IndexMap<Cause, (usize, f64)> {
    let mut counts: IndexMap<Cause, (usize, f64)> = IndexMap::new();
    for trial in side.losses.chunk_by(|one, other| one.key == other.key) {
        if !compared(trial[0].key) {
            continue;
        }
        for loss in trial {
            let (count, points) = counts.entry(loss.cause).or_default();
            *count += 1;
            *points += loss.points;
        }
    }
    counts
}
