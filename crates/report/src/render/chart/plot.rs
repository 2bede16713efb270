//! Shapes inside a pair of axes, as SVG.

use std::fmt::Write;

use maud::{Markup, html};

use super::Drawing;
use super::axis::Axis;
use super::width::ChartWidth;

/// What is left free between things that must not touch.
const GAP: f64 = 6.0;

/// How long the line of a tick is.
const TICK: f64 = 5.0;

/// What the ticks below an axis take, and what its title takes below them.
const BELOW: (f64, f64) = (24.0, 24.0);

/// What is left free above an axis and at its right end.
const TOP: f64 = 10.0;
const RIGHT: f64 = 12.0;

/// How high the letters of an axis' title are.
const TITLE: f64 = 12.0;

/// How high a line of a legend is, and how long the line before its words.
const LEGEND: (f64, f64) = (18.0, 24.0);

/// The colour of axes, of the lines that mark something, and of lines behind everything.
const SOFT: &str = "var(--ink-soft)";
const GRID: &str = "var(--line)";

/// What is drawn as a line: its colour, its dashes, and its name in the legend.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) color: &'static str,
    /// As SVG has them; a whole line has none.
    pub(super) dashes: &'static str,
    pub(super) label: String,
}

/// How a plot is laid out.
pub(super) struct Frame {
    pub(super) room: ChartWidth,
    pub(super) height: f64,
    pub(super) x: Axis,
    pub(super) y: Axis,
    /// Whether every tick has a line across.
    pub(super) grid: bool,
    /// What the legend explains: beside the plot, or below it where there is little room.
    pub(super) legend: Vec<Series>,
}

/// The plot while shapes are put into it.
pub(super) struct Plot {
    frame: Frame,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    body: String,
}

impl Frame {
    /// The plot with its axes and its legend, and nothing in it.
    pub(super) fn plot(self) -> Plot {
        let room = self.room;
        let width_of = |(_, words): &(f64, String)| room.pixels(words);
        let half = |tick: Option<&(f64, String)>| tick.map_or(0.0, |tick| width_of(tick) / 2.0);
        let widest = self.y.ticks.iter().map(width_of).fold(0.0, f64::max);
        let named = if widest > 0.0 { widest + TICK + 2.0 * GAP } else { 0.0 };
        let titled = if self.y.title.is_empty() { 0.0 } else { TITLE + GAP };
        // Words of the first and the last tick are centred on it and would be cut off at the
        // border.
        let left = (named + titled).max(half(self.x.ticks.first()) + 2.0).max(16.0);
        let right = (half(self.x.ticks.last()) + 2.0).max(RIGHT);
        let legend =
            self.legend.iter().map(|series| room.pixels(&series.label)).fold(0.0, f64::max);
        let (beside, under) = match (room, self.legend.len()) {
            (_, 0) => (0.0, 0.0),
            (ChartWidth::Wide, _) => (legend + LEGEND.1 + 2.0 * GAP, 0.0),
            (ChartWidth::Narrow, lines) => (0.0, LEGEND.0 * count(lines) + GAP),
        };
        let below = BELOW.0 + if self.x.title.is_empty() { GAP } else { BELOW.1 };
        let mut plot = Plot {
            left,
            top: TOP,
            width: room.width() - left - right - beside,
            height: self.height - TOP - below - under,
            body: String::new(),
            frame: self,
        };
        plot.axes();
        plot.legend();
        plot
    }
}

