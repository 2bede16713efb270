//! How far two judges agree, whoever they are: the votes of a model, or a model and people.

use std::fmt;

use serde::Serialize;
use toolgauge_stats::{self as stats, Confidence};

use crate::compare::correlation;
use crate::number::counted;

/// How far pairs of values from 0 to 1 agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueAgreement {
    /// How many pairs of values were compared.
    pub pairs: usize,
    /// How far apart the two values are, on average.
    pub mean_difference: f64,
    /// The share of pairs of which both pass or both do not.
    pub same_side: f64,
    /// Cohen's kappa of passing: 1 is perfect, 0 is what chance would give. `None` when all
    /// values are on one side, where chance cannot be told from agreement.
    pub kappa: Option<f64>,
    /// Pearson's correlation; `None` below three pairs, or when one side never varies.
    pub correlation: Option<f64>,
}

impl ValueAgreement {
    /// The agreement of these pairs, where a value passes from `threshold` on; `None` without
    /// pairs.
    pub fn of(pairs: &[(f64, f64)], threshold: f64) -> Option<Self> {
        let mut table = stats::Agreement::default();
        for (a, b) in pairs {
            table.add(*a >= threshold, *b >= threshold);
        }
        let apart = pairs.iter().map(|(a, b)| (a - b).abs()).sum::<f64>();
        Some(Self {
            pairs: pairs.len(),
            mean_difference: apart / count(pairs.len()),
            same_side: table.share()?,
            kappa: table.kappa(),
            correlation: stats::correlation(pairs, Confidence::P95).map(|found| found.r),
        })
    }

    /// The agreement between the votes on each of many answers: every two votes are a pair.
    pub fn between_votes<'v>(
        answers: impl IntoIterator<Item = &'v [f64]>,
        threshold: f64,
    ) -> Option<Self> {
        let mut pairs = Vec::new();
        for votes in answers {
            for (at, one) in votes.iter().enumerate() {
                pairs.extend(votes[at + 1..].iter().map(|other| (*one, *other)));
            }
        }
        Self::of(&pairs, threshold)
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52 pairs")]
fn count(n: usize) -> f64 {
    n as f64
}

impl fmt::Display for ValueAgreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pairs, mean_difference, same_side, .. } = self;
        write!(
            f,
            "{:.0} % on the same side over {}, {:.1} points apart on average",
            same_side * 100.0,
            counted(*pairs, "pair"),
            mean_difference * 100.0
        )?;
        if let Some(kappa) = self.kappa {
            write!(f, ", kappa {}", correlation(kappa))?;
        }
        if let Some(r) = self.correlation {
            write!(f, ", correlation {}", correlation(r))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_computed_as_by_hand() {
        // Both pass 2, both fail 1, they differ on 1: agreement 3/4. Margins 1/2 and 3/4, so that
        // chance gives 1/2·3/4 + 1/2·1/4 = 1/2, and kappa is (3/4 − 1/2) / (1/2) = 1/2.
        let pairs = [(1.0, 0.9), (0.8, 0.8), (0.2, 0.8), (0.0, 0.1)];
        let agreement = ValueAgreement::of(&pairs, 0.7).unwrap();
        assert_eq!((agreement.pairs, agreement.same_side), (4, 0.75));
        assert!((agreement.kappa.unwrap() - 0.5).abs() < 1e-12);
        assert!((agreement.mean_difference - 0.2).abs() < 1e-12);
        // numpy.corrcoef([1, .8, .2, 0], [.9, .8, .8, .1])[0, 1]
        assert!((agreement.correlation.unwrap() - 0.757_554).abs() < 1e-5, "{agreement:?}");
    }

    #[test]
    fn what_never_varies_has_no_correlation_and_no_kappa() {
        let agreement = ValueAgreement::of(&[(0.9, 0.8), (0.9, 0.9)], 0.7).unwrap();
        assert_eq!((agreement.kappa, agreement.correlation), (None, None));
        assert_eq!(ValueAgreement::of(&[], 0.7), None);
    }

    #[test]
    fn every_two_votes_are_a_pair() {
        let votes: [&[f64]; 3] = [&[1.0, 1.0, 0.0], &[0.5], &[]];
        let agreement = ValueAgreement::between_votes(votes, 0.7).unwrap();
        assert_eq!(agreement.pairs, 3);
        assert!((agreement.same_side - 1.0 / 3.0).abs() < 1e-12);
    }
}
