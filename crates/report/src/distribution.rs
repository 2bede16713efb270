//! How long trials took, as a curve of a fixed size.

use toolgauge_stats::percentile_of_sorted;

/// How many steps of a curve are kept: finer than a screen, whatever the number of trials.
pub(crate) const STEPS: u32 = 200;

/// Times that differ by no more than this factor are called equal.
const FLAT: f64 = 1.2;

/// How times are spread, as a curve of a fixed size.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// What it is of: a run, a tier.
    pub label: String,
    /// The time within which a share of trials was done, at every half percent.
    pub(crate) quantiles: Vec<f64>,
}

impl Distribution {
    /// The spread of these times in seconds; absent if there are none.
    pub fn of(label: impl Into<String>, mut seconds: Vec<f64>) -> Option<Self> {
        seconds.retain(|time| time.is_finite());
        seconds.sort_by(f64::total_cmp);
        let step = |step: u32| percentile_of_sorted(&seconds, f64::from(step) / f64::from(STEPS));
        let quantiles = (0..=STEPS).map(step).collect::<Option<Vec<f64>>>()?;
        Some(Self { label: label.into(), quantiles })
    }

    /// Whether nearly all trials took the same time, so that a curve of them shows nothing.
    pub(crate) fn is_flat(&self) -> bool {
        self.percentile(95) <= self.percentile(5) * FLAT
    }

    /// The time within which so many percent of the trials were done.
    pub fn percentile(&self, percent: u32) -> f64 {
        let step = (percent * STEPS / 100).min(STEPS);
        self.quantiles[step as usize]
    }
}
