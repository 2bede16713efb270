//! The run that a finished one is compared with: a named one, the pinned one, or the last of the
//! same suite and subject.

use std::path::{Path, PathBuf};

use toolgauge_core::Run;
use toolgauge_log::{RunStatus, read_entries, read_entry};

use crate::baselines::Baselines;
use crate::error::EngineError;
use crate::last_log::newest_first;
use crate::settings::Settings;

/// So many logs are looked at for the last run; each takes a moment to open.
const MOST_LOOKED_AT: usize = 200;

/// An earlier run, and why it is the one to compare with.
pub struct EarlierRun {
    /// Its log.
    pub log: PathBuf,
    /// Which run it is and when it began, for people.
    pub name: String,
}

/// The run to compare the run of a log with; none if there is no earlier one.
pub fn earlier_run(
    (log, run): (&Path, &Run),
    against: Option<&Path>,
    settings: &Settings,
) -> Result<Option<EarlierRun>, EngineError> {
    let folder = Path::new(&settings.run.log_dir);
    let pinned = || Baselines::read(folder).map(|all| all.of_suite(&run.suite.name));
    let (other, kind) = match against {
        Some(other) => (Some(other.to_owned()), "the run of --against"),
        None => match pinned()? {
            Some(pinned) => (Some(pinned), "the pinned run"),
            None => (last_of_kind(log, run, folder), "the last run"),
        },
    };
    // A pinned run that is the run itself, or that is gone, is nothing to compare with here; a
    // gate that needs it says so.
    let Some(other) = other.filter(|other| !is_same(other, log)) else { return Ok(None) };
    let Ok(entry) = read_entry(&other) else { return Ok(None) };
    // A run is pinned for its suite, so that it may be of another model.
    let whose = match &entry.run.subject.name {
        same if *same == run.subject.name => String::new(),
        other => format!(" of {other}"),
    };
    let name = format!("{kind}{whose}, {}", entry.run.created.strftime("%F %H:%M"));
    Ok(Some(EarlierRun { log: other, name }))
}

/// The newest finished log of the same suite, subject and variant.
fn last_of_kind(log: &Path, run: &Run, folder: &Path) -> Option<PathBuf> {
    let logs = newest_first(folder).ok()?;
    let earlier = logs.into_iter().filter(|path| !is_same(path, log)).take(MOST_LOOKED_AT);
    let found = read_entries(earlier.collect()).flatten().find(|entry| {
        entry.run.suite.name == run.suite.name
            && entry.run.subject.name == run.subject.name
            && entry.run.variant == run.variant
            && entry.run.created <= run.created
            // A part says little of the whole, and may be a part of this very run.
            && entry.run.shard().is_some() == run.shard().is_some()
            && matches!(entry.status, Some(RunStatus::Success))
    });
    found.map(|entry| entry.path)
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
