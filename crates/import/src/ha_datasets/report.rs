//! The labels of `report.csv`.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use crate::{ImportError, ResultKind, file};

/// How the header of a report begins.
const HEADER: &str = "task_id,model_id,category,text,tool_call";

/// The labels of one model: the test and whether it was passed, by the name of the trial.
#[derive(Debug, Default)]
pub(super) struct Labels(HashMap<String, Vec<(String, bool)>>);

/// What a row says that is needed; the call in it is a text of Python and only the first one.
#[derive(Debug, Deserialize)]
struct Row {
    task_id: String,
    model_id: String,
    task_name: String,
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
            Some(line.starts_with(HEADER))
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
                let label = (row.task_name, row.label == "Good");
                labels.0.entry(row.task_id).or_default().push(label);
            }
        }
        Ok(labels)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The labels of a trial.
    pub(super) fn of(&self, task: &str) -> &[(String, bool)] {
        self.0.get(task).map(Vec::as_slice).unwrap_or_default()
    }
}
