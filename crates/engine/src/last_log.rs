//! `last` in place of a log: the newest one in the folder of logs.

use std::path::{Path, PathBuf};

use crate::error::EngineError;
use crate::settings::Settings;

/// The word that stands for the newest log.
const LAST: &str = "last";

/// The log that is meant: the newest one by the word `last`, else the one at this path.
pub fn named_log(log: &Path, settings: &Settings) -> Result<PathBuf, EngineError> {
    // A file of that name is what it says.
    if log != Path::new(LAST) || log.exists() {
        return Ok(log.to_owned());
    }
    let folder = PathBuf::from(&settings.run.log_dir);
    newest_first(&folder)?.into_iter().next().ok_or(EngineError::NoLogs { folder })
}

/// The same for several logs.
pub fn named_logs(logs: &[PathBuf], settings: &Settings) -> Result<Vec<PathBuf>, EngineError> {
    logs.iter().map(|log| named_log(log, settings)).collect()
}

/// The logs of a folder, the newest first.
pub fn newest_first(folder: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| EngineError::file("read", folder, error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut logs: Vec<PathBuf> = paths.filter(|path| toolgauge_log::is_log(path)).collect();
    // Names begin with the time of creation, so that the greatest name is the newest log.
    logs.sort_by(|one, other| other.cmp(one));
    Ok(logs)
}
