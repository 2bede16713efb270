//! Plain tables for people, without lines.

use std::fmt::{self, Display};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::harmless;

/// Bars need more columns than this.
const NARROW: usize = 76;

/// A table without lines.
pub(crate) fn plain() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table
}

/// A cell whose text is aligned to the right.
pub(crate) fn number(value: impl Display) -> Cell {
    Cell::new(value.to_string()).set_alignment(CellAlignment::Right)
}

/// A cell for a name that somebody gave, set in from the margin.
pub(crate) fn named(name: &str) -> Cell {
    Cell::new(format!("  {}", harmless::line(name)))
}

/// Whether what is written should stay within so few columns that bars are left out.
pub(crate) fn is_narrow(f: &fmt::Formatter<'_>) -> bool {
    f.width().is_some_and(|width| width < NARROW)
}

/// Writes a table under an empty line. A width of the formatter, as in `{summary:80}`, is that of
/// the terminal: what does not fit is wrapped within its column.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, table: &Table) -> fmt::Result {
    writeln!(f)?;
    let fitted = f.width().and_then(|width| u16::try_from(width).ok()).map(|width| {
        let mut table = table.clone();
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        table
    });
    let table = fitted.as_ref().unwrap_or(table);
    for line in table.to_string().lines() {
        writeln!(f, "{}", line.strip_prefix(' ').unwrap_or(line).trim_end())?;
    }
    Ok(())
}
