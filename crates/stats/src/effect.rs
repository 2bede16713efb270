//! Effect sizes: how large a difference is, whatever the number of cases.

use crate::distribution::length;
use crate::mean::Mean;

/// Hedges' g for paired values: the mean difference over the standard deviation of the differences
/// (Cohen's d; `d_z` in the terms of Lakens 2013), with its small-sample bias removed by the usual
/// factor 1 − 3/(4·(n − 1) − 1) (Hedges 1981).
///
/// Cohen (1988) calls 0.2 small, 0.5 medium, 0.8 large. Absent for fewer than two differences or
/// when they are all the same.
pub fn hedges_g(differences: &[f64]) -> Option<f64> {
    let mean = Mean::of(differences)?;
    let deviation = mean.variance?.sqrt();
    let freedom = length(mean.n) - 1.0;
    (deviation > 0.0).then(|| mean.mean / deviation * (1.0 - 3.0 / (4.0 * freedom - 1.0)))
}
