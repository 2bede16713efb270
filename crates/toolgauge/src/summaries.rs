//! The numbers of a log, by the settings of whoever asks.

use std::path::Path;

use toolgauge_engine::rescoring::something_read;
use toolgauge_log::{Damage, Log};
use toolgauge_report::{Summary, SummaryTally};

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::readable::ReadableLog;
use crate::settings::Settings;

/// The numbers of a log, and whether its run came to an end.
pub(crate) fn of_log(path: &Path, settings: &Settings) -> Result<(Summary, bool), Failure> {
    let followed = Followed::open(path)?;
    Ok((followed.summary(settings)?, followed.is_finished()))
}

/// Why a log does not tell how its run ended.
pub(crate) fn why_unfinished(path: &Path) -> String {
    let is_closed = Log::open(path).is_ok_and(|log| log.has_damaged_header());
    let why = if is_closed {
        "is damaged: how its run ended cannot be read"
    } else {
        "was not closed: its run was killed"
    };
    format!("`{}` {why}", path.display())
}

/// A log whose run may still be going, added up so far.
pub(crate) struct Followed {
    log: Log,
    /// Keeps the log of a result of another tool until it is read.
    _readable: ReadableLog,
    tally: SummaryTally,
}

impl Followed {
    /// Reads all that is there.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let readable = ReadableLog::of(path)?;
        let log = Log::open(readable.path())?;
        let mut tally = SummaryTally::of(log.run());
        tally.add_all(log.summaries());
        Ok(Self { log, _readable: readable, tally })
    }

    /// Reads what has come since, or everything where that does not suffice.
    pub(crate) fn read_on(&mut self) -> Result<(), Failure> {
        match self.log.read_on()? {
            Some(known) => self.tally.add_all(self.log.summaries_since(known)),
            None => *self = Self::open(self.log.path())?,
        }
        Ok(())
    }

    /// The numbers so far.
    pub(crate) fn summary(&self, settings: &Settings) -> Result<Summary, Failure> {
        let Self { log, tally, .. } = self;
        let mut summary = tally.summary(log.run(), settings.price_of(log.run()));
        something_read(log.path(), &summary.damage, summary.trials)?;
        summary.grades = summary.grades.map(|grades| grades.held_to(settings.grades));
        Ok(summary)
    }

    /// Whether the run came to an end.
    pub(crate) fn is_finished(&self) -> bool {
        self.log.is_finished()
    }
}

/// Says loudly what of a log cannot be read, and how a command that used the rest should end.
pub(crate) fn tell_damage<'a>(
    logs: impl IntoIterator<Item = (&'a Path, &'a Damage, usize)>,
    printer: &mut Printer,
) -> ExitStatus {
    let mut status = ExitStatus::Done;
    for (log, damage, readable) in logs {
        if let Some(told) = damage.describe(readable) {
            printer.warning(format!("`{}`: {told}; they are left out", log.display()));
            status = ExitStatus::SomeUnscored;
        }
    }
    status
}

/// How a command ends that found these numbers: trials without a score are not passed over.
pub(crate) fn unscored<'a>(mut runs: impl Iterator<Item = &'a Summary>) -> ExitStatus {
    let unscored = runs.any(|summary| !summary.unscored.is_empty());
    if unscored { ExitStatus::SomeUnscored } else { ExitStatus::Done }
}
