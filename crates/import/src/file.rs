//! Opening what was named as a result.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::ImportError;

/// Opens a regular file. A pipe or a device is refused before it is opened: opening a pipe waits
/// until somebody writes to it, a device may have no end, and results are read more than once.
pub(crate) fn open(path: &Path) -> Result<File, ImportError> {
    let found = fs::metadata(path).map_err(ImportError::io(path))?;
    if !found.is_file() && !found.is_dir() {
        return Err(ImportError::io(path)(io::Error::other("it is not a regular file")));
    }
    File::open(path).map_err(ImportError::io(path))
}
