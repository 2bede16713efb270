//! An estimate with a standard error: what t tests, equivalence and power start from.

use crate::distribution::{student_cdf, student_tail};
use crate::interval::{Confidence, Interval};

/// A value, how far it may be off, and how well that itself is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimated value; for a comparison, B minus A.
    pub value: f64,
    /// How far such values would scatter if cases were drawn anew.
    pub standard_error: f64,
    /// The degrees of freedom of the standard error: independent units less one.
    pub degrees_of_freedom: f64,
}

impl Estimate {
    /// The t interval around the value.
    pub fn interval(&self, confidence: Confidence) -> Interval {
        let quantile = confidence.t(self.degrees_of_freedom);
        Interval::around(self.value, quantile * self.standard_error)
    }

    /// The two-sided t-test p-value against `reference`; absent when the standard error is zero,
    /// since data without any spread cannot say how surprising they are.
    pub fn p_value(&self, reference: f64) -> Option<f64> {
        let t = self.distance(reference)?;
        Some(2.0 * student_tail(t.abs(), self.degrees_of_freedom))
    }

    /// The one-sided p-value for the claim that the truth lies below `reference`.
    pub fn p_value_below(&self, reference: f64) -> Option<f64> {
        Some(student_cdf(self.distance(reference)?, self.degrees_of_freedom))
    }

    /// How many standard errors the value lies above `reference`.
    fn distance(&self, reference: f64) -> Option<f64> {
        (self.standard_error > 0.0).then(|| (self.value - reference) / self.standard_error)
    }
}
