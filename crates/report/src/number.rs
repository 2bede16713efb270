//! How numbers are written for people, the same in every rendering.

use crate::rate::Rate;

/// A time: in microseconds, milliseconds or seconds, with three digits or so.
pub fn seconds(value: f64) -> String {
    match value {
        value if value >= 9.995 => format!("{value:.1} s"),
        value if value >= 0.099_95 => format!("{value:.2} s"),
        value if value >= 0.000_999_5 => format!("{:.1} ms", value * 1e3),
        value if value > 0.0 => format!("{:.0} µs", (value * 1e6).max(1.0)),
        _ => "0 ms".to_owned(),
    }
}

/// A count, its digits in groups of three once there are more than four of them.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    if digits.len() <= 4 {
        return digits;
    }
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 case`, `2 cases`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {}", plural(count, what))
}

/// `case` for one, `cases` or `entries` for any other number.
pub fn plural(count: usize, what: &str) -> String {
    match what.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        _ if count == 1 => what.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{what}s"),
    }
}

/// An interval in brackets.
pub fn interval(low: f64, high: f64) -> String {
    format!("[{low:.3}, {high:.3}]")
}

/// A mean with its interval.
pub fn estimate(rate: &Rate) -> String {
    format!("{:.3} {}", rate.mean, interval(rate.low, rate.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(9_999), "9999");
        assert_eq!(count(10_000), "10,000");
        assert_eq!(count(1_234_567), "1,234,567");
    }

    #[test]
    fn short_times_are_in_milliseconds() {
        assert_eq!(seconds(0.0421), "42.1 ms");
        assert_eq!(seconds(1.234), "1.23 s");
        assert_eq!(seconds(12.34), "12.3 s");
    }

    #[test]
    fn very_short_times_are_in_microseconds_and_never_nothing() {
        assert_eq!(seconds(0.000_432), "432 µs");
        assert_eq!(seconds(0.000_04), "40 µs");
        assert_eq!(seconds(1e-9), "1 µs");
        assert_eq!(seconds(0.0), "0 ms");
    }

    #[test]
    fn a_time_that_rounds_up_takes_the_larger_unit() {
        assert_eq!(seconds(0.000_999_9), "1.0 ms");
        assert_eq!(seconds(0.099_99), "0.10 s");
        assert_eq!(seconds(9.999), "10.0 s");
    }
}
