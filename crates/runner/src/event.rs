//! What happens in a run, told as it happens.

use std::error::Error;
use std::time::Duration;

use toolgauge_core::{Trial, TrialFailure, TrialId};

/// Something that happened. The log, the progress display and the live view are told the same.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// The run begins.
    Started {
        /// How many trials are planned, over all arms.
        trials: usize,
    },
    /// A trial was put to its subject.
    TrialStarted {
        /// The arm it belongs to.
        arm: usize,
        /// Which trial.
        id: TrialId,
    },
    /// A trial ended, and this is all that came of it.
    TrialFinished {
        /// The arm it belongs to.
        arm: usize,
        /// The trial with its transcript and its outcomes.
        trial: Box<Trial>,
    },
    /// The server does not answer; the run waits and will try again.
    Waiting {
        /// For how long.
        pause: Duration,
        /// What the last trial ran into.
        failure: TrialFailure,
    },
    /// No trial is under way any more.
    Finished,
}

/// Whoever wants to know what happens in a run.
pub trait EventSink {
    /// Takes note of one event. An error stops the run.
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError>;
}

/// Why an event could not be taken note of.
pub type SinkError = Box<dyn Error + Send + Sync>;
