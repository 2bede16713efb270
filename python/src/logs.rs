//! Logs as tables.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use toolgauge_core::{Outcome, Run, Verdict};
use toolgauge_engine::last_log::named_logs;
use toolgauge_engine::{Settings, sides};
use toolgauge_log::{TrialSummary, is_log};
use toolgauge_report::{CaseStanding, Thresholds};

use crate::errors::{ToolgaugeError, failure, hinted};
use crate::table::{ColumnValue, Table, TableRows};

/// What logs hold, as tables.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct Logs {
    #[pyo3(get)]
    runs: Py<Table>,
    #[pyo3(get)]
    trials: Py<Table>,
    #[pyo3(get)]
    losses: Py<Table>,
    /// What could not be read, in words.
    #[pyo3(get)]
    damaged: Vec<String>,
}

#[pymethods]
impl Logs {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let rows = |table: &Py<Table>| table.bind(py).len();
        let (runs, trials) = (rows(&self.runs)?, rows(&self.trials)?);
        Ok(format!("Logs({runs} runs, {trials} trials, {} damaged)", self.damaged.len()))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.trials.bind(py).call_method0("_repr_html_")?.extract()
    }
}

#[derive(Default)]
struct LogTables {
    runs: TableRows,
    trials: TableRows,
    losses: TableRows,
    damaged: Vec<String>,
}

/// Reads logs: of toolgauge and Inspect AI, and results of tau-bench.
#[pyfunction]
pub(crate) fn read_logs(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Logs> {
    let tables = py.detach(|| read_all(&paths))?;
    Ok(Logs {
        runs: Py::new(py, tables.runs.finish()?)?,
        trials: Py::new(py, tables.trials.finish()?)?,
        losses: Py::new(py, tables.losses.finish()?)?,
        damaged: tables.damaged,
    })
}

fn read_all(paths: &[PathBuf]) -> PyResult<LogTables> {
    let settings = Settings::from_layers(&[]).map_err(failure)?;
    let mut tables = LogTables::default();
    for path in named_logs(&files(paths)?, &settings).map_err(failure)? {
        tables.add(&path)?;
    }
    Ok(tables)
}

/// The logs that are named, and those of the folders that are named.
fn files(paths: &[PathBuf]) -> PyResult<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(failure)?;
        let mut own: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_log(path))
            .collect();
        if own.is_empty() {
            let message = format!("the folder `{}` holds no log", path.display());
            return Err(ToolgaugeError::new_err(hinted(message, "logs end in `.eval`")));
        }
        own.sort();
        files.append(&mut own);
    }
    Ok(files)
}

impl LogTables {
    fn add(&mut self, path: &Path) -> PyResult<()> {
        let log = path.display().to_string();
        let mut head = None;
        let (trials, losses) = (&mut self.trials, &mut self.losses);
        let damaged = &mut self.damaged;
        let begin = |run: &Run| {
            head = Some(run.clone());
            Ok(run.clone())
        };
        let read = sides::each_trial(path, begin, |run, trial| match trial {
            Ok(trial) => {
                trials.add(trial_row(&log, run, trial));
                for row in loss_rows(&log, run, trial) {
                    losses.add(row);
                }
            }
            Err(error) => damaged.push(format!("{log}: {error}")),
        });
        read.map_err(failure)?;
        if let Some(run) = head {
            self.runs.add(run_row(&log, &run));
        }
        Ok(())
    }
}

fn named(name: &str, value: ColumnValue) -> (String, ColumnValue) {
    (name.to_owned(), value)
}

fn count(items: usize) -> ColumnValue {
    ColumnValue::Count(u64::try_from(items).ok())
}

fn run_row(log: &str, run: &Run) -> Vec<(String, ColumnValue)> {
    let scorers = run.scorers.join(",");
    vec![
        named("log", ColumnValue::text(log)),
        named("run", ColumnValue::text(run.id.as_str())),
        named("created", ColumnValue::Time(Some(run.created.as_microsecond()))),
        named("suite", ColumnValue::text(&run.suite.name)),
        named("suite_version", ColumnValue::Text(run.suite.version.clone())),
        named("suite_hash", ColumnValue::text(&run.suite.hash)),
        named("model", ColumnValue::text(&run.subject.name)),
        named("provider", ColumnValue::text(&run.subject.provider)),
        named("variant", ColumnValue::Text(run.variant.clone())),
        named("cases", count(run.cases.len())),
        named("trials_per_case", ColumnValue::Count(Some(u64::from(run.trials)))),
        named("scorers", ColumnValue::text(scorers)),
        named("floor", ColumnValue::Number(run.floor)),
    ]
}

