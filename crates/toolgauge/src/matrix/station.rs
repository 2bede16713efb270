//! The cells that are to run, by the server they share.

use std::path::PathBuf;

use toolgauge_report::CellName;
use toolgauge_runner::{Ending, Stop};

use crate::cell::{Cell, Finished};
use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::progress::Progress;

/// What one server is kept for: a model in one quantisation with one context.
pub(super) struct Station {
    /// The model as a run names it, and how its server is started or reached.
    pub(super) invocation: Invocation,
    pub(super) cells: Vec<Planned>,
}

/// A cell that is to run.
pub(super) struct Planned {
    pub(super) name: CellName,
    pub(super) cell: Cell,
    /// Its log, if it has one already.
    pub(super) log: Option<Kept>,
}

/// A log of an earlier run.
pub(super) struct Kept {
    pub(super) path: PathBuf,
    /// Whether nothing of it has to be run again.
    pub(super) complete: bool,
}

/// What came of one cell.
pub(crate) struct Ran {
    pub(crate) name: CellName,
    pub(crate) finished: Finished,
}

impl Planned {
    /// Whether nothing of it has to be run.
    pub(super) fn is_done(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.complete)
    }

    /// Runs it, or what its log lacks, where its model is served.
    pub(super) async fn run(
        self,
        served: &Invocation,
        stop: &Stop,
        progress: Progress,
    ) -> Result<Ran, Failure> {
        let finished = match &self.log {
            Some(log) => self.cell.resume_on(&log.path, served, stop, progress).await?,
            None => self.cell.run_on(served, stop, progress).await?,
        };
        Ok(Ran { name: self.name, finished })
    }

    /// The cell as its log has it, if it has one.
    pub(super) fn kept(self) -> Option<Ran> {
        let logs = vec![self.log?.path];
        let finished = Finished { ending: Ending::Complete, logs, judge: None, stopping: None };
        Some(Ran { name: self.name, finished })
    }
}
