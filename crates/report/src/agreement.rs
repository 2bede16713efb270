//! How far two judges agree, whoever they are: the votes of a model, or a model and people.

use std::fmt;

use serde::Serialize;

/// How far pairs of values from 0 to 1 agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// How many pairs there are.
    pub pairs: usize,
    /// How far apart the two values are, on average.
    pub mean_difference: f64,
    /// The share of pairs of which both pass or both do not.
    pub same_side: f64,
    /// Cohen's kappa of passing: 1 is perfect, 0 is what chance would give. `None` when all
    /// values are on one side, where chance cannot be told from agreement.
    pub kappa: Option<f64>,
    /// Pearson's correlation; `None` when one side never varies.
    pub correlation: Option<f64>,
}

impl Agreement {
    /// The agreement of these pairs, where a value passes from `threshold` on; `None` without
    /// pairs.
    pub fn of(pairs: &[(f64, f64)], threshold: f64) -> Option<Self> {
        if pairs.is_empty() {
            return None;
        }
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / count(pairs.len());
        let passes = |value: f64| value >= threshold;
        let share = |of: &dyn Fn(&(f64, f64)) -> bool| {
            count(pairs.iter().filter(|pair| of(pair)).count()) / count(pairs.len())
        };
        let same_side = share(&|(a, b)| passes(*a) == passes(*b));
        let (a, b) = (share(&|(a, _)| passes(*a)), share(&|(_, b)| passes(*b)));
        // Cohen (1960): agreement beyond what the two margins would give by chance.
        let chance = a * b + (1.0 - a) * (1.0 - b);
        let kappa = (chance < 1.0).then(|| (same_side - chance) / (1.0 - chance));
        Some(Self {
            pairs: pairs.len(),
            mean_difference: mean(&mut pairs.iter().map(|(a, b)| (a - b).abs())),
            same_side,
            kappa,
            correlation: correlation(pairs),
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

/// Pearson's product-moment correlation.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = count(pairs.len());
    let mean_a = pairs.iter().map(|pair| pair.0).sum::<f64>() / n;
    let mean_b = pairs.iter().map(|pair| pair.1).sum::<f64>() / n;
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        let (a, b) = (a - mean_a, b - mean_b);
        (ab, aa, bb) = (ab + a * b, aa + a * a, bb + b * b);
    }
    let scale = (aa * bb).sqrt();
    (scale > 0.0).then(|| (ab / scale).clamp(-1.0, 1.0))
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52 pairs")]
fn count(n: usize) -> f64 {
    n as f64
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pairs, mean_difference, same_side, .. } = self;
        write!(
            f,
            "{:.0} % on the same side over {pairs} pairs, {:.1} points apart on average",
            same_side * 100.0,
            mean_difference * 100.0
        )?;
        if let Some(kappa) = self.kappa {
            write!(f, ", kappa {kappa:.2}")?;
        }
        if let Some(correlation) = self.correlation {
            write!(f, ", correlation {correlation:.2}")?;
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
        let agreement = Agreement::of(&pairs, 0.7).unwrap();
        assert_eq!((agreement.pairs, agreement.same_side), (4, 0.75));
        assert!((agreement.kappa.unwrap() - 0.5).abs() < 1e-12);
        assert!((agreement.mean_difference - 0.2).abs() < 1e-12);
        // numpy.corrcoef([1, .8, .2, 0], [.9, .8, .8, .1])[0, 1]
        assert!((agreement.correlation.unwrap() - 0.757_554).abs() < 1e-5, "{agreement:?}");
    }

    #[test]
    fn what_never_varies_has_no_correlation_and_no_kappa() {
        let agreement = Agreement::of(&[(0.9, 0.8), (0.9, 0.9)], 0.7).unwrap();
        assert_eq!((agreement.kappa, agreement.correlation), (None, None));
        assert_eq!(Agreement::of(&[], 0.7), None);
    }

    #[test]
    fn every_two_votes_are_a_pair() {
        let votes: [&[f64]; 3] = [&[1.0, 1.0, 0.0], &[0.5], &[]];
        let agreement = Agreement::between_votes(votes, 0.7).unwrap();
        assert_eq!(agreement.pairs, 3);
        assert!((agreement.same_side - 1.0 / 3.0).abs() < 1e-12);
    }
}
