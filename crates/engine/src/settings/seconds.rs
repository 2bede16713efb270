//! Times as settings have them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A number of seconds, never negative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(f64);

impl Seconds {
    /// So many whole seconds.
    pub fn new(seconds: u16) -> Self {
        Self(f64::from(seconds))
    }

    /// The time itself; what no clock can count is for ever.
    pub fn duration(self) -> Duration {
        Duration::try_from_secs_f64(self.0).unwrap_or(Duration::MAX)
    }

    /// The time as a limit: 0 means none.
    pub fn limit(self) -> Option<Duration> {
        Some(self.duration()).filter(|duration| !duration.is_zero())
    }
}

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Self, Self::Error> {
        if seconds >= 0.0 {
            Ok(Self(seconds))
        } else {
            Err(format!("a time is 0 seconds or more, and this one is {seconds}"))
        }
    }
}

impl From<Seconds> for f64 {
    fn from(seconds: Seconds) -> Self {
        seconds.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_never_negative_and_0_is_no_limit() {
        assert!(Seconds::try_from(-0.5).is_err());
        assert!(Seconds::try_from(f64::NAN).is_err());
        assert_eq!(Seconds::new(0).limit(), None);
        let half = Seconds::try_from(0.5).unwrap();
        assert_eq!(half.limit(), Some(Duration::from_millis(500)));
        assert_eq!(Seconds::try_from(f64::INFINITY).unwrap().duration(), Duration::MAX);
    }
}
