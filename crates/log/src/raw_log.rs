//! A log written member by member, each as another program has it.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use crate::LogError;
use crate::archive::{Appender, DiskFile, PackedPiece};

/// A log whose members are known as text, such as one of Inspect AI in another form.
#[derive(Debug)]
pub struct RawLogWriter {
    path: PathBuf,
    appender: Appender,
}

impl RawLogWriter {
    /// Starts a log. The file must not exist.
    pub fn create(path: &Path) -> Result<Self, LogError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).open(path);
        let file = file.map_err(LogError::io("create", path))?;
        let storage = Box::new(DiskFile::new(file, path));
        let appender = Appender::new(storage, 0);
        Ok(Self { path: path.to_owned(), appender })
    }

    /// Where the log is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a member.
    pub fn add(&mut self, name: &str, text: &[u8]) -> Result<(), LogError> {
        let added = self.appender.append_pieces(name, &[PackedPiece::of(text)]);
        added.map_err(LogError::io("write", &self.path))
    }

    /// Completes the log.
    pub fn finish(self) -> Result<(), LogError> {
        self.appender.close().map_err(LogError::io("write", &self.path))
    }
}
