//! The promises of the figures, kept or not: intervals cover at their rate, tests reject at their
//! level when nothing is there and as often as the formula says when something is.
//!
//! Every simulation has a fixed seed, so it either always passes or always fails. The tolerance is
//! four binomial standard errors, plus a named allowance where a method is known to be only
//! nearly right, so it fits any number of repetitions: a part in the short form of the tests, all in
//! the long one. `TOOLGAUGE_STATS_REPETITIONS=20000 cargo test --release -p toolgauge-stats` runs
//! them at a size where the binomial error nearly vanishes.

#![expect(clippy::unwrap_used, reason = "a failed simulation may panic")]

mod coverage;
mod level;
mod power;
mod sequential;
mod subject;

use toolgauge_testkit::long_or;

/// The share of repetitions in which `experiment` says yes; it is given the repetition's number.
fn share_of(divisor: u32, mut experiment: impl FnMut(u64) -> bool) -> Share {
    let asked = std::env::var("TOOLGAUGE_STATS_REPETITIONS").ok();
    let asked = asked.and_then(|asked| asked.parse().ok());
    let repetitions = asked.unwrap_or_else(|| long_or(1_000, 200)) / divisor;
    let hits = (0..repetitions).filter(|number| experiment(u64::from(*number))).count();
    Share { hits: u32::try_from(hits).unwrap(), repetitions }
}

/// How often something happened.
struct Share {
    hits: u32,
    repetitions: u32,
}

impl Share {
    fn rate(&self) -> f64 {
        f64::from(self.hits) / f64::from(self.repetitions)
    }

    fn tolerance(&self, nominal: f64) -> f64 {
        4.0 * (nominal * (1.0 - nominal) / f64::from(self.repetitions)).sqrt()
    }

    #[track_caller]
    fn is_near(&self, nominal: f64, allowance: f64) {
        let off = (self.rate() - nominal).abs();
        let allowed = self.tolerance(nominal) + allowance;
        assert!(off <= allowed, "{} instead of {nominal} ± {allowed}", self.rate());
    }

    #[track_caller]
    fn is_at_most(&self, nominal: f64) {
        let allowed = nominal + self.tolerance(nominal);
        assert!(self.rate() <= allowed, "{} instead of at most {allowed}", self.rate());
    }

    #[track_caller]
    fn is_at_least(&self, nominal: f64) {
        let allowed = nominal - self.tolerance(nominal);
        assert!(self.rate() >= allowed, "{} instead of at least {allowed}", self.rate());
    }
}
