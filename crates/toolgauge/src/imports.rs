//! Runs of other tools, written as ordinary logs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use indexmap::{IndexMap, IndexSet};
use toolgauge_core::{
    CaseId, Outcome, Program, Run, SubjectIdentity, SuiteIdentity, Trial, timestamp,
};
use toolgauge_import::{ImportOptions, ImportedHead, ImportedRun, ImportedTrial};
use toolgauge_log::{LogWriter, RunStatus};
use toolgauge_score::{Evidence, Scorer};

use crate::cell::new_run_id;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::scorers;

/// How long reading may be silent before a person is told how far it is.
const BETWEEN_WORDS: Duration = Duration::from_secs(5);

/// A run that was read once from beginning to end, so that writing it meets no surprise.
pub(crate) struct CheckedRun {
    run: Box<dyn ImportedRun>,
    /// The head of its log.
    pub(crate) head: Run,
    /// How many trials there are in all.
    count: usize,
}

/// What is odd about cases that were not written for toolgauge. It is counted, never refused.
#[derive(Default)]
struct Oddities {
    /// Cases that expect a call of a tool that they do not offer.
    not_offered: usize,
    /// Trials that came twice under one number.
    repeated: usize,
}

impl Oddities {
    fn words(&self) -> Option<String> {
        let told = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
        let told = [
            told(self.not_offered, "expect a call of a tool that they do not offer"),
            told(self.repeated, "came twice, and are counted as further trials"),
        ];
        let told: Vec<String> = told.into_iter().flatten().collect();
        (!told.is_empty()).then(|| format!("of the imported cases {}", told.join(", ")))
    }
}

/// Finds the runs in files and folders and reads each to its end.
pub(crate) fn check(
    inputs: &[PathBuf],
    options: &ImportOptions,
    printer: &mut Printer,
) -> Result<Vec<CheckedRun>, Failure> {
    let mut checked = Vec::new();
    for input in inputs {
        for run in toolgauge_import::find_runs(input, options)? {
            checked.push(check_run(run, printer)?);
        }
    }
    Ok(checked)
}

fn check_run(run: Box<dyn ImportedRun>, printer: &mut Printer) -> Result<CheckedRun, Failure> {
    let mut numbers: HashMap<CaseId, u32> = HashMap::new();
    let mut cases = IndexSet::new();
    let (mut count, mut oddities) = (0, Oddities::default());
    let mut told = Instant::now();
    for trial in run.trials() {
        let ImportedTrial { case, number, .. } = trial?;
        let last = numbers.entry(case.id.clone()).or_default();
        oddities.repeated += usize::from(number <= *last);
        *last = number.max(*last + 1);
        count += 1;
        if cases.insert(case.id.clone()) {
            let offered = |name: &str| {
                case.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool.name == name))
            };
            let mut calls = case.expectation.calls.iter().flatten();
            oddities.not_offered += usize::from(!calls.all(|call| offered(&call.name)));
        }
        if told.elapsed() > BETWEEN_WORDS {
            printer.note(format!("{count} trials of {} read", run.head().model));
            told = Instant::now();
        }
    }
    if count == 0 {
        return Err(Failure::EmptyImport { model: run.head().model.clone() });
    }
    let mut head = head(run.head(), cases.into_iter().collect());
    head.trials = numbers.into_values().max().unwrap_or(1);
    head.warnings.extend(oddities.words());
    Ok(CheckedRun { run, head, count })
}

/// The head of the log of an imported run, as far as it says nothing of trials.
fn head(known: &ImportedHead, cases: Vec<CaseId>) -> Run {
    let created = timestamp(SystemTime::now());
    let scorers = std::iter::once(&known.scorer).chain(known.further);
    let mut hash = crc32fast::Hasher::new();
    for case in &cases {
        hash.update(case.as_str().as_bytes());
    }
    Run {
        id: new_run_id(created),
        created,
        suite: SuiteIdentity {
            name: known.suite.clone(),
            version: None,
            hash: format!("{:08x}", hash.finalize()),
            size: cases.len(),
        },
        subject: SubjectIdentity {
            name: known.model.clone(),
            provider: "import".into(),
            base_url: None,
        },
        server: None,
        warnings: known.warnings.clone(),
        max_tokens: None,
        // Where several runs of one model lie side by side, this tells them apart.
        variant: known.label.clone(),
        cases,
        trials: 1,
        scorers: scorers.map(|name| (*name).to_owned()).collect(),
        system_prompt: None,
        tools: Vec::new(),
        floor: None,
        settings: serde_json::Map::new(),
        program: Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: toolgauge_engine::REVISION.to_owned(),
        },
    }
}

impl CheckedRun {
    /// Writes the run as a new log. A log that cannot be completed is taken away again.
    pub(crate) fn write(&self, path: &Path, printer: &mut Printer) -> Result<(), Failure> {
        let writer = LogWriter::create(path, &self.head)?;
        let written = self.write_trials(writer, printer);
        if written.is_err() {
            let _ = std::fs::remove_file(path);
        }
        written
    }

    fn write_trials(&self, mut writer: LogWriter, printer: &mut Printer) -> Result<(), Failure> {
        let names: Vec<&str> = self.head.scorers.iter().map(String::as_str).collect();
        let scorers = scorers::named(&names, &[])?;
        let mut numbers: HashMap<CaseId, u32> = HashMap::new();
        let mut told = Instant::now();
        for (done, trial) in self.run.trials().enumerate() {
            let ImportedTrial { case, number, transcript } = trial?;
            let last = numbers.entry(case.id.clone()).or_default();
            *last = number.max(*last + 1);
            let tools = case.tools.as_deref().unwrap_or_default();
            let outcomes = judge(&scorers, &Evidence::new(&case, tools, &transcript));
            let now = timestamp(SystemTime::now());
            let (number, started, ended) = (*last, now, now);
            writer.append(&Trial { case, number, started, ended, transcript, outcomes })?;
            if told.elapsed() > BETWEEN_WORDS {
                printer.note(format!("{done} of {} trials written", self.count));
                told = Instant::now();
            }
        }
        writer.finish(&RunStatus::Success)?;
        Ok(())
    }
}

/// What the scorers say of a trial, with the verdict that was recorded in the place of the one
/// that the same rule gives here.
fn judge(scorers: &[Scorer], evidence: &Evidence<'_>) -> IndexMap<String, Outcome> {
    let judged = |scorer: &Scorer| {
        let outcome = match scorer {
            Scorer::Peer(peer) => peer.recorded(evidence),
            own => own.judge(evidence),
        };
        (scorer.name().to_owned(), outcome)
    };
    scorers.iter().map(judged).collect()
}
