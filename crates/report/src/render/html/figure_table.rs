//! Tables of figures as markup.

use maud::{Markup, html};

use super::bar::{difference_bar, rate_bar, share_bar};
use super::table::{Cell, Column, Row, Table};
use super::text::{badge, linked, name};
use crate::render::table::{CellContent, ColumnKind, FigureCell, FigureColumn, FigureTable};

/// A table on a page; nothing if it has no rows.
pub(super) fn figure_table(table: &FigureTable) -> Markup {
    captioned(table, None)
}

/// A table on a page, under a caption that is seen; nothing if it has no rows.
pub(super) fn captioned(table: &FigureTable, caption: Option<Markup>) -> Markup {
    if table.rows.is_empty() {
        return html! {};
    }
    let drawn = table.columns_in(|column| column.forms.html);
    let columns = drawn.iter().map(|place| heading(&table.columns[*place]));
    let mut shown = Table::new(&table.name).with(columns);
    if table.sortable {
        shown = shown.sortable();
    }
    if table.stacked {
        shown = shown.stacked();
    }
    if let Some(caption) = caption {
        shown = shown.captioned(caption);
    }
    shown.rows(
        table.rows.iter().map(|row| {
            Row::of(drawn.iter().map(|place| cell(&row[*place], &table.columns[*place])))
        }),
    )
}

fn heading(column: &FigureColumn) -> Column {
    let words = column.heading.as_str();
    let mut shown = match column.kind {
        ColumnKind::Words => Column::words(words),
        ColumnKind::Numbers => Column::numbers(words),
        ColumnKind::Intervals => Column::intervals(words),
        ColumnKind::Bars => Column::bars(words),
    };
    if let Some(meaning) = column.explained {
        shown = shown.shown_as(html! { abbr title=(meaning) { (words) } });
    }
    if column.names_rows { shown.naming_rows() } else { shown }
}

fn cell(cell: &FigureCell, column: &FigureColumn) -> Cell {
    let content = match &cell.content {
        CellContent::Words(words) if words.is_empty() => html! { (column.absent) },
        CellContent::Words(words) if cell.badge => badge(cell.tone, words),
        CellContent::Words(words) => html! { (words.trim()) },
        CellContent::Name(words) => name(words.trim()),
        CellContent::Labelled(label, words) => {
            html! { span.version { (label) } " " (name(words)) }
        }
        CellContent::Lettered(letter, words) => {
            html! { b { (letter) } " " (linked(cell.href.clone(), &name(words))) }
        }
        CellContent::RateBar(rate) => rate_bar(rate),
        CellContent::ShareBar(share) => share_bar(*share),
        CellContent::DifferenceBar { value, low, high, scale } => {
            difference_bar(*value, *low, *high, *scale)
        }
    };
    let is_linked = matches!(cell.content, CellContent::Lettered(..));
    let content = if is_linked { content } else { linked(cell.href.clone(), &content) };
    let mut shown = Cell::of(content);
    if let Some(sort) = &cell.sort {
        shown = shown.sorted_by(sort);
    }
    match &cell.title {
        Some(title) => shown.titled(title.clone()),
        None => shown,
    }
}
