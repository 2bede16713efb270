//! What a figure's paired values say: each side, the difference, and whether it is shown.

use serde::Serialize;
use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, Demand, Interval, Margin, PairTable, Resampling,
    posterior_of_mean, probability_pairs_better, sign_flip,
};

use super::pairing::{Pair, clusters, differences};
use super::side::as_f64;
use crate::mean_interval::mean_interval;
use crate::rate::Rate;

/// Beyond so many cases the t test and the sign-flip test agree in every digit that is shown, and
/// the t test is done at once.
const MANY: usize = 2_000;

/// The level of all tests and intervals.
pub(crate) const CONFIDENCE: Confidence = Confidence::P95;

/// One figure on both sides, over the trials that both have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// How many trials are compared.
    pub pairs: u64,
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
    /// The same, corrected for the other questions asked beside it; absent for a question asked
    /// on its own.
    pub adjusted_p_value: Option<f64>,
    /// The test behind it.
    pub test: Test,
    /// The standard error of the difference, where one can be told.
    pub standard_error: Option<f64>,
    /// The smallest true difference that this many cases would show four times in five.
    pub detectable: Option<f64>,
    /// The probability that B is better, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability_better: Option<f64>,
}

/// How a p-value was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// Right or wrong, one trial a case.
    ExactMcnemar,
    /// Graded scores, several trials, groups.
    SignFlip,
    /// The same with thousands of cases.
    ClusteredT,
}

impl Test {
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
pub enum Verdict {
    /// The difference is shown, and B is ahead.
    Better,
    /// The difference is shown, and A is ahead.
    Worse,
    /// Whatever difference there may be lies within the margin.
    Equivalent {
        /// The margin.
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
pub(crate) struct Yardstick {
    pub(crate) resampling: Resampling,
    pub(crate) bayes: bool,
}

impl Difference {
    /// What the pairs, which come by unit, say; absent without pairs.
    pub(crate) fn of(pairs: &[Pair], by: &Yardstick) -> Option<Self> {
        let sums = differences(pairs);
        let mean = ClusteredMean::of(&sums)?;
        let single = sums.iter().all(|cluster| cluster.count() == 1);
        let table = single.then(|| pair_table(pairs)).flatten();
        let (interval, p_value, test) = match table {
            Some(table) => {
                let interval = table.difference_interval(CONFIDENCE).filter(|_| mean.clusters > 1);
                (interval, table.exact_p_value(), Test::ExactMcnemar)
            }
            None => graded(&mean, &sums, by),
        };
        let bounded = pairs.iter().all(|pair| in_unit(pair.a) && in_unit(pair.b));
        let interval = interval.map(|found| if bounded { found.clamped(-1.0, 1.0) } else { found });
        let estimate = mean.estimate();
        let detectable = estimate.filter(|found| found.standard_error > 0.0);
        Some(Self {
            pairs: mean.n,
            units: mean.clusters,
            a: rate(pairs, |pair| pair.a)?,
            b: rate(pairs, |pair| pair.b)?,
            difference: mean.mean,
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            p_value,
            adjusted_p_value: None,
            test,
            standard_error: estimate.map(|estimate| estimate.standard_error),
            detectable: detectable.map(|found| Demand::default().minimum_detectable(&found)),
            probability_better: by.bayes.then(|| probability(table, &sums, by)).flatten(),
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

    /// Whether a difference is shown. The test and the interval must agree: at the border each
    /// of them alone would now and then say more than the other supports.
    pub fn is_shown(&self) -> bool {
        let apart = self.interval().is_some_and(|interval| !interval.contains(0.0));
        apart && self.deciding_p_value() < CONFIDENCE.alpha()
    }

    /// What may be said.
    pub fn verdict(&self, margin: Option<Margin>) -> Verdict {
        if self.is_shown() {
            return if self.difference > 0.0 { Verdict::Better } else { Verdict::Worse };
        }
        let Some(interval) = self.interval() else {
            return Verdict::Inconclusive { more_cases: None };
        };
        match margin {
            None => Verdict::NoDifferenceShown,
            Some(margin) if -margin.get() < interval.low && interval.high < margin.get() => {
                Verdict::Equivalent { margin: margin.get() }
            }
            Some(margin) => Verdict::Inconclusive { more_cases: self.more_cases(margin.get()) },
        }
    }

    /// How many more cases (or groups) would show a true difference of this size four times in
    /// five; none if these are enough already, absent if it cannot be told.
    pub fn more_cases(&self, difference: f64) -> Option<u64> {
        let units = as_f64(self.units as u64);
        let spread = match self.standard_error {
            Some(error) if error > 0.0 => error,
            // Cases that all agree do not mean that the next ones would.
            _ => self.interval()?.half_width() / 1.96,
        } * units.sqrt();
        let needed = Demand::default().cases_needed(spread, difference)?;
        Some(needed.saturating_sub(self.units as u64).max(1))
    }
}

fn in_unit(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

/// The pairs as passes and failures; absent when some value is graded.
#[expect(clippy::float_cmp, reason = "a verdict is exactly 0 or 1")]
fn pair_table(pairs: &[Pair]) -> Option<PairTable> {
    let verdict = |value: f64| (value == 0.0 || value == 1.0).then_some(value == 1.0);
    let mut verdicts = Vec::with_capacity(pairs.len());
    for pair in pairs {
        verdicts.push((verdict(pair.a)?, verdict(pair.b)?));
    }
    Some(PairTable::of(verdicts))
}

fn graded(mean: &ClusteredMean, sums: &[Cluster], by: &Yardstick) -> (Option<Interval>, f64, Test) {
    let estimate = mean.estimate();
    let interval = estimate.and_then(|estimate| {
        if estimate.standard_error > 0.0 {
            return Some(estimate.interval(CONFIDENCE));
        }
        // Without any spread the interval of as many unchanged verdicts stands in, which has a
        // width: ten cases without a change are no proof that nothing changed.
        let unchanged = PairTable { both: mean.clusters as u64, ..PairTable::default() };
        let width = unchanged.difference_interval(CONFIDENCE)?.half_width();
        Some(Interval::around(estimate.value, width))
    });
    if mean.clusters > MANY
        && let Some(p_value) = estimate.and_then(|estimate| estimate.p_value(0.0))
    {
        return (interval, p_value, Test::ClusteredT);
    }
    let p_value = sign_flip(sums, &by.resampling).map_or(1.0, |found| found.p_value);
    (interval, p_value, Test::SignFlip)
}

fn probability(table: Option<PairTable>, sums: &[Cluster], by: &Yardstick) -> Option<f64> {
    match table {
        Some(table) => Some(probability_pairs_better(&table)),
        None => Some(posterior_of_mean(sums, &by.resampling)?.probability_above(0.0)),
    }
}

/// One side's mean over the pairs, with the interval that a summary would show for it.
fn rate(pairs: &[Pair], value: impl Fn(&Pair) -> f64) -> Option<Rate> {
    let mean = ClusteredMean::of(&clusters(pairs, &value))?;
    let interval = mean_interval(&mean, pairs.iter().map(&value), CONFIDENCE);
    let interval = interval.unwrap_or(Interval::new(mean.mean, mean.mean));
    Some(Rate {
        mean: mean.mean,
        low: interval.low,
        high: interval.high,
        trials: mean.n,
        cases: mean.clusters,
    })
}
