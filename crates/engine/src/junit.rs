//! Logs as `JUnit` reports.

use std::path::Path;

use toolgauge_log::Log;
use toolgauge_report::{GateResult, JunitReport, JunitRun, Thresholds};

use crate::error::EngineError;
use crate::readable_log::ReadableLog;
use crate::sides;

/// So many trials are opened to say what was expected and answered; opening is slow.
const MOST_OPENED: usize = 5_000;

/// A test for each case of each log, and one for each gate. Graded questions are held to `graded`.
pub fn of_logs(
    logs: &[impl AsRef<Path>],
    results: &[GateResult],
    graded: Thresholds,
) -> Result<JunitReport, EngineError> {
    let mut runs = Vec::new();
    for path in logs {
        let path = path.as_ref();
        let readable = ReadableLog::of(path)?;
        let log = Log::open(readable.path()).ok();
        let mut left = MOST_OPENED;
        let run = sides::each_trial(
            path,
            |run| Ok(JunitRun::new(run, graded)),
            |run, trial| {
                let Ok(trial) = trial else { return };
                let wanted = run.is_lost(trial) && left > 0 && run.wants_losses_of(&trial.id.case);
                let opened = log.as_ref().filter(|_| wanted);
                left -= usize::from(opened.is_some());
                run.add(trial, opened.and_then(|log| log.trial(&trial.id).ok()).as_ref());
            },
        )?;
        runs.push((path.display().to_string(), run));
    }
    Ok(JunitReport::of(&runs, results))
}
