//! The axes of a chart: which values they span, and where they have ticks.

/// How many steps between round ticks an axis has at most.
const MOST_STEPS: f64 = 6.0;

/// An axis from one value to another, which may run backwards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    from: f64,
    to: f64,
    pub(super) title: String,
    /// Values with the words that are written beside them.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis without ticks.
    pub(super) fn new(from: f64, to: f64, title: &str) -> Self {
        Self { from, to, title: title.to_owned(), ticks: Vec::new() }
    }

    /// An axis with ticks at round values.
    pub(super) fn round(from: f64, to: f64, title: &str) -> Self {
        let step = round_step(to - from);
        Self::new(from, to, title)
            .with_ticks(multiples(step, from, to, |value| number(value, step)))
    }

    /// An axis from 0 to the round value above `most`, with ticks at round values.
    pub(super) fn up_to(most: f64, title: &str) -> Self {
        // The smallest positive numbers have no logarithm to find a round step by.
        let most = most.clamp(0.001, 1e12);
        let step = round_step(most);
        Self::round(0.0, (most / step - 1e-9).ceil() * step, title)
    }

    /// The same axis with these ticks.
    pub(super) fn with_ticks(mut self, ticks: impl IntoIterator<Item = (f64, String)>) -> Self {
        self.ticks = ticks.into_iter().collect();
        self
    }

    /// How far along the axis a value is, from 0 to 1; values beyond its ends are at them.
    pub(super) fn share(&self, value: f64) -> f64 {
        // Adding zero turns the -0 at the start of an axis that runs backwards into 0.
        ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0) + 0.0
    }
}

/// Every multiple of a step between two values, each with its words.
pub(super) fn multiples(
    step: f64,
    from: f64,
    to: f64,
    words: impl Fn(f64) -> String,
) -> Vec<(f64, String)> {
    // A tick at the very end must not be lost to rounding.
    let (first, last) = ((from / step - 1e-6).ceil(), (to / step + 1e-6).floor());
    let values = (0..100).map(|n| first + f64::from(n)).take_while(|times| *times <= last);
    values.map(|times| (times * step, words(times * step))).collect()
}

/// The smallest distance of round ticks that leaves at most [`MOST_STEPS`] of them in a span.
fn round_step(span: f64) -> f64 {
    let rough = span / MOST_STEPS;
    let power = 10_f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0].map(|times| times * power);
    round.into_iter().find(|step| *step >= rough * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A tick's value with as many digits as its step has.
fn number(value: f64, step: f64) -> String {
    let digits = (0..6).find(|digits| {
        let scaled = step * 10_f64.powi(*digits);
        (scaled - scaled.round()).abs() < 1e-6
    });
    let digits = digits.and_then(|digits| usize::try_from(digits).ok()).unwrap_or(6);
    let text = format!("{:.digits$}", value.abs());
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if value < 0.0 && text != "0" { format!("−{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, words)| words.as_str()).collect()
    }

    #[test]
    fn ticks_are_at_round_values_from_end_to_end() {
        assert_eq!(words(&Axis::round(0.0, 1.0, "")), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(words(&Axis::round(-0.9, 0.9, "")), ["−0.5", "0", "0.5"]);
        assert_eq!(words(&Axis::up_to(12.7, "")), ["0", "2.5", "5", "7.5", "10", "12.5", "15"]);
        assert_eq!(words(&Axis::up_to(20.0, "")), ["0", "5", "10", "15", "20"]);
    }

    #[test]
    fn the_smallest_and_the_largest_amounts_have_an_axis() {
        for most in [0.0, 5e-324, 1e12, 1e300] {
            let axis = Axis::up_to(most, "");
            assert!((2..=8).contains(&axis.ticks.len()), "{most}: {axis:?}");
        }
    }

    #[test]
    fn an_axis_may_run_backwards() {
        let axis = Axis::new(4.0, 0.0, "");
        let shares = [5.0, 4.0, 1.0, 0.0].map(|value| format!("{:.2}", axis.share(value)));
        assert_eq!(shares, ["0.00", "0.00", "0.75", "1.00"]);
    }
}
