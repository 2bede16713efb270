//! Rows one below another, each with its name: before it, or above it where there is little room.

use super::Drawing;
use super::axis::Axis;
use super::drawing::name;
use super::plot::{Frame, Plot};
use super::width::ChartWidth;

/// How high a row is with its name before it, and what the axis below all rows takes.
const WIDE: (f64, f64) = (26.0, 70.0);

/// How high a row is with its name above it, and what the axis takes.
const NARROW: (f64, f64) = (36.0, 58.0);

/// Draws rows for a room. `shape` puts one thing into each of them, which it is given by its
/// number and its place on the vertical axis.
pub(super) fn draw(
    names: &[&str],
    room: ChartWidth,
    axis: Axis,
    mark: Option<f64>,
    shape: impl Fn(&mut Plot, usize, f64),
) -> Drawing {
    let middles: Vec<f64> = (0..names.len()).map(|row| place(row) + 0.5).collect();
    let shown: Vec<String> = names.iter().map(|row| name(row)).collect();
    let (row_height, rest) = if room == ChartWidth::Wide { WIDE } else { NARROW };
    let rows = place(names.len());
    // Upside down, so that the first row is on top.
    let mut y = Axis::new(rows, 0.0, "");
    if room == ChartWidth::Wide {
        y = y.with_ticks(middles.iter().copied().zip(shown.iter().cloned()));
    }
    let height = rest + row_height * rows;
    let mut plot = Frame { room, height, x: axis, y, grid: false, legend: Vec::new() }.plot();
    if let Some(mark) = mark {
        plot.mark(mark);
    }
    for (row, middle) in middles.iter().enumerate() {
        shape(&mut plot, row, *middle);
    }
    if room == ChartWidth::Narrow {
        for (words, middle) in shown.iter().zip(&middles) {
            plot.name_above(words, *middle);
        }
    }
    plot.draw()
}

#[expect(clippy::cast_precision_loss, reason = "a few dozen rows")]
fn place(row: usize) -> f64 {
    row as f64
}
