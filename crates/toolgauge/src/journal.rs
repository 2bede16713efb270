//! Who listens to a run: the logs first, then the display.

use toolgauge_log::LogWriter;
use toolgauge_runner::{EventSink, RunEvent, SinkError};

use crate::progress::Progress;

/// The logs of all arms of a run, and the display. A trial counts as finished once its log has
/// it; what cannot be shown does not matter.
pub(crate) struct Journal {
    pub(crate) logs: Vec<LogWriter>,
    pub(crate) progress: Progress,
}

impl EventSink for Journal {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        if let RunEvent::TrialFinished { arm, trial } = event {
            self.logs[*arm].append(trial)?;
        }
        let _ = self.progress.on_event(event);
        Ok(())
    }
}
