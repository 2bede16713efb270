//! What a run of golden questions is worth, as a school would say it.

use maud::{Markup, html};

use super::links::Links;
use super::table::{Cell, Column, Row, Table};
use super::text::{Tone, badge, linked, name};
use crate::grades::{Grade, Grades, Standing};
use crate::render::text::COLUMNS;

/// As many questions as are listed.
const MOST_ROWS: usize = 200;

/// The grades by category, and every question that does not pass.
pub fn grades(grades: &Grades, links: &dyn Links) -> Markup {
    let thresholds = grades.thresholds;
    let categories = Table::new("Grades by category")
        .sortable()
        .stacked()
        .with([Column::words("category").naming_rows()])
        .with(COLUMNS.map(Column::numbers));
    let rows = grades.category_rows().into_iter().map(|(category, cells)| {
        let cells = cells.into_iter().map(Cell::of);
        Row::of(std::iter::once(Cell::of(name(category))).chain(cells))
    });
    html! {
        p {
            b { (name(&grades.line())) } " "
            span.note {
                "A question passes from " (format!("{:.2}", thresholds.pass)) " on and warns from "
                (format!("{:.2}", thresholds.warn)) " on."
            }
        }
        @if !grades.categories.is_empty() { (categories.rows(rows)) }
        (questions(grades, links))
    }
}

/// The questions that do not pass, the worst first.
fn questions(grades: &Grades, links: &dyn Links) -> Markup {
    let lost = grades.not_passing();
    let table = Table::new("Questions that do not pass").sortable().stacked().with([
        Column::words("question").naming_rows(),
        Column::words("asked"),
        Column::words("category"),
        Column::numbers("score"),
        Column::numbers("grade"),
        Column::words("standing"),
    ]);
    let rows = lost.iter().take(MOST_ROWS).map(|(case, mark)| {
        [
            Cell::of(linked(links.case(case), &name(case.as_str()))),
            Cell::of(name(&mark.sentence)),
            Cell::of(name(mark.category.as_deref().unwrap_or_default())),
            Cell::of(format!("{:.3}", mark.score)),
            Cell::of(mark.grade.letter()),
            Cell::of(badge(tone(mark.standing), mark.standing.name())),
        ]
    });
    html! {
        @if !lost.is_empty() {
            details {
                summary { "Questions that do not pass: " (lost.len()) }
                div.inside {
                    (table.rows(rows))
                    @if lost.len() > MOST_ROWS { p.left-out { "and " (lost.len() - MOST_ROWS) " more" } }
                }
            }
        }
    }
}

fn tone(standing: Standing) -> Tone {
    match standing {
        Standing::Pass => Tone::Good,
        Standing::Warn => Tone::Caution,
        Standing::Fail => Tone::Bad,
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
