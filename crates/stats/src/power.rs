//! What a comparison of this size can see, and how large it would have to be.

use crate::distribution::{as_f64, normal_quantile, student_quantile, whole_above};
use crate::estimate::Estimate;
use crate::interval::Confidence;
use crate::variance::VarianceComponents;

/// Past this many cases or trials the answer "how many are needed" is "too many to say".
const MOST_NEEDED: f64 = 1e12;

/// What is asked of a test: how rarely it may cry wolf, and how often it must see the wolf.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestTarget {
    confidence: Confidence,
    power: f64,
}

impl Default for TestTarget {
    /// The customary 5% two-sided level and 80% power.
    fn default() -> Self {
        Self { confidence: Confidence::P95, power: 0.8 }
    }
}

impl TestTarget {
    /// A test at `confidence` that finds a true difference with probability `power`, which must
    /// lie between a half and one.
    pub fn new(confidence: Confidence, power: f64) -> Option<Self> {
        (power > 0.5 && power < 1.0).then_some(Self { confidence, power })
    }

    /// The smallest true difference this comparison would find with the demanded power.
    ///
    /// The t quantiles of the level and of the power, added, times the standard error: the
    /// multiplier of Bloom (1995), which is honest for few cases and the textbook z formula for many.
    pub fn minimum_detectable(&self, estimate: &Estimate) -> f64 {
        self.multiplier(estimate.degrees_of_freedom) * estimate.standard_error
    }

    /// How many cases are needed to find a true `difference` when the differences of single
    /// cases have this standard deviation; absent for a difference of zero.
    pub fn cases_needed(&self, standard_deviation: f64, difference: f64) -> Option<u64> {
        let ratio = (standard_deviation / difference).powi(2);
        if difference == 0.0 || !ratio.is_finite() {
            return None;
        }
        // The multiplier depends on the answer; a few rounds settle it.
        let mut cases = (self.multiplier_for_many().powi(2) * ratio).max(2.0);
        for _ in 0..20 {
            cases = (self.multiplier(cases.ceil() - 1.0).powi(2) * ratio).max(2.0);
        }
        (cases < MOST_NEEDED).then(|| whole_above(cases))
    }

    /// How many trials of each of `cases` cases are needed to find a true `difference`; absent
    /// when no number of trials suffices, because the cases themselves differ too much.
    pub fn trials_needed(
        &self,
        components: &VarianceComponents,
        cases: u64,
        difference: f64,
    ) -> Option<u64> {
        if cases < 2 {
            return None;
        }
        let reach = difference / self.multiplier(as_f64(cases) - 1.0);
        // More trials shrink only the variance within cases; what the cases differ by stays.
        let left = reach * reach * as_f64(cases) - components.between;
        let trials = (components.within / left).max(1.0);
        (left > 0.0 && trials < MOST_NEEDED).then(|| whole_above(trials))
    }

    fn multiplier(&self, degrees_of_freedom: f64) -> f64 {
        self.confidence.t(degrees_of_freedom) + student_quantile(self.power, degrees_of_freedom)
    }

    fn multiplier_for_many(&self) -> f64 {
        self.confidence.z() + normal_quantile(self.power)
    }
}
