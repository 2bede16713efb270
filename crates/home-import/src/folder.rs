//! Writing a home, whole or not at all.

use std::fs;
use std::path::Path;

use crate::{HomeDocument, HomeImportError};

/// The inventory within the folder of a home.
pub const HOME_FILE: &str = "home.yaml";

/// Whether a home can be written to this folder: it must be new or empty.
pub fn check_target(folder: &Path) -> Result<(), HomeImportError> {
    let occupied = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => folder.exists(),
    };
    if occupied {
        return Err(HomeImportError::NotEmpty { folder: folder.to_owned() });
    }
    Ok(())
}

/// Writes a home to a new or empty folder. Either all of it is there in the end or nothing.
pub fn write_home(folder: &Path, home: &HomeDocument) -> Result<(), HomeImportError> {
    check_target(folder)?;
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let failed = |action| move |error| HomeImportError::file(action, folder, error);
    fs::create_dir_all(parent).map_err(failed("create"))?;
    let unfinished =
        tempfile::Builder::new().prefix(".home-").tempdir_in(parent).map_err(failed("create"))?;
    fs::write(unfinished.path().join(HOME_FILE), home.to_yaml()).map_err(failed("write"))?;
    // An empty folder of that name gives way; one that has just been filled does not.
    if folder.exists() {
        fs::remove_dir(folder).map_err(failed("replace"))?;
    }
    fs::rename(unfinished.path(), folder).map_err(failed("write"))?;
    // It is no longer where it was made, so that nothing is left to remove.
    let _ = unfinished.keep();
    open_to_others(folder).map_err(failed("write"))
}

/// Temporary folders are for their owner alone; this one is to be like any other.
#[cfg(unix)]
fn open_to_others(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_others(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}