impl Plot {
    /// A point of the drawing by its values on both axes.
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let across = self.left + self.frame.x.share(x) * self.width;
        (across, self.foot() - self.frame.y.share(y) * self.height)
    }

    fn foot(&self) -> f64 {
        self.top + self.height
    }

    /// Puts a shape into the plot, over those that are there.
    fn add(&mut self, shape: Markup) {
        self.body.push_str(&shape.into_string());
    }

    fn axes(&mut self) {
        let (left, right) = (self.left, self.left + self.width);
        let (top, foot) = (self.top, self.foot());
        let across: Vec<f64> =
            self.frame.x.ticks.iter().map(|(at, _)| self.at((*at, 0.0)).0).collect();
        let upwards: Vec<f64> =
            self.frame.y.ticks.iter().map(|(at, _)| self.at((0.0, *at)).1).collect();
        if self.frame.grid {
            for x in &across {
                self.add(straight((*x, top), (*x, foot), GRID, 1.0));
            }
            for y in &upwards {
                self.add(straight((left, *y), (right, *y), GRID, 1.0));
            }
        }
        self.add(straight((left, foot), (right, foot), SOFT, 1.0));
        self.add(straight((left, top), (left, foot), SOFT, 1.0));
        self.ticks_below(&across);
        self.ticks_before(&upwards);
        self.titles();
    }

    /// The ticks of the horizontal axis. Words that would run into those before are left out.
    fn ticks_below(&mut self, places: &[f64]) {
        let (foot, room) = (self.foot(), self.frame.room);
        // Taken out since adding a shape borrows the whole plot.
        let ticks = std::mem::take(&mut self.frame.x.ticks);
        let mut free_from = f64::NEG_INFINITY;
        for (x, (_, words)) in places.iter().zip(&ticks) {
            self.add(straight((*x, foot), (*x, foot + TICK), SOFT, 1.0));
            let half = room.pixels(words) / 2.0;
            if !words.is_empty() && x - half > free_from {
                free_from = x + half + GAP;
                self.add(text(
                    (*x, foot + TICK + f64::from(room.letters())),
                    room,
                    "middle",
                    words,
                ));
            }
        }
        self.frame.x.ticks = ticks;
    }

    fn ticks_before(&mut self, places: &[f64]) {
        let (left, room) = (self.left, self.frame.room);
        let ticks = std::mem::take(&mut self.frame.y.ticks);
        for (y, (_, words)) in places.iter().zip(&ticks) {
            self.add(straight((left - TICK, *y), (left, *y), SOFT, 1.0));
            // The middle of small letters is about a third of their height above their foot.
            let foot = y + f64::from(room.letters()) * 0.36;
            self.add(text((left - TICK - 3.0, foot), room, "end", words));
        }
        self.frame.y.ticks = ticks;
    }

    fn titles(&mut self) {
        let (x, y) = (self.left + self.width / 2.0, self.top + self.height / 2.0);
        let below = self.foot() + BELOW.0 + TITLE;
        if !self.frame.x.title.is_empty() {
            let title = html! {
                text x=(short(x)) y=(short(below)) font-size=(TITLE) text-anchor="middle" { (self.frame.x.title) }
            };
            self.add(title);
        }
        if !self.frame.y.title.is_empty() {
            let turned = format!("translate({} {}) rotate(-90)", TITLE + 1.0, short(y));
            let title = html! {
                text transform=(turned) font-size=(TITLE) text-anchor="middle" { (self.frame.y.title) }
            };
            self.add(title);
        }
    }

    fn legend(&mut self) {
        let room = self.frame.room;
        let (left, mut middle) = match room {
            ChartWidth::Wide => (self.left + self.width + 2.0 * GAP, self.top + GAP),
            ChartWidth::Narrow => (self.left, self.foot() + BELOW.0 + BELOW.1 + LEGEND.0 / 2.0),
        };
        for series in self.frame.legend.clone() {
            let end = left + LEGEND.1 - GAP;
            self.add(html! {
                line x1=(short(left)) y1=(short(middle)) x2=(short(end)) y2=(short(middle))
                    stroke=(series.color) stroke-width="2" stroke-dasharray=[dashes(&series)] {}
            });
            let foot = middle + f64::from(room.letters()) * 0.36;
            self.add(text((left + LEGEND.1, foot), room, "start", &series.label));
            middle += LEGEND.0;
        }
    }

    /// A curve through points.
    pub(super) fn curve(
        &mut self,
        points: impl IntoIterator<Item = (f64, f64)>,
        series: &Series,
        width: f64,
    ) {
        let mut path = String::new();
        for (x, y) in points.into_iter().map(|point| self.at(point)) {
            let command = if path.is_empty() { "M" } else { "L" };
            // Writing to a string cannot fail.
            let _ = write!(path, "{command}{} {}", short(x), short(y));
        }
        self.add(html! {
            path d=(path) fill="none" stroke=(series.color) stroke-width=(width)
                stroke-linejoin="round" stroke-dasharray=[dashes(series)] {}
        });
    }

    /// A value with its interval on a row.
    pub(super) fn interval_across(
        &mut self,
        value: f64,
        (low, high): (f64, f64),
        y: f64,
        color: &str,
    ) {
        const CAP: f64 = 4.0;
        const MARK: f64 = 9.0;
        let [(low, y), (high, _), (value, _)] = [low, high, value].map(|x| self.at((x, y)));
        self.add(straight((low, y), (high, y), color, 1.5));
        self.add(straight((low, y - CAP), (low, y + CAP), color, 1.5));
        self.add(straight((high, y - CAP), (high, y + CAP), color, 1.5));
        self.add(html! {
            rect x=(short(value - MARK / 2.0)) y=(short(y - MARK / 2.0)) width=(MARK) height=(MARK) fill=(color) {}
        });
    }

    /// A value with its interval at a place of the horizontal axis.
    pub(super) fn interval_upwards(
        &mut self,
        x: f64,
        value: f64,
        (low, high): (f64, f64),
        color: &str,
    ) {
        const CAP: f64 = 3.0;
        let [(x, low), (_, high), (_, value)] = [low, high, value].map(|y| self.at((x, y)));
        self.add(straight((x, low), (x, high), color, 1.0));
        self.add(straight((x - CAP, low), (x + CAP, low), color, 1.0));
        self.add(straight((x - CAP, high), (x + CAP, high), color, 1.0));
        self.add(html! { circle cx=(short(x)) cy=(short(value)) r="4.5" fill=(color) {} });
    }

    /// A bar from the vertical axis to a value, so thick.
    pub(super) fn bar(&mut self, value: f64, y: f64, thickness: f64, color: &str) {
        let (end, middle) = self.at((value, y));
        self.add(html! {
            rect x=(short(self.left)) y=(short(middle - thickness / 2.0)) width=(short(end - self.left))
                height=(short(thickness)) fill=(color) {}
        });
    }

    /// A dashed line across all rows at a value.
    pub(super) fn mark(&mut self, x: f64) {
        let (x, _) = self.at((x, 0.0));
        self.add(html! {
            line x1=(short(x)) y1=(short(self.top)) x2=(short(x)) y2=(short(self.foot()))
                stroke=(SOFT) stroke-width="1" stroke-dasharray="4,3" {}
        });
    }

    /// Words around a point.
    pub(super) fn note(&mut self, words: &str, point: (f64, f64)) {
        let place = self.at(point);
        self.add(text(place, self.frame.room, "middle", words));
    }

    /// Words above the middle of a row. What is drawn behind a letter is kept off it.
    pub(super) fn name_above(&mut self, words: &str, y: f64) {
        const ABOVE: f64 = 10.0;
        let (_, middle) = self.at((0.0, y));
        self.add(html! {
            text x=(short(self.left + 4.0)) y=(short(middle - ABOVE)) font-size=(self.frame.room.letters())
                stroke="var(--raised)" stroke-width="3" paint-order="stroke" { (words) }
        });
    }

    /// The finished drawing.
    pub(super) fn draw(self) -> Drawing {
        Drawing { width: self.frame.room.width(), height: self.frame.height, body: self.body }
    }
}

fn straight((x1, y1): (f64, f64), (x2, y2): (f64, f64), color: &str, width: f64) -> Markup {
    html! {
        line x1=(short(x1)) y1=(short(y1)) x2=(short(x2)) y2=(short(y2)) stroke=(color) stroke-width=(width) {}
    }
}

fn text((x, y): (f64, f64), room: ChartWidth, anchor: &str, words: &str) -> Markup {
    html! { text x=(short(x)) y=(short(y)) font-size=(room.letters()) text-anchor=(anchor) { (words) } }
}

fn dashes(series: &Series) -> Option<&str> {
    Some(series.dashes).filter(|dashes| !dashes.is_empty())
}

/// A length to a hundredth of a pixel, which no screen shows.
fn short(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
fn count(lines: usize) -> f64 {
    lines as f64
}
