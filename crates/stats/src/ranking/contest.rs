//! The scores of several models on the same cases.

/// The scores of several models on the same cases.
#[derive(Debug, Clone, Copy)]
pub struct Contest<'a> {
    /// One row a case, one column a model: the model's mean score over its trials of the case.
    pub scores: &'a [Vec<f64>],
    /// The group each case belongs to, if cases share groups; as many as there are cases.
    pub groups: Option<&'a [usize]>,
}
