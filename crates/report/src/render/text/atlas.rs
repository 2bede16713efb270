//! An atlas of results for people to read.

use std::fmt::{self, Display};

use super::table::write;
use crate::atlas::Atlas;
use crate::harmless::{line, line_within};
use crate::number::counted;
use crate::render::table::{FigureCell, FigureColumn, FigureTable};

/// How many wrong verdicts and contradictions are named.
const NAMED: usize = 20;

impl Display for Atlas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, &runs(self))?;
        let wrong = self.runs.iter().flat_map(|run| run.wrong.iter().map(move |it| (run, it)));
        let count: usize = self.runs.iter().map(|run| run.wrong.len()).sum();
        let compared: usize = self.runs.iter().map(|run| run.compared).sum();
        let verdicts = counted(compared, "recorded verdict");
        writeln!(f, "\n{count} of {verdicts} are not what the rule of their own tool gives")?;
        for (run, verdict) in wrong.take(NAMED) {
            let (model, trial) = (line(&run.model), verdict.trial.to_string());
            let (was, is) = (verdict.recorded, verdict.recomputed);
            writeln!(f, "  {} · {model}: recorded {was}, by the rule {is}", line(&trial))?;
        }
        more(f, count)?;
        let (found, cases) = (self.contradictions.len(), counted(self.cases_checked, "case"));
        writeln!(f, "\n{found} of {cases} expect what their own tools do not allow")?;
        for gold in self.contradictions.iter().take(NAMED) {
            let why = gold.messages.first().map(String::as_str).unwrap_or_default();
            writeln!(f, "  {}: {}", line(gold.case.as_str()), line_within(why, 160))?;
        }
        more(f, found)?;
        if self.passed_over > 0 {
            let files = counted(self.passed_over, "file");
            writeln!(f, "\n{files} passed over: no results that can be read")?;
        }
        Ok(())
    }
}

fn more(f: &mut fmt::Formatter<'_>, all: usize) -> fmt::Result {
    match all.saturating_sub(NAMED) {
        0 => Ok(()),
        more => writeln!(f, "  and {more} more in `--format json`"),
    }
}

fn runs(atlas: &Atlas) -> FigureTable {
    let numbers = ["trials", "compared", "wrong", "recorded only"];
    let names =
        [FigureColumn::names("suite"), FigureColumn::words("model"), FigureColumn::words("run")];
    let columns = names.into_iter().chain(numbers.map(FigureColumn::numbers));
    let rows = atlas.runs.iter().map(|run| {
        [
            FigureCell::name(&run.suite),
            FigureCell::words(line(&run.model)),
            FigureCell::words(line(run.label.as_deref().unwrap_or_default())),
            FigureCell::words(run.trials),
            FigureCell::words(run.compared),
            FigureCell::words(run.wrong.len()),
            FigureCell::words(run.recorded_only),
        ]
    });
    FigureTable::new("Runs", columns).rows(rows)
}
