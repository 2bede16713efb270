//! Where a new log is written: in its place, or on this machine first where that is in a store.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use toolgauge_log::{ReadAt as _, address, stores};

use crate::error::EngineError;

/// The place of a log that is written at once, such as a merged one.
pub struct LogTarget {
    named: PathBuf,
    /// The folder of a log that is uploaded once it is whole.
    made: Option<(TempDir, PathBuf)>,
}

impl LogTarget {
    /// The place of a log. Refused is what a store has already; of files the writer refuses it.
    pub fn new(named: &Path) -> Result<Self, EngineError> {
        let Some(address) = address(named) else {
            return Ok(Self { named: named.to_owned(), made: None });
        };
        let failed = |error| EngineError::file("create", named, error);
        match stores().map_err(failed)?.open(&address) {
            Ok(_) => return Err(failed(io::ErrorKind::AlreadyExists.into())),
            // A bucket that is not there is found out here too, before anything is computed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = address.rsplit_once('/').map_or(&*address, |(folder, _)| folder);
                stores().and_then(|stores| stores.list(folder)).map_err(failed)?;
            }
            Err(error) => return Err(failed(error)),
        }
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = folder.path().join(named.file_name().unwrap_or_default());
        Ok(Self { named: named.to_owned(), made: Some((folder, file)) })
    }

    /// The file to write.
    pub fn path(&self) -> &Path {
        self.made.as_ref().map_or(&self.named, |(_, file)| file)
    }

    /// Puts the log that was written where it belongs, and says where that is.
    pub fn keep(self) -> Result<PathBuf, EngineError> {
        if let Some((_, file)) = &self.made {
            let upload = || -> io::Result<()> {
                let file = File::open(file)?;
                let address = address(&self.named).unwrap_or_default();
                stores()?.upload(&file, file.size()?, &address)
            };
            upload().map_err(|error| EngineError::file("write", &self.named, error))?;
        }
        Ok(self.named)
    }
}
