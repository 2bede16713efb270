//! Plain tables for people, without lines.

use std::fmt::{self, Display};

use comfy_table::{Cell, CellAlignment, Table, presets};

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

/// Writes a table under an empty line.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, table: &Table) -> fmt::Result {
    writeln!(f)?;
    for line in table.to_string().lines() {
        writeln!(f, "{}", line.strip_prefix(' ').unwrap_or(line).trim_end())?;
    }
    Ok(())
}
