//! Rows and their cells.

use maud::{Markup, Render, html};

/// A cell.
#[derive(Clone, Debug)]
pub struct Cell {
    pub(super) content: Markup,
    pub(super) sort: Option<String>,
    pub(super) title: Option<String>,
    pub(super) columns: usize,
}

impl Cell {
    /// A cell that shows this.
    pub fn of(content: impl Render) -> Self {
        Self { content: content.render(), sort: None, title: None, columns: 1 }
    }

    /// A cell that shows this if it is there.
    pub fn maybe(content: Option<impl Render>) -> Self {
        Self::of(html! { @if let Some(content) = content { (content) } })
    }

    /// The same cell, sorted by a value that is not what it shows.
    #[must_use]
    pub fn sorted_by(mut self, value: &impl ToString) -> Self {
        self.sort = Some(value.to_string());
        self
    }

    /// The same cell, with words for who rests on it.
    #[must_use]
    pub fn titled(mut self, title: String) -> Self {
        self.title = Some(title);
        self
    }

    /// The same cell, as wide as so many columns.
    #[must_use]
    pub fn across(mut self, columns: usize) -> Self {
        self.columns = columns;
        self
    }
}

/// A row: a cell for every column.
#[derive(Clone, Debug)]
pub struct Row {
    pub(super) cells: Vec<Cell>,
    pub(super) class: Option<&'static str>,
}

impl Row {
    /// A row of these cells.
    pub fn of(cells: impl IntoIterator<Item = Cell>) -> Self {
        Self { cells: cells.into_iter().collect(), class: None }
    }

    /// The same row, of a class.
    #[must_use]
    pub fn of_class(mut self, class: &'static str) -> Self {
        self.class = Some(class);
        self
    }
}

impl From<Vec<Cell>> for Row {
    fn from(cells: Vec<Cell>) -> Self {
        Self { cells, class: None }
    }
}

impl<const N: usize> From<[Cell; N]> for Row {
    fn from(cells: [Cell; N]) -> Self {
        Self::of(cells)
    }
}
