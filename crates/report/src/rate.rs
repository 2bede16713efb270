//! A mean over cases with its doubt.

use serde::Serialize;
use toolgauge_stats::{Cluster, ClusteredMean, Confidence, Interval, Range, mean_interval_over};

use crate::case_stream::{CaseNumber, CaseStream};

/// A mean over cases with its 95 % interval. A case counts once, however often it was tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// The mean over cases.
    pub mean: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// How many trials it is over.
    pub trials: u64,
    /// How many cases those trials belong to.
    pub cases: usize,
}

impl Rate {
    /// The mean over cases, of each of which a cluster holds the trials.
    fn of_cases(cases: impl Iterator<Item = Cluster> + Clone) -> Option<Self> {
        let trials = cases.clone().map(|case| case.count()).sum();
        let averaged = cases.clone().map(|case| case.averaged());
        let mean = ClusteredMean::over(averaged.clone())?;
        Some(Self { trials, ..Self::above(floor(cases), averaged, &mean) })
    }

    /// The mean over units that are independent of each other, each of which holds a value per
    /// case.
    pub(crate) fn of_units(units: &[Cluster], mean: &ClusteredMean) -> Self {
        Self::above(floor(units.iter().copied()), units.iter().copied(), mean)
    }

    fn above(
        floor: f64,
        units: impl Iterator<Item = Cluster> + Clone,
        mean: &ClusteredMean,
    ) -> Self {
        let interval = mean_interval_over(units, Range::SCORE, Confidence::P95);
        let Interval { low, high } = interval.unwrap_or(Interval::new(mean.mean, mean.mean));
        let cases = usize::try_from(mean.n).unwrap_or(usize::MAX);
        Self { mean: mean.mean, low: low.max(floor), high, trials: mean.n, cases }
    }
}

/// What a mean cannot be below: 0 for what is never below 0, as counts and times are.
fn floor(mut values: impl Iterator<Item = Cluster>) -> f64 {
    if values.all(|value| value.is_never_negative()) { 0.0 } else { f64::NEG_INFINITY }
}

/// Values as they come in, each with its case.
///
/// A large run has dozens of these over hundreds of thousands of trials, in the order in which
/// trials happened to end. They are only noted down here, in as few bytes as they take, and put in
/// order when asked for, by case and then by value, so that no figure depends on that order.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaseValues {
    /// The cases of values that are right or wrong, as nearly all are.
    plain: CaseStream,
    /// Values that are something between, or beyond.
    graded: Vec<f64>,
    /// Their cases.
    graded_cases: CaseStream,
}

impl CaseValues {
    pub(crate) fn add(&mut self, case: CaseNumber, value: f64) {
        // By bits, so that −0 is not taken for 0 and what was added is what comes out.
        let is_right = value.total_cmp(&1.0).is_eq();
        if is_right || value.total_cmp(&0.0).is_eq() {
            self.plain.push(case, is_right);
            return;
        }
        self.graded.push(value);
        self.graded_cases.push(case, false);
    }

    /// The mean over cases of all values so far, if there are any.
    pub(crate) fn rate(&self) -> Option<Rate> {
        Rate::of_cases(clusters(&self.in_order()))
    }

    /// What is made of the values of each case, in the order of the cases.
    pub(crate) fn of_each_case<T>(&self, make: impl FnMut(Cluster) -> Option<T>) -> Vec<T> {
        clusters(&self.in_order()).filter_map(make).collect()
    }

    /// Every value by its case, the lowest of a case first.
    fn in_order(&self) -> Vec<(CaseNumber, f64)> {
        let plain = self.plain.iter().map(|(case, right)| (case, f64::from(u8::from(right))));
        let graded =
            self.graded_cases.iter().map(|(case, _)| case).zip(self.graded.iter().copied());
        // There may be a million, so that no more room is taken than they need.
        let mut all = Vec::with_capacity(self.plain.len() + self.graded.len());
        all.extend(plain.chain(graded));
        all.sort_unstable_by(|(a, x), (b, y)| a.cmp(b).then(x.total_cmp(y)));
        all
    }
}

