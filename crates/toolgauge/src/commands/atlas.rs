//! `toolgauge atlas`: what is wrong in a folder of other tools' results.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use toolgauge_core::{Case, Measure, Outcome, TrialId};
use toolgauge_engine::EngineError;
use toolgauge_engine::imports::LeftOut;
use toolgauge_import::{
    ImportError, ImportOptions, ImportedRun, ImportedTrial, ResultKind, detect, find_runs,
    known_kind,
};
use toolgauge_report::{Atlas, AtlasRun, GoldContradiction, WrongVerdict};
use toolgauge_score::{Evidence, Scorer};
use toolgauge_suite::contradictions;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::printer::Printer;

/// How deep folders are searched.
const DEEPEST: usize = 12;

/// Look for wrong verdicts and wrong expected answers in results of other tools.
///
/// Every result in the folders is read, and each recorded verdict is computed again by the rule of
/// its own tool. Named are those that differ, and the cases whose expected answer contradicts the
/// schema of the tool it is about. Nothing is written. The exit status is 1 if a verdict is wrong,
/// else 3 if a result in a folder cannot be read.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result files, or folders of them.
    #[arg(value_name = "FILE|FOLDER", required = true)]
    inputs: Vec<PathBuf>,

    /// The folder of questions and accepted answers that the results refer to, for BFCL that of
    /// `bfcl_eval/data`.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    if let Some(data) = args.data.as_deref().filter(|data| !data.is_dir()) {
        return Err(Failure::NoData { folder: data.to_owned() });
    }
    let found = args.inputs.iter().map(|input| FoundResults::of(input));
    let found = found.collect::<Result<Vec<FoundResults>, Failure>>()?;
    let passed_over = found.iter().map(|found| found.passed_over).sum();
    if found.iter().all(|found| found.results.is_empty()) {
        let mut closed = found.into_iter().flat_map(|found| found.closed);
        let nothing = Failure::NoResults { passed_over };
        return Err(closed.next().map_or(nothing, |error| EngineError::from(error).into()));
    }
    let mut atlas = Atlas {
        version: 1,
        runs: Vec::new(),
        contradictions: Vec::new(),
        cases_checked: 0,
        passed_over,
    };
    let (mut seen, mut left_out) = (HashSet::new(), Vec::new());
    for (input, found) in args.inputs.iter().zip(found) {
        let (known, mut unread) = (atlas.runs.len(), LeftOut::of(input));
        found.closed.into_iter().try_for_each(|error| unread.add(error.into()))?;
        for (path, kind) in found.results {
            printer.note(format!("reading {}", path.display()));
            let options = ImportOptions {
                kind: Some(kind),
                data: args.data.clone(),
                ..ImportOptions::default()
            };
            let runs = find_runs(&path, &options).unwrap_or_else(|error| vec![Err(error)]);
            for run in runs {
                match run.and_then(|run| look_at(run.as_ref(), &mut seen, &mut atlas)) {
                    Ok(run) => atlas.runs.push(run),
                    Err(error) => unread.add(error.into())?,
                }
            }
        }
        left_out.extend(unread.beside(atlas.runs.len() - known)?);
    }
    match args.format {
        OutputFormat::Json => printer.print_json(&atlas)?,
        OutputFormat::Text => printer.print_report(&atlas)?,
    }
    for error in &left_out {
        printer.warning(format!("left out: {error}"));
    }
    let is_wrong = atlas.runs.iter().any(|run| !run.wrong.is_empty());
    Ok(match (is_wrong, left_out.is_empty()) {
        (true, _) => ExitStatus::GateFailed,
        (false, false) => ExitStatus::SomeUnscored,
        (false, true) => ExitStatus::Done,
    })
}

/// Results below a folder.
#[derive(Default)]
struct FoundResults {
    results: Vec<(PathBuf, ResultKind)>,
    /// Files that are none.
    passed_over: usize,
    /// Folders that may not be looked into.
    closed: Vec<ImportError>,
}

