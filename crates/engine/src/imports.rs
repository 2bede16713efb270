//! Runs of other tools, written as ordinary logs.

mod left_out;
mod trial_numbers;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use indexmap::{IndexMap, IndexSet};
use toolgauge_core::{
    Case, CaseId, Expectation, ExtraArguments, Outcome, Program, Run, SubjectIdentity,
    SuiteIdentity, Trial, UnscoredReason, timestamp,
};
use toolgauge_import::{ImportOptions, ImportedHead, ImportedRun, ImportedTrial, NAMES_ALONE};
use toolgauge_log::{LogWriter, RunStatus, TrialSummary, UnfinishedFile};
use toolgauge_model::recognize;
use toolgauge_score::{Evidence, Scorer, recorded_outcome};
use toolgauge_suite::Suite;

pub use self::left_out::LeftOut;
use self::trial_numbers::{TrialNumbers, WrittenNumbers};
use crate::cell::new_run_id;
use crate::error::EngineError;
use crate::scorers;

/// How long reading may be silent before a person is told how far it is.
const BETWEEN_WORDS: Duration = Duration::from_secs(5);

/// A run that was read once from beginning to end, so that writing it meets no surprise.
pub struct CheckedRun {
    run: Box<dyn ImportedRun>,
    /// The head of its log.
    pub head: Run,
    /// How many trials there are in all.
    count: usize,
    /// The numbers that its trials are written under.
    numbers: WrittenNumbers,
    /// Those of the scorers of the log that are known here, with their options.
    scorers: Vec<Scorer>,
    /// What the cases should be judged by, where their results do not say.
    suite: Option<Arc<SuiteCases>>,
}

/// The cases of a suite by their names.
type SuiteCases = HashMap<CaseId, Arc<Case>>;

/// What is odd about cases that were not written for toolgauge. It is counted, never refused.
#[derive(Default)]
struct Oddities {
    /// Cases that expect a call of a tool that they do not offer.
    not_offered: usize,
    /// Trials that came twice under one number.
    repeated: usize,
    /// Cases that the suite they are held against does not have.
    not_in_suite: usize,
    /// Cases whose calls were recorded without their arguments.
    names_alone: usize,
}

impl Oddities {
    fn words(&self) -> Option<String> {
        let told = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
        let told = [
            told(self.not_offered, "expect a call of a tool that they do not offer"),
            told(self.repeated, "came twice, and are counted as further trials"),
            told(self.not_in_suite, "are not in the suite, and nothing is expected of them"),
            told(self.names_alone, "have calls without arguments, and are judged by names alone"),
        ];
        let told: Vec<String> = told.into_iter().flatten().collect();
        (!told.is_empty()).then(|| format!("of the imported cases {}", told.join(", ")))
    }
}

/// The runs in files and folders.
pub struct CheckedRuns {
    /// Those that can be imported.
    pub runs: Vec<CheckedRun>,
    /// Why others cannot be, which lie in a folder beside them.
    pub left_out: Vec<EngineError>,
}

/// Finds the runs in files and folders and reads each to its end. A folder may hold some that
/// cannot be read, but not only such.
pub fn check(
    inputs: &[PathBuf],
    options: &ImportOptions,
    suite: Option<&Arc<Suite>>,
    tell: &mut dyn FnMut(String),
) -> Result<CheckedRuns, EngineError> {
    let by_name = |case: &Arc<Case>| (case.id.clone(), Arc::clone(case));
    let suite = suite.map(|suite| Arc::new(suite.cases.iter().map(by_name).collect()));
    let mut checked = CheckedRuns { runs: Vec::new(), left_out: Vec::new() };
    for input in inputs {
        let known = checked.runs.len();
        let mut left_out = LeftOut::of(input);
        for run in toolgauge_import::find_runs(input, options)? {
            let run = run.map_err(EngineError::from);
            match run.and_then(|run| check_run(run, suite.clone(), tell)) {
                Ok(run) => checked.runs.push(run),
                Err(error) => left_out.add(error)?,
            }
        }
        checked.left_out.extend(left_out.beside(checked.runs.len() - known)?);
    }
    Ok(checked)
}

