//! Tables, as every page has them.
//!
//! A table has a name for who listens, scrolls inside the page where it is wider than that, and
//! is reached by keyboard then. One that is the main thing on its page can be stacked on a phone:
//! every row a card, every cell with the heading of its column before it.

use maud::{Markup, Render, html};

use crate::harmless;

/// What a column holds, which says how its cells are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Words,
    Numbers,
    Intervals,
    Bars,
}

impl Holds {
    fn class(self) -> &'static str {
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
    heading: Markup,
    /// The heading as a stacked cell repeats it; empty where a cell explains itself.
    label: String,
    holds: Holds,
    class: &'static str,
    names_rows: bool,
    order: Option<&'static str>,
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

/// A cell.
#[derive(Clone, Debug)]
pub struct Cell {
    content: Markup,
    sort: Option<String>,
    title: Option<String>,
    columns: usize,
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
    cells: Vec<Cell>,
    class: Option<&'static str>,
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

/// Facts by name: two columns without headings.
pub fn facts(name: &str, facts: impl IntoIterator<Item = (Cell, Cell)>) -> Markup {
    let columns = [Column::words("").naming_rows(), Column::words("")];
    let table = Table::new(name).of_class("facts").with(columns);
    table.rows(facts.into_iter().map(|(fact, value)| [fact, value]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table::new("Lamps\u{1b}").with([
            Column::words("lamp").naming_rows(),
            Column::numbers("watts"),
            Column::bars("as a bar"),
        ])
    }

    #[test]
    fn a_table_has_a_name_headings_and_rows() {
        let shown = table().sortable().rows([[
            Cell::of("<hall>"),
            Cell::of("1,000").sorted_by(&1000),
            Cell::of(""),
        ]]);
        let expected = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Lamps\\x1b\">\
             <table class=\"sortable\"><caption class=\"unseen\">Lamps\\x1b</caption>\
             <thead><tr><th scope=\"col\">lamp</th><th class=\"number\" scope=\"col\">watts</th>\
             <th class=\"bar-column\" scope=\"col\"><span class=\"unseen\">as a bar</span></th>\
             </tr></thead><tbody><tr><th scope=\"row\">&lt;hall&gt;</th>\
             <td class=\"number\" data-sort=\"1000\">1,000</td><td class=\"bar-column\"></td>\
             </tr></tbody></table></div>";
        assert_eq!(shown.into_string(), expected);
    }

    #[test]
    fn a_stacked_cell_repeats_its_heading_and_says_what_it_is() {
        let shown = table().stacked().rows([[Cell::of("hall"), Cell::of(5), Cell::of("")]]);
        let shown = shown.into_string();
        let cell = "<td class=\"number\" role=\"cell\" data-label=\"watts\">\
                    <span class=\"value\">5</span></td>";
        assert!(shown.contains(cell), "{shown}");
        assert!(shown.contains("<th scope=\"row\" role=\"rowheader\">hall</th>"), "{shown}");
        assert!(shown.contains("<td class=\"bar-column\" role=\"cell\"></td>"), "{shown}");
    }

    #[test]
    fn a_wide_cell_takes_the_place_of_several() {
        let shown = table().rows([[Cell::of("hall").across(2), Cell::of("bar")]]).into_string();
        assert!(shown.contains("<th scope=\"row\" colspan=\"2\">hall</th>"), "{shown}");
        assert!(shown.contains("<td class=\"bar-column\">bar</td>"), "{shown}");
    }

    #[test]
    fn a_lean_table_has_no_empty_columns() {
        let rows = || [[Cell::of("hall"), Cell::of(""), Cell::of("bar")]];
        let lean = table().lean().rows(rows()).into_string();
        assert!(!lean.contains("watts") && lean.contains("<td class=\"bar-column\">bar</td>"));
        assert!(table().rows(rows()).into_string().contains("watts"));
    }

    #[test]
    fn facts_need_no_headings() {
        let shown = facts("Tokens", [(Cell::of("read"), Cell::of(7))]).into_string();
        assert!(!shown.contains("thead"), "{shown}");
        assert!(shown.contains("<th scope=\"row\">read</th><td>7</td>"), "{shown}");
    }
}
