//! How numbers are written for people, the same in every rendering.

use crate::rate::Rate;

/// A time: milliseconds where it is short, seconds else.
pub fn seconds(value: f64) -> String {
    match value {
        value if value >= 10.0 => format!("{value:.1} s"),
        value if value >= 0.1 => format!("{value:.2} s"),
        value => format!("{:.1} ms", value * 1000.0),
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
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
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
}
