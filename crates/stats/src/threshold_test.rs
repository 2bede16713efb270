//! Whether a mean lies above or below a number, decided as early as the values allow.
//!
//! A [`ConfidenceSequence`](crate::ConfidenceSequence) bounds a mean that nobody has a question
//! about yet. Whoever asks about one number beforehand can bet against that number alone, and needs
//! far fewer values: twenty right answers in a row show a rate of 0.8 here, where the sequence takes
//! 31.

use crate::distribution::length;
use crate::interval::Confidence;

/// The bets that are mixed, evenly spread between none and the largest.
const BETS: usize = 256;

/// No more values than two to this power are ever asked for.
const LARGEST_POWER: u32 = 40;

/// What is known of a mean and its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdDecision {
    /// The mean is shown to be at least the threshold.
    Above,
    /// The mean is shown to be below the threshold.
    Below,
    /// Neither is shown yet.
    Undecided,
}

/// A test of a mean of values between 0 and 1 against one threshold, valid after every value.
///
/// Two gamblers bet against the threshold, one that the mean is higher and one that it is lower.
/// Each spreads its capital evenly over all bets (Cover 1991, "Universal portfolios"; for testing
/// means Waudby-Smith & Ramdas 2023, §5). For values of 0 and 1 this is the mixture of likelihood
/// ratios of Robbins (1970). If the mean is below the threshold, the first gambler ever gets rich
/// with a chance of at most α (Ville's inequality), and the same holds for the other side: at most
/// α of the agents below the gate pass, and at most α of those above it fail.
///
/// **What must hold**: given everything before it, each value's expectation is the mean.
#[derive(Clone, Debug, PartialEq)]
pub struct ThresholdTest {
    threshold: f64,
    rich: f64,
    count: u64,
    sum: f64,
    higher: Vec<f64>,
    lower: Vec<f64>,
    /// The first decision stands: what comes later cannot take it back.
    decision: ThresholdDecision,
}

impl ThresholdTest {
    /// A test against a threshold between 0 and 1. Absent at the ends and outside: no number of
    /// values shows that a mean is 1.
    pub fn new(threshold: f64, confidence: Confidence) -> Option<Self> {
        (threshold > 0.0 && threshold < 1.0).then(|| Self {
            threshold,
            rich: 1.0 / confidence.alpha(),
            count: 0,
            sum: 0.0,
            higher: vec![1.0; BETS],
            lower: vec![1.0; BETS],
            decision: ThresholdDecision::Undecided,
        })
    }

    /// Takes in the next value, cut to the range if it lies outside.
    pub fn add(&mut self, value: f64) {
        let x = value.clamp(0.0, 1.0);
        let m = self.threshold;
        for bet in 0..BETS {
            let share = share(bet);
            self.higher[bet] *= 1.0 + share * (x - m) / m;
            self.lower[bet] *= 1.0 + share * (m - x) / (1.0 - m);
        }
        self.count += 1;
        self.sum += x;
        if self.decision == ThresholdDecision::Undecided {
            self.decision = self.look();
        }
    }

    fn look(&self) -> ThresholdDecision {
        let capital = |bets: &[f64]| bets.iter().sum::<f64>() / length(BETS);
        if capital(&self.higher) >= self.rich {
            ThresholdDecision::Above
        } else if capital(&self.lower) >= self.rich {
            ThresholdDecision::Below
        } else {
            ThresholdDecision::Undecided
        }
    }

    /// What is shown so far.
    pub fn decision(&self) -> ThresholdDecision {
        self.decision
    }

    /// How many values were taken in.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean so far; absent before the first value.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / crate::distribution::as_f64(self.count))
    }

    /// How many perfect values it takes at least to show that the mean is above. Absent where no
    /// number does that anybody could collect.
    pub fn fewest_to_pass(threshold: f64, confidence: Confidence) -> Option<u64> {
        let test = Self::new(threshold, confidence)?;
        // What each bet makes of so many perfect values, without taking them in one by one: close
        // to 1 that would take forever.
        let is_rich = |values: u64| {
            let values = crate::distribution::as_f64(values);
            let grown = |bet| (1.0 + share(bet) * (1.0 - threshold) / threshold).powf(values);
            (0..BETS).map(grown).sum::<f64>() / length(BETS) >= test.rich
        };
        let enough = (0..=LARGEST_POWER).map(|power| 1 << power).find(|values| is_rich(*values))?;
        // Between the last power of two that is too few and the first that is enough.
        let (mut few, mut enough) = (enough / 2, enough);
        while few + 1 < enough {
            let middle = u64::midpoint(few, enough);
            if is_rich(middle) { enough = middle } else { few = middle }
        }
        Some(enough)
    }
}

