//! The cells that are to run, by the server they share.

use std::path::PathBuf;

use toolgauge_core::CellName;
use toolgauge_runner::{Ending, StopSignal};

use crate::cell::{Cell, Finished};
use crate::error::EngineError;
use crate::invocation::Invocation;
use crate::observer::Observer;

/// What one server is kept for: a model in one quantisation with one context.
pub(super) struct ServerGroup {
    /// The model as a run names it, and how its server is started or reached.
    pub(super) invocation: Invocation,
    pub(super) cells: Vec<PlannedCell>,
}

/// A cell that is to run.
pub(super) struct PlannedCell {
    pub(super) name: CellName,
    pub(super) cell: Cell,
    /// Its log, if it has one already.
    pub(super) log: Option<EarlierLog>,
}

/// A log of an earlier run.
pub(super) struct EarlierLog {
    pub(super) path: PathBuf,
    /// Whether nothing of it has to be run again.
    pub(super) complete: bool,
}

/// What came of one cell.
pub struct CellResult {
    /// Which cell it is.
    pub name: CellName,
    /// How its run ended.
    pub finished: Finished,
}

impl PlannedCell {
    /// Whether nothing of it has to be run.
    pub(super) fn is_done(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.complete)
    }

    /// Runs it, or what its log lacks, where its model is served.
    pub(super) async fn run(
        self,
        served: &Invocation,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<CellResult, EngineError> {
        let finished = match &self.log {
            Some(log) => self.cell.resume_on(&log.path, served, stop, observer).await?,
            None => self.cell.run_on(served, stop, observer).await?,
        };
        Ok(CellResult { name: self.name, finished })
    }

    /// The cell as its log has it, if it has one.
    pub(super) fn kept(self) -> Option<CellResult> {
        let logs = vec![self.log?.path];
        let finished = Finished {
            ending: Ending::Complete,
            logs,
            judge: None,
            stopping: None,
            is_shard: false,
        };
        Some(CellResult { name: self.name, finished })
    }
}
