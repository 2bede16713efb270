//! A log that trials are added to.

use std::collections::HashSet;
use std::path::Path;

use toolgauge_core::TrialId;
use toolgauge_log::LogWriter;

use crate::error::EngineError;

/// A log to add to, and the trials in it that need not run again.
pub(super) struct OpenLog {
    pub(super) writer: LogWriter,
    pub(super) finished: HashSet<TrialId>,
}

impl OpenLog {
    pub(super) fn new(writer: LogWriter) -> Self {
        Self { writer, finished: HashSet::new() }
    }

    pub(super) fn open(path: &Path) -> Result<Self, EngineError> {
        let (writer, resumed) = LogWriter::resume(path)?;
        Ok(Self { writer, finished: resumed.finished.into_iter().collect() })
    }
}
