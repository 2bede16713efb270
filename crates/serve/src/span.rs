//! Lengths of time as people write them: `20ms`, `1.5s`, `2m`.

use std::time::Duration;

use serde::Deserialize;

/// A length of time in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlanDuration(pub(crate) Duration);

/// Reads a length of time; it needs a unit.
pub(crate) fn parse_span(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let seconds_each = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is not a time; write it like 20ms, 1.5s or 2m")),
    };
    let number: f64 = number
        .trim()
        .parse()
        .map_err(|_| format!("`{text}` is not a time; write it like 20ms, 1.5s or 2m"))?;
    Duration::try_from_secs_f64(number * seconds_each).map_err(|error| format!("`{text}`: {error}"))
}

impl<'de> Deserialize<'de> for PlanDuration {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        parse_span(&text).map(Self).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_span("20ms"), Ok(Duration::from_millis(20)));
        assert_eq!(parse_span("1.5 s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_span("2m"), Ok(Duration::from_mins(2)));
        assert!(parse_span("20").unwrap_err().contains("like 20ms"));
        assert!(parse_span("-1s").is_err());
    }
}
