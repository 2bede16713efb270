//! The numbers of a log, by the settings of whoever asks.

use std::path::Path;

use toolgauge_core::Run;
use toolgauge_log::{Damage, Log};
use toolgauge_report::{Summary, Tally, TokenPrice};

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::{Price, Settings};

/// The numbers of a log, and whether its run came to an end.
pub(crate) fn of_log(path: &Path) -> Result<(Summary, bool), Failure> {
    let log = Log::open(path)?;
    let mut tally = Tally::of(log.run());
    log.summaries().for_each_ahead(|trial| match trial {
        Ok(trial) => tally.add(&trial),
        Err(error) => tally.add_damaged(&error),
    });
    let settings = Settings::resolve(&[])?;
    let mut summary = tally.summary(log.run(), price(&settings, log.run()));
    something_read(path, &summary.damage, summary.trials)?;
    summary.grades = summary.grades.map(|grades| grades.held_to(settings.grades));
    Ok((summary, log.is_finished()))
}

/// What tokens of the run's subject cost, if the settings know.
pub(crate) fn price(settings: &Settings, run: &Run) -> Option<TokenPrice> {
    let Price { input, cached, output } = *settings.price.get(&run.subject.name)?;
    Some(TokenPrice { input, cached: cached.unwrap_or(input), output })
}

/// Refuses a log of which nothing can be read.
pub(crate) fn something_read(log: &Path, damage: &Damage, readable: usize) -> Result<(), Failure> {
    match damage.told(readable).filter(|_| readable == 0) {
        Some(why) => Err(Failure::Results { path: log.to_owned(), why }),
        None => Ok(()),
    }
}

/// Says loudly what of a log cannot be read, and how a command that used the rest should end.
pub(crate) fn tell_damage<'a>(
    logs: impl IntoIterator<Item = (&'a Path, &'a Damage, usize)>,
    printer: &mut Printer,
) -> ExitStatus {
    let mut status = ExitStatus::Done;
    for (log, damage, readable) in logs {
        if let Some(told) = damage.told(readable) {
            printer.warning(format!("`{}`: {told}; they are left out", log.display()));
            status = ExitStatus::SomeUnscored;
        }
    }
    status
}
