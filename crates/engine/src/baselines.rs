//! Pinned runs to compare with, one a suite, kept in a small file beside the logs.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toolgauge_log::{Log, is_address, replace_file};

use crate::error::EngineError;
use crate::readable_log::ReadableLog;

/// The file, in the folder of the logs.
const FILE: &str = "baselines.json";

/// The pinned runs of a folder of logs.
#[derive(Debug, Default)]
pub struct Baselines {
    folder: PathBuf,
    pinned: BTreeMap<String, Pinned>,
}

/// A pinned run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pinned {
    /// The log: relative to the folder if it is inside, so that the folder can be moved.
    pub log: PathBuf,
    /// Who was measured, for people who read the file.
    pub subject: String,
}

impl Baselines {
    /// The pinned runs of a folder; none if nothing was ever pinned there.
    pub fn read(folder: &Path) -> Result<Self, EngineError> {
        let path = folder.join(FILE);
        let folder = folder.to_owned();
        if !path.exists() {
            return Ok(Self { folder, pinned: BTreeMap::new() });
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|error| EngineError::file("read", path.clone(), error))?;
        let pinned = serde_json::from_str(&text)
            .map_err(|error| EngineError::BadResults { path, why: error.to_string() })?;
        Ok(Self { folder, pinned })
    }

    /// Pins a run as the one that runs of its suite are compared with. Gives the suite's name.
    pub fn set(&mut self, log: &Path) -> Result<String, EngineError> {
        let readable = ReadableLog::of(log)?;
        let run = Log::open(readable.path())?.run().clone();
        let absolute = |path: &Path| {
            std::path::absolute(path).map_err(|error| EngineError::file("find", path, error))
        };
        let log = if is_address(log) {
            log.to_owned()
        } else {
            let (inside, log) = (absolute(&self.folder)?, absolute(log)?);
            log.strip_prefix(&inside).map_or(log.clone(), Path::to_owned)
        };
        let suite = run.suite.name;
        self.pinned.insert(suite.clone(), Pinned { log, subject: run.subject.name });
        Ok(suite)
    }

    /// Forgets the pinned run of a suite, or all of them. Gives how many were forgotten.
    pub fn clear(&mut self, suite: Option<&str>) -> usize {
        match suite {
            Some(suite) => usize::from(self.pinned.remove(suite).is_some()),
            None => std::mem::take(&mut self.pinned).len(),
        }
    }

    /// The log that runs of a suite are compared with.
    pub fn of_suite(&self, suite: &str) -> Option<PathBuf> {
        let pinned = &self.pinned.get(suite)?.log;
        // An absolute path replaces the folder, and so does an address.
        Some(if is_address(pinned) { pinned.clone() } else { self.folder.join(pinned) })
    }

    /// Every pinned run, by suite.
    pub fn all(&self) -> &BTreeMap<String, Pinned> {
        &self.pinned
    }

    /// Writes the file; with nothing pinned there is none.
    pub fn write(&self) -> Result<(), EngineError> {
        let path = self.folder.join(FILE);
        if is_address(&path) {
            let why = "runs are pinned in a folder of this machine; name one with `--log-dir`";
            let error = io::Error::new(io::ErrorKind::Unsupported, why);
            return Err(EngineError::file("write", path, error));
        }
        if self.pinned.is_empty() {
            return match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(EngineError::file("remove", path, error))
                }
                _ => Ok(()),
            };
        }
        let text = serde_json::to_string_pretty(&self.pinned).map_err(|error| {
            EngineError::BadResults { path: path.clone(), why: error.to_string() }
        })?;
        std::fs::create_dir_all(&self.folder)
            .map_err(|error| EngineError::file("create", &self.folder, error))?;
        Ok(replace_file(&path, text + "\n")?)
    }
}
