//! Logs as `JUnit` reports.

use std::path::Path;

use toolgauge_core::Outcome;
use toolgauge_log::Log;
use toolgauge_report::{GateResult, JunitReport, JunitRun};

use crate::failure::Failure;
use crate::sides;

/// So many trials are opened to say what was expected and answered; opening is slow.
const MOST_OPENED: usize = 5_000;

/// A test for each case of each log, and one for each gate.
pub(crate) fn of_logs(
    logs: &[impl AsRef<Path>],
    results: &[GateResult],
) -> Result<JunitReport, Failure> {
    let mut report = JunitReport::default();
    for path in logs {
        let path = path.as_ref();
        let log = Log::open(path).ok();
        let mut left = MOST_OPENED;
        let run = sides::each_trial(
            path,
            |run| Ok(JunitRun::new(run)),
            |run, trial| {
                let Ok(trial) = trial else { return };
                let lost =
                    trial.outcome().and_then(Outcome::value).is_some_and(|value| value < 1.0);
                let wanted = lost && left > 0 && run.wants_losses_of(&trial.id.case);
                let opened = log.as_ref().filter(|_| wanted);
                left -= usize::from(opened.is_some());
                run.add(trial, opened.and_then(|log| log.trial(&trial.id).ok()).as_ref());
            },
        )?;
        report.add_run(run);
    }
    report.add_gates(results);
    Ok(report)
}
