//! The labels of `report.csv`.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use crate::{ImportError, ResultKind, file};

/// How the header of a report begins, now and before version 2025.4.3.
const HEADERS: [&str; 2] =
    ["task_id,model_id,category,text,tool_call", "task_id,model_id,label,category,"];

/// The labels of one model by the name of the trial.
#[derive(Debug, Default)]
pub(super) struct Labels(HashMap<String, Vec<TestLabel>>);

/// What a report says of one test of a trial.
#[derive(Debug)]
pub(super) struct TestLabel {
    /// The name of the test. Reports before version 2025.4.3 do not name it.
    pub(super) test: Option<String>,
    pub(super) is_good: bool,
}

/// What a row says that is needed; the call in it is a text of Python and only the first one.
#[derive(Debug, Deserialize)]
struct Row {
    task_id: String,
    model_id: String,
    task_name: Option<String>,
    label: String,
}

impl Labels {
    /// Whether a file is a report.
    pub(super) fn is_report(path: &Path) -> bool {
        let is_csv = path.extension().is_some_and(|extension| extension == "csv");
        let header = || {
            let mut line = String::new();
            let file = file::open(path).ok()?;
            BufReader::new(file).take(4096).read_line(&mut line).ok()?;
            Some(HEADERS.iter().any(|header| line.starts_with(header)))
        };
        is_csv && header().unwrap_or(false)
    }

    /// The labels that a report has for a model; none if there is no report.
    pub(super) fn read(path: &Path, model: &str) -> Result<Self, ImportError> {
        let mut labels = Self::default();
        if !path.is_file() {
            return Ok(labels);
        }
        let file = file::open(path)?;
        let rows = csv::Reader::from_reader(BufReader::new(file)).into_deserialize::<Row>();
        for row in rows {
            let row = row.map_err(|error| {
                ImportError::unfit(path, ResultKind::HaDatasets, error.to_string())
            })?;
            if row.model_id == model {
                let label = TestLabel { test: row.task_name, is_good: row.label == "Good" };
                labels.0.entry(row.task_id).or_default().push(label);
            }
        }
        Ok(labels)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The labels of a trial.
    pub(super) fn of(&self, task: &str) -> &[TestLabel] {
        self.0.get(task).map(Vec::as_slice).unwrap_or_default()
    }
}
