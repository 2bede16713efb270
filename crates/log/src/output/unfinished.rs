//! Files that are of no use before they are complete, and go with whoever was writing them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those that are being written by this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is removed when this is dropped, or by [`remove_unfinished`], unless it was kept.
#[derive(Debug)]
pub struct UnfinishedFile(PathBuf);

impl UnfinishedFile {
    /// Makes a file with `make`; `path` says where it is.
    pub fn create<T, E>(
        make: impl FnOnce() -> Result<T, E>,
        path: impl FnOnce(&T) -> &Path,
    ) -> Result<(T, Self), E> {
        // An interrupt must not come between making the file and knowing of it.
        let mut files = unfinished();
        let made = make()?;
        let path = path(&made).to_owned();
        files.insert(path.clone());
        drop(files);
        Ok((made, Self(path)))
    }

    /// Lets the file stay: it is complete, or is another's now.
    pub fn keep(self) {
        unfinished().remove(&self.0);
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if unfinished().remove(&self.0) {
            // One that cannot be removed was moved or removed by somebody else.
            let _ = fs::remove_file(&self.0);
        }
    }
}

/// Removes what this process has not finished, and lets it begin nothing else. The next thing to do
/// is to end the process.
pub fn remove_unfinished() {
    let files = unfinished();
    for file in files.iter() {
        let _ = fs::remove_file(file);
    }
    // Whoever wants to begin a file from now on waits here for the end.
    std::mem::forget(files);
}
