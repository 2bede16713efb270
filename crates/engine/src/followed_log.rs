//! The numbers of a log, by the settings of whoever asks.

use std::path::Path;

use toolgauge_core::Run;
use toolgauge_log::{Log, is_address, is_being_written};
use toolgauge_report::{Summary, SummaryTally};

use crate::error::EngineError;
use crate::readable_log::ReadableLog;
use crate::rescoring::something_read;
use crate::settings::Settings;

/// The numbers of a log, and whether its run came to an end.
pub fn summary_of(path: &Path, settings: &Settings) -> Result<(Summary, bool), EngineError> {
    let followed = FollowedLog::open(path)?;
    Ok((followed.summary(settings)?, followed.is_finished()))
}

/// The numbers of trials that were added up.
pub fn summary_by(tally: &SummaryTally, run: &Run, settings: &Settings) -> Summary {
    let mut summary = tally.summary(run, settings.price_of(run));
    summary.grades = summary.grades.map(|grades| grades.held_to(settings.grades));
    summary
}

/// Why a log does not tell how its run ended.
pub fn why_unfinished(path: &Path) -> String {
    let is_closed = Log::open(path).is_ok_and(|log| log.has_damaged_header());
    let why = if is_closed {
        "is damaged: how its run ended cannot be read"
    } else if is_being_written(path) {
        "is still being written: its run goes on"
    } else if is_address(path) {
        "was not closed: its run goes on, or was killed"
    } else {
        "was not closed: its run was killed"
    };
    format!("`{}` {why}", path.display())
}

/// A log whose run may still be going, added up so far.
pub struct FollowedLog {
    log: Log,
    /// Keeps the log of a result of another tool until it is read.
    _readable: ReadableLog,
    tally: SummaryTally,
}

impl FollowedLog {
    /// Reads all that is there.
    pub fn open(path: &Path) -> Result<Self, EngineError> {
        let readable = ReadableLog::of(path)?;
        let log = Log::open(readable.path())?;
        let mut tally = SummaryTally::of(log.run());
        tally.add_all(log.summaries());
        Ok(Self { log, _readable: readable, tally })
    }

    /// Reads what has come since, or everything where that does not suffice.
    pub fn read_on(&mut self) -> Result<(), EngineError> {
        match self.log.read_on()? {
            Some(known) => self.tally.add_all(self.log.summaries_since(known)),
            None => *self = Self::open(self.log.path())?,
        }
        Ok(())
    }

    /// The numbers so far.
    pub fn summary(&self, settings: &Settings) -> Result<Summary, EngineError> {
        let Self { log, tally, .. } = self;
        let summary = summary_by(tally, log.run(), settings);
        something_read(log.path(), &summary.damage, summary.trials)?;
        Ok(summary)
    }

    /// Whether the run came to an end.
    pub fn is_finished(&self) -> bool {
        self.log.is_finished()
    }
}
