//! A run tier by tier: how a subject copes as its world grows, and how it fails.

use maud::{Markup, PreEscaped, html};

use super::text::{name, scrolling};
use crate::tiers::Tiers;

/// The figures of every tier side by side, and the cases on which calls and end state disagree.
pub fn tiers(tiers: &Tiers) -> Markup {
    let rows = tiers.figure_rows();
    let table = html! {
        table {
            caption.unseen { "Figures by tier" }
            thead { tr { th scope="col" { "tier" } (headings(tiers)) } }
            tbody {
                @for (figure, told) in &rows {
                    tr {
                        th scope="row" { (name(figure.trim())) }
                        @for told in told { td.number { (told) } }
                    }
                }
            }
        }
    };
    html! {
        @if !rows.is_empty() { (scrolling("Figures by tier", &table)) }
        @for kind in tiers.disagreements() { p.note { (PreEscaped(kind.line(|case| name(case).into_string()))) } }
    }
}

/// The known ways to fail that were seen, with what is worth trying; nothing if none was.
pub fn failure_patterns(tiers: &Tiers) -> Markup {
    let rows = tiers.pattern_rows();
    let table = html! {
        table {
            caption.unseen { "Trials by known ways to fail" }
            thead {
                tr {
                    th scope="col" { "failure pattern" }
                    (headings(tiers))
                    th scope="col" { "worth trying" }
                }
            }
            tbody {
                @for (pattern, counts) in &rows {
                    tr {
                        th scope="row" { span.version { (pattern.id) } " " (pattern.words) }
                        @for count in counts { td.number { (count) } }
                        td { (pattern.remedy) }
                    }
                }
            }
        }
    };
    html! { @if !rows.is_empty() { (scrolling("Trials by known ways to fail", &table)) } }
}

fn headings(tiers: &Tiers) -> Markup {
    html! { @for tier in &tiers.tiers { th.number scope="col" { (name(&tier.name)) } } }
}
