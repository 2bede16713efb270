//! Curves in a line of text.

const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Values from 0 to `most` as a curve of as many characters.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of eight levels"
)]
pub fn sparkline(values: impl IntoIterator<Item = f64>, most: f64) -> String {
    let level = |value: f64| {
        let share = if most > 0.0 && value.is_finite() { value / most } else { 0.0 };
        LEVELS[((share.clamp(0.0, 1.0) * 7.0).round() as usize).min(7)]
    };
    values.into_iter().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::sparkline;

    #[test]
    fn a_curve_rises_with_its_values() {
        assert_eq!(sparkline([0.0, 0.5, 1.0], 1.0), "▁▅█");
        assert_eq!(sparkline([f64::NAN, 7.0], 1.0), "▁█");
        assert_eq!(sparkline([1.0], 0.0), "▁");
    }
}
