//! The verdicts of a score file, which lists those that failed.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use toolgauge_core::RecordedVerdict;

use super::Edition;
use crate::json_lines::JsonLines;
use crate::{ImportError, ResultKind};

/// Which answers failed, and why.
#[derive(Debug)]
pub(super) struct Scores {
    failed: HashMap<String, String>,
}

impl Scores {
    pub(super) fn read(path: &Path) -> Result<Self, ImportError> {
        let wanted = &["accuracy", "id", "error_type", "error"];
        let mut lines = JsonLines::open_members(path, wanted)?;
        let head = lines.next().transpose()?.map(|(_, head)| head).unwrap_or_default();
        if head.get("accuracy").is_none() {
            let why = "its first line has no `accuracy`, as a score file has";
            return Err(ImportError::unfit(path, ResultKind::Bfcl, why));
        }
        let mut failed = HashMap::new();
        for line in lines.by_ref() {
            let (_, entry) = line?;
            let id = match entry.get("id") {
                Some(Value::String(id)) => id.clone(),
                // The first edition counts the rows of the result file.
                Some(Value::Number(row)) => row.to_string(),
                _ => continue,
            };
            failed.insert(id, reason(&entry));
        }
        Ok(Self { failed })
    }

    /// The verdict on a row of the result file, counted from 1.
    pub(super) fn verdict(&self, id: &str, row: usize, edition: Edition) -> RecordedVerdict {
        let reason = match edition {
            Edition::V1 => self.failed.get(&row.to_string()),
            Edition::Later(_) => self.failed.get(id),
        };
        let verdict = RecordedVerdict::of(edition.scorer(), reason.is_none());
        verdict.because(reason.cloned().unwrap_or_default())
    }
}

/// The type of the error, and its first message where it is short.
fn reason(entry: &Value) -> String {
    let kind = entry.get("error_type").and_then(Value::as_str).unwrap_or("not said why");
    let first = entry.get("error").and_then(|error| error.get(0)?.as_str());
    match first.filter(|message| message.len() < 300) {
        Some(message) => format!("{kind}: {message}"),
        None => kind.to_owned(),
    }
}
