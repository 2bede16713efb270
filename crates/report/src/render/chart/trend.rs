//! Points with intervals along an axis: a suite over time, a score by the size of the world.

use jiff::Timestamp;
use toolgauge_core::Case;

use super::axis::{Axis, multiples};
use super::drawing::{SERIES, name, share};
use super::forest::{Forest, ForestRow};
use super::plot::{Frame, Plot, Series};
use super::width::ChartWidth;
use super::{Chart, ChartKind, Drawing};
use crate::number::estimate;
use crate::rate::Rate;
use crate::summary::Summary;
use crate::trend::TrendPoint;

/// How many points are drawn: the latest.
const MOST_POINTS: usize = 200;

/// The score of a suite over time, with a mark wherever something changed; absent without runs.
pub fn trend(points: &[TrendPoint]) -> Option<Chart> {
    let points = &points[points.len().saturating_sub(MOST_POINTS)..];
    let span = (seconds(points.first()?.at), seconds(points.last()?.at));
    let words: Vec<String> = points.iter().map(in_words).collect();
    let description = format!("Score over time with 95 % interval. {}.", words.join("; "));
    let draw = |room| draw_trend(points, span, room);
    Some(Chart::new(ChartKind::Trend, title(points)?, description, draw))
}

/// What the chart says. Runs of several subjects are no development of one.
fn title(points: &[TrendPoint]) -> Option<String> {
    if one_subject_each(points).count() > 1 {
        let better = |a: &&TrendPoint, b: &&TrendPoint| a.score.mean.total_cmp(&b.score.mean);
        let best = points.iter().max_by(better)?;
        return Some(format!("Best so far: {:.3}, {}", best.score.mean, name(&best.label)));
    }
    let [from, to] =
        [points.first()?, points.last()?].map(|point| format!("{:.3}", point.score.mean));
    Some(match points.len() {
        1 => format!("One run, with a score of {to}"),
        runs if from == to => format!("Score over {runs} runs: {from} at first and at last"),
        runs => format!("Score over {runs} runs: from {from} to {to}"),
    })
}

/// The points in pieces, each of runs of one subject.
fn one_subject_each(points: &[TrendPoint]) -> impl Iterator<Item = &[TrendPoint]> {
    points.chunk_by(|_, next| !next.changed.contains(&"model"))
}

fn draw_trend(points: &[TrendPoint], (first, last): (f64, f64), room: ChartWidth) -> Drawing {
    // Marks nearer to each other than such a part of the axis share their words, which stand at
    // such a score.
    let (height, steps, near, mark_height) = match room {
        ChartWidth::Wide => (320.0, 7.0, 12.0, 0.93),
        ChartWidth::Narrow => (250.0, 4.0, 4.0, 0.89),
    };
    let axis = TimeAxis::of(first, last, steps);
    let marks = marks(points, (axis.to - axis.from) / near);
    let title = if marks.is_empty() { "" } else { "dashed: something changed" };
    let mut plot = frame(room, height, axis.axis(title)).plot();
    for (at, words) in marks {
        let place = room.beside((at - axis.from) / (axis.to - axis.from), &words);
        plot.mark(at);
        plot.note(&words, (axis.from + place * (axis.to - axis.from), mark_height));
    }
    // A line between two subjects would look like a development.
    for points in one_subject_each(points) {
        series(&mut plot, points.iter().map(|point| (seconds(point.at), point.score)));
    }
    plot.draw()
}

/// A plot of scores along an axis.
fn frame(room: ChartWidth, height: f64, x: Axis) -> Frame {
    let y = Axis::round(0.0, 1.0, "score");
    Frame { room, height, x, y, grid: true, legend: Vec::new() }
}

/// Where something changed, and what. What changed within `near` seconds shares a mark, whose
/// words would otherwise be written over each other.
fn marks(points: &[TrendPoint], near: f64) -> Vec<(f64, String)> {
    let mut marks: Vec<(f64, Vec<&str>)> = Vec::new();
    for point in points.iter().filter(|point| !point.changed.is_empty()) {
        let at = seconds(point.at);
        match marks.last_mut().filter(|(last, _)| at - *last < near) {
            Some((_, words)) => {
                words.extend(&point.changed);
                words.sort_unstable();
                words.dedup();
            }
            None => marks.push((at, point.changed.clone())),
        }
    }
    marks.into_iter().map(|(at, words)| (at, words.join(", "))).collect()
}

