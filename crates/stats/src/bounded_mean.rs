//! The interval of a mean whose values have a lowest and a highest possible value.
//!
//! Scores lie between 0 and 1, differences of two scores between −1 and 1. The interval here
//! holds for both, for pass/fail and graded values alike, and it is *monotone*: raising a value
//! never lowers an end. A gate that compares an end with a number can therefore not turn red
//! because a case got better. Neither the t interval nor Wilson's on an estimated variance has
//! that property, because a better value may widen them.

use crate::cluster::Cluster;
use crate::clustered_mean::ClusteredMean;
use crate::distribution::{as_f64, length};
use crate::interval::{Confidence, Interval};

/// More distinct values than this are rounded to a grid, so that the work has a bound. Rounding
/// keeps the order of values, and so the interval stays monotone.
const MOST_ATOMS: f64 = 1024.0;
/// The step of the integration. The error is below 1e−11 of the result for 1 to 50,000 clusters.
const STEP: f64 = 0.125;
/// How far the path of the integration bends away from a vertical line. A steeper one passes too
/// near the poles, a straighter one oscillates; both were measured.
const BEND: f64 = 0.5;
/// Terms smaller than this share of the first one end the integration.
const NEGLIGIBLE: f64 = 1e-17;

/// The lowest and the highest value that is possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// Where scores lie.
    pub const SCORE: Self = Self { low: 0.0, high: 1.0 };
    /// Where the difference of two scores lies.
    pub const DIFFERENCE: Self = Self { low: -1.0, high: 1.0 };

    /// Whether a value is possible.
    pub fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The interval of the mean over all values of `clusters`, which are independent of each other
/// and whose values lie in `range`; absent without values.
///
/// Each end is a quantile of the mean under random weights: every cluster gets an exponential
/// weight, and so does one more cluster that was not seen and has the worst possible value (the
/// lowest for the lower end, the highest for the upper). This is the bound of Gaffke (2005), found
/// again by Learned-Miller & Thomas (2019): the Bayesian bootstrap of Rubin (1981) with one unseen
/// value. Why this one:
///
/// * For pass/fail values it is exactly the interval of Clopper & Pearson (1934), so nothing
///   switches when a score that was 0 or 1 becomes 0.9.
/// * Values that spread little give a narrow interval, as with a t interval.
/// * Values that all agree at v still leave a width: n of them reach from v·(α/2)^(1/n) up.
/// * The weights do not depend on the values, so each end rises when a value does.
///
/// Where a value lies outside of `range`, as a count or a mark of another program may, nothing
/// bounds the values and the t interval is all there is; it is absent for fewer than two clusters.
pub fn mean_interval(
    clusters: &[Cluster],
    range: Range,
    confidence: Confidence,
) -> Option<Interval> {
    mean_interval_over(clusters.iter().copied(), range, confidence)
}

/// The same over clusters that are gone through several times, so that little is kept of them.
pub fn mean_interval_over(
    clusters: impl Iterator<Item = Cluster> + Clone,
    range: Range,
    confidence: Confidence,
) -> Option<Interval> {
    if !clusters.clone().all(|cluster| cluster.lies_in(range.low, range.high)) {
        return ClusteredMean::over(clusters)?.interval(confidence);
    }
    let tail = confidence.alpha() / 2.0;
    let low = WeightedMean::new(clusters.clone(), range, 1.0)?.quantile(tail);
    let high = -WeightedMean::new(clusters, range, -1.0)?.quantile(tail);
    Some(Interval::new(range.low + low, range.low + high))
}

/// What `perfect` clusters of the highest value would show: the lower end of their interval,
/// (α/2)^(1/n) of the range.
pub fn best_lower_end(perfect: usize, range: Range, confidence: Confidence) -> f64 {
    let share = (confidence.alpha() / 2.0).powf(1.0 / length(perfect.max(1)));
    range.low + share * (range.high - range.low)
}

/// How many clusters of the highest value it takes until the lower end of their interval is at
/// least `least`; absent where no number suffices.
pub fn clusters_to_show(least: f64, range: Range, confidence: Confidence) -> Option<u64> {
    let share = (least - range.low) / (range.high - range.low);
    let needed = (confidence.alpha() / 2.0).ln() / share.max(0.0).ln();
    (share < 1.0).then(|| crate::distribution::whole_above((needed - 1e-9).max(1.0)))
}

