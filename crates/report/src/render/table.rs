//! A table as data: described once, drawn as text, as Markdown and as HTML.

use super::tone::Tone;
use crate::rate::Rate;

/// What a column holds, which says how its cells are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// Words, from the left.
    Words,
    /// Numbers, one below the other.
    Numbers,
    /// Intervals, whose brackets stay in one line.
    Intervals,
    /// Bars, which repeat a number and are left out where there is little room.
    Bars,
}

/// The forms that a column is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forms {
    pub(crate) text: bool,
    pub(crate) markdown: bool,
    pub(crate) html: bool,
}

impl Forms {
    const ALL: Self = Self { text: true, markdown: true, html: true };
    pub(crate) const TEXT: Self = Self { text: true, markdown: false, html: false };
    pub(crate) const MARKDOWN: Self = Self { text: false, markdown: true, html: false };
    pub(crate) const HTML: Self = Self { text: false, markdown: false, html: true };
}

/// A column by its heading.
#[derive(Clone, Debug)]
pub(crate) struct FigureColumn {
    pub(crate) heading: String,
    /// The heading in text, where the columns before it make the rest plain.
    pub(crate) short: Option<&'static str>,
    /// What the heading means, for who points at it.
    pub(crate) explained: Option<&'static str>,
    pub(crate) kind: ColumnKind,
    pub(crate) forms: Forms,
    pub(crate) names_rows: bool,
    /// Whether the heading in text is above the last digit rather than the first letter.
    pub(crate) heading_at_right: bool,
    /// What a page shows in a cell without words.
    pub(crate) absent: &'static str,
}

impl FigureColumn {
    fn new(heading: impl Into<String>, kind: ColumnKind) -> Self {
        Self {
            heading: heading.into(),
            short: None,
            explained: None,
            kind,
            forms: Forms::ALL,
            names_rows: false,
            heading_at_right: false,
            absent: "",
        }
    }

    /// A column of words.
    pub(crate) fn words(heading: impl Into<String>) -> Self {
        Self::new(heading, ColumnKind::Words)
    }

    /// A column of words that name their rows.
    pub(crate) fn names(heading: impl Into<String>) -> Self {
        Self { names_rows: true, ..Self::words(heading) }
    }

    /// A column of numbers.
    pub(crate) fn numbers(heading: impl Into<String>) -> Self {
        Self::new(heading, ColumnKind::Numbers)
    }

    /// A column of numbers under a heading that somebody gave, which is above the last digit.
    pub(crate) fn numbers_of(heading: &str) -> Self {
        Self { heading_at_right: true, ..Self::numbers(heading) }
    }

    /// A column of intervals.
    pub(crate) fn intervals(heading: &str) -> Self {
        Self::new(heading, ColumnKind::Intervals)
    }

    /// A column of bars. Its heading is only heard.
    pub(crate) fn bars(heading: &str) -> Self {
        Self { short: Some(""), ..Self::new(heading, ColumnKind::Bars) }
    }

    /// The same column under another heading in text.
    pub(crate) fn short(mut self, heading: &'static str) -> Self {
        self.short = Some(heading);
        self
    }

    /// The same column with its heading explained.
    pub(crate) fn explained(mut self, meaning: &'static str) -> Self {
        self.explained = Some(meaning);
        self
    }

    /// The same column in these forms only.
    pub(crate) fn only_in(mut self, forms: Forms) -> Self {
        self.forms = forms;
        self
    }

    /// The same column, whose empty cells have a dash on a page.
    pub(crate) fn dashed(mut self) -> Self {
        self.absent = "–";
        self
    }
}

/// What a cell shows.
#[derive(Clone, Debug)]
pub(crate) enum CellContent {
    /// Words or a number of our own.
    Words(String),
    /// What a suite, a model or a person wrote.
    Name(String),
    /// A short label, and what it stands for, as a world calls them.
    Labelled(String, String),
    /// A run by its letter and its name; text names it above the table.
    Lettered(String, String),
    /// A mean from 0 to 1 with its interval, as a bar.
    RateBar(Rate),
    /// A share of something, as a bar.
    ShareBar(f64),
    /// A difference with its interval, as a bar on a scale around zero.
    DifferenceBar { value: f64, low: Option<f64>, high: Option<f64>, scale: f64 },
}

