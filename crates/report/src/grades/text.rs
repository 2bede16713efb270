//! Grades for people to read.

use std::fmt::{self, Display, Write as _};

use comfy_table::Cell;

use super::{Grades, Marks};
use crate::harmless;
use crate::number::{counted, seconds};
use crate::table::{number, plain, write as write_table};

impl Grades {
    /// The grades in one line: `B 84.3 %: 61 pass, 12 warn, 7 fail of 80 questions`.
    pub fn line(&self) -> String {
        let Marks { questions, score, passed, warned, failed, .. } = &self.overall;
        let letter = self.overall.grade.map_or('-', super::Grade::letter);
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
        table.set_header([
            "  category",
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
        ]);
        for (name, marks) in &self.categories {
            table.add_row(row(name, marks));
        }
        if self.categories.len() > 1 {
            table.add_row(row("all", &self.overall));
        }
        write_table(f, &table)
    }
}

fn row(name: &str, marks: &Marks) -> Vec<Cell> {
    let part = |name: &str| number(format!("{:.3}", marks.parts.get(name).copied().unwrap_or(0.0)));
    let time = |value: Option<f64>| number(value.map(seconds).unwrap_or_default());
    vec![
        Cell::new(format!("  {}", harmless::line(name))),
        number(marks.questions),
        number(format!("{:.3}", marks.score)),
        number(marks.grade.map_or('-', super::Grade::letter)),
        part("tool_usage"),
        part("response_quality"),
        part("error_handling"),
        number(marks.passed),
        number(marks.warned),
        number(marks.failed),
        time(marks.latency.map(|latency| latency.p50)),
        time(marks.latency.map(|latency| latency.p90)),
        time(marks.latency.map(|latency| latency.p99)),
    ]
}
