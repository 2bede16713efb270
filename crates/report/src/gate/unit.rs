//! How the figures of gates are written: with the unit of the figure, and with enough digits.

use super::{GateCondition, GateFigure, Rule};

/// The digits behind the point that a score gets unless it needs more.
const USUAL: usize = 3;
/// As many as a threshold can differ by and still fail.
const MOST: usize = 12;

/// What a figure is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FigureUnit {
    /// A share, a mark or an amount of money: a number with decimals.
    Plain,
    Seconds,
    Tokens,
}

impl FigureUnit {
    /// The unit of the figure that a gate looks at.
    pub(super) fn of(gate: &GateCondition) -> Self {
        let (Rule::Bound { subject, .. } | Rule::NoRegression { subject, .. }) = &gate.rule;
        match &subject.figure {
            GateFigure::Percentile(_) | GateFigure::Latency => Self::Seconds,
            GateFigure::Named(name) if name.ends_with("seconds") => Self::Seconds,
            GateFigure::Tokens => Self::Tokens,
            _ => Self::Plain,
        }
    }

    /// How many digits behind the point show a difference, so that it does not read as 0.
    pub(super) fn places(self, difference: f64) -> usize {
        let shows = |places: &usize| {
            let least = 0.5 * 0.1_f64.powi(i32::try_from(*places).unwrap_or(i32::MAX));
            difference.abs() >= least
        };
        match self {
            // Without a difference none has to be shown.
            _ if difference.abs() <= 1e-12 => USUAL,
            Self::Plain | Self::Seconds => (USUAL..=MOST).find(shows).unwrap_or(MOST),
            Self::Tokens => USUAL,
        }
    }

    /// A value, with so many digits behind the point.
    pub(super) fn write(self, value: f64, places: usize) -> String {
        match self {
            Self::Plain => format!("{value:.places$}"),
            Self::Seconds => format!("{value:.places$} s"),
            // A sum is whole, a mean over trials need not be.
            Self::Tokens if value.fract() == 0.0 => format!("{value:.0}"),
            Self::Tokens => format!("{value:.1}"),
        }
    }

    /// A difference with its sign.
    pub(super) fn write_signed(self, value: f64, places: usize) -> String {
        let sign = if value < 0.0 { '−' } else { '+' };
        format!("{sign}{}", self.write(value.abs(), places))
    }

    /// What was demanded, as it was written.
    pub(super) fn with_threshold(self, threshold: f64) -> String {
        match self {
            Self::Plain | Self::Tokens => threshold.to_string(),
            Self::Seconds => format!("{threshold} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_never_written_as_nothing() {
        for (difference, written) in [
            (0.05, "0.050"),
            (0.000_6, "0.001"),
            (0.000_06, "0.0001"),
            (0.000_01, "0.00001"),
            (0.000_000_2, "0.0000002"),
            (0.0, "0.000"),
        ] {
            let unit = FigureUnit::Plain;
            assert_eq!(unit.write(difference, unit.places(difference)), written);
        }
    }

    #[test]
    fn figures_have_their_units() {
        let unit = |gate: &str| FigureUnit::of(&gate.parse().unwrap());
        assert_eq!(unit("p95<=5s").write(0.0154, 4), "0.0154 s");
        assert_eq!(unit("no-regression of latency").write_signed(-0.25, 4), "−0.2500 s");
        assert_eq!(unit("tool_seconds<=2").with_threshold(2.0), "2 s");
        assert_eq!(unit("tokens<=9000").write(12_345.0, 4), "12345");
        assert_eq!(unit("cost<=0.5").write(0.25, 4), "0.2500");
    }
}
