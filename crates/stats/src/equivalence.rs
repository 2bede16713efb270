//! Showing that a difference is small: equivalence and non-inferiority within a margin.
//!
//! "No difference was shown" is not "they are the same". These claims turn the burden of proof
//! around: the null hypothesis is a difference as large as the margin.

use crate::interval::Interval;

/// The difference that would not matter: positive and finite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Margin(f64);

impl Margin {
    /// A margin above zero, or nothing.
    pub fn new(margin: f64) -> Option<Self> {
        (margin > 0.0 && margin.is_finite()).then_some(Self(margin))
    }

    /// The margin as a number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Whether the interval of the difference B − A shows that it lies within the margin.
    ///
    /// The two one-sided tests of Schuirmann (1987), read off an interval: with the two-sided 1 − α
    /// interval each is done at α/2, which is stricter than the customary 1 − 2α interval.
    pub fn encloses(self, difference: Interval) -> bool {
        self.rules_out_worse(difference) && difference.high < self.0
    }

    /// Whether the interval of the difference B − A rules out that B is worse by the margin or
    /// more, where more is better.
    pub fn rules_out_worse(self, difference: Interval) -> bool {
        -self.0 < difference.low
    }
}