/// Clusters with the same sum and the same number of values.
#[derive(Clone, Copy)]
struct Atom {
    sum: f64,
    count: f64,
    copies: f64,
}

/// A mean of values of at least 0 (or at most 0, when turned round) under random weights.
struct WeightedMean {
    atoms: Vec<Atom>,
    /// The mean under equal weights, without the unseen cluster.
    mean: f64,
    /// The value of the unseen cluster.
    unseen: f64,
}

impl WeightedMean {
    /// With `sign` −1 all values are turned round, which makes the upper end a lower one.
    fn new(
        clusters: impl Iterator<Item = Cluster> + Clone,
        range: Range,
        sign: f64,
    ) -> Option<Self> {
        let width = range.high - range.low;
        let mut pairs: Vec<(f64, f64)> = Vec::with_capacity(clusters.clone().count());
        for cluster in clusters.filter(|cluster| cluster.count() > 0) {
            let count = as_f64(cluster.count());
            // A sum of values in the range may leave it by rounding.
            let sum = (cluster.sum() - range.low * count).clamp(0.0, width * count);
            pairs.push((count, sign * sum));
        }
        let values: f64 = pairs.iter().map(|(count, _)| count).sum();
        let mean = pairs.iter().map(|(_, sum)| sum).sum::<f64>() / values;
        let size = values / length(pairs.len().max(1));
        let unseen = if sign > 0.0 { 0.0 } else { -width };
        let mut atoms = atoms(&mut pairs);
        // The mean of a cluster is rounded and not its sum, since sizes may differ.
        if length(atoms.len()) > MOST_ATOMS {
            let grid = MOST_ATOMS / width;
            for (count, sum) in &mut pairs {
                *sum = (*sum / *count * grid).round() / grid * *count;
            }
            atoms = self::atoms(&mut pairs);
        }
        // The unseen cluster is as large as the others on average.
        atoms.push(Atom { sum: unseen * size, count: size, copies: 1.0 });
        (values > 0.0).then_some(Self { atoms, mean, unseen })
    }

    /// The value that the weighted mean stays below with probability `share`.
    fn quantile(&self, share: f64) -> f64 {
        let (mut low, mut high) = (self.unseen, self.mean);
        // All values are the worst possible one; there is nothing to search between.
        if high - low < 1e-12 {
            return low;
        }
        // Illinois' form of the false position, which keeps the root between its two points.
        let (mut below, mut above) = (-share, self.probability_below(high) - share);
        // The mean itself is below the quantile, so the search would have nothing between its ends.
        if above <= 0.0 {
            return high;
        }
        for _ in 0..100 {
            let middle = (low * above - high * below) / (above - below);
            let found = self.probability_below(middle) - share;
            if found > 0.0 {
                (high, above) = (middle, found);
                // Halving the end that stays is what keeps false position from creeping.
                below /= 2.0;
            } else {
                (low, below) = (middle, found);
                above /= 2.0;
            }
            if high - low < 1e-13 || found.abs() < 1e-13 {
                return middle;
            }
        }
        low
    }

    /// The probability that the weighted mean lies below `value`.
    ///
    /// It does exactly when Σ wᵢ·(sumᵢ − value·countᵢ) < 0 for exponential weights wᵢ, a sum whose
    /// Laplace transform is ∏ 1/(1 + aᵢz). Its inverse is integrated along a hyperbola through the
    /// saddle point that follows the steepest descent there, so that nothing oscillates before it
    /// is negligible; with y growing as a hyperbolic sine the trapezoidal rule converges
    /// exponentially. All poles are real, so that every curve which crosses the real line there
    /// alone gives the same integral.
    fn probability_below(&self, value: f64) -> f64 {
        let terms: Vec<(f64, f64)> = self
            .atoms
            .iter()
            .map(|atom| (atom.sum - value * atom.count, atom.copies))
            // A term without weight is a factor of 1.
            .filter(|(a, _)| *a != 0.0)
            .collect();
        let lowest = terms.iter().fold(0.0_f64, |lowest, (a, _)| lowest.min(*a));
        // Without a negative term the sum cannot be below zero, and without a positive one it always
        // is. The integral is for what lies between.
        if lowest >= 0.0 {
            return 0.0;
        }
        if terms.iter().all(|(a, _)| *a < 0.0) {
            return 1.0;
        }
        let path = Path::new(&terms, -1.0 / lowest);
        // The peak is taken out and put back at the end, or the product of many factors underflows.
        let peak = integrand(&terms, path.saddle, 0.0).0;
        // The trapezoidal rule counts the first point half; the curve is symmetric, so that one
        // side is enough.
        let mut sum = 0.5 * path.scale;
        for step in 1..1_000 {
            let u = f64::from(step) * STEP;
            let y = path.scale * u.sinh();
            let (x, tangent) = path.at(y);
            let (size, angle) = integrand(&terms, x, y);
            let term = (size - peak).exp() * path.scale * u.cosh();
            sum += term * (angle.cos() + tangent * angle.sin());
            if term < NEGLIGIBLE * sum.abs() {
                break;
            }
        }
        (peak.exp() * sum * STEP / std::f64::consts::PI).clamp(0.0, 1.0)
    }
}

