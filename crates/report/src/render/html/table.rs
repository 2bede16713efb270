//! Tables, as every page has them.
//!
//! A table has a name for who listens, scrolls inside the page where it is wider than that, and
//! is reached by keyboard then. One that is the main thing on its page can be stacked on a phone:
//! every row a card, every cell with the heading of its column before it.

mod column;
mod row;
#[cfg(test)]
mod tests;

use maud::{Markup, html};

use crate::harmless;

pub use column::Column;
pub use row::{Cell, Row};

/// A table without its rows.
#[derive(Clone, Debug)]
pub struct Table {
    name: String,
    caption: Option<Markup>,
    classes: String,
    columns: Vec<Column>,
    is_stacked: bool,
    is_lean: bool,
}

impl Table {
    /// A table of a name, which is heard and not seen.
    pub fn new(name: &str) -> Self {
        let name = harmless::line(name).into_owned();
        let (classes, columns) = (String::new(), Vec::new());
        Self { name, caption: None, classes, columns, is_stacked: false, is_lean: false }
    }

    /// A table of facts by name: two columns without headings.
    pub fn facts(name: &str) -> Self {
        let columns = [Column::words("").naming_rows(), Column::words("")];
        Self::new(name).of_class("facts").with(columns)
    }

    /// A table of numbers by name: two columns without headings.
    pub fn counts(name: &str) -> Self {
        let columns = [Column::words("").naming_rows(), Column::numbers("")];
        Self::new(name).of_class("facts").with(columns)
    }

    /// The same table, with columns.
    #[must_use]
    pub fn with(mut self, columns: impl IntoIterator<Item = Column>) -> Self {
        self.columns.extend(columns);
        self
    }

    /// The same table, its rows sorted by scripts where somebody wants it.
    #[must_use]
    pub fn sortable(self) -> Self {
        self.of_class("sortable")
    }

    /// The same table, its rows stacked where the screen is narrow.
    #[must_use]
    pub fn stacked(mut self) -> Self {
        self.is_stacked = true;
        self.of_class("stacked")
    }

    /// The same table, without the columns in which no row has anything. Its cells are all of one
    /// column.
    #[must_use]
    pub fn lean(mut self) -> Self {
        self.is_lean = true;
        self
    }

    /// The same table, of one more class.
    #[must_use]
    pub fn of_class(mut self, class: &str) -> Self {
        if !self.classes.is_empty() {
            self.classes.push(' ');
        }
        self.classes.push_str(class);
        self
    }

    /// The same table, with a caption that is seen.
    #[must_use]
    pub fn captioned(mut self, caption: Markup) -> Self {
        self.caption = Some(caption);
        self
    }

    /// The table with its rows.
    pub fn rows<R: Into<Row>>(mut self, rows: impl IntoIterator<Item = R>) -> Markup {
        let mut rows: Vec<Row> = rows.into_iter().map(Into::into).collect();
        if self.is_lean {
            self.leave_out_empty_columns(&mut rows);
        }
        let class = Some(&self.classes).filter(|classes| !classes.is_empty());
        html! {
            div.scroll tabindex="0" role="group" aria-label=(self.name) {
                table class=[class] role=[self.role("table")] {
                    @match &self.caption {
                        Some(caption) => caption { (caption) },
                        None => caption.unseen { (self.name) },
                    }
                    (self.head())
                    tbody role=[self.role("rowgroup")] {
                        @for row in &rows { (self.row(row)) }
                    }
                }
            }
        }
    }

    fn leave_out_empty_columns(&mut self, rows: &mut [Row]) {
        let is_empty = |row: &Row, column: usize| {
            row.cells.get(column).is_some_and(|cell| cell.content.0.is_empty())
        };
        for column in (0..self.columns.len()).rev() {
            if !rows.is_empty() && rows.iter().all(|row| is_empty(row, column)) {
                self.columns.remove(column);
                for row in &mut *rows {
                    row.cells.remove(column);
                }
            }
        }
    }

    /// The headings; a table of facts has none, as its rows are named.
    fn head(&self) -> Markup {
        let has_headings = self.columns.iter().any(|column| !column.heading.0.is_empty());
        html! {
            @if has_headings {
                thead role=[self.role("rowgroup")] {
                    tr role=[self.role("row")] {
                        @for column in &self.columns { (self.heading(column)) }
                    }
                }
            }
        }
    }

    fn heading(&self, column: &Column) -> Markup {
        let class = Some(column.holds.class()).filter(|class| !class.is_empty());
        html! {
            th class=[class] scope="col" role=[self.role("columnheader")] aria-sort=[column.order] {
                (column.heading)
            }
        }
    }

    fn row(&self, row: &Row) -> Markup {
        let mut at = 0;
        let placed = row.cells.iter().filter_map(|cell| {
            let column = self.columns.get(at)?;
            at += cell.columns;
            Some((column, cell))
        });
        html! {
            tr class=[row.class] role=[self.role("row")] {
                @for (column, cell) in placed { (self.cell(column, cell)) }
            }
        }
    }

    fn cell(&self, column: &Column, cell: &Cell) -> Markup {
        let classes = [column.holds.class(), column.class].join(" ");
        let class = Some(classes.trim()).filter(|classes| !classes.is_empty());
        let span = (cell.columns > 1).then_some(cell.columns);
        let label = Some(&column.label).filter(|label| self.is_stacked && !label.is_empty());
        html! {
            @if column.names_rows {
                th class=[class] scope="row" role=[self.role("rowheader")] colspan=[span]
                    title=[&cell.title] data-sort=[&cell.sort] { (cell.content) }
            } @else {
                td class=[class] role=[self.role("cell")] colspan=[span] title=[&cell.title]
                    data-sort=[&cell.sort] data-label=[label] {
                        @if label.is_some() && !cell.content.0.is_empty() { span.value { (cell.content) } }
                        @else { (cell.content) }
                    }
            }
        }
    }

    /// What an element is. Some browsers forget it where a table is not laid out as one.
    fn role(&self, role: &'static str) -> Option<&'static str> {
        self.is_stacked.then_some(role)
    }
}
