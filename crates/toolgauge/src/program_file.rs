//! The file that starts this program, for commands that run others of it.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Set where this process belongs to another program, such as Python.
static STARTER: OnceLock<PathBuf> = OnceLock::new();

/// Names the file that starts this program, because that of the process starts another one.
pub(crate) fn start_by(starter: PathBuf) {
    let _ = STARTER.set(starter);
}

/// The file that starts this program.
pub(crate) fn program_file() -> io::Result<PathBuf> {
    STARTER.get().map_or_else(std::env::current_exe, |starter| Ok(starter.clone()))
}
