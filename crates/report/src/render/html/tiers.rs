//! A run tier by tier: how a subject copes as its world grows, and how it fails.

use maud::{Markup, PreEscaped, html};

use super::table::{Cell, Column, Row, Table};
use super::text::name;
use crate::tiers::Tiers;

/// The figures of every tier side by side, and the cases on which calls and end state disagree.
pub fn tiers(tiers: &Tiers) -> Markup {
    let rows = tiers.figure_rows();
    let table = Table::new("Figures by tier")
        .stacked()
        .with([Column::words("tier").naming_rows()])
        .with(columns(tiers));
    let rows = rows.iter().map(|(figure, told)| {
        let told = told.iter().map(Cell::of);
        Row::of(std::iter::once(Cell::of(name(figure.trim()))).chain(told))
    });
    html! {
        @if rows.len() > 0 { (table.rows(rows)) }
        @for kind in tiers.disagreements() { p.note { (PreEscaped(kind.line(|case| name(case).into_string()))) } }
    }
}

/// The known ways to fail that were seen, with what is worth trying; nothing if none was.
pub fn failure_patterns(tiers: &Tiers) -> Markup {
    let rows = tiers.pattern_rows();
    let table = Table::new("Trials by known ways to fail")
        .stacked()
        .with([Column::words("failure pattern").naming_rows()])
        .with(columns(tiers))
        .with([Column::words("worth trying")]);
    let rows = rows.iter().map(|(pattern, counts)| {
        let named = html! { span.version { (pattern.id) } " " (pattern.words) };
        let counts = counts.iter().map(Cell::of);
        let cells = std::iter::once(Cell::of(named)).chain(counts);
        Row::of(cells.chain([Cell::of(pattern.remedy)]))
    });
    html! { @if rows.len() > 0 { (table.rows(rows)) } }
}

fn columns(tiers: &Tiers) -> impl Iterator<Item = Column> {
    tiers.tiers.iter().map(|tier| Column::numbers(&tier.name))
}
