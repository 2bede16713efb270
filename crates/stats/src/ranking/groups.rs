//! Groups of models that cannot be told apart, as in a compact letter display.

use std::collections::BTreeSet;

/// The groups of `order` (best first) such that two models share one exactly when they are not
/// among the pairs told `apart`.
///
/// The insert-and-absorb method of Piepho (2004): start with one group of all, split every group
/// that holds a pair told apart, and drop groups that lie inside another.
pub(super) fn indistinguishable(order: &[usize], apart: &[(usize, usize)]) -> Vec<Vec<usize>> {
    // Positions in the order stand for models, so that sets sort from best to worst.
    let position = |model: usize| order.iter().position(|found| *found == model);
    let mut groups = vec![(0..order.len()).collect::<BTreeSet<usize>>()];
    for (a, b) in apart {
        let (Some(a), Some(b)) = (position(*a), position(*b)) else { continue };
        groups = groups.into_iter().flat_map(|group| split(group, a, b)).collect();
        // After every split, or the number of groups would double with each pair.
        groups = absorb(&groups);
    }
    groups.sort();
    groups.into_iter().map(|group| group.into_iter().map(|place| order[place]).collect()).collect()
}

fn split(group: BTreeSet<usize>, a: usize, b: usize) -> Vec<BTreeSet<usize>> {
    if !(group.contains(&a) && group.contains(&b)) {
        return vec![group];
    }
    let without = |left_out: usize| {
        group.iter().copied().filter(|member| *member != left_out).collect::<BTreeSet<usize>>()
    };
    vec![without(b), without(a)]
}

/// Keeps the groups that lie inside no other, and one of those that are equal.
fn absorb(groups: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    let inside = |index: usize| {
        groups.iter().enumerate().any(|(other, bigger)| {
            let group = &groups[index];
            other != index
                && group.is_subset(bigger)
                // Of equal groups the first stays; without this both would be dropped.
                && (group.len() < bigger.len() || other < index)
        })
    };
    (0..groups.len()).filter(|index| !inside(*index)).map(|index| groups[index].clone()).collect()
}
