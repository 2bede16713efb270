//! How long trials took: the share of trials done within a time.

use super::axis::{Axis, multiples};
use super::drawing::{SERIES, name};
use super::plot::{Frame, Series};
use super::width::ChartWidth;
use super::{Chart, ChartKind, Drawing};
use crate::distribution::{Distribution, STEPS};
use crate::number::seconds;

/// Times shorter or longer than this are drawn at the border.
const RANGE: (f64, f64) = (1e-6, 1e6);

/// Words, and the time and the share around which they are written.
type Note = (&'static str, (f64, f64));

impl Distribution {
    /// How many trials took how long, from the fastest to the slowest but one in a hundred, as a
    /// curve in a line of text. Times are on a logarithmic scale.
    pub fn sparkline(&self) -> String {
        const BINS: u32 = 16;
        let log = |percent| drawn(self.percentile(percent)).ln();
        let (low, high) = (log(0), log(99));
        let width = (high - low) / f64::from(BINS);
        if width <= 0.0 {
            return String::new();
        }
        let mut bins = [0.0; BINS as usize];
        for time in &self.quantiles[..=(STEPS as usize * 99 / 100)] {
            let place = (drawn(*time).ln() - low) / width;
            let bin = (0..BINS - 1).find(|bin| place < f64::from(bin + 1)).unwrap_or(BINS - 1);
            bins[bin as usize] += 1.0;
        }
        let most = bins.iter().copied().fold(0.0, f64::max);
        crate::render::spark::sparkline(bins, most)
    }

    /// The lines of the median and of the time nearly all trials were done within, and their
    /// words, at the foot, where the curve has gone by already. Two lines that are close share
    /// their words.
    fn marks(&self, room: ChartWidth) -> ([f64; 2], Vec<Note>) {
        const FOOT: f64 = 0.01;
        const ABOVE: f64 = 0.1;
        let lines = [50, 95].map(|percent| drawn(self.percentile(percent)));
        let TimeScale { from, decades, .. } = TimeScale::of(std::slice::from_ref(self), room);
        let [median, most] = lines.map(|time| (time.log10() - from) / decades);
        let written = |words, line, share| {
            (words, (10_f64.powf(from + room.beside(line, words) * decades), share))
        };
        let words = match (most - median) / room.width_of("p50") {
            apart if apart > 1.5 => {
                // Both are between the lines if the second has no place on its right.
                let meet = apart < 2.5 && room.beside(most, "p95") < most;
                let second = if meet { ABOVE } else { FOOT };
                vec![written("p50", median, FOOT), written("p95", most, second)]
            }
            _ if room.beside(most, "p50, p95") < most => vec![written("p50, p95", median, FOOT)],
            _ => vec![written("p50, p95", most, FOOT)],
        };
        (lines, words)
    }

    /// The curve: times and shares.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let shares = (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS));
        self.quantiles.iter().map(|time| drawn(*time)).zip(shares)
    }
}

fn drawn(time: f64) -> f64 {
    time.clamp(RANGE.0, RANGE.1)
}

/// One curve for each distribution, with the percentiles of the first marked if it is alone;
/// absent without any, and for a single run whose trials all took the same time: its figures say
/// all that the curve would.
pub fn latency(curves: &[Distribution]) -> Option<Chart> {
    let curves = &curves[..curves.len().min(SERIES.len())];
    if curves.is_empty() || matches!(curves, [curve] if curve.is_flat()) {
        return None;
    }
    let words: Vec<String> = curves.iter().map(in_words).collect();
    let description = format!("Share of trials done within a time. {}.", words.join("; "));
    let title = match curves {
        [curve] => {
            let [half, most] = [50, 95].map(|percent| seconds(curve.percentile(percent)));
            format!("Latency: half of the trials are done within {half}, 95 % within {most}")
        }
        curves => {
            let by_median = |one: &&Distribution, other: &&Distribution| {
                one.percentile(50).total_cmp(&other.percentile(50))
            };
            let words = |curve: &Distribution| {
                format!("{} ({})", name(&curve.label), seconds(curve.percentile(50)))
            };
            let fastest = curves.iter().min_by(by_median).map(words).unwrap_or_default();
            let slowest = curves.iter().max_by(by_median).map(words).unwrap_or_default();
            format!("Latency: median lowest in {fastest}, highest in {slowest}")
        }
    };
    Some(Chart::new(ChartKind::Latency, title, description, |room| draw(curves, room)))
}

