//! The interval that a summary would show for a mean.

use toolgauge_stats::{ClusteredMean, Confidence, Interval};

/// The interval of a mean of these values: the t interval where they may be anything, and where
/// they lie between 0 and 1 the one for grades or the one for right and wrong. Absent where it
/// takes more clusters than there are.
pub(crate) fn mean_interval(
    mean: &ClusteredMean,
    mut values: impl Iterator<Item = f64> + Clone,
    confidence: Confidence,
) -> Option<Interval> {
    if !values.clone().all(|value| (0.0..=1.0).contains(&value)) {
        return mean.interval(confidence);
    }
    let graded = values.any(|value| value > 0.0 && value < 1.0);
    Some(if graded { mean.graded_interval(confidence) } else { mean.rate_interval(confidence) })
}
