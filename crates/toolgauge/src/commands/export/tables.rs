//! Logs as a folder of tables.

use std::path::{Path, PathBuf};

use toolgauge_engine::ReadableLog;
use toolgauge_log::{Damage, Log};
use toolgauge_report::number::counted;
use toolgauge_tables::{Grading, LogFacts, TableFolder, TableFormat, TableName};

use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::{ExitStatus, summaries};

/// What is to be written, and where.
pub(super) struct Wanted<'a> {
    pub(super) folder: &'a Path,
    pub(super) format: TableFormat,
    pub(super) tables: &'a [TableName],
}

/// Writes the tables of all runs. A log that cannot be read is named, and the others are written,
/// unless it is the only one.
pub(super) fn write(
    runs: &[PathBuf],
    wanted: &Wanted<'_>,
    settings: &Settings,
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let mut folder = TableFolder::new(wanted.folder, wanted.format, wanted.tables.to_vec())?;
    let (mut status, mut trials, mut written) = (ExitStatus::Done, 0, 0);
    for path in runs {
        let (damage, read) = match add(&mut folder, path, settings) {
            Ok(read) => read,
            Err(failure) if runs.len() == 1 || matches!(failure, Failure::Tables(_)) => {
                return Err(failure);
            }
            Err(failure) => {
                printer.warning(failure);
                status = ExitStatus::SomeUnscored;
                continue;
            }
        };
        trials += read;
        written += 1;
        status = status.max(summaries::tell_damage([(path.as_path(), &damage, read)], printer));
    }
    let (trials, logs) = (counted(trials, "trial"), counted(written, "log"));
    printer.note(format!("{trials} of {logs} are in {}", wanted.folder.display()));
    Ok(status)
}

fn add(
    folder: &mut TableFolder,
    path: &Path,
    settings: &Settings,
) -> Result<(Damage, usize), Failure> {
    let readable = ReadableLog::of(path)?;
    let log = Log::open(readable.path())?;
    let grading = Grading { thresholds: settings.grades, price: settings.price_of(log.run()) };
    let facts = LogFacts::new(path.display().to_string(), log.run(), log.status(), grading);
    Ok(folder.add(&log, &facts)?)
}
