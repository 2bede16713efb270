//! A case study for people to read.

use std::fmt::{self, Display};

use super::style::{HEADING, is_colored, paint};
use super::table::write;
use crate::case_study::{CaseFigures, CaseStudy, Suspicion};
use crate::harmless::line;
use crate::near_duplicates::NearDuplicates;
use crate::number::counted;
use crate::render::table::{FigureCell, FigureColumn, FigureTable};

impl Display for CaseStudy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, run) in self.subjects.iter().enumerate() {
            let (subject, label) = (line(&run.subject), line(&run.label));
            let cases = counted(run.cases, "case");
            let words = format!("{subject} · {:.3} over {cases} · {label}", run.score);
            writeln!(f, "{}", paint(is_colored(f) && place == 0, HEADING, &words))?;
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
            write(f, &table(&suspects))?;
        }
        if !easy.is_empty() {
            let count = counted(easy.len(), "case");
            writeln!(f, "\n{count} always pass, and distinguish no subjects: {}", easy.join(", "))?;
        }
        duplicates(f, &self.near_duplicates)?;
        if others.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nthe others, the hardest first:")?;
        write(f, &table(&others))
    }
}

/// How many groups of near-duplicates are shown, and how many cases of each.
const GROUPS: usize = 10;
const OF_A_GROUP: usize = 5;

fn duplicates(f: &mut fmt::Formatter<'_>, groups: &[NearDuplicates]) -> fmt::Result {
    if groups.is_empty() {
        return Ok(());
    }
    let count = counted(groups.len(), "group");
    writeln!(
        f,
        "\n{count} of cases, each of which asks the same as another but for one word at most:"
    )?;
    for group in groups.iter().take(GROUPS) {
        let shown = group.cases.iter().take(OF_A_GROUP);
        let mut names: Vec<String> = shown.map(|case| line(case.as_str()).into_owned()).collect();
        if group.cases.len() > OF_A_GROUP {
            names.push(format!("and {} more", group.cases.len() - OF_A_GROUP));
        }
        let why = match (group.same_words, group.same_gold) {
            (true, Some(false)) => " (the same words, and other answers expected)",
            (true, _) => " (the same words)",
            (false, Some(true)) => " (the same answer expected)",
            (false, _) => "",
        };
        writeln!(f, "  {}{why}", names.join(", "))?;
    }
    if groups.len() > GROUPS {
        writeln!(f, "  and {} more in `--format json`", groups.len() - GROUPS)?;
    }
    Ok(())
}

fn table(cases: &[&CaseFigures]) -> FigureTable {
    let numbers = ["trials", "difficulty", "discr.", "flaky", "disagree"];
    let names = std::iter::once(FigureColumn::names("case"));
    let columns = names.chain(numbers.map(FigureColumn::numbers)).chain([FigureColumn::words("")]);
    let share = |value: Option<f64>| {
        FigureCell::words(value.map(|value| format!("{value:.2}")).unwrap_or_default())
    };
    let rows = cases.iter().map(|case| {
        let words: Vec<&str> = case.suspicions.iter().map(|found| found.words()).collect();
        [
            FigureCell::name(case.case.as_str()),
            FigureCell::words(case.trials),
            share(Some(case.difficulty)),
            share(case.discrimination),
            share(case.flakiness),
            share(case.disagreement),
            FigureCell::words(words.join(", ")),
        ]
    });
    FigureTable::new("Cases", columns).rows(rows)
}
