//! Whether two ways of judging the same things say the same.

use crate::distribution::{as_f64, length};
use crate::interval::{Confidence, Interval};

/// How often two judges said yes and no to the same things.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Both said yes.
    pub both: u64,
    /// Only the first did.
    pub first_only: u64,
    /// Only the second did.
    pub second_only: u64,
    /// Neither did.
    pub neither: u64,
}

impl Agreement {
    /// Takes one more judgement of both into account.
    pub fn add(&mut self, first: bool, second: bool) {
        let count = match (first, second) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.first_only,
            (false, true) => &mut self.second_only,
            (false, false) => &mut self.neither,
        };
        *count += 1;
    }

    /// How many things both judged.
    pub fn n(self) -> u64 {
        self.both + self.first_only + self.second_only + self.neither
    }

    /// The share on which they agree; absent when there is nothing.
    pub fn share(self) -> Option<f64> {
        (self.n() > 0).then(|| as_f64(self.both + self.neither) / as_f64(self.n()))
    }

    /// Cohen's kappa: the agreement beyond what two judges with the same habits would reach by
    /// chance (Cohen 1960). 1 is perfect, 0 is chance. Absent when both always say the same word,
    /// for then chance alone explains everything.
    pub fn kappa(self) -> Option<f64> {
        let n = as_f64(self.n());
        let first = as_f64(self.both + self.first_only) / n;
        let second = as_f64(self.both + self.second_only) / n;
        let chance = first * second + (1.0 - first) * (1.0 - second);
        let share = self.share()?;
        (chance < 1.0).then(|| (share - chance) / (1.0 - chance))
    }
}

/// The correlation of two values of the same things, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// Pearson's coefficient; with one of the values 0 or 1, the point-biserial one.
    pub r: f64,
    /// Fisher's interval; absent below four pairs and at ±1.
    pub interval: Option<Interval>,
    /// How many pairs.
    pub n: usize,
}

/// Pearson's correlation of pairs, with the interval by Fisher's transformation (Fisher 1921).
/// Absent below three pairs, or when either value never changes.
pub fn correlation(pairs: &[(f64, f64)], confidence: Confidence) -> Option<Correlation> {
    if pairs.len() < 3 {
        return None;
    }
    let n = length(pairs.len());
    let mean_x = pairs.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = pairs.iter().map(|(_, y)| y).sum::<f64>() / n;
    let sum =
        |f: fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| f(x - mean_x, y - mean_y)).sum::<f64>();
    let (xx, yy, xy) = (sum(|x, _| x * x), sum(|_, y| y * y), sum(|x, y| x * y));
    if xx <= 0.0 || yy <= 0.0 {
        return None;
    }
    // Rounding may leave the range by a bit, and `atanh` is not a number there.
    let r = (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0);
    let interval = (pairs.len() > 3 && r.abs() < 1.0).then(|| {
        let (centre, spread) = (r.atanh(), confidence.z() / (n - 3.0).sqrt());
        Interval { low: (centre - spread).tanh(), high: (centre + spread).tanh() }
    });
    Some(Correlation { r, interval, n: pairs.len() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // a = numpy.array([[20, 5], [10, 15]]); (po - pe) / (1 - pe), the example of Cohen (1960).
    #[test]
    fn kappa_takes_chance_away() {
        let table = Agreement { both: 20, first_only: 5, second_only: 10, neither: 15 };
        assert!((table.kappa().unwrap() - 0.4).abs() < 1e-12);
        assert!((table.share().unwrap() - 0.7).abs() < 1e-12);
    }

    #[test]
    fn judges_who_always_say_yes_have_no_kappa() {
        let table = Agreement { both: 9, ..Agreement::default() };
        assert_eq!(table.kappa(), None);
        assert_eq!(Agreement::default().kappa(), None);
    }

    // numpy.corrcoef(x, y)[0, 1], and numpy.tanh(numpy.arctanh(r) ± 1.96/sqrt(n - 3))
    #[test]
    fn correlation_agrees_with_numpy() {
        let thumbs = [1., 1., 0., 1., 0., 0., 1., 0., 1., 1., 0., 1.];
        let scores = [0.9, 0.8, 0.4, 0.7, 0.5, 0.1, 1., 0.3, 0.6, 0.95, 0.7, 0.2];
        let pairs: Vec<(f64, f64)> = thumbs.into_iter().zip(scores).collect();
        let found = correlation(&pairs, Confidence::P95).unwrap();
        let interval = found.interval.unwrap();
        assert!((found.r - 0.578_486_184_551_814_1).abs() < 1e-12);
        assert!((interval.low - 0.006_863_065_026_665_634).abs() < 1e-9);
        assert!((interval.high - 0.865_159_802_494_626_1).abs() < 1e-9);
    }

    #[test]
    fn what_never_changes_correlates_with_nothing() {
        assert_eq!(correlation(&[(1.0, 0.2), (1.0, 0.4), (1.0, 0.6)], Confidence::P95), None);
        assert_eq!(correlation(&[(1.0, 0.2), (0.0, 0.4)], Confidence::P95), None);
    }

    proptest! {
        #[test]
        fn correlation_lies_between_minus_one_and_one(
            pairs in proptest::collection::vec((-1e3..1e3_f64, -1e3..1e3_f64), 3..40)
        ) {
            if let Some(found) = correlation(&pairs, Confidence::P95) {
                prop_assert!((-1.0..=1.0).contains(&found.r));
                if let Some(interval) = found.interval {
                    prop_assert!(interval.low <= found.r && found.r <= interval.high);
                }
            }
        }

        #[test]
        fn kappa_never_exceeds_one(both in 0..50_u64, a in 0..50_u64, b in 0..50_u64, no in 0..50_u64) {
            let table = Agreement { both, first_only: a, second_only: b, neither: no };
            if let Some(kappa) = table.kappa() {
                prop_assert!((-1.0..=1.0 + 1e-12).contains(&kappa));
            }
        }
    }
}
