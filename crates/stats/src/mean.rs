//! The mean of independent values, with its doubt.

use crate::distribution::length;
use crate::estimate::Estimate;
use crate::interval::{Confidence, Interval};

/// The mean of independent values and how much they spread.
///
/// For values that belong together (several trials of one case) use
/// [`ClusteredMean`](crate::ClusteredMean), whose doubt is honest about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// How many values there were.
    pub n: usize,
    /// Their average.
    pub mean: f64,
    /// Their variance with the divisor n − 1; absent for a single value.
    pub variance: Option<f64>,
}

impl Mean {
    /// The mean of `values`; absent when there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let n = length(values.len());
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let variance = (values.len() > 1).then(|| squares / (n - 1.0));
        Some(Self { n: values.len(), mean, variance })
    }

    /// The standard error of the mean, s/√n.
    pub fn standard_error(&self) -> Option<f64> {
        self.variance.map(|variance| (variance / length(self.n)).sqrt())
    }

    /// Student's t interval for the mean (Student 1908).
    ///
    /// Chosen over the normal interval because suites are often small enough for the estimated
    /// spread to be a doubt of its own.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        self.estimate().map(|estimate| estimate.interval(confidence))
    }

    /// The mean with its standard error and n − 1 degrees of freedom, ready for a t test.
    pub fn estimate(&self) -> Option<Estimate> {
        Some(Estimate {
            value: self.mean,
            standard_error: self.standard_error()?,
            degrees_of_freedom: length(self.n) - 1.0,
        })
    }
}