/// Sets options, each written as `SCORER.NAME=VALUE`, in those runs that the scorer judges.
pub fn set_options(runs: &mut [CheckedRun], options: &[String]) -> Result<(), EngineError> {
    for option in options {
        let of = option.split_once('.').map(|(scorer, _)| scorer);
        let judges = |run: &CheckedRun| run.scorers.iter().any(|it| Some(it.name()) == of);
        // Where no run has such a scorer, the first refuses the option.
        let is_known = runs.iter().any(judges);
        for run in runs.iter_mut().filter(|run| !is_known || judges(run)) {
            let scorers = std::mem::take(&mut run.scorers);
            run.scorers = scorers::with_options(scorers, std::slice::from_ref(option))?;
        }
    }
    Ok(())
}

/// What was found in the trials of a run.
#[derive(Default)]
struct Findings {
    numbers: TrialNumbers,
    /// The scorers under whose names verdicts are recorded.
    recorded: IndexSet<String>,
    /// Whether some case expects calls, and whether some expects words.
    calls: bool,
    words: bool,
    oddities: Oddities,
}

impl Findings {
    fn add(&mut self, trial: &ImportedTrial, suite: Option<&SuiteCases>) {
        let ImportedTrial { case, number, transcript } = trial;
        let noted = self.numbers.add(&case.id, *number);
        // Files that do not number their trials repeat none.
        self.oddities.repeated += usize::from(*number != 0 && !noted.is_new_number);
        for verdict in &transcript.background.recorded {
            if !self.recorded.contains(&verdict.scorer) {
                self.recorded.insert(verdict.scorer.clone());
            }
        }
        if !noted.is_new_case {
            return;
        }
        let is_missing = suite.is_some_and(|suite| !suite.contains_key(&case.id));
        let case = held_against(case, suite);
        self.oddities.names_alone += usize::from(case.metadata.get(NAMES_ALONE).is_some());
        // A case that is in the suite may well expect nothing.
        self.oddities.not_in_suite +=
            usize::from(is_missing && case.expectation == Expectation::default());
        let offered = |name: &str| {
            case.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool.name == name))
        };
        let mut calls = case.expectation.calls.iter().flatten();
        self.oddities.not_offered += usize::from(!calls.all(|call| offered(&call.name)));
        self.calls |= case.expectation.calls.is_some();
        let answer = case.expectation.answer.as_ref();
        self.words |= answer.is_some_and(|answer| !answer.keywords.is_empty());
    }

    /// The scorers of the log: that of the tool, others that it recorded, and ours where some case
    /// gives them something to judge.
    fn scorers(&self, known: &ImportedHead) -> Vec<String> {
        let judges = |name: &&&str| match **name {
            "tool_calls" | "partial" | "tau" => self.calls,
            "keywords" => self.words,
            _ => true,
        };
        let mut names: IndexSet<String> = IndexSet::new();
        names.insert(known.scorer.to_owned());
        names.extend(self.recorded.iter().cloned());
        names.extend(known.further.iter().filter(judges).map(|name| (*name).to_owned()));
        names.into_iter().collect()
    }
}

/// The case as its results have it, with what a suite expects of it.
fn held_against(case: &Arc<Case>, suite: Option<&SuiteCases>) -> Arc<Case> {
    let Some(known) = suite.and_then(|suite| suite.get(&case.id)) else {
        return Arc::clone(case);
    };
    let mut case = Case::clone(case);
    case.expectation = known.expectation.clone();
    // What was not recorded cannot be held against the subject.
    if case.metadata.get(NAMES_ALONE).is_some() {
        case.expectation.calls.iter_mut().flatten().for_each(|call| call.arguments.clear());
        case.expectation.rules.extra = ExtraArguments::Allowed;
    }
    case.tags.extend(known.tags.clone());
    if case.input.is_empty() {
        case.input.clone_from(&known.input);
    }
    Arc::new(case)
}

