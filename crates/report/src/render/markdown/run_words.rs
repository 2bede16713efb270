//! How a run is named, and its score.

use crate::number::interval;
use crate::rate::Rate;
use crate::summary::Summary;

/// Who was measured, and by which variant.
pub(super) fn subject(summary: &Summary) -> String {
    match &summary.variant {
        Some(variant) => format!("{} · {variant}", summary.subject.name),
        None => summary.subject.name.clone(),
    }
}

/// A score with its interval.
pub(super) fn score_cell(score: &Rate) -> String {
    format!("**{:.3}** {}", score.mean, interval(score.low, score.high))
}
