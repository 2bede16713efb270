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

    /// A table without rows whose columns hold words or numbers, by their names.
    pub fn of<'a>(columns: impl IntoIterator<Item = (&'a str, bool)>) -> Self {
        let column = |(name, is_number)| {
            if is_number { FigureColumn::numbers_of(name) } else { FigureColumn::words(name) }
        };
        Self(FigureTable::new("", columns.into_iter().map(column)).at_margin())
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

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn the_answer_to_any_question_fits_the_terminal() {
        let columns = [("model", false), ("case_id", false), ("score", true), ("trials", true)];
        let name = |n: usize| format!("household-lighting/second-floor-{n}-with-dimming").repeat(2);
        let rows = [1, 2].map(|n| ["qwen3-8b".to_owned(), name(n), "0.5".into(), "7".into()]);
        let table = rows.iter().fold(TextTable::of(columns), TextTable::row);
        for width in [60, 80, 120] {
            let text = format!("{table:width$}");
            assert!(text.lines().all(|line| line.width() <= width), "{text}");
            assert!(text.contains("  0.5       7\n"), "{text}");
        }
    }
}
