//! How it went where a mistake may do harm.

use serde::Serialize;
use toolgauge_core::{Measure, Score};
use toolgauge_stats::{Cluster, Confidence, Range, mean_interval};

use crate::case_stream::CaseNumber;
use crate::rate::{CaseValues, Rate};

/// How it went where a mistake may do harm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Safety {
    /// The mean score with such trials weighing more, as the scorer weighs them.
    pub weighted: Rate,
    /// The mean score of the cases in which something is at stake, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_stake: Option<Rate>,
    /// In how many trials something was done to such a thing that should not have been.
    pub wrong_acts: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct SafetyTally {
    weighed: Vec<(CaseNumber, f64, f64)>,
    at_stake: CaseValues,
    wrong_acts: usize,
}

impl SafetyTally {
    /// Takes a trial into account, if its score says what it weighs.
    pub(super) fn add(&mut self, case: CaseNumber, at_stake: bool, score: &Score) {
        let Some(weight) = score.measure(Measure::Weight) else { return };
        self.weighed.push((case, weight, score.value));
        if at_stake {
            self.at_stake.add(case, score.value);
        }
        self.wrong_acts += usize::from(score.has(Measure::Unsafe));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.weighed.is_empty()
    }

    pub(super) fn safety(&self) -> Option<Safety> {
        // Sums must not depend on the order in which trials ended.
        let mut weighed = self.weighed.clone();
        weighed.sort_unstable_by(|(a, v, x), (b, w, y)| {
            a.cmp(b).then(v.total_cmp(w)).then(x.total_cmp(y))
        });
        Some(Safety {
            weighted: weighted(&weighed)?,
            at_stake: self.at_stake.rate(),
            wrong_acts: self.wrong_acts,
        })
    }
}

/// The mean of values by their weights.
///
/// A trial of weight three counts as three values of its case. The interval is then that of every
/// other rate, over cases that are independent of each other and hold several values each.
fn weighted(weighed: &[(CaseNumber, f64, f64)]) -> Option<Rate> {
    let weights: f64 = weighed.iter().map(|(_, weight, _)| weight).sum();
    if weights <= 0.0 {
        return None;
    }
    let mean = weighed.iter().map(|(_, weight, value)| weight * value).sum::<f64>() / weights;
    let cases = weighed.chunk_by(|(a, ..), (b, ..)| a == b).map(|trials| {
        let mut case = Cluster::new();
        for (_, weight, value) in trials {
            (0..copies(*weight)).for_each(|_| case.add(*value));
        }
        case
    });
    let cases: Vec<Cluster> = cases.collect();
    let interval = mean_interval(&cases, Range::SCORE, Confidence::P95)?;
    let (low, high) = (interval.low.min(mean), interval.high.max(mean));
    Some(Rate { mean, low, high, trials: weighed.len() as u64, cases: cases.len() })
}

/// How many values a weight is worth. Scorers give small whole numbers; a log may claim anything.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number from 0 to 100"
)]
fn copies(weight: f64) -> u8 {
    weight.clamp(0.0, 100.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(value: f64, weight: f64, unsafe_act: f64) -> Score {
        let mut score = Score { value, ..Score::default() };
        score.set_measure(Measure::Weight, weight);
        score.set_measure(Measure::Unsafe, unsafe_act);
        score
    }

    fn safety(scores: &[Score]) -> Safety {
        let mut tally = SafetyTally::default();
        for (number, score) in (0..).zip(scores) {
            tally.add(CaseNumber(number), score.measure(Measure::Weight) > Some(1.0), score);
        }
        tally.safety().unwrap()
    }

    #[test]
    fn a_wrong_act_on_a_guarded_thing_costs_more_than_another() {
        let plain = [score(1.0, 1.0, 0.0), score(0.0, 1.0, 0.0), score(1.0, 3.0, 0.0)];
        let guarded = [score(1.0, 1.0, 0.0), score(1.0, 1.0, 0.0), score(0.0, 3.0, 1.0)];
        assert!((safety(&plain).weighted.mean - 0.8).abs() < 1e-12);
        assert!((safety(&guarded).weighted.mean - 0.4).abs() < 1e-12);
        assert_eq!((safety(&plain).wrong_acts, safety(&guarded).wrong_acts), (0, 1));
        assert!(safety(&guarded).at_stake.unwrap().mean.abs() < 1e-12);
    }

    #[test]
    fn equal_weights_change_nothing() {
        let scores: Vec<Score> =
            (0..40).map(|n| score(f64::from(n % 4).min(1.0), 1.0, 0.0)).collect();
        let weighted = safety(&scores).weighted;
        let mut plain = CaseValues::default();
        for (number, score) in (0..).zip(&scores) {
            plain.add(CaseNumber(number), score.value);
        }
        assert!((weighted.mean - plain.rate().unwrap().mean).abs() < 1e-12);
        assert!(weighted.low < weighted.mean && weighted.mean < weighted.high);
    }

    #[test]
    fn a_perfect_score_of_few_trials_is_no_certainty() {
        let perfect: Vec<Score> = (0..4).map(|n| score(1.0, [1.0, 3.0][n % 2], 0.0)).collect();
        let weighted = safety(&perfect).weighted;
        assert!(weighted.low < 0.6 && weighted.high >= 1.0, "{weighted:?}");
    }

    #[test]
    fn scores_without_weights_tell_nothing_of_safety() {
        let mut tally = SafetyTally::default();
        tally.add(CaseNumber(0), true, &Score { value: 1.0, ..Score::default() });
        assert_eq!(tally.safety(), None);
    }
}
