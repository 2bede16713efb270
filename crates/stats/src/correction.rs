//! Corrections for asking many questions at once: dimensions, slices, pairs of models.

use crate::distribution::length;

/// Holm's (1979) adjusted p-values, in the order given.
///
/// Keeps the chance of even one false alarm at the level, whatever the dependence between the
/// questions, and is never weaker than Bonferroni. For gates and pairwise verdicts.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in ascending(p_values).into_iter().enumerate() {
        let factor = length(p_values.len() - rank);
        // A larger p-value must not end up with a smaller adjusted one, so the largest so far is
        // kept.
        largest = largest.max((p_values[index] * factor).min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}

fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    order
}
