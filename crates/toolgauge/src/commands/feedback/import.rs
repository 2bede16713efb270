//! Feedback from a file.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;
use std::time::SystemTime;

use jiff::Timestamp;
use serde::Deserialize;
use toolgauge_core::{CaseId, RunId, timestamp};
use toolgauge_core::{Feedback, Thumb};
use toolgauge_engine::EngineError;
use toolgauge_feedback::FeedbackStore;
use toolgauge_log::Log;

use crate::failure::Failure;

/// One line of a file to import.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeedbackLine {
    run: Option<RunId>,
    suite: Option<String>,
    case: Option<CaseId>,
    question: Option<String>,
    #[serde(default = "first")]
    trial: u32,
    #[serde(default)]
    author: String,
    thumb: Option<Thumb>,
    #[serde(default)]
    comment: String,
    correction: Option<String>,
    at: Option<Timestamp>,
}

fn first() -> u32 {
    1
}

/// The most of a file that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// Keeps every line of a file, or none if one of them cannot be read.
pub(super) fn import(file: &Path, log: Option<&Path>, folder: &Path) -> Result<usize, Failure> {
    let log = log.map(Log::open).transpose()?;
    let lines = File::open(file).map_err(|error| Failure::file("read", file, error))?;
    let mut read = Vec::new();
    for (line, number) in BufReader::new(lines.take(LARGEST)).lines().zip(1..) {
        let line = line.map_err(|error| Failure::file("read", file, error))?;
        if line.trim().is_empty() {
            continue;
        }
        let feedback = feedback_of(&line, log.as_ref());
        read.push(feedback.map_err(|why| EngineError::BadResults {
            path: file.to_owned(),
            why: format!("line {number}: {why}"),
        })?);
    }
    let store = FeedbackStore::open(folder)?;
    for feedback in &read {
        store.add(feedback)?;
    }
    Ok(read.len())
}

fn feedback_of(line: &str, log: Option<&Log>) -> Result<Feedback, String> {
    let line: FeedbackLine = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let run = log.map(Log::run);
    let case = match (line.case, line.question) {
        (Some(case), _) => case,
        (None, Some(question)) => asked(log, &question)?,
        (None, None) => return Err("it names neither a `case` nor a `question`".to_owned()),
    };
    let missing = |what| format!("it has no `{what}`; `--log` would say which run is meant");
    Ok(Feedback {
        run: line.run.or(run.map(|run| run.id.clone())).ok_or_else(|| missing("run"))?,
        suite: line
            .suite
            .or(run.map(|run| run.suite.name.clone()))
            .ok_or_else(|| missing("suite"))?,
        case,
        trial: line.trial,
        author: line.author,
        thumb: line.thumb,
        comment: line.comment,
        correction: line.correction,
        at: line.at.unwrap_or_else(|| timestamp(SystemTime::now())),
    })
}

/// The case of a run in which this was asked.
fn asked(log: Option<&Log>, question: &str) -> Result<CaseId, String> {
    let log = log.ok_or("a `question` can only be found with `--log`")?;
    for trial in log.summaries() {
        let Ok(trial) = trial else { continue };
        // A list of trials holds the beginning of a long sentence; the trial holds all of it.
        let may_be_cut = || !trial.sentence.is_empty() && question.starts_with(&trial.sentence);
        let is_whole = || log.trial(&trial.id).is_ok_and(|it| it.case.sentence() == question);
        if trial.sentence == question || (may_be_cut() && is_whole()) {
            return Ok(trial.id.case);
        }
    }
    Err("the run has no such question".to_owned())
}
