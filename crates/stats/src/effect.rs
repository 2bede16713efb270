//! Effect sizes: how large a difference is, whatever the number of cases.

use crate::mean::Mean;

/// Cohen's d for paired values: the mean difference over the standard deviation of the
/// differences (`d_z` in the terms of Lakens 2013).
///
/// Cohen (1988) calls 0.2 small, 0.5 medium, 0.8 large. Absent for fewer than two differences or
/// when they are all the same.
pub fn cohen_d(differences: &[f64]) -> Option<f64> {
    let mean = Mean::of(differences)?;
    let deviation = mean.standard_deviation()?;
    (deviation > 0.0).then(|| mean.mean / deviation)
}

/// Hedges' g for paired values: [`cohen_d`] with its small-sample bias removed by the usual
/// factor 1 − 3/(4·(n − 1) − 1) (Hedges 1981).
pub fn hedges_g(differences: &[f64]) -> Option<f64> {
    let freedom = Mean::of(differences)?.n.checked_sub(1)?;
    let freedom = crate::distribution::length(freedom);
    cohen_d(differences).map(|d| d * (1.0 - 3.0 / (4.0 * freedom - 1.0)))
}

/// Cohen's h for two shares: the distance of their arcsine transforms, B − A.
///
/// A step from 0.95 to 0.99 counts more than one from 0.50 to 0.54, as it should for error rates.
/// Cohen (1988) calls 0.2 small, 0.5 medium, 0.8 large. Absent for values that are not shares.
pub fn cohen_h(a: f64, b: f64) -> Option<f64> {
    let share = 0.0..=1.0;
    (share.contains(&a) && share.contains(&b)).then(|| 2.0 * (b.sqrt().asin() - a.sqrt().asin()))
}
