//! How far apart two runs lie by chance alone.

use crate::clustered_mean::ClusteredMean;
use crate::distribution::as_f64;
use crate::interval::Confidence;

/// The largest difference two runs by one and the same subject are likely to show by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoiseFloor {
    /// Both runs over the same cases; absent when no case has two trials to learn it from.
    pub same_cases: Option<f64>,
    /// Each run over fresh cases of the same kind; also the cautious answer when the first is
    /// absent, since it can only be larger.
    pub fresh_cases: f64,
}

/// The noise floor of runs of this size; absent for fewer than two clusters.
///
/// A difference below it says nothing. It is the two-sided normal quantile times the standard
/// error of a difference whose true value is zero.
pub fn noise_floor(run: &ClusteredMean, confidence: Confidence) -> Option<NoiseFloor> {
    let z = confidence.z();
    let fresh_cases = z * std::f64::consts::SQRT_2 * run.standard_error()?;
    let same_cases =
        run.variance_components().map(|found| z * (2.0 * found.within / as_f64(run.n)).sqrt());
    Some(NoiseFloor { same_cases, fresh_cases })
}
