//! What a figure's paired values say: each side, the difference, and whether it is shown.

use serde::Serialize;
use toolgauge_core::Better;
use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, Estimate, Interval, Margin, PairTable, Range, Resampling,
    SignFlip, TestTarget, mean_interval, posterior_of_mean, probability_pairs_better, sign_flip,
};

use super::column::CaseMean;
use super::pairing::{CasePair, clusters, differences};
use super::side::as_f64;
use crate::rate::Rate;

/// Beyond so many cases the t test and the sign-flip test agree in every digit that is shown, and
/// the t test is done at once.
const MANY: usize = 2_000;

/// The level of all tests and intervals.
pub(crate) const CONFIDENCE: Confidence = Confidence::P95;

/// One figure on both sides, over the cases that both have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// How many cases are compared.
    pub cases: usize,
    /// How many independent units they belong to: cases, or groups of cases.
    pub units: usize,
    /// The figure on side A.
    pub a: Rate,
    /// The figure on side B.
    pub b: Rate,
    /// B − A.
    pub difference: f64,
    /// The lower end of its 95 % interval; absent for fewer than two units.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How surprising such a difference would be if there were none.
    pub p_value: f64,
    /// The one-sided p-value for the claim that B is worse, which `no-regression` goes by.
    pub p_worse: f64,
    /// The two-sided one, corrected for the other questions asked beside it; absent for a question asked
    /// on its own.
    pub adjusted_p_value: Option<f64>,
    /// The test behind it.
    pub test: TestMethod,
    /// The standard error of the difference, where one can be told.
    pub standard_error: Option<f64>,
    /// The smallest true difference that this many cases would show four times in five.
    pub detectable: Option<f64>,
    /// Which way the figure gets better; `None` where that is not known.
    #[serde(skip)]
    pub better: Option<Better>,
    /// The probability that B is better, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability_better: Option<f64>,
}

/// How a p-value was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestMethod {
    /// Right or wrong, one trial a case.
    ExactMcnemar,
    /// Graded scores, several trials, groups.
    SignFlip,
    /// The same with thousands of cases.
    ClusteredT,
}

impl TestMethod {
    /// The words shown to people.
    pub fn words(self) -> &'static str {
        match self {
            Self::ExactMcnemar => "exact McNemar test",
            Self::SignFlip => "sign-flip permutation test",
            Self::ClusteredT => "clustered t test",
        }
    }
}

/// What may be said about B in comparison with A.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum DifferenceVerdict {
    /// The difference is shown, and B is ahead.
    Better,
    /// The difference is shown, and A is ahead.
    Worse,
    /// Whatever difference there may be lies within the margin.
    Equivalent {
        /// The margin that was asked for, in points of the score.
        margin: f64,
    },
    /// Nothing is shown, and no margin was given that would allow to say more.
    NoDifferenceShown,
    /// The data allow neither a difference nor equivalence to be claimed.
    Inconclusive {
        /// How many more cases would be needed to tell, if that can be told.
        more_cases: Option<u64>,
    },
}

/// What a difference is judged by.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DifferenceOptions {
    pub(crate) resampling: Resampling,
    pub(crate) bayes: bool,
}

impl Difference {
    /// What the pairs, which come by unit, say; absent without pairs.
    pub(crate) fn of(pairs: &[CasePair], by: &DifferenceOptions) -> Option<Self> {
        let sums = differences(pairs);
        let mean = ClusteredMean::of(&sums)?;
        // A single unit says nothing about how much units differ.
        let interval =
            mean_interval(&sums, Range::DIFFERENCE, CONFIDENCE).filter(|_| mean.clusters > 1);
        let (flips, test) = tested(pairs, &sums, &mean, by)?;
        let spread = spread(&mean, interval);
        let detectable = spread.map(|spread| TestTarget::default().minimum_detectable(&spread));
        Some(Self {
            cases: pairs.len(),
            units: mean.clusters,
            a: rate(pairs, |pair| &pair.a)?,
            b: rate(pairs, |pair| &pair.b)?,
            difference: mean.mean,
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            p_value: flips.p_value(),
            p_worse: flips.p_below,
            adjusted_p_value: None,
            test,
            standard_error: mean.standard_error(),
            detectable,
            better: Some(Better::More),
            probability_better: by.bayes.then(|| probability(pairs, &sums, by)).flatten(),
        })
    }

    /// The interval, where there is one.
    pub fn interval(&self) -> Option<Interval> {
        Some(Interval { low: self.low?, high: self.high? })
    }

    /// The p-value that counts: the corrected one where several questions were asked.
    pub fn deciding_p_value(&self) -> f64 {
        self.adjusted_p_value.unwrap_or(self.p_value)
    }

