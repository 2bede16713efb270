//! An interval with two ends, and the confidence it is drawn at.

use crate::distribution::{normal_quantile, student_quantile};

/// How sure an interval is meant to be: the share of repeated experiments whose interval would
/// contain the truth.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// Nineteen experiments out of twenty, the default everywhere.
    pub const P95: Self = Self(0.95);
    /// Ninety-nine experiments out of a hundred.
    pub const P99: Self = Self(0.99);

    /// A level strictly between 0 and 1, or nothing.
    pub fn new(level: f64) -> Option<Self> {
        (level > 0.0 && level < 1.0).then_some(Self(level))
    }

    /// The level as a share, such as 0.95.
    pub fn level(self) -> f64 {
        self.0
    }

    /// The chance of missing that is accepted: one minus the level.
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }

    /// The two-sided standard normal quantile, 1.96 at 95%.
    pub(crate) fn z(self) -> f64 {
        normal_quantile(1.0 - self.alpha() / 2.0)
    }

    /// The two-sided Student quantile for `degrees_of_freedom`.
    pub(crate) fn t(self, degrees_of_freedom: f64) -> f64 {
        student_quantile(1.0 - self.alpha() / 2.0, degrees_of_freedom)
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self::P95
    }
}

/// A closed range of plausible values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end, never below the lower.
    pub high: f64,
}

impl Interval {
    /// The interval between two ends, given in either order.
    pub fn new(one: f64, other: f64) -> Self {
        Self { low: one.min(other), high: one.max(other) }
    }

    /// The interval `half_width` to both sides of `centre`.
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self::new(centre - half_width, centre + half_width)
    }

    /// Half the distance between the ends.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether `value` lies between the ends, the ends included.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}
