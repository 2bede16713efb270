//! What a run of golden questions is worth, as a school would say it.

use maud::{Markup, html};

use super::figure_table::figure_table;
use super::links::Links;
use super::text::name;
use crate::grades::{Grade, Grades};
use crate::render::tables;
use crate::render::tone::Tone;

/// As many questions as are listed.
const MOST_ROWS: usize = 200;

/// The grades by category, and every question that does not pass.
pub fn grades(grades: &Grades, links: &dyn Links) -> Markup {
    let thresholds = grades.thresholds;
    html! {
        p {
            b { (name(&grades.line())) } " "
            span.note {
                "A question passes from " (format!("{:.2}", thresholds.pass)) " on and is partial from "
                (format!("{:.2}", thresholds.partial)) " on."
            }
        }
        (figure_table(&tables::categories(grades)))
        (questions(grades, links))
    }
}

/// The questions that do not pass, the worst first.
fn questions(grades: &Grades, links: &dyn Links) -> Markup {
    let mut table = tables::questions(grades, links);
    let all = table.rows.len();
    table.rows.truncate(MOST_ROWS);
    html! {
        @if all > 0 {
            details {
                summary { "Questions that do not pass: " (all) }
                div.inside {
                    (figure_table(&table))
                    @if all > MOST_ROWS { p.left-out { "and " (all - MOST_ROWS) " more" } }
                }
            }
        }
    }
}

/// The tone of a grade; its letter says the same.
pub(super) fn grade_tone(grade: Grade) -> Tone {
    match grade {
        Grade::A | Grade::B => Tone::Good,
        Grade::C | Grade::D => Tone::Caution,
        Grade::F => Tone::Bad,
    }
}
