//! The distribution functions the rest of the crate stands on, as plain functions.
//!
//! The normal distribution and the logarithm of the gamma function come from `statrs`. The
//! incomplete beta function does not: there it stops after 140 steps of its continued fraction,
//! which is too few for the 100,000 cases a comparison may hold.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;

/// Enough steps for any number of cases: the fraction needs about √(a + b) of them.
const MOST_STEPS: u32 = 100_000;

/// The probability that a standard normal variable is at most `x`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// The value a standard normal variable stays below with probability `p`.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p.clamp(0.0, 1.0))
}

/// The probability that a Student variable is at most `t`.
pub(crate) fn student_cdf(t: f64, degrees_of_freedom: f64) -> f64 {
    let tail = student_tail(t.abs(), degrees_of_freedom);
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The probability that a Student variable exceeds `t`, which is not negative. Kept apart from
/// the lower tail so that tiny p-values keep their digits.
pub(crate) fn student_tail(t: f64, degrees_of_freedom: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    let x = degrees_of_freedom / (degrees_of_freedom + t * t);
    0.5 * beta_cdf(x, degrees_of_freedom / 2.0, 0.5)
}

/// The value a Student variable stays below with probability `p`, strictly between 0 and 1.
pub(crate) fn student_quantile(p: f64, degrees_of_freedom: f64) -> f64 {
    if p < 0.5 {
        // The distribution is symmetric, and the upper tail is computed without cancellation.
        return -student_quantile(1.0 - p, degrees_of_freedom);
    }
    let tail = 1.0 - p;
    let mut high = 2.0;
    // With few degrees of freedom quantiles are huge, so no fixed upper end would do.
    while student_tail(high, degrees_of_freedom) > tail && high < f64::MAX / 4.0 {
        high *= 2.0;
    }
    crossing(0.0, high, |t| student_tail(t, degrees_of_freedom) <= tail)
}

/// The probability that a Beta(`a`, `b`) variable is at most `x`: the regularised incomplete
/// beta function, by its continued fraction (DLMF 8.17.22).
pub(crate) fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (a * x.ln() + b * (-x).ln_1p() - ln_beta(a, b)).exp();
    // The fraction converges fast on one side of the mean only; the other side is its mirror.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

/// The natural logarithm of the beta function.
pub(crate) fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// Lentz's evaluation of the continued fraction, in the form of Thompson & Barnett (1986).
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    // Lentz's method divides by these, and a zero would end it.
    let guard = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut upper = 1.0;
    let mut lower = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = lower;
    for step in 1..=MOST_STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            lower = 1.0 / guard(1.0 + term * lower);
            upper = guard(1.0 + term / upper);
            fraction *= upper * lower;
        }
        if (upper * lower - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    fraction
}

/// The point between `low` and `high` where `reached` turns from false to true, by bisection to
/// the last bit. Slower than Newton's method and cannot go astray.
fn crossing(mut low: f64, mut high: f64, reached: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        // No number lies between the two any more.
        if middle <= low || middle >= high {
            return high;
        }
        if reached(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

/// A count as a real number.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of cases and trials are far below 2^53, where the conversion is exact"
)]
pub(crate) fn as_f64(count: u64) -> f64 {
    count as f64
}

/// A length as a real number.
pub(crate) fn length(items: usize) -> f64 {
    as_f64(items as u64)
}

/// The smallest whole number not below `value`, which is not negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is a count computed as a real number"
)]
pub(crate) fn whole_above(value: f64) -> u64 {
    value.ceil() as u64
}
