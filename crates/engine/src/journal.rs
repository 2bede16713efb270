//! Who listens to a run: the logs first, then the observer.

use toolgauge_log::LogWriter;
use toolgauge_runner::{EventSink, RunEvent, SinkError};

use crate::observer::Observer;

/// The logs of all arms of a run, and its observer. A trial counts as finished once its log has
/// it.
pub(crate) struct Journal<'a> {
    pub(crate) logs: Vec<LogWriter>,
    pub(crate) observer: &'a dyn Observer,
}

impl EventSink for Journal<'_> {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        // The log comes first: whoever hears that a trial is finished may rely on its being kept.
        if let RunEvent::TrialFinished { arm, trial } = event {
            self.logs[*arm].append(trial)?;
        }
        self.observer.event(event);
        Ok(())
    }
}
