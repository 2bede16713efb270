//! A table of words and figures that another crate fills.

use std::fmt::{self, Display};

use super::table::write_rows;
use crate::render::table::{FigureCell, FigureColumn, FigureTable};

/// A table for people, drawn as wide as the terminal: words are wrapped, figures never are.
#[derive(Clone, Debug)]
pub struct TextTable(FigureTable);

impl TextTable {
    /// A table without rows: columns of words, then columns of figures.
    pub fn new(words: &[&str], figures: &[&str]) -> Self {
        let words = words.iter().map(|heading| FigureColumn::words(*heading));
        let figures = figures.iter().map(|heading| FigureColumn::intervals(heading));
        Self(FigureTable::new("", words.chain(figures)).at_margin())
    }

    /// Adds a row, a cell for each column.
    #[must_use]
    pub fn row<C: AsRef<str>>(mut self, cells: impl IntoIterator<Item = C>) -> Self {
        self.0 = self.0.rows([cells.into_iter().map(|cell| FigureCell::name(cell.as_ref()))]);
        self
    }
}

impl Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rows(f, &self.0)
    }
}
