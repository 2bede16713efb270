//! A case study for people to read.

use std::fmt::{self, Display};

use comfy_table::Cell;

use super::table::{named, number, plain, write};
use crate::case_study::{CaseFigures, CaseStudy, Suspicion};
use crate::harmless::line;
use crate::number::counted;

impl Display for CaseStudy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in &self.subjects {
            let (subject, label) = (line(&run.subject), line(&run.label));
            let cases = counted(run.cases, "case");
            writeln!(f, "{subject} · {:.3} over {cases} · {label}", run.score)?;
        }
        let suspect = |case: &&CaseFigures| {
            case.suspicions.iter().any(|found| *found != Suspicion::AlwaysPasses)
        };
        let suspects: Vec<&CaseFigures> = self.cases.iter().filter(suspect).collect();
        let always = |case: &&CaseFigures| case.suspicions == [Suspicion::AlwaysPasses];
        let easy: Vec<_> =
            self.cases.iter().filter(always).map(|case| line(case.case.as_str())).collect();
        let others: Vec<&CaseFigures> =
            self.cases.iter().filter(|case| case.suspicions.is_empty()).collect();
        if !suspects.is_empty() {
            let all = counted(self.cases.len(), "case");
            writeln!(f, "\n{} of {all} deserve a look:", suspects.len())?;
            table(f, &suspects)?;
        }
        if !easy.is_empty() {
            let count = counted(easy.len(), "case");
            writeln!(f, "\n{count} always passed and tell nobody apart: {}", easy.join(", "))?;
        }
        if others.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nthe others, the hardest first:")?;
        table(f, &others)
    }
}

fn table(f: &mut fmt::Formatter<'_>, cases: &[&CaseFigures]) -> fmt::Result {
    let mut table = plain();
    table.set_header(["  case", "trials", "difficulty", "discr.", "flaky", "disagree", ""]);
    let optional = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
    for case in cases {
        let words: Vec<&str> = case.suspicions.iter().map(|found| found.words()).collect();
        table.add_row([
            named(case.case.as_str()),
            number(case.trials),
            number(format!("{:.2}", case.difficulty)),
            number(optional(case.discrimination)),
            number(optional(case.flakiness)),
            number(optional(case.disagreement)),
            Cell::new(words.join(", ")),
        ]);
    }
    write(f, &table)
}
