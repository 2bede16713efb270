//! Who listens to a run: the logs first, then the observer.

use std::collections::BTreeSet;

use toolgauge_core::Trial;
use toolgauge_log::LogWriter;
use toolgauge_model::PreflightWarning;
use toolgauge_runner::{EventSink, RunEvent, SinkError};

use crate::observer::Observer;

/// How many names of other models a run warns of: a server may give each reply a name of its own.
const MOST_NAMES: usize = 5;

/// The logs of all arms of a run, and its observer. A trial counts as finished once its log has
/// it.
pub(crate) struct Journal<'a> {
    pub(crate) logs: Vec<LogWriter>,
    pub(crate) observer: &'a dyn Observer,
    /// The names of models that replied in place of the one that was asked for.
    replied: BTreeSet<String>,
    /// Whether a reply may come in any name.
    any_name: bool,
}

impl<'a> Journal<'a> {
    pub(crate) fn new(logs: Vec<LogWriter>, observer: &'a dyn Observer) -> Self {
        Self { logs, observer, replied: BTreeSet::new(), any_name: false }
    }

    /// Takes replies in any name: whoever answers was started for the run.
    pub(crate) fn in_any_name(self) -> Self {
        Self { any_name: true, ..self }
    }

    /// Warns of what may spoil the run of an arm; its log keeps the warnings.
    pub(crate) fn warn_of(&mut self, arm: usize, warnings: Vec<String>) {
        for warning in warnings {
            self.observer.warning(&warning);
            self.logs[arm].add_warning(warning);
        }
    }

    /// Warns once of each name that another model replied in; the log keeps the warning.
    fn check_names(&mut self, arm: usize, trial: &Trial) {
        let asked = self.logs[arm].run().subject.name.clone();
        for replied in trial.transcript.turns.iter().filter_map(|turn| turn.model.as_deref()) {
            if self.any_name || self.replied.contains(replied) || self.replied.len() >= MOST_NAMES {
                continue;
            }
            let Some(warning) = PreflightWarning::of_reply(&asked, replied) else { continue };
            self.observer.warning(&warning.to_string());
            // All variants ask the same server.
            self.logs.iter_mut().for_each(|log| log.add_warning(warning.to_string()));
            self.replied.insert(replied.to_owned());
        }
    }
}

impl EventSink for Journal<'_> {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        // The log comes first: whoever hears that a trial is finished may rely on its being kept.
        if let RunEvent::TrialFinished { arm, trial } = event {
            self.logs[*arm].append(trial)?;
            self.check_names(*arm, trial);
        }
        self.observer.event(event);
        Ok(())
    }
}
