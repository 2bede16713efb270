//! A small chart of accuracy against the size of the world.

use std::fmt::{self, Display};

use indexmap::IndexSet;
use unicode_width::UnicodeWidthStr;

use crate::harmless::line;
use crate::tiers::{AccuracyCurve, CurvePoint};

/// How wide and how high the chart is at most, in characters.
const WIDTH: usize = 56;
const HEIGHT: usize = 11;

/// How wide the axis before the chart is.
const AXIS: usize = 8;

/// What marks the points of each scorer.
const MARKS: [char; 4] = ['●', '○', '◆', '◇'];

/// What is drawn where the points of two scorers fall together.
const BOTH: char = '◉';

impl AccuracyCurve {
    /// The scorers of all points, the one that counts first.
    fn scorers(&self) -> IndexSet<&str> {
        let names = self.points.iter().flat_map(|point| point.accuracy.keys());
        names.map(String::as_str).collect()
    }

    /// The column of a point: sizes stand by their logarithm, since worlds grow in multiples.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place among a few dozen columns"
    )]
    fn column(&self, point: &CurvePoint, width: usize) -> usize {
        let logarithm = |size: u64| (size as f64).ln();
        let ends = self.points.first().zip(self.points.last());
        let (low, high) = ends.map_or((0.0, 1.0), |(a, b)| (logarithm(a.size), logarithm(b.size)));
        let share = (logarithm(point.size) - low) / (high - low);
        (share * (width - 1) as f64).round() as usize
    }

    fn rows(&self, width: usize) -> Vec<Vec<char>> {
        let mut rows = vec![vec![' '; width]; HEIGHT];
        let scorers = self.scorers();
        for point in &self.points {
            let column = self.column(point, width);
            // By the order of the legend: a tier may lack a scorer.
            for (scorer, mark) in scorers.iter().zip(MARKS) {
                let Some(rate) = point.accuracy.get(*scorer) else { continue };
                let place = &mut rows[row(rate.mean)][column];
                *place = if *place == ' ' { mark } else { BOTH };
            }
        }
        rows
    }

    /// The sizes under their points; one that would run into another is left out.
    fn sizes(&self, width: usize) -> String {
        let mut line = String::new();
        for point in &self.points {
            let size = point.size.to_string();
            let start = self.column(point, width).saturating_sub(size.len() / 2);
            let length = line.chars().count();
            if start > length || length == 0 {
                line.push_str(&" ".repeat(start - length));
                line.push_str(&size);
            }
        }
        line
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place among a dozen rows"
)]
fn row(mean: f64) -> usize {
    let from_below = (mean.clamp(0.0, 1.0) * (HEIGHT - 1) as f64).round() as usize;
    HEIGHT - 1 - from_below
}

impl Display for AccuracyCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let legend = self.scorers().into_iter().zip(MARKS);
        let legend: Vec<String> = legend.map(|(scorer, mark)| format!("{mark} {scorer}")).collect();
        let things = line(&self.things);
        // The number of the largest size and what is counted are beside the last point.
        let most = f.width().map(|width| width.saturating_sub(AXIS + 5 + things.width()));
        let width = most.map_or(WIDTH, |most| most.clamp(2, WIDTH));
        let title = format!("  accuracy by number of {things}");
        let legend = legend.join("   ");
        let fits = most.is_none() || f.width() >= Some(title.width() + 3 + legend.width());
        let between = if fits { "   " } else { "\n  " };
        writeln!(f, "{title}{between}{legend}")?;
        for (number, row) in self.rows(width).into_iter().enumerate() {
            let label = match HEIGHT - 1 - number {
                tenth if tenth % 2 == 0 => {
                    format!("{:.1} ┤", f64::from(u8::try_from(tenth).unwrap_or(0)) / 10.0)
                }
                _ => "    │".to_owned(),
            };
            let row: String = row.into_iter().collect();
            writeln!(f, "{}", format!("  {label} {row}").trim_end())?;
        }
        writeln!(f, "      └{}", "─".repeat(width + 1))?;
        writeln!(f, "        {} {things}", self.sizes(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::Rate;

    fn curve(points: &[(u64, f64, f64)]) -> AccuracyCurve {
        let rate = |mean| Rate { mean, low: mean, high: mean, trials: 1, cases: 1 };
        let point = |(size, state, calls): &(u64, f64, f64)| CurvePoint {
            tier: size.to_string(),
            size: *size,
            accuracy: [("end_state", *state), ("tool_calls", *calls)]
                .map(|(scorer, mean)| (scorer.to_owned(), rate(mean)))
                .into(),
        };
        AccuracyCurve { points: points.iter().map(point).collect(), things: "things".into() }
    }

    #[test]
    fn a_tier_that_lacks_a_scorer_keeps_the_marks_of_the_others() {
        let mut curve = curve(&[(10, 1.0, 0.0), (100, 1.0, 0.0)]);
        curve.points[1].accuracy.shift_remove("end_state");
        let drawn = curve.to_string();
        let marks = |line: &str| line.replace(|c: char| !MARKS.contains(&c), "");
        let lines: Vec<String> = drawn.lines().map(marks).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["●○", "●", "○○"], "{drawn}");
    }

    #[test]
    fn a_curve_is_as_wide_as_the_terminal_at_most() {
        let curve = curve(&[(10, 1.0, 0.9), (100, 0.5, 0.5), (123_456, 0.0, 0.2)]);
        for width in [40, 60, 80] {
            let drawn = format!("{curve:width$}");
            let chart = drawn.lines().skip(1);
            assert!(chart.into_iter().all(|line| line.width() <= width), "{drawn}");
            assert!(drawn.contains("123456 things"), "{drawn}");
        }
    }

    #[test]
    fn a_curve_is_drawn_with_sizes_by_their_logarithm() {
        let drawn = curve(&[(10, 1.0, 0.9), (100, 0.5, 0.5), (1000, 0.0, 0.2)]).to_string();
        insta::assert_snapshot!(drawn);
    }
}
