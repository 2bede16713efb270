//! Intervals that may be looked at after every trial: anytime-valid confidence sequences.
//!
//! An ordinary interval is right 95% of the time if it is looked at once. Looked at after each
//! trial until it pleases, it is right far less often. A confidence sequence holds at all times at
//! once, so a run may stop whenever its interval is narrow enough or leaves zero out.

use crate::distribution::{as_f64, length};
use crate::interval::{Confidence, Interval};

/// The candidate means, evenly spaced over the range; the interval's ends fall on them, rounded
/// outwards.
const STEPS: usize = 2_000;
/// The share of the capital a bet may risk, as Waudby-Smith & Ramdas suggest.
const MOST_RISKED: f64 = 0.5;

/// A confidence sequence for the mean of values that lie in a known range.
///
/// The hedged capital process of Waudby-Smith & Ramdas (2023, "Estimating means of bounded random
/// variables by betting", §4): for each candidate mean a gambler bets against it on both sides,
/// and candidates that make the gambler rich are ruled out for good. Chosen over the closed-form
/// Hoeffding and empirical-Bernstein sequences because it adapts to the variance and is markedly
/// tighter at the tens to thousands of trials that runs have.
///
/// **What must hold**: given everything before it, each value's expectation is the mean that is
/// estimated. That is so when each value is a new case (or the average of a new case's trials)
/// taken in random order from a large pool, or a trial of a case drawn at random with replacement.
/// It is not so for trials fed case by case.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfidenceSequence {
    low: f64,
    width: f64,
    alpha: f64,
    count: u64,
    sum: f64,
    /// Σ (value − regularised mean up to and with it)², on the unit scale; it sizes the bets.
    squares: f64,
    /// The first and last candidate not yet ruled out.
    first: usize,
    last: usize,
    /// For each candidate, the capital from betting that the mean is higher, and lower.
    higher: Vec<f64>,
    lower: Vec<f64>,
}

impl ConfidenceSequence {
    /// A sequence for values between `range.low` and `range.high`; absent for a range without
    /// width. For a paired difference of scores between 0 and 1 the range is −1 to 1.
    pub fn new(range: Interval, confidence: Confidence) -> Option<Self> {
        let width = range.high - range.low;
        (width > 0.0 && width.is_finite()).then(|| Self::over(range.low, width, confidence))
    }

    /// A sequence for a score between 0 and 1.
    pub fn of_score(confidence: Confidence) -> Self {
        Self::over(0.0, 1.0, confidence)
    }

    /// A sequence for the difference of two scores between 0 and 1.
    pub fn of_difference(confidence: Confidence) -> Self {
        Self::over(-1.0, 2.0, confidence)
    }

    fn over(low: f64, width: f64, confidence: Confidence) -> Self {
        Self {
            low,
            width,
            alpha: confidence.alpha(),
            count: 0,
            sum: 0.0,
            squares: 0.0,
            first: 0,
            last: STEPS,
            higher: vec![1.0; STEPS + 1],
            lower: vec![1.0; STEPS + 1],
        }
    }

    /// Takes in the next value, cut to the range if it lies outside.
    pub fn add(&mut self, value: f64) {
        let x = ((value - self.low) / self.width).clamp(0.0, 1.0);
        // Sized before the value is looked at: a bet that knows the outcome makes no valid
        // interval.
        let bet = self.next_bet();
        self.update_capital(x, bet);
        self.count += 1;
        self.sum += x;
        self.squares += (x - self.regularised_mean()).powi(2);
        self.rule_out();
    }

    /// How many values were taken in.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The plain mean so far; absent before the first value.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.low + self.width * self.sum / as_f64(self.count))
    }

    /// The interval now. Over all times together it misses the true mean with probability at most
    /// one minus the confidence; it never widens.
    pub fn interval(&self) -> Interval {
        // Towards the nearest candidate that was ruled out, which rounds outwards.
        let low = self.first.saturating_sub(1);
        let high = (self.last + 1).min(STEPS);
        Interval { low: self.at(low), high: self.at(high) }
    }

    fn at(&self, candidate: usize) -> f64 {
        self.low + self.width * (length(candidate) / length(STEPS))
    }

    /// The mean pulled towards the middle by one imagined value, as the bets need it.
    fn regularised_mean(&self) -> f64 {
        (0.5 + self.sum) / (as_f64(self.count) + 1.0)
    }

    /// The size of the next bet: the paper's predictable plug-in, which looks only at values
    /// already seen.
    fn next_bet(&self) -> f64 {
        let n = as_f64(self.count) + 1.0;
        let variance = (0.25 + self.squares) / n;
        (2.0 * (2.0 / self.alpha).ln() / (variance * n * (n + 1.0).ln())).sqrt()
    }

    fn update_capital(&mut self, x: f64, bet: f64) {
        for candidate in self.first..=self.last {
            let m = length(candidate) / length(STEPS);
            // A bet is cut so that no value can take more than the risked share.
            self.higher[candidate] *= 1.0 + bet.min(MOST_RISKED / m) * (x - m);
            self.lower[candidate] *= 1.0 - bet.min(MOST_RISKED / (1.0 - m)) * (x - m);
        }
    }

    /// Rules out candidates from both ends inwards. The last one standing stays: all being ruled
    /// out is the promised rare miss, and an empty interval would tell nobody anything.
    fn rule_out(&mut self) {
        // By Ville's inequality a fair game reaches 1/α with chance α at most; two sides share it.
        let rich = 2.0 / self.alpha;
        let out = |index: usize| self.higher[index] >= rich || self.lower[index] >= rich;
        let (mut first, mut last) = (self.first, self.last);
        while first < last && out(first) {
            first += 1;
        }
        while last > first && out(last) {
            last -= 1;
        }
        (self.first, self.last) = (first, last);
    }
}