/// The values of each case, in the order of the cases. None of them is kept.
fn clusters(ordered: &[(CaseNumber, f64)]) -> impl Iterator<Item = Cluster> + Clone {
    let mut rest = ordered;
    std::iter::from_fn(move || {
        let (case, _) = rest.first()?;
        let length = rest.iter().take_while(|(other, _)| other == case).count();
        let (own, others) = rest.split_at(length);
        rest = others;
        let mut cluster = Cluster::new();
        for (_, value) in own {
            cluster.add(*value);
        }
        Some(cluster)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rate(values: &[(u32, f64)]) -> Rate {
        let mut kept = CaseValues::default();
        for (case, value) in values {
            kept.add(CaseNumber(*case), *value);
        }
        kept.rate().unwrap()
    }

    #[test]
    fn the_order_in_which_cases_are_met_does_not_matter() {
        let forwards = rate(&[(0, 1.0), (0, 0.0), (1, 1.0), (2, 0.0), (2, 0.0)]);
        let mixed = rate(&[(2, 0.0), (0, 0.0), (1, 1.0), (2, 0.0), (0, 1.0)]);
        assert_eq!(forwards, mixed);
        assert_eq!((forwards.trials, forwards.cases), (5, 3));
    }

    /// A low number, or one about where numbers take all bits.
    fn case_number() -> impl Strategy<Value = u32> {
        let half = u32::MAX >> 1;
        prop_oneof![0..4_u32, half - 1..half + 3]
    }

    fn value() -> impl Strategy<Value = f64> {
        prop_oneof![Just(0.0), Just(1.0), Just(-0.0), 0.0..=1.0, -2.0..3.0]
    }

    proptest! {
        #[test]
        fn no_figure_depends_on_how_values_are_kept(
            values in proptest::collection::vec((case_number(), value()), 1..60),
        ) {
            let mut kept = CaseValues::default();
            for (case, value) in &values {
                kept.add(CaseNumber(*case), *value);
            }
            let mut sorted = values;
            sorted.sort_by(|(a, x), (b, y)| a.cmp(b).then(x.total_cmp(y)));
            let clusters: Vec<Cluster> = sorted
                .chunk_by(|(a, _), (b, _)| a == b)
                .map(|case| Cluster::of(&case.iter().map(|(_, value)| *value).collect::<Vec<_>>()))
                .collect();
            prop_assert_eq!(kept.of_each_case(Some), clusters);
        }
    }

    #[test]
    fn a_case_counts_once_however_often_it_was_tried() {
        let once = rate(&[(0, 1.0), (1, 0.0), (2, 0.3), (3, 0.3)]);
        let often = rate(&[(0, 1.0), (0, 1.0), (0, 1.0), (1, 0.0), (2, 0.3), (2, 0.3), (3, 0.3)]);
        assert_eq!((once.mean, once.low, once.high), (often.mean, often.low, often.high));
        assert_eq!((once.trials, often.trials, often.cases), (4, 7, 4));
    }

    #[test]
    fn trials_of_one_case_do_not_narrow_the_interval_as_cases_do() {
        let same_case = rate(&[(0, 1.0), (0, 1.0), (0, 1.0), (1, 0.0), (1, 0.0), (1, 0.0)]);
        let other_cases = rate(&[(0, 1.0), (1, 1.0), (2, 1.0), (3, 0.0), (4, 0.0), (5, 0.0)]);
        assert!(same_case.high - same_case.low > other_cases.high - other_cases.low);
    }

    #[test]
    fn equal_values_are_no_certainty() {
        let two = rate(&[(0, 0.5), (1, 0.5)]);
        assert!(two.low < 0.1 && two.high > 0.9, "{two:?}");
        let ten: Vec<(u32, f64)> = (0..10).map(|case| (case, 0.1 + 0.2)).collect();
        let ten = rate(&ten);
        assert!(ten.low < 0.25 && ten.high > 0.4 && ten.high < two.high, "{ten:?}");
        let one = rate(&[(0, 0.5)]);
        assert!(one.low < two.low && one.high > two.high, "{one:?}");
    }

    #[test]
    fn the_interval_of_a_count_is_not_below_0() {
        let counts = rate(&[(0, 0.0), (1, 0.0), (2, 3.0), (3, 0.0)]);
        assert_eq!((counts.mean, counts.low), (0.75, 0.0));
        assert!(counts.high > 2.0, "{counts:?}");
        let marks = rate(&[(0, -2.0), (0, 2.0), (1, 0.0), (2, 3.0), (3, 0.0)]);
        assert!(marks.low < 0.0, "marks of others may be below 0: {marks:?}");
    }

    #[test]
    fn an_interval_stays_where_scores_can_be() {
        let graded = rate(&[(0, 1.0), (1, 0.9), (2, 1.0)]);
        assert!(graded.low >= 0.0 && graded.high <= 1.0);
    }
}
