//! Charts as SVG, the same for the report, the viewer and single files.
//!
//! Each chart is a pure function of results. Its bytes are the same for the same results; it
//! refers to nothing outside itself, needs no script and no inline style, and takes its colours
//! from the page around it, so that it follows light and dark. In a page it is drawn twice, for a
//! wide place and for a narrow one, so that its words stay readable on a phone.

mod axis;
mod bars;
mod difference;
mod distribution;
mod document;
mod drawing;
mod forest;
mod plot;
mod rows;
mod trend;
mod width;

use maud::{Markup, PreEscaped, html};

pub use bars::{dimensions, losses};
pub use difference::differences;
pub use distribution::latency;
pub use forest::{RunScore, scores};
pub use trend::{TierScore, tiers, trend};

pub use crate::distribution::Distribution;
pub use crate::trend::TrendPoint;

pub(crate) use drawing::Drawing;
use width::ChartWidth;

/// How much room the title of a chart takes in a file of its own.
const TITLE: f64 = 32.0;

/// A finished chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The name it goes by on the command line: see [`ChartKind`].
    pub kind: ChartKind,
    /// What it shows, as a heading.
    pub title: String,
    /// The same figures in words, for who cannot see it.
    pub description: String,
    wide: Drawing,
    narrow: Drawing,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident => $name:literal;)*) => {
        /// The charts there are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ChartKind {
            $($(#[doc = $doc])* $variant,)*
        }

        impl ChartKind {
            /// Every chart, in the order pages show them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name used on the command line and in files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it shows, in a line.
            pub fn words(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),*).trim_ascii(),)* }
            }
        }
    };
}

kinds! {
    /// The score of each run with its interval.
    Scores => "scores";
    /// The score of a suite over time, with marks where something changed.
    Trend => "trend";
    /// The share of correct verdicts by dimension, with intervals.
    Dimensions => "dimensions";
    /// The score by the size of the world, with intervals.
    Tiers => "tiers";
    /// Lost points by cause.
    Losses => "losses";
    /// How long trials took: the share of trials done within a time.
    Latency => "latency";
    /// The paired differences of two runs with their intervals.
    Differences => "differences";
}

impl Chart {
    pub(crate) fn new(
        kind: ChartKind,
        title: impl Into<String>,
        description: String,
        draw: impl Fn(ChartWidth) -> Drawing,
    ) -> Self {
        let (wide, narrow) = (draw(ChartWidth::Wide), draw(ChartWidth::Narrow));
        Self { kind, title: title.into(), description, wide, narrow }
    }

    /// The chart as a figure of a page that has the style sheet [`STYLE`](crate::html::STYLE),
    /// which shows the drawing that fits the place of the figure.
    /// The page gives it a name of its own, of letters, digits and dashes.
    pub fn figure(&self, id: &str) -> Markup {
        let id = plain_id(id);
        html! {
            figure.chart id=(id) {
                figcaption { (self.title) }
                (PreEscaped(self.svg(ChartWidth::Wide, &id)))
                (PreEscaped(self.svg(ChartWidth::Narrow, &id)))
            }
        }
    }

    /// The chart as an SVG element to put into a page, with this name.
    pub fn inline(&self, id: &str) -> String {
        self.svg(ChartWidth::Wide, &plain_id(id))
    }

    /// The chart as a file of its own, under its title: in fixed colours on white, which every
    /// program that draws SVG knows.
    pub fn file(&self) -> String {
        let title = html! { (self.title) }.into_string();
        let body = format!(
            "<rect width=\"100%\" height=\"100%\" fill=\"var(--ground)\"/><text x=\"14\" \
             y=\"24\" font-size=\"15\" font-weight=\"600\" fill=\"var(--ink)\">{title}</text>\
             <g transform=\"translate(0 {TITLE})\">{}</g>",
            self.wide.body
        );
        let wide = Drawing { height: self.wide.height + TITLE, body, ..self.wide };
        let svg = Self { wide, ..self.clone() }.inline(self.kind.name());
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", drawing::in_fixed_colors(&svg))
    }

    fn svg(&self, room: ChartWidth, id: &str) -> String {
        let (drawing, words) = match room {
            ChartWidth::Wide => (&self.wide, self.words(id).into_string()),
            // The words of the other drawing name this one too: they are in the page even where
            // that drawing is not shown.
            ChartWidth::Narrow => (&self.narrow, String::new()),
        };
        let (width, height, name) = (drawing.width, drawing.height, room.name());
        let body = &drawing.body;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{name}\" viewBox=\"0 0 {width} \
             {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\" font-family=\"system-ui, sans-serif\" \
             fill=\"var(--ink)\">{words}{body}</svg>"
        )
    }

    fn words(&self, id: &str) -> Markup {
        html! {
            title id={ (id) "-title" } { (self.title) }
            desc id={ (id) "-desc" } { (self.description) }
        }
    }
}

/// A name without anything that could break out of an attribute.
fn plain_id(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
    id.chars().map(plain).take(80).collect()
}
