//! Bars: dimensions with their intervals, lost points by cause.

use super::axis::Axis;
use super::drawing::{SERIES, name, share};
use super::forest::{Forest, ForestRow};
use super::width::ChartWidth;
use super::{Chart, ChartKind, Drawing, rows};
use crate::number::{counted, estimate};
use crate::rate::Rate;
use crate::summary::{LossCount, Summary};

/// How many bars are drawn.
const MOST_BARS: usize = 30;

/// The share of trials that pass by dimension; absent if nothing was judged on its own.
pub fn dimensions(summary: &Summary) -> Option<Chart> {
    let found = || summary.dimensions.iter().take(MOST_BARS);
    let row = |(dimension, rate): (&String, &Rate)| ForestRow {
        label: dimension.clone(),
        value: share(rate.mean),
        low: share(rate.low),
        high: share(rate.high),
    };
    let rows: Vec<ForestRow> = found().map(row).collect();
    let words: Vec<String> = found()
        .map(|(dimension, rate)| format!("{} {}", name(dimension), estimate(rate)))
        .collect();
    let description = format!("Share of trials that pass, 95 % interval. {}.", words.join("; "));
    let forest = Forest { rows: &rows, zero: None, from: 0.0, to: 1.0, axis: "share that passes" };
    // The weakest one is what the reader looks for.
    let weakest = found().reduce(|low, one| if one.1.mean < low.1.mean { one } else { low });
    let title = match weakest {
        Some((dimension, rate)) if rate.mean < 1.0 => {
            format!("Passed by dimension: least in {}, {:.3}", name(dimension), rate.mean)
        }
        _ => "Passed by dimension: all of them".to_owned(),
    };
    forest.chart(ChartKind::Dimensions, &title, description)
}

/// Lost points by cause, the costliest on top; absent if none cost anything.
pub fn losses(summary: &Summary) -> Option<Chart> {
    let costly = summary.losses.iter().filter(|loss| loss.points > 0.0).take(MOST_BARS);
    let costly: Vec<&LossCount> = costly.collect();
    if costly.is_empty() {
        return None;
    }
    let words: Vec<String> = costly
        .iter()
        .map(|loss| {
            format!("{} {:.2} ({})", loss.cause.words(), loss.points, counted(loss.count, "time"))
        })
        .collect();
    let description = format!("Points lost by cause. {}.", words.join("; "));
    let draw = |room| draw_losses(&costly, room);
    let all: f64 = summary.losses.iter().map(|loss| loss.points).sum();
    let (most, share) = (costly[0].cause.words(), costly[0].points / all * 100.0);
    let is_level = costly.get(1).is_some_and(|next| next.points >= costly[0].points);
    let word = if is_level { "costs as much as any" } else { "costs most" };
    let title = format!("Lost points by cause: {most} {word}, {share:.0} %");
    Some(Chart::new(ChartKind::Losses, title, description, draw))
}

fn draw_losses(costly: &[&LossCount], room: ChartWidth) -> Drawing {
    let names: Vec<&str> = costly.iter().map(|loss| loss.cause.words()).collect();
    let most = costly.iter().map(|loss| loss.points).fold(0.0, f64::max);
    // In little room the name of a row is above its bar.
    let thickness = if room == ChartWidth::Wide { 20.0 } else { 12.0 };
    rows::draw(&names, room, Axis::up_to(most, "points lost"), None, |plot, row, middle| {
        plot.bar(costly[row].points, middle, thickness, SERIES[1]);
    })
}