fn check_run(
    run: Box<dyn ImportedRun>,
    suite: Option<Arc<SuiteCases>>,
    tell: &mut dyn FnMut(String),
) -> Result<CheckedRun, EngineError> {
    let mut findings = Findings::default();
    let mut told = Instant::now();
    for trial in run.trials() {
        findings.add(&trial?, suite.as_deref());
        if told.elapsed() > BETWEEN_WORDS {
            let count = findings.numbers.trials();
            tell(format!("{count} trials of {} read", run.head().model));
            told = Instant::now();
        }
    }
    let count = findings.numbers.trials();
    if count == 0 {
        return Err(EngineError::EmptyImport { model: run.head().model.clone() });
    }
    let names = findings.scorers(run.head());
    let scorers = names.iter().filter_map(|name| Scorer::by_name(name)).collect();
    let highest = findings.numbers.highest().max(1);
    let (cases, numbers) = findings.numbers.divided();
    let mut head = head(run.head(), cases, names);
    head.trials = highest;
    head.warnings.extend(findings.oddities.words());
    Ok(CheckedRun { run, head, count, numbers, scorers, suite })
}

/// The head of the log of an imported run, as far as it says nothing of trials.
fn head(known: &ImportedHead, cases: Arc<[CaseId]>, scorers: Vec<String>) -> Run {
    let created = timestamp(SystemTime::now());
    let mut hash = crc32fast::Hasher::new();
    for case in cases.iter() {
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
        scorers,
        system_prompt: None,
        tools: Vec::new(),
        floor: None,
        settings: serde_json::Map::new(),
        program: Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: crate::REVISION.to_owned(),
        },
    }
}

impl CheckedRun {
    /// Writes the run as a new log, and hands the summary of each trial to `take`. A log that cannot
    /// be completed is taken away again.
    pub fn write(
        mut self,
        path: &Path,
        tell: &mut dyn FnMut(String),
        take: &mut dyn FnMut(&TrialSummary),
    ) -> Result<(), EngineError> {
        let (writer, unfinished) =
            UnfinishedFile::create(|| LogWriter::create(path, &self.head), LogWriter::path)?;
        self.write_trials(writer, tell, take)?;
        unfinished.keep();
        Ok(())
    }

    fn write_trials(
        &mut self,
        mut writer: LogWriter,
        tell: &mut dyn FnMut(String),
        take: &mut dyn FnMut(&TrialSummary),
    ) -> Result<(), EngineError> {
        let mut told = Instant::now();
        for (done, trial) in self.run.trials().enumerate() {
            let ImportedTrial { case, number, mut transcript } = trial?;
            let number = self.numbers.place(&case.id, number);
            let case = held_against(&case, self.suite.as_deref());
            let tools = case.tools.as_deref().unwrap_or_default();
            // Another tool's rule judges what that tool read.
            if !self.scorers.iter().any(|scorer| matches!(scorer, Scorer::Peer(_))) {
                recognize(&mut transcript, tools);
            }
            let evidence = Evidence::new(&case, tools, &transcript);
            let outcomes = judge(&self.head.scorers, &self.scorers, &evidence);
            let now = timestamp(SystemTime::now());
            let (started, ended) = (now, now);
            let trial = Trial { case, number, started, ended, transcript, outcomes };
            take(&writer.append_summarised(&trial)?);
            if told.elapsed() > BETWEEN_WORDS {
                tell(format!("{done} of {} trials written", self.count));
                told = Instant::now();
            }
        }
        writer.finish(&RunStatus::Success)?;
        Ok(())
    }
}

/// What the scorers say of a trial, with the verdict that was recorded in the place of the one
/// that the same rule gives here. Names without a rule have what was recorded alone.
fn judge(
    names: &[String],
    scorers: &[Scorer],
    evidence: &Evidence<'_>,
) -> IndexMap<String, Outcome> {
    let judged = |name: &String| {
        let outcome = match scorers.iter().find(|scorer| scorer.name() == name) {
            Some(Scorer::Peer(peer)) => peer.recorded(evidence),
            Some(own) => own.judge(evidence),
            None => evidence
                .transcript
                .recorded(name)
                .map_or(Outcome::Unscored(UnscoredReason::NothingExpected), recorded_outcome),
        };
        (name.clone(), outcome)
    };
    names.iter().map(judged).collect()
}
