//! What all trials of a world share.

use std::sync::{Arc, PoisonError, RwLock};

use crate::bench::Benches;
use crate::offer::Offer;
use crate::recording::{RecordedState, Recording};
use crate::snapshot::Setup;

/// Who answers calls.
pub(crate) enum Answering {
    /// The recording alone.
    Recording {
        /// Whether the nearest call answers for one that was not recorded.
        nearest: bool,
    },
    /// Running servers; the recording is of this run.
    Servers(Arc<dyn Benches>),
}

/// What all trials share.
pub(crate) struct Shared {
    pub(crate) offer: Offer,
    pub(crate) setups: Vec<PreparedSetup>,
    pub(crate) answering: Answering,
    pub(crate) recording: Arc<RwLock<Recording>>,
    pub(crate) has_state: bool,
}

/// A setup, with the hash of what it is made of.
pub(crate) struct PreparedSetup {
    pub(crate) setup: Setup,
    pub(crate) made_of: String,
}

impl Shared {
    pub(crate) fn recorded<T>(&self, read: impl FnOnce(&Recording) -> T) -> T {
        read(&self.recording.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn record<T>(&self, write: impl FnOnce(&mut Recording) -> T) -> T {
        write(&mut self.recording.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has what was recorded written down.
    pub(crate) fn note(&self) {
        if let Answering::Servers(benches) = &self.answering {
            benches.note();
        }
    }

    /// The beginning of a setup, if it was recorded as it is now.
    pub(crate) fn start(&self, setup: usize) -> Result<Arc<RecordedState>, String> {
        let PreparedSetup { setup, made_of } = &self.setups[setup];
        let name = &setup.name;
        match self.recorded(|recording| recording.start(name)) {
            Some(start) if start.made_of.as_ref() == Some(made_of) => Ok(start),
            Some(_) => Err(format!("the setup `{name}` has changed since it was recorded")),
            None => Err(format!("the setup `{name}` was not recorded")),
        }
    }
}