/// The hyperbola along which is integrated: x = saddle + slope·(√(y² + reach²) − reach).
struct Path {
    /// Where it crosses the real line.
    saddle: f64,
    /// How far along it the integrand falls to about a half.
    scale: f64,
    slope: f64,
    reach: f64,
}

impl Path {
    fn new(terms: &[(f64, f64)], end: f64) -> Self {
        let saddle = saddle(terms, end);
        let (mut second, mut third) = (saddle.powi(-2), -2.0 * saddle.powi(-3));
        for (a, m) in terms {
            let slope = a / (1.0 + a * saddle);
            second += m * slope.powi(2);
            third -= 2.0 * m * slope.powi(3);
        }
        let scale = second.sqrt().recip();
        // Far out the path goes where the integrand falls fastest: left, straight or right.
        let far = 20.0 * scale;
        let size = |slope: f64| integrand(terms, saddle + slope * far, far).0;
        let straight = [0.0, BEND, -BEND].into_iter();
        let slope =
            straight.min_by(|one, other| size(*one).total_cmp(&size(*other))).unwrap_or(0.0);
        // Steepest descent begins as x = third/(6·second)·y². Where it begins the other way, the
        // path bends later.
        let bend = third / (6.0 * second);
        let reach = if slope * bend > 0.0 { slope / (2.0 * bend) } else { 3.0 * scale };
        Self { saddle, scale, slope, reach }
    }

    /// The real part at a height, and how fast it changes with the height.
    fn at(&self, y: f64) -> (f64, f64) {
        let far = y.hypot(self.reach);
        (self.saddle + self.slope * y * y / (far + self.reach), self.slope * y / far)
    }
}

/// The distinct ones among (count, sum), with their numbers of copies.
fn atoms(pairs: &mut [(f64, f64)]) -> Vec<Atom> {
    pairs.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let same = pairs.chunk_by(|one, other| one == other);
    same.map(|same| Atom { count: same[0].0, sum: same[0].1, copies: length(same.len()) }).collect()
}

/// Where ∏ (1 + a·r)^−m / r is smallest between 0 and `end`, by bisection of the slope of its
/// logarithm, which rises throughout. Any point of the range gives the same integral; this one
/// makes it easy.
fn saddle(terms: &[(f64, f64)], end: f64) -> f64 {
    // `end` is the first pole to the right of zero; the integrand is positive between the two.
    let (mut low, mut high) = (0.0, end);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        let slope: f64 =
            -terms.iter().map(|(a, m)| m * a / (1.0 + a * middle)).sum::<f64>() - 1.0 / middle;
        if slope > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The logarithm of the size, and the angle, of ∏ (1 + a·z)^−m / z at z = `x` + i·`y`.
fn integrand(terms: &[(f64, f64)], x: f64, y: f64) -> (f64, f64) {
    let mut size = -0.5 * (x * x + y * y).ln();
    let mut angle = -y.atan2(x);
    for (a, m) in terms {
        let (real, imaginary) = (1.0 + a * x, a * y);
        size -= 0.5 * m * (real * real + imaginary * imaginary).ln();
        angle -= m * imaginary.atan2(real);
    }
    (size, angle)
}
