//! Logs as tables.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use serde_json::json;
use toolgauge_engine::last_log::named_log;
use toolgauge_engine::rescoring::something_read;
use toolgauge_engine::{EngineError, ReadableLog, Settings, shard_logs};
use toolgauge_log::{Damage, Log, is_folder, local_path};
use toolgauge_tables::{BatchBuilder, Grading, LogFacts, Row, Source, TableName, TrialFacts};

use crate::errors::{ToolgaugeError, engine_failure, hinted};
use crate::project;
use crate::table::{self, Table};

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

struct LogTables {
    settings: Settings,
    runs: BatchBuilder,
    trials: BatchBuilder,
    losses: BatchBuilder,
    damaged: Vec<String>,
}

/// Reads logs: of toolgauge and Inspect AI, and results of tau-bench. Those of the project if none
/// are named.
#[pyfunction]
pub(crate) fn read_logs(py: Python<'_>, paths: Option<Vec<PathBuf>>) -> PyResult<Logs> {
    let tables = py.detach(|| read_all(paths))?;
    Ok(Logs {
        runs: Py::new(py, table::finish(tables.runs)?)?,
        trials: Py::new(py, table::finish(tables.trials)?)?,
        losses: Py::new(py, table::finish(tables.losses)?)?,
        damaged: tables.damaged,
    })
}

fn read_all(paths: Option<Vec<PathBuf>>) -> PyResult<LogTables> {
    let settings = project::settings(json!({}))?;
    let paths = paths.unwrap_or_else(|| vec![PathBuf::from(&settings.run.log_dir)]);
    let mut tables = LogTables::new(settings);
    toolgauge::install_stores();
    for path in paths {
        let path = local_path(&path);
        if !is_folder(&path) {
            let log = named_log(&path, &tables.settings).map_err(engine_failure)?;
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
    shard_logs::runs_at(folder).map_err(|error| match error {
        EngineError::NoLogs { .. } => {
            let message = format!("the folder `{}` holds no log", folder.display());
            ToolgaugeError::new_err(hinted(message, "logs end in `.eval`"))
        }
        other => engine_failure(other),
    })
}

impl LogTables {
    fn new(settings: Settings) -> Self {
        // What only samples know is left out: summaries are read in a tenth of the time.
        let rows = |table: TableName| {
            let columns = table.columns().iter();
            BatchBuilder::new(columns.filter(|column| column.source < Source::Samples).collect())
        };
        Self {
            settings,
            runs: rows(TableName::Runs),
            trials: rows(TableName::Trials),
            losses: rows(TableName::Losses),
            damaged: Vec::new(),
        }
    }

    fn add(&mut self, path: &Path) -> Result<(), EngineError> {
        let name = path.display().to_string();
        let readable = ReadableLog::of(path)?;
        let log = Log::open(readable.path())?;
        let price = self.settings.price_of(log.run());
        let grading = Grading { thresholds: self.settings.grades, price };
        let facts = LogFacts::new(name.clone(), log.run(), log.status(), grading);
        let (mut damage, mut read) = (Damage::default(), 0);
        log.summaries().for_each_ahead(|trial| match trial {
            Ok(trial) => {
                read += 1;
                let trial = TrialFacts::from(&trial);
                for (table, rows) in
                    [(TableName::Trials, &mut self.trials), (TableName::Losses, &mut self.losses)]
                {
                    table.rows_of(&facts, &trial, |row| rows.add(&row));
                }
            }
            Err(error) => {
                self.damaged.push(format!("{name}: {error}"));
                damage.note(&error);
            }
        });
        something_read(path, &damage, read)?;
        self.runs.add(&Row::of_run(&facts));
        Ok(())
    }
}