fn draw(curves: &[Distribution], room: ChartWidth) -> Drawing {
    const DASHES: [&str; 4] = ["", "8,4", "2,3", "8,4,2,4"];
    let series = curves.iter().zip(SERIES).zip(DASHES.into_iter().cycle());
    let series: Vec<Series> = series
        .map(|((curve, color), dashes)| Series { color, dashes, label: shortened(&curve.label) })
        .collect();
    let scale = TimeScale::of(curves, room);
    let mut plot = Frame {
        room,
        height: height(curves.len(), room),
        x: scale.axis(),
        y: Axis::round(0.0, 1.0, "share of trials"),
        grid: true,
        legend: if curves.len() > 1 { series.clone() } else { Vec::new() },
    }
    .plot();
    let coarseness = if room == ChartWidth::Wide { 1 } else { 2 };
    for (curve, series) in curves.iter().zip(&series) {
        let points = curve.points().step_by(coarseness);
        plot.curve(points.map(|(time, share)| (time.log10(), share)), series, 2.0);
    }
    if let [curve] = curves {
        let (lines, words) = curve.marks(room);
        for line in lines {
            plot.mark(line.log10());
        }
        for (words, (time, share)) in words {
            plot.note(words, (time.log10(), share));
        }
    }
    plot.draw()
}

/// How high a chart of so many curves is. A legend is beside the curves, or below them where
/// there is little room.
#[expect(clippy::cast_precision_loss, reason = "a handful of curves")]
fn height(curves: usize, room: ChartWidth) -> f64 {
    match room {
        ChartWidth::Wide => 300.0,
        ChartWidth::Narrow if curves == 1 => 230.0,
        ChartWidth::Narrow => 260.0 + 18.0 * curves as f64,
    }
}

/// The axis, which goes from one power of ten to another.
#[derive(Clone, Copy)]
struct TimeScale {
    from: f64,
    decades: f64,
    /// Every which power of ten has words, and nothing between them, where words would not fit.
    every: Option<f64>,
}

impl TimeScale {
    fn of(curves: &[Distribution], room: ChartWidth) -> Self {
        let log = |curve: &Distribution, percent| drawn(curve.percentile(percent)).log10();
        let first = curves.iter().map(|curve| log(curve, 0)).fold(f64::INFINITY, f64::min);
        let last = curves.iter().map(|curve| log(curve, 100)).fold(f64::NEG_INFINITY, f64::max);
        let from = first.floor();
        let decades = (last.ceil() - from).max(1.0);
        let every = (room == ChartWidth::Narrow && decades > 1.0).then(|| (decades / 4.0).ceil());
        Self { from, decades, every }
    }

    /// The axis by the logarithm of times.
    fn axis(self) -> Axis {
        let to = self.from + self.decades;
        let every = self.every.unwrap_or(1.0);
        let mut ticks = multiples(1.0, 0.0, self.decades / every, |_| String::new());
        for (step, words) in &mut ticks {
            *step = self.from + *step * every;
            *words = short_time(10_f64.powf(*step));
        }
        // Where powers of ten are far apart, there is room for words between them.
        if self.every.is_none() && self.decades < 4.0 {
            let between = ticks.clone().into_iter().flat_map(|(power, _)| {
                [2.0_f64, 5.0].map(|times| (power + times.log10(), times * 10_f64.powf(power)))
            });
            let inside = between.filter(|(at, _)| *at < to);
            ticks.extend(inside.map(|(at, time)| (at, short_time(time))));
            ticks.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        }
        Axis::new(self.from, to, "time").with_ticks(ticks)
    }
}

