//! Showing that a difference is small: equivalence and non-inferiority within a margin.
//!
//! "No difference was shown" is not "they are the same". These tests turn the burden of proof
//! around: the null hypothesis is a difference as large as the margin.

use crate::estimate::Estimate;
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
}

/// The p-value for equivalence: that the truth lies between −margin and +margin.
///
/// The two one-sided tests of Schuirmann (1987); the larger p-value counts. Below α exactly when
/// the 1 − 2α interval lies inside the margin. Absent when the standard error is zero.
pub fn equivalence_p_value(estimate: &Estimate, margin: Margin) -> Option<f64> {
    let above = estimate.p_value_above(-margin.get())?;
    let below = estimate.p_value_below(margin.get())?;
    Some(above.max(below))
}

/// The p-value for non-inferiority: that B is not worse than A by the margin or more.
///
/// One-sided, for differences where more is better; negate the estimate where less is.
pub fn non_inferiority_p_value(estimate: &Estimate, margin: Margin) -> Option<f64> {
    estimate.p_value_above(-margin.get())
}

/// What an interval of the difference B − A allows to be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// The interval lies above zero.
    Better,
    /// The interval lies below zero.
    Worse,
    /// The interval holds zero and lies inside the margin.
    Equivalent,
    /// The interval holds zero and reaches past the margin, or no margin was given.
    Undecided,
}

/// Reads the interval of a difference, where more is better.
///
/// Works on any interval (t, bootstrap, sequential, or for pass/fail pairs), so equivalence needs
/// no standard error: with the two-sided 1 − α interval the equivalence claim is tested at α/2,
/// which is stricter than the customary 1 − 2α interval. A difference shown to exist is reported
/// as such even when it is smaller than the margin.
pub fn read_difference(interval: Interval, margin: Option<Margin>) -> Finding {
    if interval.low > 0.0 {
        return Finding::Better;
    }
    if interval.high < 0.0 {
        return Finding::Worse;
    }
    let inside = margin.is_some_and(|margin| -margin.0 < interval.low && interval.high < margin.0);
    if inside { Finding::Equivalent } else { Finding::Undecided }
}

/// Whether the interval rules out that B is worse than A by the margin or more.
pub fn is_non_inferior(interval: Interval, margin: Margin) -> bool {
    interval.low > -margin.get()
}
