//! Reads runs for comparisons: logs of toolgauge and Inspect AI, and result files of other tools.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use indexmap::IndexMap;
use jiff::Timestamp;
use toolgauge_core::{
    ArgumentRules, CaseId, Cause, Loss, Outcome, Program, Run, RunId, Score, StopReason,
    SubjectIdentity, SuiteIdentity, Tags, Timings, TrialId, Usage,
};
use toolgauge_import::tau::{Batch, BatchPart, TauEvidence, TauReader, TauTrial};
use toolgauge_import::{ResultKind, detect};
use toolgauge_log::{Damage, Log, LogError, TrialSummary};
use toolgauge_report::RunSide;
use toolgauge_score::PartialScorer;

use crate::error::EngineError;
use crate::readable_log::ReadableLog;
use crate::rescoring::something_read;
use crate::settings::Settings;

/// The reward that tau-bench gave, which counts unless another scorer is asked for.
const REWARD: &str = "reward";
/// Our partial credit for the same trial.
const PARTIAL: &str = "partial";

/// Reads several runs at once, as many as there are processors, in the order they are named.
pub fn read_all(
    paths: &[PathBuf],
    scorer: Option<&str>,
    settings: &Settings,
) -> Result<Vec<RunSide>, EngineError> {
    let at_once = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut sides = Vec::with_capacity(paths.len());
    for few in paths.chunks(at_once) {
        let read: Vec<Result<RunSide, EngineError>> = thread::scope(|scope| {
            let readers: Vec<_> =
                few.iter().map(|path| scope.spawn(move || read(path, scorer, settings))).collect();
            let join = |reader: thread::ScopedJoinHandle<'_, _>| match reader.join() {
                Ok(side) => side,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            readers.into_iter().map(join).collect()
        });
        for side in read {
            sides.push(side?);
        }
    }
    Ok(sides)
}

/// Reads one run. The judgement of `scorer` is compared; without one, that of its first scorer.
pub fn read(
    path: &Path,
    scorer: Option<&str>,
    settings: &Settings,
) -> Result<RunSide, EngineError> {
    let begin = |run: &Run| {
        if let Some(name) = scorer.filter(|name| !run.scorers.iter().any(|known| known == name)) {
            return Err(EngineError::NoSuchScorer {
                name: name.to_owned(),
                known: run.scorers.clone(),
            });
        }
        let label = path.display().to_string();
        Ok(RunSide::new(label, run, scorer).graded(settings.grades).priced(settings.price_of(run)))
    };
    let take = |side: &mut RunSide, trial: Result<&TrialSummary, &LogError>| match trial {
        Ok(trial) => side.add(trial),
        Err(error) => side.add_damaged(error),
    };
    Ok(each_trial(path, begin, take)?.finished())
}

/// Goes through the trials of a run, whatever kind of file it is in. A sample of a log that cannot
/// be read is an error in its place.
pub fn each_trial<T>(
    path: &Path,
    begin: impl FnOnce(&Run) -> Result<T, EngineError>,
    mut add: impl FnMut(&mut T, Result<&TrialSummary, &LogError>),
) -> Result<T, EngineError> {
    // Other lists are results of other tools.
    let is_other = || matches!(detect(path), Ok(kind) if kind != ResultKind::TauBench);
    if is_list(path) && !is_other() {
        return each_task(path, begin, add);
    }
    let readable = ReadableLog::of(path)?;
    let log = Log::open(readable.path())?;
    let mut all = begin(log.run())?;
    let (mut damage, mut readable) = (Damage::default(), 0);
    log.summaries().for_each_ahead(|trial| {
        match &trial {
            Ok(_) => readable += 1,
            Err(error) => damage.note(error),
        }
        add(&mut all, trial.as_ref());
    });
    something_read(path, &damage, readable)?;
    Ok(all)
}

/// Whether a file begins as a JSON list does: the result files of tau-bench are lists. What cannot
/// be read is none; whoever reads it for a log says why.
fn is_list(path: &Path) -> bool {
    // Opening a pipe would wait until somebody writes to it.
    if !path.is_file() {
        return false;
    }
    let mut start = [0; 64];
    let read = File::open(path).and_then(|mut file| file.read(&mut start));
    let start = &start[..read.unwrap_or(0)];
    let text = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    text.trim_ascii_start().first() == Some(&b'[')
}

fn each_task<T>(
    path: &Path,
    begin: impl FnOnce(&Run) -> Result<T, EngineError>,
    mut add: impl FnMut(&mut T, Result<&TrialSummary, &LogError>),
) -> Result<T, EngineError> {
    let file = File::open(path).map_err(|error| EngineError::file("read", path, error))?;
    let mut reader = TauReader::new(BufReader::new(file));
    let mut all = begin(&tau_run(path))?;
    let mut batch = Batch::default();
    let mut seen: HashMap<String, u32> = HashMap::new();
    let bad = |error: toolgauge_import::tau::TauError| EngineError::BadResults {
        path: path.to_owned(),
        why: error.to_string(),
    };
    while reader.read(&mut batch).map_err(bad)? {
        for part in batch.parts() {
            let BatchPart::Task(task) = part else { continue };
            let trial = task.trial();
            let id = trial.task.clone().unwrap_or_else(|| format!("#{}", task.index));
            let number = seen.entry(id.clone()).or_default();
            *number += 1;
            let id = TrialId { case: CaseId::new(id), trial: *number };
            add(&mut all, Ok(&tau_summary(id, &trial)));
        }
    }
    Ok(all)
}

/// What can be told of the run behind a results file.
fn tau_run(path: &Path) -> Run {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Run {
        id: RunId::new(name.clone()),
        created: Timestamp::UNIX_EPOCH,
        suite: SuiteIdentity { name: "tau-bench".to_owned(), ..SuiteIdentity::default() },
        subject: SubjectIdentity { name, ..SubjectIdentity::default() },
        server: None,
        warnings: Vec::new(),
        max_tokens: None,
        variant: None,
        cases: Vec::new(),
        trials: 1,
        scorers: vec![REWARD.to_owned(), PARTIAL.to_owned()],
        system_prompt: None,
        tools: Vec::new(),
        floor: None,
        settings: serde_json::Map::new(),
        program: Program::default(),
    }
}

/// A task as a trial: the reward as tau-bench gave it, and our partial credit.
fn tau_summary(id: TrialId, trial: &TauTrial) -> TrialSummary {
    let partial = match &trial.evidence {
        TauEvidence::Calls { expected, made } => {
            PartialScorer::tau().score(expected, &ArgumentRules::default(), made)
        }
        TauEvidence::Failed | TauEvidence::NoActions | TauEvidence::NoTrajectory => {
            Score { losses: vec![Loss::new(Cause::BrokenTrial, 1.0)], ..Score::default() }
        }
    };
    let reward = Score { value: trial.reward, ..Score::default() };
    let outcomes = [(REWARD, reward), (PARTIAL, partial)];
    let outcomes = outcomes.map(|(name, score)| (name.to_owned(), Outcome::Scored(score)));
    TrialSummary {
        id,
        sentence: String::new(),
        tags: Tags::new(),
        group: None,
        gold: None,
        started: Timestamp::UNIX_EPOCH,
        ended: Timestamp::UNIX_EPOCH,
        outcomes: IndexMap::from(outcomes),
        failure: None,
        timings: Timings::default(),
        server: None,
        usage: Usage::default(),
        stop: StopReason::default(),
        turns: 0,
        attempts: 0,
        calls: 0,
        oddities: Vec::new(),
        tool_times: Vec::new(),
    }
}
