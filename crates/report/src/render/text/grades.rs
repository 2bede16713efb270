//! Grades for people to read.

use std::fmt::{self, Display, Write as _};

use super::table;
use crate::grades::{Grade, Grades, Marks};
use crate::number::counted;
use crate::render::tables;

impl Grades {
    /// The grades in one line: `B 84.3 %: 61 pass, 12 partial, 7 fail of 80 questions`.
    pub fn line(&self) -> String {
        let Marks { questions, score, passed, partial, failed, .. } = &self.overall;
        let letter = self.overall.grade.map_or('-', Grade::letter);
        let all = counted(*questions, "question");
        let mut line = format!(
            "{letter} {:.1} %: {passed} pass, {partial} partial, {failed} fail of {all}",
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
        // The table of dimensions has the same names for the share of trials with full marks.
        writeln!(f, "             on average {}", parts.join(", "))?;
        table::write(f, &tables::categories(self))
    }
}