impl FoundResults {
    /// What somebody names must be a result; what lies in a folder may be something else.
    fn of(input: &Path) -> Result<Self, Failure> {
        let mut found = Self::default();
        if input.is_dir() {
            found.search(input, DEEPEST);
        } else {
            let kind = detect(input).map_err(EngineError::from)?;
            found.results.push((input.to_owned(), kind));
        }
        Ok(found)
    }

    /// Takes a file or a folder as it is if all of it is one tool's; else looks into the folder.
    fn search(&mut self, path: &Path, depth: usize) {
        if let Some(kind) = known_kind(path) {
            return self.results.push((path.to_owned(), kind));
        }
        if !path.is_dir() || depth == 0 {
            self.passed_over += 1;
            return;
        }
        match entries(path) {
            Ok(entries) => entries.iter().for_each(|entry| self.search(entry, depth - 1)),
            Err(source) => self.closed.push(ImportError::Io { path: path.to_owned(), source }),
        }
    }
}

/// What lies in a folder, by name. Links are not followed: they may lead round in a circle.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        if !entry.file_type()?.is_symlink() {
            entries.push(entry.path());
        }
    }
    entries.sort();
    Ok(entries)
}

/// Judges the trials of a run by the rule of its tool alone. Each case is looked at once, however
/// many runs have it, and those before what cannot be read count.
fn look_at(
    run: &dyn ImportedRun,
    seen: &mut HashSet<(String, u64)>,
    atlas: &mut Atlas,
) -> Result<AtlasRun, ImportError> {
    let head = run.head();
    let rule = Scorer::by_name(head.scorer);
    let mut found = AtlasRun {
        suite: head.suite.clone(),
        label: head.label.clone(),
        model: head.model.clone(),
        scorer: head.scorer.to_owned(),
        trials: 0,
        compared: 0,
        wrong: Vec::new(),
        recorded_only: 0,
    };
    for trial in run.trials() {
        let trial = trial?;
        found.trials += 1;
        let case = &*trial.case;
        let tools = case.tools.as_deref().unwrap_or_default();
        let evidence = Evidence::new(case, tools, &trial.transcript);
        // promptfoo records a verdict for each assertion, and one of them has a rule here.
        let recorded = trial.transcript.background.recorded.iter();
        let others = recorded.filter(|verdict| verdict.scorer != head.scorer);
        let others = others.filter_map(|verdict| Scorer::by_name(&verdict.scorer));
        let others: Vec<Scorer> = others.filter(|it| matches!(it, Scorer::Peer(_))).collect();
        for rule in rule.iter().chain(&others) {
            compare(&rule.judge(&evidence), &trial, &mut found);
        }
        if case.tools.is_some() && seen.insert((head.suite.clone(), fingerprint(case))) {
            atlas.cases_checked += 1;
            let messages = contradictions(case);
            if !messages.is_empty() {
                let (suite, case) = (head.suite.clone(), case.id.clone());
                atlas.contradictions.push(GoldContradiction { suite, case, messages });
            }
        }
    }
    Ok(found)
}

/// Notes whether the mark that was recorded is the one that the rule gives.
fn compare(judged: &Outcome, trial: &ImportedTrial, found: &mut AtlasRun) {
    let mark = |measure| judged.score().and_then(|score| score.measure(measure));
    match (mark(Measure::Recorded), mark(Measure::Recomputed)) {
        (Some(recorded), Some(recomputed)) => {
            found.compared += 1;
            if (recorded - recomputed).abs() > 1e-9 {
                let trial = TrialId { case: trial.case.id.clone(), trial: trial.number.max(1) };
                found.wrong.push(WrongVerdict { trial, recorded, recomputed });
            }
        }
        (Some(_), None) => found.recorded_only += 1,
        (None, _) => {}
    }
}

/// What tells a case from others of its suite: not all of them have names of their own, but then
/// they are about other tools.
fn fingerprint(case: &Case) -> u64 {
    let mut hash = DefaultHasher::new();
    case.id.hash(&mut hash);
    case.tools.iter().flat_map(|tools| tools.iter()).for_each(|tool| tool.name.hash(&mut hash));
    hash.finish()
}
