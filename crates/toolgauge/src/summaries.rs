//! The numbers of a log, by the settings of whoever asks.

use std::path::Path;

use toolgauge_core::Run;
use toolgauge_log::Log;
use toolgauge_report::{Summary, Tally, TokenPrice};

use crate::failure::Failure;
use crate::settings::{Price, Settings};

/// The numbers of a log, and whether its run came to an end.
pub(crate) fn of_log(path: &Path) -> Result<(Summary, bool), Failure> {
    let log = Log::open(path)?;
    let mut tally = Tally::of(log.run());
    log.summaries().try_for_each_ahead(|trial| {
        tally.add(&trial);
        Ok::<_, Failure>(())
    })?;
    let settings = Settings::resolve(&[])?;
    let mut summary = tally.summary(log.run(), price(&settings, log.run()));
    summary.grades = summary.grades.map(|grades| grades.held_to(settings.grades));
    Ok((summary, log.is_finished()))
}

/// What tokens of the run's subject cost, if the settings know.
pub(crate) fn price(settings: &Settings, run: &Run) -> Option<TokenPrice> {
    let Price { input, cached, output } = *settings.price.get(&run.subject.name)?;
    Some(TokenPrice { input, cached: cached.unwrap_or(input), output })
}