#[derive(Clone, Debug)]
pub(crate) struct FigureCell {
    pub(crate) content: CellContent,
    pub(crate) tone: Tone,
    /// Whether a page shows its tone as a badge.
    pub(crate) badge: bool,
    /// Whether it is set off from the others of its column.
    pub(crate) strong: bool,
    /// What a page sorts it by, where that is not what it shows.
    pub(crate) sort: Option<String>,
    /// More words on a page for who points at it.
    pub(crate) title: Option<String>,
    /// Where it leads on a page.
    pub(crate) href: Option<String>,
}

impl FigureCell {
    pub(crate) fn of(content: CellContent) -> Self {
        let (sort, title, href) = (None, None, None);
        Self { content, tone: Tone::Plain, badge: false, strong: false, sort, title, href }
    }

    /// Words or a number of our own.
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over what they just made")]
    pub(crate) fn words(words: impl ToString) -> Self {
        Self::of(CellContent::Words(words.to_string()))
    }

    /// What a suite, a model or a person wrote.
    pub(crate) fn name(name: &str) -> Self {
        Self::of(CellContent::Name(name.to_owned()))
    }

    /// The same cell, sorted by this.
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over what they just made")]
    pub(crate) fn sorted_by(mut self, value: impl ToString) -> Self {
        self.sort = Some(value.to_string());
        self
    }

    /// The same cell with a meaning beyond its words, which say the same.
    pub(crate) fn toned(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    /// The same cell, its meaning shown as a badge on a page.
    pub(crate) fn badge(mut self, tone: Tone) -> Self {
        self.badge = true;
        self.toned(tone)
    }

    /// The same cell, leading somewhere on a page.
    pub(crate) fn linked(mut self, href: Option<String>) -> Self {
        self.href = href;
        self
    }

    /// The same cell with more words on a page.
    pub(crate) fn titled(mut self, title: String) -> Self {
        self.title = Some(title);
        self
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FigureTable {
    /// What it shows, for who listens.
    pub(crate) name: String,
    pub(crate) columns: Vec<FigureColumn>,
    pub(crate) rows: Vec<Vec<FigureCell>>,
    /// Whether a page lets its rows be sorted.
    pub(crate) sortable: bool,
    /// Whether a narrow page shows every row as a card.
    pub(crate) stacked: bool,
    /// Whether text sets it in from the margin.
    pub(crate) indented: bool,
}

impl FigureTable {
    /// A table without rows.
    pub(crate) fn new(
        name: impl Into<String>,
        columns: impl IntoIterator<Item = FigureColumn>,
    ) -> Self {
        let (name, columns) = (name.into(), columns.into_iter().collect());
        let rows = Vec::new();
        Self { name, columns, rows, sortable: false, stacked: false, indented: true }
    }

    /// The same table, sortable on a page.
    pub(crate) fn sortable(mut self) -> Self {
        self.sortable = true;
        self
    }

    /// The same table, its rows cards on a narrow page.
    pub(crate) fn stacked(mut self) -> Self {
        self.stacked = true;
        self
    }

    /// The same table, at the margin in text.
    pub(crate) fn at_margin(mut self) -> Self {
        self.indented = false;
        self
    }

    /// The same table with rows.
    pub(crate) fn rows<R: IntoIterator<Item = FigureCell>>(
        mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        self.rows.extend(rows.into_iter().map(|row| row.into_iter().collect::<Vec<_>>()));
        self
    }

    /// The same table without columns in which no row has words, but for the first ones.
    pub(crate) fn lean(mut self, kept: usize) -> Self {
        let is_empty = |cell: &FigureCell| matches!(&cell.content, CellContent::Words(w) | CellContent::Name(w) if w.is_empty());
        // From the last one, so that removing a column moves none that is still to be looked at.
        for column in (kept..self.columns.len()).rev() {
            if self.rows.iter().all(|row| is_empty(&row[column])) {
                self.columns.remove(column);
                for row in &mut self.rows {
                    row.remove(column);
                }
            }
        }
        self
    }

    /// The numbers of the columns that a form draws.
    pub(crate) fn columns_in(&self, is_drawn: impl Fn(&FigureColumn) -> bool) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, column)| is_drawn(column)).map(|(place, _)| place).collect()
    }
}
