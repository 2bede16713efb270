//! Columns by their headings: they say once how their cells are set.

use maud::{Markup, html};

use crate::harmless;

/// What a column holds, which says how its cells are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Words,
    Numbers,
    Intervals,
    Bars,
}

impl Holds {
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Words => "",
            Self::Numbers => "number",
            Self::Intervals => "interval",
            Self::Bars => "bar-column",
        }
    }
}

/// A column by its heading.
#[derive(Clone, Debug)]
pub struct Column {
    pub(super) heading: Markup,
    /// The heading as a stacked cell repeats it; empty where a cell explains itself.
    pub(super) label: String,
    pub(super) holds: Holds,
    pub(super) class: &'static str,
    pub(super) names_rows: bool,
    pub(super) order: Option<&'static str>,
}

impl Column {
    fn new(heading: Markup, label: &str, holds: Holds) -> Self {
        let label = harmless::line(label).into_owned();
        Self { heading, label, holds, class: "", names_rows: false, order: None }
    }

    /// A column of words.
    pub fn words(heading: &str) -> Self {
        Self::new(html! { (harmless::line(heading)) }, heading, Holds::Words)
    }

    /// A column of numbers, one below the other.
    pub fn numbers(heading: &str) -> Self {
        Self::new(html! { (harmless::line(heading)) }, heading, Holds::Numbers)
    }

    /// A column of intervals.
    pub fn intervals(heading: &str) -> Self {
        Self::new(html! { (harmless::line(heading)) }, heading, Holds::Intervals)
    }

    /// A column of bars. Its heading is only heard.
    pub fn bars(heading: &str) -> Self {
        Self { holds: Holds::Bars, ..Self::unseen(heading) }
    }

    /// A column of words that need no heading for who sees them.
    pub fn unseen(heading: &str) -> Self {
        Self::new(html! { span.unseen { (heading) } }, "", Holds::Words)
    }

    /// The same column, whose cells are the names of their rows.
    #[must_use]
    pub fn naming_rows(mut self) -> Self {
        self.names_rows = true;
        self
    }

    /// The same column, its heading shown as this.
    #[must_use]
    pub fn shown_as(mut self, heading: Markup) -> Self {
        self.heading = heading;
        self
    }

    /// The same column, its cells of a class.
    #[must_use]
    pub fn of_class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// The same column, by which the table is sorted now: `ascending` or `descending`.
    #[must_use]
    pub fn in_order(mut self, order: Option<&'static str>) -> Self {
        self.order = order;
        self
    }
}
