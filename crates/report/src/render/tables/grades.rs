//! Tables of graded questions.

use crate::grades::{Grade, Grades, Marks};
use crate::number::seconds;
use crate::render::html::Links;
use crate::render::table::{FigureCell, FigureColumn, FigureTable, Forms};

/// The figures of each category.
const COLUMNS: [&str; 12] = [
    "questions",
    "score",
    "grade",
    "tools",
    "answer",
    "errors",
    "pass",
    "partial",
    "fail",
    "p50",
    "p90",
    "p99",
];

/// Each category, and all together where there are several.
pub(crate) fn categories(grades: &Grades) -> FigureTable {
    let names = std::iter::once(FigureColumn::names("category"));
    let columns = names.chain(COLUMNS.map(FigureColumn::numbers));
    let all = (grades.categories.len() > 1).then_some(("all", &grades.overall));
    let marks = grades.categories.iter().map(|(name, marks)| (name.as_str(), marks)).chain(all);
    let rows = marks.map(|(name, marks)| {
        let cells = cells(marks).into_iter().map(FigureCell::words);
        std::iter::once(FigureCell::name(name)).chain(cells).collect::<Vec<_>>()
    });
    FigureTable::new("Grades by category", columns).sortable().stacked().rows(rows)
}

fn cells(marks: &Marks) -> [String; 12] {
    let part = |name: &str| format!("{:.3}", marks.parts.get(name).copied().unwrap_or(0.0));
    let time = |value: Option<f64>| value.map(seconds).unwrap_or_default();
    [
        marks.questions.to_string(),
        format!("{:.3}", marks.score),
        marks.grade.map_or('-', Grade::letter).to_string(),
        part("tool_usage"),
        part("response_quality"),
        part("error_handling"),
        marks.passed.to_string(),
        marks.partial.to_string(),
        marks.failed.to_string(),
        time(marks.latency.map(|latency| latency.p50)),
        time(marks.latency.map(|latency| latency.p90)),
        time(marks.latency.map(|latency| latency.p99)),
    ]
}

/// The questions that do not pass, the worst first.
pub(crate) fn questions(grades: &Grades, links: &dyn Links) -> FigureTable {
    let columns = [
        FigureColumn::names("question"),
        FigureColumn::words("asked"),
        FigureColumn::words("category").only_in(Forms::HTML),
        FigureColumn::numbers("score"),
        FigureColumn::numbers("grade"),
        FigureColumn::words("standing"),
    ];
    let rows = grades.not_passing().into_iter().map(|(case, mark)| {
        [
            FigureCell::name(case.as_str()).linked(links.case(case)),
            FigureCell::name(&mark.sentence),
            FigureCell::name(mark.category.as_deref().unwrap_or_default()),
            FigureCell::words(format!("{:.3}", mark.score)),
            FigureCell::words(mark.grade.letter()),
            FigureCell::words(mark.standing.name()).badge(mark.standing.tone()),
        ]
    });
    FigureTable::new("Questions that do not pass", columns).sortable().stacked().rows(rows)
}
