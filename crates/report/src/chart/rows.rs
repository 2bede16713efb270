//! Rows one below another, each with its name: before it, or above it where there is little room.

use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use maud::html;

use super::Drawing;
use super::drawing::{Frame, name};
use super::room::Room;

/// How high a row is with its name before it, and what the axis below all rows takes.
const WIDE: (f64, f64) = (26.0, 70.0);

/// How high a row is with its name above it, and what the axis takes.
const NARROW: (f64, f64) = (36.0, 48.0);

/// What is left free above and beside rows whose names are above them.
const TOP: f64 = 4.0;
const SIDE: f64 = 16.0;

/// How far the foot of a name is above the middle of its row.
const ABOVE: f64 = 10.0;

/// Draws rows for a room: `plots` show one thing for each of the names, from the top.
#[expect(clippy::cast_precision_loss, reason = "a few dozen rows")]
pub(super) fn draw(
    plots: Vec<Plot>,
    names: &[&str],
    room: Room,
    axes: impl FnOnce(Layout) -> Layout,
) -> Drawing {
    let rows = names.len() as f64;
    match room {
        Room::Wide => Frame::of(&plots, room, WIDE.1 + WIDE.0 * rows).with(axes).draw(plots),
        Room::Narrow => {
            let height = TOP + NARROW.0 * rows + NARROW.1;
            let mut drawing =
                Frame::of(&plots, room, height).with(axes).with(below_names).draw(plots);
            drawing.body.push_str(&above(names));
            drawing
        }
    }
}

/// A layout without names, whose rows are where [`above`] expects them.
fn below_names(layout: Layout) -> Layout {
    let mut layout = layout.with_force_margins(SIDE, SIDE).with_force_margins_y(TOP, NARROW.1);
    layout.suppress_y_ticks = true;
    layout
}

/// The names, each above the middle of its row. What is drawn behind a letter is kept off it.
fn above(names: &[&str]) -> String {
    let mut foot = TOP + NARROW.0 / 2.0 - ABOVE;
    let mut words = String::new();
    for row in names {
        let text = html! {
            text x=(SIDE + 4.0) y=(foot) font-size=(Room::Narrow.letters()) stroke="var(--raised)"
                stroke-width="3" paint-order="stroke" { (name(row)) }
        };
        words.push_str(&text.into_string());
        foot += NARROW.0;
    }
    words
}
