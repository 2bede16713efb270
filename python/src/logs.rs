//! Logs as tables.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use serde_json::json;
use toolgauge_core::{Outcome, Run, Verdict};
use toolgauge_engine::last_log::named_log;
use toolgauge_engine::{EngineError, sides};
use toolgauge_log::{TrialSummary, is_log};
use toolgauge_report::{CaseStanding, Thresholds};

use crate::errors::{ToolgaugeError, engine_failure, failure, hinted};
use crate::project;
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
    grades: Thresholds,
    runs: TableRows,
    trials: TableRows,
    losses: TableRows,
    damaged: Vec<String>,
}

/// Reads logs: of toolgauge and Inspect AI, and results of tau-bench. Those of the project if none
/// are named.
#[pyfunction]
pub(crate) fn read_logs(py: Python<'_>, paths: Option<Vec<PathBuf>>) -> PyResult<Logs> {
    let tables = py.detach(|| read_all(paths))?;
    Ok(Logs {
        runs: Py::new(py, tables.runs.finish()?)?,
        trials: Py::new(py, tables.trials.finish()?)?,
        losses: Py::new(py, tables.losses.finish()?)?,
        damaged: tables.damaged,
    })
}

fn read_all(paths: Option<Vec<PathBuf>>) -> PyResult<LogTables> {
    let settings = project::settings(json!({}))?;
    let mut tables = LogTables { grades: settings.grades, ..LogTables::default() };
    for path in paths.unwrap_or_else(|| vec![PathBuf::from(&settings.run.log_dir)]) {
        if !path.is_dir() {
            let log = named_log(&path, &settings).map_err(engine_failure)?;
            tables.add(&log).map_err(engine_failure)?;
            continue;
        }
        for log in logs_in(&path)? {
            // Whoever names a folder wants what can be read in it.
            if let Err(error) = tables.add(&log) {
                tables.damaged.push(format!("{}: {error}", log.display()));
            }
        }
    }
    Ok(tables)
}

fn logs_in(folder: &Path) -> PyResult<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(failure)?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut logs: Vec<PathBuf> = paths.filter(|path| is_log(path)).collect();
    if logs.is_empty() {
        let message = format!("the folder `{}` holds no log", folder.display());
        return Err(ToolgaugeError::new_err(hinted(message, "logs end in `.eval`")));
    }
    logs.sort();
    Ok(logs)
}

impl LogTables {
    fn add(&mut self, path: &Path) -> Result<(), EngineError> {
        let log = path.display().to_string();
        let mut head = None;
        let (trials, losses) = (&mut self.trials, &mut self.losses);
        let (damaged, grades) = (&mut self.damaged, self.grades);
        let begin = |run: &Run| {
            head = Some(run.clone());
            Ok(run.clone())
        };
        sides::each_trial(path, begin, |run, trial| match trial {
            Ok(trial) => {
                trials.add(trial_row(&log, run, trial, grades));
                for row in loss_rows(&log, run, trial) {
                    losses.add(row);
                }
            }
            Err(error) => damaged.push(format!("{log}: {error}")),
        })?;
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

fn trial_row(
    log: &str,
    run: &Run,
    trial: &TrialSummary,
    grades: Thresholds,
) -> Vec<(String, ColumnValue)> {
    let scorer = trial.outcomes.keys().next().map(String::as_str).unwrap_or_default();
    let outcome = trial.outcome();
    let value = outcome.and_then(Outcome::value);
    let standing = Thresholds::of_scorer(scorer, grades).standing(value);
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
