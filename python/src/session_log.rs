//! One log of the tests of a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use jiff::Timestamp;
use pyo3::prelude::*;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    Case, CaseId, FailureKind, Message, Outcome, Program, Run, RunEntry, Score, SubjectIdentity,
    SuiteIdentity, Timings, Transcript, Trial, TrialFailure, Turn, UnscoredReason,
};
use toolgauge_engine::cell::new_run_id;
use toolgauge_log::{LogWriter, RunStatus, file_name};

use crate::errors::{MessageError, failure};
use crate::messages::Conversation;
use crate::plain_value::from_python;
use crate::scoring::read_expectation;

/// The name under which logs hold what a test came to.
const SCORER: &str = "test";

/// One repetition of a test.
#[derive(FromPyObject)]
pub(crate) struct TestTrial {
    /// The test.
    #[pyo3(item)]
    case: String,
    /// Which repetition it is, counted from 1.
    #[pyo3(item)]
    trial: u32,
    /// Seconds since 1970.
    #[pyo3(item)]
    started: f64,
    #[pyo3(item)]
    ended: f64,
    /// The value, or none if the test broke.
    #[pyo3(item)]
    value: Option<f64>,
    /// Why it failed or broke.
    #[pyo3(item)]
    reason: String,
    /// What was said and what was expected, as JSON; from `assert_calls`, if the test used it.
    #[pyo3(item)]
    messages: Option<String>,
    #[pyo3(item)]
    expect: Option<String>,
    /// The outcome of the assertion that counts, as JSON.
    #[pyo3(item)]
    outcome: Option<String>,
}

/// Writes the log of a session and gives its path.
#[pyfunction]
pub(crate) fn write_session_log(
    folder: PathBuf,
    name: &str,
    subject: &str,
    trials: Vec<TestTrial>,
) -> PyResult<PathBuf> {
    std::fs::create_dir_all(&folder).map_err(failure)?;
    let run = head(name, subject, &trials);
    let path = Path::new(&folder).join(file_name(&run));
    let mut writer = LogWriter::create(&path, &run).map_err(failure)?;
    for trial in trials {
        writer.append(&trial.into_trial()?).map_err(failure)?;
    }
    writer.finish(&RunStatus::Success).map_err(failure)
}

/// Messages of any form as a JSON list in OpenAI's form, to be sent between processes.
#[pyfunction]
pub(crate) fn plain_messages(messages: &Bound<'_, PyAny>) -> PyResult<String> {
    let read = Conversation::try_from(from_python(messages)?).map_err(MessageError::new_err)?;
    let all = read.input.iter().chain(&read.transcript.messages);
    let plain: Vec<Value> = all.map(Message::to_openai).collect();
    Ok(Value::Array(plain).to_string())
}

/// A value as JSON, to be sent between processes.
#[pyfunction]
pub(crate) fn plain_json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(from_python(value)?.to_string())
}

fn head(name: &str, subject: &str, trials: &[TestTrial]) -> Run {
    let created = trials.iter().map(|trial| trial.started).fold(f64::INFINITY, f64::min);
    let created = time(created);
    let mut cases: IndexMap<&str, u32> = IndexMap::new();
    for trial in trials {
        let most = cases.entry(&trial.case).or_default();
        *most = (*most).max(trial.trial);
    }
    let mut settings = Map::new();
    // A test stops as soon as it is decided, so fewer trials than planned are no gap.
    RunEntry::Adaptive.put(&mut settings, true);
    Run {
        id: new_run_id(created),
        created,
        suite: SuiteIdentity {
            name: name.to_owned(),
            version: None,
            // Two sessions with the same tests can be compared; what a test expects is in its code.
            hash: format!(
                "{:08x}",
                crc32fast::hash(json!(cases.keys().collect::<Vec<_>>()).to_string().as_bytes())
            ),
            size: cases.len(),
        },
        subject: SubjectIdentity {
            name: subject.to_owned(),
            provider: "python".to_owned(),
            base_url: None,
        },
        server: None,
        warnings: Vec::new(),
        max_tokens: None,
        variant: None,
        trials: cases.values().copied().max().unwrap_or(1),
        cases: cases.keys().map(|case| CaseId::new(*case)).collect(),
        scorers: vec![SCORER.to_owned()],
        system_prompt: None,
        tools: Vec::new(),
        floor: None,
        settings,
        program: Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: toolgauge_engine::REVISION.to_owned(),
        },
    }
}

impl TestTrial {
    fn into_trial(self) -> PyResult<Trial> {
        let parse = |text: &str| serde_json::from_str::<Value>(text).map_err(failure);
        let mut case = Case::new(self.case.as_str(), self.case.as_str());
        let mut transcript = Transcript::default();
        if let Some(messages) = &self.messages {
            let read = Conversation::try_from(parse(messages)?).map_err(MessageError::new_err)?;
            transcript = read.transcript;
            if !read.input.is_empty() {
                case.input = read.input;
            }
        }
        if let Some(expect) = &self.expect {
            case.expectation = read_expectation(parse(expect)?)?;
        }
        let total = Duration::try_from_secs_f64(self.ended - self.started).unwrap_or_default();
        let timings = Timings { total, ..Timings::default() };
        transcript.turns = vec![Turn { timings, attempts: 1, ..Turn::default() }];
        let outcome = match self.value {
            Some(value) => Outcome::Scored(self.score(value)?),
            None => {
                let failure =
                    TrialFailure { kind: FailureKind::Internal, message: self.reason.clone() };
                transcript.failure = Some(failure.clone());
                Outcome::Unscored(UnscoredReason::Failed(failure))
            }
        };
        Ok(Trial {
            case: Arc::new(case),
            number: self.trial,
            started: time(self.started),
            ended: time(self.ended),
            transcript,
            outcomes: IndexMap::from([(SCORER.to_owned(), outcome)]),
        })
    }

    /// What the assertion found, with the value and the words of the test.
    fn score(&self, value: f64) -> PyResult<Score> {
        let found = match &self.outcome {
            Some(outcome) => {
                serde_json::from_str::<Outcome>(outcome).map_err(failure)?.score().cloned()
            }
            None => None,
        };
        let mut score = found.unwrap_or_default();
        score.value = value;
        if !self.reason.is_empty() {
            score.explanation.clone_from(&self.reason);
        }
        Ok(score)
    }
}

fn time(seconds: f64) -> Timestamp {
    let duration = jiff::SignedDuration::try_from_secs_f64(seconds).unwrap_or_default();
    Timestamp::from_duration(duration).unwrap_or_default()
}
