//! A run tier by tier: how a subject copes as its world grows, and how it fails.

use maud::{Markup, PreEscaped, html};

use super::figure_table::figure_table;
use super::text::name;
use crate::render::tables;
use crate::tiers::Tiers;

/// The figures of every tier side by side, and the cases on which calls and end state disagree.
pub fn tiers(tiers: &Tiers) -> Markup {
    html! {
        (figure_table(&tables::figures(tiers)))
        @for kind in tables::disagreements(tiers) {
            p.note { (PreEscaped(kind.line(|case| name(case).into_string()))) }
        }
    }
}

/// The known ways to fail that were seen, with what is worth trying; nothing if none was.
pub fn failure_patterns(tiers: &Tiers) -> Markup {
    figure_table(&tables::failure_patterns(tiers))
}