/// What a bet risks of its capital. From the middle of each piece, so that neither nothing nor
/// everything is risked: a gambler who risked everything could never come back.
fn share(bet: usize) -> f64 {
    (length(bet) + 0.5) / length(BETS)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const REPETITIONS: u64 = 1_000;

    /// How many of the repetitions come to each decision within so many values.
    fn decisions(rate: f64, threshold: f64, values: u32) -> (u64, u64) {
        let (mut above, mut below) = (0, 0);
        for seed in 0..REPETITIONS {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            let mut test = ThresholdTest::new(threshold, Confidence::P95).unwrap();
            for _ in 0..values {
                test.add(f64::from(u8::from(generator.random_bool(rate))));
            }
            above += u64::from(test.decision() == ThresholdDecision::Above);
            below += u64::from(test.decision() == ThresholdDecision::Below);
        }
        (above, below)
    }

    #[test]
    fn an_agent_at_the_threshold_is_judged_wrongly_one_time_in_twenty_at_most() {
        // 500 looks at each; a test for one look would be wrong far more often.
        for threshold in [0.5, 0.8, 0.95] {
            let (above, below) = decisions(threshold, threshold, 500);
            // The promise is 50 of 1,000 for each side; three standard errors are 21.
            assert!(above <= 71 && below <= 71, "at {threshold}: {above} above, {below} below");
        }
    }

    #[test]
    fn a_clear_difference_is_decided_within_a_few_dozen_trials() {
        let (above, below) = decisions(0.99, 0.8, 60);
        assert!(above > 950 && below == 0, "{above} above, {below} below");
        let (above, below) = decisions(0.4, 0.8, 40);
        assert!(above == 0 && below > 980, "{above} above, {below} below");
    }

    #[test]
    fn graded_values_are_tested_by_their_mean() {
        let mut test = ThresholdTest::new(0.6, Confidence::P95).unwrap();
        for round in 0..400 {
            // The mean is 0.75, and no value is 0 or 1.
            test.add(if round % 2 == 0 { 0.9 } else { 0.6 });
        }
        assert_eq!(test.decision(), ThresholdDecision::Above);
        assert!((test.mean().unwrap() - 0.75).abs() < 1e-9);
    }

    #[test]
    fn twenty_right_answers_show_a_rate_of_eighty_percent() {
        // In closed form the capital is the integral of (p / 0.8)ⁿ over p from 0.8 to 1, divided by
        // 0.2: (1 − 0.8²¹) / (21 · 0.2 · 0.8²⁰) = 20.46 for n = 20, and 17.2 for n = 19.
        assert_eq!(ThresholdTest::fewest_to_pass(0.8, Confidence::P95), Some(20));
        assert_eq!(ThresholdTest::fewest_to_pass(1.0, Confidence::P95), None);
    }

    #[test]
    fn the_fewest_values_to_pass_are_those_that_pass() {
        for threshold in [0.01, 0.3, 0.5, 0.8, 0.9, 0.99, 0.999] {
            let mut test = ThresholdTest::new(threshold, Confidence::P95).unwrap();
            while test.decision() == ThresholdDecision::Undecided {
                test.add(1.0);
            }
            let fewest = ThresholdTest::fewest_to_pass(threshold, Confidence::P95);
            assert_eq!(fewest, Some(test.count()), "at {threshold}");
        }
    }

    #[test]
    fn a_threshold_close_to_one_is_answered_at_once() {
        // (1 − mⁿ⁺¹) / ((n + 1)(1 − m)mⁿ) is 20 where n(1 − m) is 4.5: (e⁴·⁵ − 1) / 4.5 = 19.8.
        let fewest = ThresholdTest::fewest_to_pass(0.999_999_9, Confidence::P95).unwrap();
        assert!((44_000_000..46_000_000).contains(&fewest), "{fewest}");
        // Here a bet that wins is no more than it was, so that it never gets rich.
        assert_eq!(ThresholdTest::fewest_to_pass(1.0 - f64::EPSILON / 2.0, Confidence::P95), None);
    }

    #[test]
    fn a_decision_stands_whatever_comes_later() {
        let mut test = ThresholdTest::new(0.5, Confidence::P95).unwrap();
        (0..10).for_each(|_| test.add(1.0));
        assert_eq!(test.decision(), ThresholdDecision::Above);
        (0..1_000).for_each(|_| test.add(0.0));
        assert_eq!(test.decision(), ThresholdDecision::Above);
    }
}
