//! Reading at a position, without moving a shared cursor.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::stores;

/// Bytes that are read at positions: those of a file, or of an object in a store.
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// How many bytes there are.
    fn size(&self) -> io::Result<u64>;

    /// Fills `buffer` from `offset`; the number of bytes read is smaller only at the end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

/// Opens a log to read it, where it is. Opening a pipe would wait until somebody writes to it, and
/// a device may have no end, so that neither is opened.
pub(crate) fn open_log(path: &Path) -> io::Result<Box<dyn ReadAt>> {
    if let Some(address) = stores::address(path) {
        return stores::stores()?.open(&address);
    }
    let found = fs::metadata(path)?;
    if !found.is_file() && !found.is_dir() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(Box::new(File::open(path)?))
}

impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match read_some(self, &mut buffer[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

#[cfg(unix)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
