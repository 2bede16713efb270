//! The folder of logs. A log is found by its name in the folder's listing; no name that a request
//! brings is ever joined to a path. The shards of a run are one log, which is named by the pattern
//! of their names.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;
use toolgauge_log::{
    Gaps, Log, LogError, MergeError, ShardSet, is_address, read_entry, shard_pattern, stored_logs,
};

/// How long the listing of a store is believed: every page asks for it, some of them twice.
const LISTING_HOLDS: Duration = Duration::from_secs(3);

/// What tells one state of a file from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStamp {
    /// Its size.
    pub(crate) bytes: u64,
    /// When it was last written to.
    pub(crate) modified: SystemTime,
}

impl FileStamp {
    /// When it was last written to, in a form that can be written down.
    pub(crate) fn nanoseconds(&self) -> u64 {
        let since = self.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }

    /// A short text that changes when the file does.
    pub(crate) fn version(&self) -> String {
        format!("{:x}-{:x}", self.bytes, self.nanoseconds())
    }
}

/// A log in the folder.
#[derive(Clone, Debug)]
pub(crate) struct LogFile {
    /// Where it is. Of a run in shards, the pattern of their names.
    pub(crate) path: PathBuf,
    /// Its state. Of shards, the sum of their sizes and the last time.
    pub(crate) stamp: FileStamp,
    /// The shards, if it is a run in shards.
    pub(crate) shards: Vec<PathBuf>,
}

impl LogFile {
    /// Opens the log. Shards are put together in a folder, which must be kept as long as the log.
    pub(crate) fn open(&self) -> Result<(Log, Option<TempDir>), MergeError> {
        if self.shards.is_empty() {
            return Ok((Log::open(&self.path)?, None));
        }
        // A shard that was only just begun has no head yet, and no trial.
        let is_begun =
            |shard: &&PathBuf| !matches!(read_entry(shard), Err(LogError::NotALog { .. }));
        let shards: Vec<PathBuf> = self.shards.iter().filter(is_begun).cloned().collect();
        let made = tempfile::tempdir().map_err(|source| {
            let path = PathBuf::from("a temporary folder");
            LogError::Io { doing: "create", path, source }
        })?;
        let target = made.path().join("run.eval");
        ShardSet::open(&shards)?.merge(&target, Gaps::Allowed)?;
        Ok((Log::open(&target)?, Some(made)))
    }

    /// Adds a shard.
    fn take_in(&mut self, shard: Self) {
        self.stamp.bytes += shard.stamp.bytes;
        self.stamp.modified = self.stamp.modified.max(shard.stamp.modified);
        self.shards.push(shard.path);
    }
}

/// The folder.
#[derive(Debug)]
pub(crate) struct LogFolder {
    folder: PathBuf,
    /// What a store listed last, and when.
    listed: Mutex<Option<(Instant, Vec<LogFile>)>>,
}

impl LogFolder {
    /// The folder, which must be there.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        let listed = Mutex::default();
        if is_address(folder) {
            let new = Self { folder: folder.to_owned(), listed };
            new.stored()?;
            return Ok(new);
        }
        let folder = folder.canonicalize()?;
        fs::read_dir(&folder)?;
        Ok(Self { folder, listed })
    }

    /// Whether it is in a store, where every answer is waited for.
    pub(crate) fn is_stored(&self) -> bool {
        is_address(&self.folder)
    }

    /// The logs in a store.
    fn stored(&self) -> io::Result<Vec<LogFile>> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, files)) = listed.as_ref().filter(|(at, _)| at.elapsed() < LISTING_HOLDS) {
            return Ok(files.clone());
        }
        let found = stored_logs(&self.folder)?.into_iter().map(|log| LogFile {
            path: log.path,
            stamp: FileStamp { bytes: log.bytes, modified: log.modified },
            shards: Vec::new(),
        });
        let found: Vec<LogFile> = found.collect();
        *listed = Some((Instant::now(), found.clone()));
        Ok(found)
    }

    /// The logs that are there, each with its name.
    fn listing(&self) -> Vec<(String, LogFile)> {
        if self.is_stored() {
            let name = |file: &LogFile| Some(file.path.file_name()?.to_str()?.to_owned());
            let stored = self.stored().unwrap_or_default().into_iter();
            return stored.filter_map(|file| Some((name(&file)?, file))).collect();
        }
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        entries.filter_map(|entry| self.file(&entry.ok()?.path())).collect()
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// The logs, by name.
    pub(crate) fn files(&self) -> BTreeMap<String, LogFile> {
        let mut files: BTreeMap<String, LogFile> = BTreeMap::new();
        for (name, file) in self.listing() {
            let Some(pattern) = shard_pattern(&file.path) else {
                files.insert(name, file);
                continue;
            };
            let run = pattern.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let stamp = FileStamp { bytes: 0, ..file.stamp };
            let none_yet = LogFile { path: pattern, stamp, shards: Vec::new() };
            files.entry(run).or_insert(none_yet).take_in(file);
        }
        files
    }

    /// The log of this name, if the listing has it.
    pub(crate) fn find(&self, name: &str) -> Option<LogFile> {
        if name.contains('*') {
            return self.files().remove(name);
        }
        if self.is_stored() {
            let found = self.listing().into_iter().find(|(known, _)| known == name);
            return found.map(|(_, file)| file);
        }
        let entries = fs::read_dir(&self.folder).ok()?;
        let mut entries = entries.filter_map(Result::ok);
        let entry = entries.find(|entry| entry.file_name().to_str() == Some(name))?;
        Some(self.file(&entry.path())?.1)
    }

    /// A path of the listing as a log; `None` for what is none, and for a link that leads out of
    /// the folder.
    fn file(&self, path: &Path) -> Option<(String, LogFile)> {
        if !toolgauge_log::is_log(path) {
            return None;
        }
        let name = path.file_name()?.to_str()?.to_owned();
        let linked = fs::symlink_metadata(path).ok()?.file_type().is_symlink();
        if linked && !path.canonicalize().ok()?.starts_with(&self.folder) {
            return None;
        }
        let facts = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let stamp = FileStamp { bytes: facts.len(), modified: facts.modified().ok()? };
        Some((name, LogFile { path: path.to_owned(), stamp, shards: Vec::new() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_logs_inside_the_folder_are_found() {
        let outside = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret.eval"), "x").unwrap();
        fs::write(folder.path().join("a.eval"), "x").unwrap();
        fs::write(folder.path().join("notes.txt"), "x").unwrap();
        fs::create_dir(folder.path().join("folder.eval")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(
            outside.path().join("secret.eval"),
            folder.path().join("link.eval"),
        )
        .unwrap();
        let logs = LogFolder::new(folder.path()).unwrap();
        let names: Vec<String> = logs.files().into_keys().collect();
        assert_eq!(names, ["a.eval"]);
        assert!(logs.find("a.eval").is_some());
        for name in ["link.eval", "notes.txt", "../a.eval", "", ".", "./a.eval", "b.eval"] {
            assert!(logs.find(name).is_none(), "{name}");
        }
    }
}
