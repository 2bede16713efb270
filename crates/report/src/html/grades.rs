//! What a run of golden questions is worth, as a school would say it.

use maud::{Markup, html};
use toolgauge_core::CaseId;

use super::links::Links;
use super::text::{Tone, badge, linked, name, scrolling};
use crate::grades::{COLUMNS, Grade, Grades, QuestionMark, Standing};

/// As many questions as are listed.
const MOST_ROWS: usize = 200;

/// The grades by category, and every question that does not pass.
pub fn grades(grades: &Grades, links: &dyn Links) -> Markup {
    let thresholds = grades.thresholds;
    let categories = html! {
        table.sortable {
            caption.unseen { "Grades by category" }
            thead {
                tr {
                    th scope="col" { "category" }
                    @for column in COLUMNS { th.number scope="col" { (column) } }
                }
            }
            tbody {
                @for (category, cells) in grades.category_rows() {
                    tr {
                        th scope="row" { (name(category)) }
                        @for cell in cells { td.number { (cell) } }
                    }
                }
            }
        }
    };
    html! {
        p {
            b { (name(&grades.line())) } " "
            span.note {
                "A question passes from " (format!("{:.2}", thresholds.pass)) " on and warns from "
                (format!("{:.2}", thresholds.warn)) " on."
            }
        }
        @if !grades.categories.is_empty() { (scrolling("Grades by category", &categories)) }
        (questions(grades, links))
    }
}

/// The questions that do not pass, the worst first.
fn questions(grades: &Grades, links: &dyn Links) -> Markup {
    let lost = |(_, mark): &(&CaseId, &QuestionMark)| mark.standing != Standing::Pass;
    let mut lost: Vec<(&CaseId, &QuestionMark)> = grades.questions.iter().filter(lost).collect();
    lost.sort_by(|(_, one), (_, other)| one.score.total_cmp(&other.score));
    let table = html! {
        table.sortable {
            caption.unseen { "Questions that do not pass" }
            thead {
                tr {
                    th scope="col" { "question" }
                    th scope="col" { "category" }
                    th.number scope="col" { "score" }
                    th.number scope="col" { "grade" }
                    th scope="col" { "standing" }
                }
            }
            tbody {
                @for (case, mark) in lost.iter().take(MOST_ROWS) {
                    tr {
                        th scope="row" { (linked(links.case(case), &name(case.as_str()))) }
                        td { (name(mark.category.as_deref().unwrap_or_default())) }
                        td.number { (format!("{:.3}", mark.score)) }
                        td.number { (mark.grade.letter()) }
                        td { (badge(tone(mark.standing), mark.standing.name())) }
                    }
                }
            }
        }
    };
    html! {
        @if !lost.is_empty() {
            details {
                summary { "Questions that do not pass: " (lost.len()) }
                div.inside {
                    (scrolling("Questions that do not pass", &table))
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
