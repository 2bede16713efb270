//! How long an answer takes: a fixed time, or one drawn from a distribution.

use std::str::FromStr;
use std::time::Duration;

use rand::{Rng, RngExt};
use serde::Deserialize;

use super::span::{PlanDuration, parse_span};

/// No answer is held back longer than this, however long a distribution's tail is.
const LONGEST: Duration = Duration::from_mins(10);

/// A time that is drawn for each request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Delay {
    /// None at all.
    #[default]
    None,
    /// Always the same.
    Fixed(Duration),
    /// Anything between two times, each as likely.
    Uniform(Duration, Duration),
    /// Exponential with this mean: mostly short, sometimes long.
    Exponential(Duration),
    /// Lognormal with this median and the standard deviation of the logarithm, as the latencies
    /// of real servers mostly are.
    Lognormal(Duration, f64),
}

impl Delay {
    /// Draws a time.
    pub fn draw(self, random: &mut impl Rng) -> Duration {
        let mut open = || 1.0 - random.random::<f64>();
        let seconds = match self {
            Self::None => return Duration::ZERO,
            Self::Fixed(time) => return time,
            Self::Uniform(least, most) => {
                let least = least.as_secs_f64();
                least + (most.as_secs_f64() - least) * (1.0 - open())
            }
            Self::Exponential(mean) => -open().ln() * mean.as_secs_f64(),
            Self::Lognormal(median, sigma) => {
                // Box and Muller's transform of two uniform numbers to a normal one.
                let normal = (-2.0 * open().ln()).sqrt() * (std::f64::consts::TAU * open()).cos();
                median.as_secs_f64() * (sigma * normal).exp()
            }
        };
        Duration::try_from_secs_f64(seconds).map_or(LONGEST, |time| time.min(LONGEST))
    }
}

/// `20ms`, `10ms..50ms`, `exponential:30ms`, `lognormal:30ms:0.5`.
impl FromStr for Delay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((least, most)) = text.split_once("..") {
            return uniform(parse_span(least)?, parse_span(most)?);
        }
        if let Some(mean) = text.strip_prefix("exponential:") {
            return Ok(Self::Exponential(parse_span(mean)?));
        }
        if let Some(rest) = text.strip_prefix("lognormal:") {
            let (median, sigma) = rest.split_once(':').unwrap_or((rest, "0.5"));
            let sigma = sigma.parse().map_err(|_| format!("`{sigma}` is not a number"))?;
            return lognormal(parse_span(median)?, sigma);
        }
        parse_span(text).map(Self::Fixed)
    }
}

fn uniform(least: Duration, most: Duration) -> Result<Delay, String> {
    if most < least {
        return Err("the second time of a range must not be shorter than the first".into());
    }
    Ok(Delay::Uniform(least, most))
}

fn lognormal(median: Duration, sigma: f64) -> Result<Delay, String> {
    if !(0.0..=5.0).contains(&sigma) {
        return Err(format!("sigma is {sigma}; it must be between 0 and 5"));
    }
    Ok(Delay::Lognormal(median, sigma))
}

/// A delay as a plan writes it: exactly one of the distributions.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct DelayFields {
    fixed: Option<PlanDuration>,
    uniform: Option<[PlanDuration; 2]>,
    exponential: Option<PlanDuration>,
    lognormal: Option<LognormalFields>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LognormalFields {
    median: PlanDuration,
    sigma: f64,
}

impl<'de> Deserialize<'de> for Delay {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = DelayFields::deserialize(from)?;
        let read = match fields {
            DelayFields {
                fixed: Some(time),
                uniform: None,
                exponential: None,
                lognormal: None,
            } => Ok(Self::Fixed(time.0)),
            DelayFields {
                fixed: None,
                uniform: Some([a, b]),
                exponential: None,
                lognormal: None,
            } => uniform(a.0, b.0),
            DelayFields {
                fixed: None,
                uniform: None,
                exponential: Some(mean),
                lognormal: None,
            } => Ok(Self::Exponential(mean.0)),
            DelayFields {
                fixed: None,
                uniform: None,
                exponential: None,
                lognormal: Some(curve),
            } => lognormal(curve.median.0, curve.sigma),
            _ => Err("give one of `fixed`, `uniform`, `exponential`, `lognormal`".into()),
        };
        read.map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn mean_ms(delay: Delay) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let total: Duration = (0..20_000).map(|_| delay.draw(&mut random)).sum();
        total.as_secs_f64() * 1000.0 / 20_000.0
    }

    #[test]
    fn delays_have_the_mean_of_their_distribution() {
        let ms = Duration::from_millis;
        assert!((mean_ms(Delay::Fixed(ms(20))) - 20.0).abs() < 1e-6);
        assert!((mean_ms(Delay::Uniform(ms(10), ms(50))) - 30.0).abs() < 0.5);
        assert!((mean_ms(Delay::Exponential(ms(30))) - 30.0).abs() < 1.0);
        // The mean of a lognormal is its median times exp(σ²/2).
        let expected = 30.0 * (0.5_f64 * 0.5 / 2.0).exp();
        assert!((mean_ms(Delay::Lognormal(ms(30), 0.5)) - expected).abs() < 1.0);
    }

    #[test]
    fn flags_name_distributions() {
        let ms = Duration::from_millis;
        assert_eq!("20ms".parse(), Ok(Delay::Fixed(ms(20))));
        assert_eq!("10ms..0.05s".parse(), Ok(Delay::Uniform(ms(10), ms(50))));
        assert_eq!("exponential:1s".parse(), Ok(Delay::Exponential(ms(1000))));
        assert_eq!("lognormal:30ms:0.8".parse(), Ok(Delay::Lognormal(ms(30), 0.8)));
        assert!("5..1".parse::<Delay>().is_err());
        assert!("50ms..1ms".parse::<Delay>().is_err());
    }
}
