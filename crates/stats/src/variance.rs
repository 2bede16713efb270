//! Where the variance of a score comes from.

/// The variance of a score, split into what belongs to cases and what to single trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VarianceComponents {
    /// The variance of the cases' true means.
    pub between: f64,
    /// The variance of trials of one case.
    pub within: f64,
}
