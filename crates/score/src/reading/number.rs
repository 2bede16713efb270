//! Numbers, and when one is as good as another.

use super::unit::MeasureUnit;

/// A number with what it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NumberWithUnit {
    /// The number itself.
    pub(crate) value: f64,
    /// What one step of its last written digit is worth: 0.01 for `12.50`, 100 for `442.3k`.
    pub(crate) step: f64,
    /// The number without its sign, where it is written out in digits as a whole number. An `f64`
    /// holds some 16 digits, and account numbers have more.
    pub(crate) whole: Option<u128>,
    /// What it counts.
    pub(crate) unit: Option<MeasureUnit>,
    /// Whether it stands in parentheses as books write what is owed: it may be meant as less
    /// than nothing.
    pub(crate) in_parentheses: bool,
}

impl NumberWithUnit {
    /// A whole number of nothing in particular.
    pub(crate) fn plain(value: f64) -> Self {
        Self { value, step: 1.0, whole: None, unit: None, in_parentheses: false }
    }

    /// Whether a number that was said is the one that was wanted.
    ///
    /// A wanted number without a unit takes any; a wanted amount of money may be said without
    /// its currency; every other unit must be said.
    pub(crate) fn is_met_by(&self, said: &Self) -> bool {
        let units = match (self.unit, said.unit) {
            (None, _) => true,
            (Some(wanted), None) => wanted.is_money(),
            (Some(wanted), Some(said)) => wanted.is_alike(said),
        };
        if !units {
            return false;
        }
        let scaled = |number: &Self| match (self.unit, number.unit) {
            // Both have units, so both are brought to the wanted one; a number without one is
            // compared as it is.
            (Some(wanted), Some(unit)) => number.value * unit.in_units_of(wanted),
            _ => number.value,
        };
        if self.has_other_digits(said) {
            return false;
        }
        let (wanted, found) = (scaled(self), scaled(said));
        // Books write losses in parentheses, and texts put any number there, so both readings
        // count.
        let either = self.in_parentheses || said.in_parentheses;
        is_same(wanted, found) || (either && is_same(wanted, -found))
    }

    /// Whether both are whole numbers written out in digits, and not the same. Nothing was
    /// calculated then, so that each digit counts: `5551234567` is not `5551234569`.
    pub(crate) fn has_other_digits(&self, other: &Self) -> bool {
        let is_converted =
            matches!((self.unit, other.unit), (Some(one), Some(other)) if one != other);
        let differ = |(one, other): (u128, u128)| one != other;
        !is_converted && self.whole.zip(other.whole).is_some_and(differ)
    }

    /// Whether it is a year that was said.
    pub(crate) fn is_year(&self, year: Option<u32>) -> bool {
        self.unit.is_none() && year.is_some_and(|year| is_same(self.value, f64::from(year)))
    }
}

/// Whether two numbers are the same but for the dust of arithmetic, which never makes one whole
/// number another.
pub(crate) fn is_same(a: f64, b: f64) -> bool {
    let larger = a.abs().max(b.abs()).max(1.0);
    // Beyond 2^53 an `f64` has no room for halves: there its own last digit is the dust.
    let most = (larger * f64::EPSILON / 2.0).max(0.25);
    (a - b).abs() <= (1e-9 * larger).min(most)
}