    /// Whether a difference is shown: the test decides. For single verdicts the interval leaves
    /// zero out exactly then; for graded scores it may still hold zero, since it allows for cases
    /// not seen that differ by a whole point.
    pub fn is_shown(&self) -> bool {
        self.deciding_p_value() < CONFIDENCE.alpha()
    }

    /// What may be said.
    pub fn verdict(&self, margin: Option<Margin>) -> DifferenceVerdict {
        if self.is_shown() {
            return if self.difference > 0.0 {
                DifferenceVerdict::Better
            } else {
                DifferenceVerdict::Worse
            };
        }
        let Some(interval) = self.interval() else {
            return DifferenceVerdict::Inconclusive { more_cases: None };
        };
        match margin {
            None => DifferenceVerdict::NoDifferenceShown,
            Some(margin) if margin.encloses(interval) => {
                DifferenceVerdict::Equivalent { margin: margin.get() }
            }
            Some(margin) => {
                DifferenceVerdict::Inconclusive { more_cases: self.more_cases(margin.get()) }
            }
        }
    }

    /// How many more cases (or groups) would show a true difference of this size four times in
    /// five; at least one, since these did not, and absent if it cannot be told.
    pub fn more_cases(&self, difference: f64) -> Option<u64> {
        let needed = self.cases_needed(difference)?;
        Some(needed.saturating_sub(self.units as u64).max(1))
    }

    /// How many cases (or groups) show a true difference of this size four times in five; absent
    /// if it cannot be told.
    pub(super) fn cases_needed(&self, difference: f64) -> Option<u64> {
        let units = as_f64(self.units as u64);
        let spread = match self.standard_error {
            Some(error) if error > 0.0 => error,
            _ => self.interval()?.half_width() / 1.96,
        } * units.sqrt();
        TestTarget::default().cases_needed(spread, difference)
    }
}

/// The test of the differences, and its name.
fn tested(
    pairs: &[CasePair],
    sums: &[Cluster],
    mean: &ClusteredMean,
    by: &DifferenceOptions,
) -> Option<(SignFlip, TestMethod)> {
    // For single verdicts flipping signs is the exact McNemar test, which has a name.
    if let Some(table) = pair_table(pairs, sums) {
        let (p_below, p_above) = (table.p_worse(), table.p_better());
        return Some((SignFlip { p_below, p_above }, TestMethod::ExactMcnemar));
    }
    let estimate = mean.estimate().filter(|_| mean.clusters > MANY);
    let below = estimate.and_then(|estimate| estimate.p_value_below(0.0));
    match below {
        Some(p_below) => {
            Some((SignFlip { p_below, p_above: 1.0 - p_below }, TestMethod::ClusteredT))
        }
        None => Some((sign_flip(sums, &by.resampling)?, TestMethod::SignFlip)),
    }
}

/// The estimate that says what could have been found. Cases that all agree do not mean that the
/// next ones would, so that the width of the interval stands in for a spread of nothing.
fn spread(mean: &ClusteredMean, interval: Option<Interval>) -> Option<Estimate> {
    let estimate = mean.estimate()?;
    let standard_error = match estimate.standard_error {
        error if error > 0.0 => error,
        _ => interval?.half_width() / 1.96,
    };
    Some(Estimate { standard_error, ..estimate })
}

/// The pairs as passes and failures; absent when some value is graded, or units hold several.
#[expect(clippy::float_cmp, reason = "a verdict is exactly 0 or 1")]
fn pair_table(pairs: &[CasePair], sums: &[Cluster]) -> Option<PairTable> {
    let verdict = |side: &CaseMean| {
        let plain = side.trials == 1 && (side.mean == 0.0 || side.mean == 1.0);
        plain.then_some(side.mean == 1.0)
    };
    if sums.len() != pairs.len() {
        return None;
    }
    let mut verdicts = Vec::with_capacity(pairs.len());
    for pair in pairs {
        verdicts.push((verdict(&pair.a)?, verdict(&pair.b)?));
    }
    Some(PairTable::of(verdicts))
}

fn probability(pairs: &[CasePair], sums: &[Cluster], by: &DifferenceOptions) -> Option<f64> {
    match pair_table(pairs, sums) {
        Some(table) => Some(probability_pairs_better(&table)),
        None => Some(posterior_of_mean(sums, &by.resampling)?.probability_above(0.0)),
    }
}

/// One side's mean over the pairs, with the interval that a summary would show for it.
fn rate(pairs: &[CasePair], side: impl Fn(&CasePair) -> &CaseMean) -> Option<Rate> {
    let units = clusters(pairs, |pair| side(pair).mean);
    let mean = ClusteredMean::of(&units)?;
    let trials = pairs.iter().map(|pair| u64::from(side(pair).trials)).sum();
    Some(Rate { trials, ..Rate::of_units(&units, &mean) })
}