fn trial_row(log: &str, run: &Run, trial: &TrialSummary) -> Vec<(String, ColumnValue)> {
    let scorer = trial.outcomes.keys().next().map(String::as_str).unwrap_or_default();
    let outcome = trial.outcome();
    let value = outcome.and_then(Outcome::value);
    let standing = Thresholds::of_scorer(scorer, Thresholds::default()).standing(value);
    let reason = match outcome {
        Some(Outcome::Unscored(reason)) => Some(reason.to_string()),
        _ => None,
    };
    let kind = trial.failure.as_ref().map(|failure| failure.kind.name().to_owned());
    let mut row = vec![
        named("log", ColumnValue::text(log)),
        named("run", ColumnValue::text(run.id.as_str())),
        named("suite", ColumnValue::text(&run.suite.name)),
        named("model", ColumnValue::text(&run.subject.name)),
        named("variant", ColumnValue::Text(run.variant.clone())),
        named("case", ColumnValue::text(trial.id.case.as_str())),
        named("trial", ColumnValue::Count(Some(u64::from(trial.id.trial)))),
        named("group", ColumnValue::Text(trial.group.clone())),
        named("sentence", ColumnValue::text(&trial.sentence)),
        named("scorer", ColumnValue::text(scorer)),
        named("value", ColumnValue::Number(value)),
        named("passed", ColumnValue::Flag(value.map(|_| standing == CaseStanding::Pass))),
        named("unscored", ColumnValue::Text(reason)),
        named("failure", ColumnValue::Text(kind)),
        named("started", ColumnValue::Time(Some(trial.started.as_microsecond()))),
        named("seconds", ColumnValue::Number(trial.latency().map(|time| time.as_secs_f64()))),
        named("input_tokens", ColumnValue::Count(trial.usage.input)),
        named("output_tokens", ColumnValue::Count(trial.usage.output)),
        named("turns", ColumnValue::Count(Some(u64::from(trial.turns)))),
        named("calls", ColumnValue::Count(Some(u64::from(trial.calls)))),
    ];
    let dimensions =
        outcome.and_then(Outcome::score).into_iter().flat_map(|score| &score.dimensions);
    row.extend(dimensions.map(|(dimension, verdict)| {
        let correct = match verdict {
            Verdict::Correct => Some(true),
            Verdict::Incorrect => Some(false),
            Verdict::NotApplicable => None,
        };
        (format!("dimension.{dimension}"), ColumnValue::Flag(correct))
    }));
    row.extend(
        trial.outcomes.iter().skip(1).map(|(name, outcome)| {
            (format!("scorer.{name}"), ColumnValue::Number(outcome.value()))
        }),
    );
    row.extend(
        trial.tags.iter().map(|(tag, value)| (format!("tag.{tag}"), ColumnValue::text(value))),
    );
    row
}

fn loss_rows<'a>(
    log: &'a str,
    run: &'a Run,
    trial: &'a TrialSummary,
) -> impl Iterator<Item = Vec<(String, ColumnValue)>> + 'a {
    trial.outcomes.iter().flat_map(move |(scorer, outcome)| {
        let losses = outcome.score().map(|score| score.losses.as_slice()).unwrap_or_default();
        losses.iter().map(move |loss| {
            vec![
                named("log", ColumnValue::text(log)),
                named("run", ColumnValue::text(run.id.as_str())),
                named("case", ColumnValue::text(trial.id.case.as_str())),
                named("trial", ColumnValue::Count(Some(u64::from(trial.id.trial)))),
                named("scorer", ColumnValue::text(scorer)),
                named("cause", ColumnValue::text(loss.cause.name())),
                named("points", ColumnValue::Number(Some(loss.points))),
                named("tool", ColumnValue::Text(loss.tool.clone())),
                named("path", ColumnValue::text(loss.path.to_string())),
            ]
        })
    })
}
