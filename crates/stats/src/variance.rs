//! Where the variance of a score comes from.

use crate::distribution::as_f64;

/// The variance of a score, split into what belongs to cases and what to single trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VarianceComponents {
    /// The variance of the cases' true means.
    pub between: f64,
    /// The variance of trials of one case.
    pub within: f64,
}

impl VarianceComponents {
    /// The standard error that `cases` cases of `trials` trials each would have.
    pub fn standard_error(&self, cases: u64, trials: u64) -> Option<f64> {
        (cases > 0 && trials > 0)
            .then(|| ((self.between + self.within / as_f64(trials)) / as_f64(cases)).sqrt())
    }
}
