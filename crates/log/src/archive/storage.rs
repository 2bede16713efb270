//! The operations by which a log reaches the disk, apart from the writer: tests let each of them
//! fail, and cut the power after each.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A file that grows at its end.
pub(crate) trait Storage: fmt::Debug + Send + Sync {
    /// The file, to read from.
    fn file(&self) -> &File;
    /// Hands bytes to the system, perhaps not all of them, and returns how many.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize>;
    /// Cuts the file off.
    fn set_len(&self, length: u64) -> io::Result<()>;
    /// Waits until the disk has everything that was written.
    fn sync(&self) -> io::Result<()>;
    /// Waits until the disk has the file's name.
    fn sync_folder(&self) -> io::Result<()>;
}

#[derive(Debug)]
pub(crate) struct DiskFile {
    file: File,
    folder: PathBuf,
}

impl DiskFile {
    /// A file that was opened to read and write.
    pub(crate) fn new(file: File, path: &Path) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Self { file, folder: folder.unwrap_or(Path::new(".")).to_owned() }
    }
}

impl Storage for DiskFile {
    fn file(&self) -> &File {
        &self.file
    }

    #[cfg(unix)]
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::write_at(&self.file, bytes, offset)
    }

    #[cfg(windows)]
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_write(&self.file, bytes, offset)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn sync_folder(&self) -> io::Result<()> {
        // Other systems neither need it nor allow it, and a folder that may be written to and not
        // read is no reason to stop.
        if cfg!(unix)
            && let Ok(folder) = File::open(&self.folder)
        {
            let synced = folder.sync_all();
            // Some file systems do not know how.
            return synced.or_else(|error| match error.kind() {
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
                _ => Err(error),
            });
        }
        Ok(())
    }
}