fn in_words(point: &TrendPoint) -> String {
    let changed = match point.changed.as_slice() {
        [] => String::new(),
        changed => format!(" (changed: {})", changed.join(", ")),
    };
    let score = estimate(&point.score);
    format!("{} {} {score}{changed}", point.at.strftime("%F %H:%M"), name(&point.label))
}

/// Points with intervals, joined by a line.
fn series(plot: &mut Plot, points: impl Iterator<Item = (f64, Rate)>) {
    let points: Vec<(f64, Rate)> = points.collect();
    let line = Series { color: SERIES[0], dashes: "", label: String::new() };
    plot.curve(points.iter().map(|(x, rate)| (*x, share(rate.mean))), &line, 1.5);
    for (x, rate) in points {
        let ends = (share(rate.low), share(rate.high));
        plot.interval_upwards(x, share(rate.mean), ends, SERIES[0]);
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds since 1970 stay far below 2^52")]
fn seconds(at: Timestamp) -> f64 {
    at.as_second() as f64
}

/// An axis of time with a handful of ticks at round times.
#[derive(Clone, Copy)]
struct TimeAxis {
    from: f64,
    to: f64,
    step: f64,
}

impl TimeAxis {
    /// An axis from one time to another, with about so many steps at most.
    fn of(first: f64, last: f64, most: f64) -> Self {
        const STEPS: [f64; 15] = [
            60.0,
            300.0,
            900.0,
            3600.0,
            10_800.0,
            21_600.0,
            43_200.0,
            86_400.0,
            172_800.0,
            604_800.0,
            1_209_600.0,
            2_592_000.0,
            7_776_000.0,
            15_552_000.0,
            31_536_000.0,
        ];
        // A single run, or several within a second, would make an axis without any length.
        let span = (last - first).max(60.0);
        let fits = |step: &f64| span / step <= most;
        let step = STEPS.into_iter().find(fits).unwrap_or(span / 5.0);
        let margin = span * 0.04;
        let from = ((first - margin) / step).floor() * step;
        let to = ((last + margin) / step).ceil() * step;
        Self { from, to, step }
    }

    fn axis(self, title: &str) -> Axis {
        let ticks = multiples(self.step, self.from, self.to, |at| self.tick(at));
        Axis::new(self.from, self.to, title).with_ticks(ticks)
    }

    #[expect(clippy::cast_possible_truncation, reason = "ticks are whole seconds")]
    fn tick(self, at: f64) -> String {
        let Ok(time) = Timestamp::from_second(at.round() as i64) else { return String::new() };
        let format = match self.step {
            step if step < 86_400.0 => "%m-%d %H:%M",
            step if step < 2_592_000.0 => "%m-%d",
            _ => "%Y-%m",
        };
        time.strftime(format).to_string()
    }
}

/// The score in worlds of one size.
#[derive(Clone, Debug)]
pub struct TierScore {
    /// The tag that tells the size.
    pub tag: String,
    /// The size: a name, or a number of things.
    pub label: String,
    /// How many things there are in such a world, where that is known.
    pub size: Option<u64>,
    /// The score there.
    pub score: Rate,
}

/// Tags that say how large a world is, the most telling first, behind the name of its things.
const SIZES: [&str; 2] = ["size", "tier"];

/// Names of sizes in their order.
const TIERS: [&str; 8] =
    ["tiny", "small", "medium", "large", "huge", "enormous", "gigantic", "unlimited"];

impl TierScore {
    /// The score by the size of the world, from small to large: by the number of its things
    /// where that is known, else by what its tag says. Empty if no tag tells sizes.
    pub fn of(summary: &Summary) -> Vec<Self> {
        let tiers = summary.tiers.as_ref();
        let of_tiers = tiers.map_or("tier", |tiers| tiers.tag);
        let ordered = |tag: &str| {
            let values = summary.tags.get(tag)?;
            let known = |label: &str| (tag == of_tiers).then(|| size(summary, label)).flatten();
            let all_known = values.keys().all(|label| known(label).is_some());
            let mut found = Vec::new();
            for (label, score) in values {
                let size = known(label);
                let rank = if all_known { size.map(as_number) } else { rank(label) };
                // One value that is no size makes the whole tag useless for an axis; the next tag
                // is tried.
                let tag = tag.to_owned();
                found.push((rank?, Self { tag, label: label.clone(), size, score: *score }));
            }
            found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            Some(found.into_iter().map(|(_, tier)| tier).collect())
        };
        let things = tiers.map(|tiers| &*tiers.words.things);
        // Where a run has tiers of another kind, it was made for their sake.
        let first = Some(of_tiers).filter(|tag| !SIZES.contains(tag));
        first.into_iter().chain(things).chain(SIZES).find_map(ordered).unwrap_or_default()
    }
}

/// How many things the world of a tier has.
fn size(summary: &Summary, tier: &str) -> Option<u64> {
    let tiers = &summary.tiers.as_ref()?.tiers;
    tiers.iter().find(|known| known.name == tier)?.size
}

#[expect(clippy::cast_precision_loss, reason = "worlds stay far below 2^52 things")]
fn as_number(size: u64) -> f64 {
    size as f64
}

/// Where a size belongs: by its number, or by its name.
fn rank(label: &str) -> Option<f64> {
    let number = label.parse::<f64>().ok().filter(|number| number.is_finite());
    let named = || TIERS.iter().position(|tier| label.eq_ignore_ascii_case(tier));
    number.or_else(|| named().and_then(|place| u32::try_from(place).ok()).map(f64::from))
}

/// The score by the size of the world, from small to large; absent for fewer than two sizes.
pub fn tiers(tiers: &[TierScore]) -> Option<Chart> {
    if tiers.len() < 2 {
        return None;
    }
    let named = |tier: &TierScore| match tier.size {
        Some(size) => format!("{} ({size})", tier.label),
        None => tier.label.clone(),
    };
    let names: Vec<String> = tiers.iter().map(named).collect();
    let words = names.iter().zip(tiers);
    let words: Vec<String> =
        words.map(|(size, tier)| format!("{} {}", name(size), estimate(&tier.score))).collect();
    let axis = axis(tiers);
    let description = format!("Score by the {axis}. {}.", words.join("; "));
    let draw = |room| match room {
        ChartWidth::Wide => tiers_along_an_axis(tiers, &names),
        ChartWidth::Narrow => tiers_in_rows(tiers, &names),
    };
    let by_score = |one: &&usize, other: &&usize| {
        tiers[**one].score.mean.total_cmp(&tiers[**other].score.mean)
    };
    let places: Vec<usize> = (0..tiers.len()).collect();
    let words =
        |place: &usize| format!("{} ({:.3})", name(&tiers[*place].label), tiers[*place].score.mean);
    let best = places.iter().max_by(by_score).map(words).unwrap_or_default();
    let worst = places.iter().min_by(by_score).map(words).unwrap_or_default();
    let title = format!("Score by the {axis}: best in {best}, worst in {worst}");
    Some(Chart::new(ChartKind::Tiers, title, description, draw))
}

/// What sizes are sizes of.
fn axis(tiers: &[TierScore]) -> &'static str {
    let by_decoys = tiers.first().is_some_and(|tier| tier.tag == Case::DECOYS);
    if by_decoys { "number of decoys" } else { "size of the world" }
}

fn tiers_along_an_axis(tiers: &[TierScore], names: &[String]) -> Drawing {
    let place = |place: usize| u32::try_from(place + 1).map_or(0.0, f64::from);
    let ticks = names.iter().enumerate().map(|(at, size)| (place(at), name(size)));
    let axis = Axis::new(0.0, place(tiers.len()), axis(tiers)).with_ticks(ticks);
    let mut plot = frame(ChartWidth::Wide, 300.0, axis).plot();
    series(&mut plot, tiers.iter().enumerate().map(|(at, tier)| (place(at), tier.score)));
    plot.draw()
}

/// The sizes one below another: their names would not fit beside each other.
fn tiers_in_rows(tiers: &[TierScore], names: &[String]) -> Drawing {
    let row = |(tier, name): (&TierScore, &String)| ForestRow {
        label: name.clone(),
        value: share(tier.score.mean),
        low: share(tier.score.low),
        high: share(tier.score.high),
    };
    let rows: Vec<ForestRow> = tiers.iter().zip(names).map(row).collect();
    Forest { rows: &rows, zero: None, from: 0.0, to: 1.0, axis: "score" }.draw(ChartWidth::Narrow)
}
