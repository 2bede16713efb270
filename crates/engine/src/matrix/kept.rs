//! What a resumed matrix finds of earlier runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toolgauge_core::{CaseId, CellName, Outcome, Run, UnscoredReason};
use toolgauge_log::Log;

use super::server_group::{EarlierLog, ServerGroup};
use crate::cell::Cell;
use crate::error::EngineError;
use crate::subjects::llama::is_file;

/// Looks for the logs of earlier runs of a matrix, the newest of each cell.
pub(super) fn find(matrix: &str, groups: &mut [ServerGroup]) -> Result<(), EngineError> {
    let Some(first) = groups.first() else { return Ok(()) };
    let folder = PathBuf::from(&first.invocation.settings.run.log_dir);
    let mut found: BTreeMap<String, (PathBuf, Run)> = BTreeMap::new();
    // A folder that is not there yet has no logs; so has a file that is no log.
    for entry in toolgauge_log::list(&folder).into_iter().flatten().flatten() {
        if let Some(of) = entry.run.matrix_cell().filter(|of| of.name == matrix) {
            // Names of logs begin with their time and are listed in order, so the newest one stays.
            found.insert(key(&of.cell), (entry.path, entry.run));
        }
    }
    for planned in groups.iter_mut().flat_map(|group| &mut group.cells) {
        let Some((path, run)) = found.remove(&key(&planned.name)) else { continue };
        if is_same(&planned.cell, &run)? {
            let complete = is_complete(&path, &run)?;
            planned.log = Some(EarlierLog { path, complete });
        }
    }
    Ok(())
}

/// What tells one cell from another.
fn key(name: &CellName) -> String {
    serde_json::to_string(name).expect("a name is plain data")
}

/// Whether a log holds what the cell would run.
fn is_same(cell: &Cell, run: &Run) -> Result<bool, EngineError> {
    let cases: Vec<&CaseId> = cell.cases.iter().map(|case| &case.id).collect();
    let scorers: Vec<String> =
        cell.scorers()?.iter().map(|scorer| scorer.name().to_owned()).collect();
    Ok(run.suite.hash == cell.suite.hash
        && asks_the_same(cell, run)?
        && run.trials == cell.invocation.settings.run.trials
        && run.cases.iter().eq(cases)
        && run.scorers == scorers)
}

/// Whether the model behind a log was asked as that of the cell would be. The name of a cell is a
/// label in a file, behind which another model may stand by now.
fn asks_the_same(cell: &Cell, run: &Run) -> Result<bool, EngineError> {
    let asked = Value::Object(cell.invocation.for_log()?);
    let recorded = Value::Object(run.settings.clone());
    let mut parts =
        vec!["/model", "/world", "/body", "/settings/sampling", "/settings/server/llama_flags"];
    // A server that is started for a file has another port each time.
    if !is_file(Path::new(&cell.invocation.model)) {
        parts.push("/settings/server/base_url");
    }
    Ok(parts.iter().all(|part| asked.pointer(part) == recorded.pointer(part)))
}

/// Whether every trial of a log was judged, or cannot be.
fn is_complete(path: &Path, run: &Run) -> Result<bool, EngineError> {
    let mut judged = 0;
    for trial in Log::open(path)?.summaries() {
        // What cannot be read is run again.
        let Ok(trial) = trial else { continue };
        let failed =
            matches!(trial.outcome(), None | Some(Outcome::Unscored(UnscoredReason::Failed(_))));
        judged += usize::from(!failed);
    }
    Ok(judged >= run.cases.len() * run.trials as usize)
}
