//! How a command that read logs ends, and what it says of those it could not read whole.

use std::path::Path;

use toolgauge_log::Damage;
use toolgauge_report::Summary;

use crate::ExitStatus;
use crate::printer::Printer;

/// The version of a summary as JSON; it rises when a field changes its meaning or goes away.
pub(crate) const SUMMARY_VERSION: u32 = 2;

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