fn in_words(curve: &Distribution) -> String {
    let at = |percent| seconds(curve.percentile(percent));
    let name = name(&curve.label);
    format!("{name}: p50 {}, p90 {}, p95 {}, p99 {}", at(50), at(90), at(95), at(99))
}

/// A label that leaves the curves room.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(22).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    name(&short)
}

/// A tick's time without digits that say nothing.
fn short_time(value: f64) -> String {
    let number = |value: f64| {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match value {
        value if value < 0.000_999 => format!("{} µs", number(value * 1e6)),
        value if value < 0.999 => format!("{} ms", number(value * 1e3)),
        value => format!("{} s", number(value)),
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    /// The words beside the lines, and whether they stand on the right of the second.
    fn words(times: &[f64]) -> Vec<(&'static str, bool)> {
        let curve = Distribution::of("run", times.to_vec()).unwrap();
        let ([_, most], words) = curve.marks(ChartWidth::Wide);
        words.into_iter().map(|(words, (at, _))| (words, at > most)).collect()
    }

    #[test]
    fn lines_that_are_close_share_their_words() {
        assert_eq!(words(&[0.1, 0.2, 0.4, 5.0, 5.5]), [("p50", false), ("p95", true)]);
        assert_eq!(words(&[0.5, 0.5, 0.5]), [("p50, p95", true)]);
        assert_eq!(words(&[0.50, 0.52, 0.53, 0.55]), [("p50, p95", true)]);
    }

    #[test]
    fn equal_times_are_no_curve() {
        let chart = |times: &[f64]| latency(&[Distribution::of("run", times.to_vec()).unwrap()]);
        assert!(chart(&[0.050, 0.051, 0.052, 0.054]).is_none());
        assert!(chart(&[0.050, 0.051, 0.052, 0.090]).is_some());
    }

    #[test]
    fn words_stay_inside_the_chart() {
        assert_eq!(words(&[0.1, 0.2, 9.9, 9.9, 9.9]), [("p50, p95", false)]);
        assert_eq!(words(&[0.1, 0.2, 0.4, 9.9, 9.9]), [("p50", false), ("p95", false)]);
    }

    #[test]
    fn words_that_would_meet_stand_one_above_the_other() {
        let curve = Distribution::of("run", vec![0.1, 0.2, 4.5, 4.5, 9.9, 9.9]).unwrap();
        let heights = |room| curve.marks(room).1.into_iter().map(|(_, (_, at))| at).collect();
        let (wide, narrow): (Vec<f64>, Vec<f64>) =
            (heights(ChartWidth::Wide), heights(ChartWidth::Narrow));
        assert_eq!((wide[0].total_cmp(&wide[1]), narrow.len()), (Ordering::Equal, 2));
        assert!(narrow[0] < narrow[1], "{narrow:?}");
    }

    #[test]
    fn many_powers_of_ten_have_words_at_equal_distances() {
        let curve = Distribution::of("run", vec![2e-6, 8.0]).unwrap();
        let worded = |room| {
            let axis = TimeScale::of(std::slice::from_ref(&curve), room).axis();
            axis.ticks.into_iter().map(|(_, words)| words).collect::<Vec<_>>()
        };
        assert_eq!(worded(ChartWidth::Wide).len(), 8);
        assert_eq!(worded(ChartWidth::Narrow), ["1 µs", "100 µs", "10 ms", "1 s"]);
    }

    #[test]
    fn ticks_have_the_unit_that_reads_best() {
        assert_eq!(short_time(1e-5), "10 µs");
        assert_eq!(short_time(0.001), "1 ms");
        assert_eq!(short_time(0.5), "500 ms");
        assert_eq!(short_time(10.0), "10 s");
    }
}
