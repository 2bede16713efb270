//! The distribution functions the rest of the crate stands on, as plain functions.
//!
//! A thin layer over `statrs`, so that one file knows its types and its way of failing.

use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};

/// The value a standard normal variable stays below with probability `p`.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p.clamp(0.0, 1.0))
}

/// The value a Student variable stays below with probability `p`.
pub(crate) fn student_quantile(p: f64, degrees_of_freedom: f64) -> f64 {
    student(degrees_of_freedom).inverse_cdf(p.clamp(0.0, 1.0))
}

/// The value a Beta(`a`, `b`) variable stays below with probability `p`.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    beta(a, b).inverse_cdf(p.clamp(0.0, 1.0))
}

fn student(degrees_of_freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, degrees_of_freedom).expect("degrees of freedom are positive")
}

fn beta(a: f64, b: f64) -> Beta {
    Beta::new(a, b).expect("both shapes are positive")
}

/// A count as a real number.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of cases and trials are far below 2^53, where the conversion is exact"
)]
pub(crate) fn as_f64(count: u64) -> f64 {
    count as f64
}

/// A length as a real number.
pub(crate) fn length(items: usize) -> f64 {
    as_f64(items as u64)
}
