//! Tables of figures as Markdown.

use std::fmt::Write;

use super::escape::cell;
use crate::render::bar::bar;
use crate::render::table::{CellContent, ColumnKind, FigureCell, FigureTable};

/// How wide a bar for the value 1 is.
const BAR: usize = 10;

/// Writes a table with at most so many rows, and an empty line below it; nothing if it has no rows.
pub(super) fn write(text: &mut String, table: &FigureTable, most: usize) {
    if table.rows.is_empty() {
        return;
    }
    let drawn = table.columns_in(|column| column.forms.markdown);
    let (mut heading, mut rule) = ("|".to_owned(), "|".to_owned());
    for column in drawn.iter().map(|place| &table.columns[*place]) {
        let words = if column.kind == ColumnKind::Bars { "" } else { column.heading.as_str() };
        heading.push_str(if words.is_empty() { "" } else { " " });
        heading.push_str(&cell(words));
        heading.push_str(" |");
        rule.push_str(if column.kind == ColumnKind::Numbers { " ---: |" } else { " --- |" });
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{heading}\n{rule}");
    for row in table.rows.iter().take(most) {
        let cells: Vec<String> = drawn.iter().map(|place| shown(&row[*place])).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    if table.rows.len() > most {
        let _ = writeln!(text, "\nand {} more", table.rows.len() - most);
    }
    text.push('\n');
}

fn shown(figure: &FigureCell) -> String {
    let words = match &figure.content {
        CellContent::Words(words) => own(words),
        CellContent::Name(name) => cell(name.trim()),
        CellContent::Labelled(label, words) => cell(&format!("{label} {words}")),
        CellContent::Lettered(letter, name) => format!("{letter} {}", cell(name)),
        CellContent::RateBar(rate) => bar(BAR, rate.mean),
        CellContent::ShareBar(share) => bar(BAR, *share),
        CellContent::DifferenceBar { .. } => String::new(),
    };
    if figure.strong { format!("**{words}**") } else { words }
}

/// Words of our own, which may be marked up, so that they stay within their cell.
fn own(words: &str) -> String {
    words.trim().replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}
