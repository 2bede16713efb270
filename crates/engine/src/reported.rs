//! Runs read for a report, with what a page or a comment shows of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolgauge_core::Run;
use toolgauge_log::{Damage, Log, LogError, TrialSummary};
use toolgauge_report::{
    ChangeSince, Columns, Comparison, ContestReport, GateResult, ReportDocument, ReportedRun,
    RunSide, RunTally, Terms, Thresholds, html, markdown_page,
};

use crate::error::EngineError;
use crate::readable_log::ReadableLog;
use crate::settings::Settings;
use crate::sides;

/// How many flipped cases of each kind a comparison lists.
pub const FLIPS_SHOWN: usize = 20;

/// How many failing cases a comment shows with what was expected and what came.
const FAILING_SHOWN: usize = 20;

/// Beyond so many runs pairs are no longer compared one by one; the ranking remains.
const MOST_COMPARED: usize = 8;

/// What is added up over the trials of one run.
struct ReadRun {
    run: Run,
    tally: RunTally,
    side: Option<RunSide>,
    columns: Columns,
}

impl ReadRun {
    fn take(&mut self, trial: Result<&TrialSummary, &LogError>) {
        match trial {
            Ok(trial) => {
                self.tally.add(trial);
                self.columns.add(trial);
                self.side.iter_mut().for_each(|side| side.add(trial));
            }
            Err(error) => {
                self.tally.add_damaged(error);
                self.side.iter_mut().for_each(|side| side.add_damaged(error));
            }
        }
    }
}

/// What a report is made of.
pub struct ReportMaterial {
    /// The runs, and how they compare.
    pub document: ReportDocument,
    /// The columns of a table of trials.
    pub columns: Columns,
    /// Of each run, the trials that a page should show and cannot.
    pub hidden: Vec<Damage>,
    /// The logs of the runs; none of those that are lists of results.
    logs: Vec<Option<OpenedLog>>,
}

/// A log, and the folder that keeps it if it was made of a result of another tool.
struct OpenedLog {
    log: Log,
    _readable: ReadableLog,
}

impl ReportMaterial {
    /// Reads all runs, each once, and compares them with the first. Of each run at most `most`
    /// trials that lost points are kept with all that was said.
    pub fn read(
        logs: &[impl AsRef<Path>],
        most: usize,
        compares: bool,
        settings: &Settings,
    ) -> Result<Self, EngineError> {
        let compares = compares && logs.len() > 1;
        let mut columns = Columns::default();
        let (mut runs, mut sides, mut hidden) = (Vec::new(), Vec::new(), Vec::new());
        let mut opened = Vec::new();
        let labels = labels(logs);
        for (path, label) in logs.iter().map(AsRef::as_ref).zip(&labels) {
            let begin = |run: &Run| {
                let side = || {
                    let side = RunSide::new(label, run, None).graded(settings.grades);
                    side.priced(settings.price_of(run))
                };
                Ok(ReadRun {
                    run: run.clone(),
                    tally: RunTally::of(run, most),
                    side: compares.then(side),
                    columns: std::mem::take(&mut columns),
                })
            };
            let reading = sides::each_trial(path, begin, ReadRun::take)?;
            columns = reading.columns;
            sides.extend(reading.side.map(RunSide::finished));
            let price = settings.price_of(&reading.run);
            let readable = ReadableLog::of(path)?;
            let log = Log::open(readable.path()).ok();
            let log = log.map(|log| OpenedLog { log, _readable: readable });
            let finished = log.as_ref().is_none_or(|opened| opened.log.is_finished());
            let mut run = reading.tally.finish(&reading.run, label.clone(), finished, price);
            run.summary.grades = run.summary.grades.map(|grades| grades.held_to(settings.grades));
            let kept = log.as_ref().map(|opened| &opened.log);
            hidden.push(exhibit(&mut run, kept, settings.grades));
            runs.push(run);
            opened.push(log);
        }
        let mut document = ReportDocument::of(runs);
        compare(&mut document, &sides);
        Ok(Self { document, columns, hidden, logs: opened })
    }

    /// What a run was asked to do, as its log has it.
    pub fn run(&self, place: usize) -> Option<Run> {
        Some(self.logs.get(place)?.as_ref()?.log.run().clone())
    }

    /// Gives each run the gates it was held to.
    pub fn add_gates(&mut self, logs: &[impl AsRef<Path>], results: &[GateResult]) {
        for (run, log) in self.document.runs.iter_mut().zip(logs) {
            let name = log.as_ref().display().to_string();
            run.gates = results.iter().filter(|result| result.run == name).cloned().collect();
        }
    }

