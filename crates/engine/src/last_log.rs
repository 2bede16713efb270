//! `last` in place of a log: the newest one in the folder of logs.

use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use toolgauge_log::{is_address, local_path, log_paths, stored_logs};

use crate::error::EngineError;
use crate::settings::Settings;
use crate::shard_logs;

/// The word that stands for the newest log.
const LAST: &str = "last";

/// The form of the time that names of logs begin with.
const TIME: &str = "0000-00-00T00-00-00";

/// The log that is meant: the newest one by the word `last`, else the one at this path.
pub fn named_log(log: &Path, settings: &Settings) -> Result<PathBuf, EngineError> {
    // A file of that name is what it says.
    if log != Path::new(LAST) || log.exists() {
        return Ok(local_path(log));
    }
    let folder = local_path(Path::new(&settings.run.log_dir));
    let newest = newest_first(&folder)?.into_iter().next();
    let newest = newest.ok_or(EngineError::NoLogs { folder })?;
    // The run is what somebody means, not the shard that happened to be written last.
    Ok(toolgauge_log::shard_pattern(&newest).unwrap_or(newest))
}

/// The same for a log that need not be named.
pub fn optional_log(
    log: Option<&Path>,
    settings: &Settings,
) -> Result<Option<PathBuf>, EngineError> {
    log.map(|log| named_log(log, settings)).transpose()
}

/// The same for several logs. All shards of a run are one, as a pattern.
pub fn named_logs(logs: &[PathBuf], settings: &Settings) -> Result<Vec<PathBuf>, EngineError> {
    let named = logs.iter().map(|log| named_log(log, settings)).collect::<Result<_, _>>()?;
    shard_logs::as_one_run(named)
}

/// The logs of a folder, the newest first.
pub fn newest_first(folder: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound if !is_address(folder) => {
            EngineError::NoLogs { folder: folder.to_owned() }
        }
        _ => EngineError::file("read", folder, error),
    };
    let written: Vec<(PathBuf, Option<SystemTime>)> = if is_address(folder) {
        let listed = stored_logs(folder).map_err(failed)?.into_iter();
        listed.map(|log| (log.path, Some(log.modified))).collect()
    } else {
        let paths = log_paths(folder).map_err(failed)?.into_iter();
        paths.map(|path| (path, None)).collect()
    };
    let mut logs = written;
    logs.sort_by_cached_key(|(log, written)| Reverse((time_of(log, *written), log.clone())));
    Ok(logs.into_iter().map(|(log, _)| log).collect())
}

/// When a log was begun, as its name says: copies of a log keep it. Under a name of somebody's own,
/// when it was written last, which the listing of a store says.
fn time_of(log: &Path, written: Option<SystemTime>) -> String {
    let name = log.file_name().unwrap_or_default().to_string_lossy();
    if let Some(time) = name.get(..TIME.len()).filter(|time| has_form_of_time(time)) {
        return time.to_owned();
    }
    let written = written.or_else(|| log.metadata().and_then(|file| file.modified()).ok());
    let written = written.and_then(|time| Timestamp::try_from(time).ok());
    written.map_or_else(String::new, |time| time.strftime("%Y-%m-%dT%H-%M-%S").to_string())
}

fn has_form_of_time(text: &str) -> bool {
    let fits = |(form, found): (char, char)| match form {
        '0' => found.is_ascii_digit(),
        other => found == other,
    };
    TIME.chars().zip(text.chars()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_ones_own_does_not_make_a_log_the_newest() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
        let old = "2020-01-01T10-00-00-00-00_a.eval";
        ["run.eval", old, "2099-01-01T10-00-00-00-00_a.eval"].into_iter().for_each(put);
        let logs = newest_first(folder.path()).unwrap();
        let names: Vec<_> = logs.iter().map(|log| log.file_name().unwrap()).collect();
        assert_eq!(names, ["2099-01-01T10-00-00-00-00_a.eval", "run.eval", old]);
    }
}
