//! Grades for people to read.

use std::fmt::{self, Display, Write as _};

use comfy_table::Cell;

use super::table::{number, plain, write as write_table};
use crate::grades::{Grade, Grades, Marks};
use crate::harmless;
use crate::number::{counted, seconds};

impl Grades {
    /// The grades in one line: `B 84.3 %: 61 pass, 12 warn, 7 fail of 80 questions`.
    pub fn line(&self) -> String {
        let Marks { questions, score, passed, warned, failed, .. } = &self.overall;
        let letter = self.overall.grade.map_or('-', Grade::letter);
        let all = counted(*questions, "question");
        let mut line = format!(
            "{letter} {:.1} %: {passed} pass, {warned} warn, {failed} fail of {all}",
            score * 100.0
        );
        if self.unscored > 0 {
            // Writing to a string cannot fail.
            let _ = write!(line, ", {} unscored", self.unscored);
        }
        line
    }
}

impl Display for Grades {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  grade      {}", self.line())?;
        let parts: Vec<String> = self
            .overall
            .parts
            .iter()
            .map(|(name, value)| format!("{} {value:.3}", name.replace('_', " ")))
            .collect();
        writeln!(f, "             {}", parts.join(", "))?;
        if self.categories.is_empty() {
            return Ok(());
        }
        let mut table = plain();
        let title = std::iter::once(Cell::new("  category"));
        table.set_header(title.chain(COLUMNS.map(Cell::new)));
        for (name, told) in self.category_rows() {
            let name = Cell::new(format!("  {}", harmless::line(name)));
            table.add_row(std::iter::once(name).chain(told.map(number)));
        }
        write_table(f, &table)
    }
}

/// What is told of each category.
pub(crate) const COLUMNS: [&str; 12] = [
    "questions",
    "score",
    "grade",
    "tools",
    "answer",
    "errors",
    "pass",
    "warn",
    "fail",
    "p50",
    "p90",
    "p99",
];

impl Grades {
    /// Each category, and all together where there are several, with the cells of [`COLUMNS`].
    pub(crate) fn category_rows(&self) -> Vec<(&str, [String; 12])> {
        let mut rows: Vec<(&str, [String; 12])> =
            self.categories.iter().map(|(name, marks)| (name.as_str(), cells(marks))).collect();
        if self.categories.len() > 1 {
            rows.push(("all", cells(&self.overall)));
        }
        rows
    }
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
        marks.warned.to_string(),
        marks.failed.to_string(),
        time(marks.latency.map(|latency| latency.p50)),
        time(marks.latency.map(|latency| latency.p90)),
        time(marks.latency.map(|latency| latency.p99)),
    ]
}