    /// Opens the failing cases of each run, those that broke since the run it was compared with
    /// first.
    pub fn show_failing(&mut self) {
        let others = self.document.comparisons.clone();
        for (place, (run, opened)) in self.document.runs.iter_mut().zip(&self.logs).enumerate() {
            let comparison = others.iter().find(|comparison| comparison.b.label == run.label);
            // The first run is the one that the others are compared with.
            if let Some(comparison) = comparison.filter(|_| place > 0 && run.change.is_none()) {
                let name = format!("{} ({})", comparison.a.named(), comparison.a.label);
                run.change = Some(ChangeSince { run: name, comparison: comparison.clone() });
            }
            if let Some(opened) = opened {
                run.show_failing(&opened.log, FAILING_SHOWN);
            }
        }
    }
}

/// A comment for a pull request: runs, the gates they were held to, and comparisons that were made
/// of them.
pub fn pull_request(
    logs: &[impl AsRef<Path>],
    gates: &[GateResult],
    comparisons: &[Comparison],
    settings: &Settings,
) -> Result<String, EngineError> {
    let mut material = ReportMaterial::read(logs, 0, false, settings)?;
    material.add_gates(logs, gates);
    for (run, path) in material.document.runs.iter_mut().zip(logs) {
        let name = path.as_ref().display().to_string();
        let found = comparisons.iter().find(|comparison| comparison.b.label == name);
        run.change = found.map(|comparison| ChangeSince {
            run: format!("{} ({})", comparison.a.named(), comparison.a.label),
            comparison: comparison.clone(),
        });
    }
    material.document.comparisons = comparisons.to_vec();
    material.show_failing();
    Ok(markdown_page(&material.document))
}

/// The names of files, with as many of the folders before them as tell them apart.
fn labels(paths: &[impl AsRef<Path>]) -> Vec<String> {
    let end = |path: &Path, parts: usize| {
        let all = path.components().count();
        let kept: PathBuf = path.components().skip(all.saturating_sub(parts)).collect();
        kept.to_string_lossy().into_owned()
    };
    let longest = paths.iter().map(|path| path.as_ref().components().count()).max().unwrap_or(1);
    let at_length =
        |parts| -> Vec<String> { paths.iter().map(|path| end(path.as_ref(), parts)).collect() };
    let distinct = |labels: &Vec<String>| labels.iter().collect::<BTreeSet<_>>().len();
    // The same file may be given twice: then no length tells all of them apart.
    let most = distinct(&at_length(longest));
    let lengths = (1..=longest).map(at_length);
    lengths.into_iter().find(|labels| distinct(labels) == most).unwrap_or_default()
}

/// Opens the worst trials, one at a time, and keeps what the page shows of them. Gives what could
/// not be opened.
fn exhibit(run: &mut ReportedRun, log: Option<&Log>, graded: Thresholds) -> Damage {
    let mut damage = Damage::default();
    let Some(log) = log else { return damage };
    for id in &run.worst {
        // Its numbers stand in a list as well, and were counted.
        run.exhibits.push(match log.trial(id) {
            Ok(trial) => html::exhibit(&trial, graded),
            Err(error) => {
                damage.note(&error);
                html::damaged_exhibit(id, &error.to_string())
            }
        });
    }
    damage
}

fn compare(document: &mut ReportDocument, sides: &[RunSide]) {
    let Some((first, others)) = sides.split_first() else { return };
    let terms = Terms { flips_shown: Some(FLIPS_SHOWN), ..Terms::default() };
    if others.len() < MOST_COMPARED {
        let compared = others.iter().map(|other| Comparison::of(first, other, &terms));
        document.comparisons = compared.filter(|found| found.shared.cases > 0).collect();
    }
    if others.len() > 1 {
        document.contest = ContestReport::of(sides, terms.unscored, &terms.resampling);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_in_files_of_one_name_are_told_apart_by_their_folders() {
        assert_eq!(labels(&["logs/a.eval", "logs/b.eval"]), ["a.eval", "b.eval"]);
        assert_eq!(labels(&["x/1/run.eval", "x/2/run.eval"]), ["1/run.eval", "2/run.eval"]);
        assert_eq!(labels(&["run.eval", "run.eval"]), ["run.eval", "run.eval"]);
    }
}
