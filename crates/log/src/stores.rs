//! Logs in object stores: what is asked of a store, and which addresses lead to one.
//!
//! An address such as `s3://bucket/runs/a.eval` travels as a path, because everything that names a
//! log takes one. Only here is it told apart. The stores themselves are in a crate of their own,
//! which the program installs once; without it, an address is refused.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use crate::ReadAt;
use crate::is_log;

/// What addresses of stores begin with.
const SCHEMES: [&str; 3] = ["s3://", "gs://", "az://"];

/// What addresses of local files begin with.
const FILE: &str = "file://";

/// Object stores, by addresses such as `s3://bucket/key`. An error says what is wrong with the
/// store, and never holds a key. Its kind is `NotFound` for what is not there, `PermissionDenied`,
/// `AlreadyExists`, and another but `Other` where the store could not be asked.
pub trait ObjectStores: std::fmt::Debug + Send + Sync {
    /// Opens an object to read parts of it.
    fn open(&self, address: &str) -> io::Result<Box<dyn ReadAt>>;

    /// What is directly below an address, and not deeper.
    fn list(&self, folder: &str) -> io::Result<Vec<StoredLog>>;

    /// Puts the first `length` bytes of a file at an address, in place of what is there.
    fn upload(&self, file: &dyn ReadAt, length: u64, address: &str) -> io::Result<()>;

    /// Creates a small object where there is none; the error is `AlreadyExists` where there is one.
    fn create(&self, address: &str, content: &[u8]) -> io::Result<()>;

    /// Puts a small object at an address, in place of what is there.
    fn put(&self, address: &str, content: &[u8]) -> io::Result<()>;

    /// A small object.
    fn get(&self, address: &str) -> io::Result<Vec<u8>>;

    /// Removes an object.
    fn remove(&self, address: &str) -> io::Result<()>;
}

/// An object in a store.
#[derive(Clone, Debug)]
pub struct StoredLog {
    /// Its address.
    pub path: PathBuf,
    /// How large it is.
    pub bytes: u64,
    /// When it was last written.
    pub modified: SystemTime,
}

static INSTALLED: OnceLock<Box<dyn ObjectStores>> = OnceLock::new();

/// Lets addresses of stores be used wherever logs are named. The first call counts.
pub fn install_stores(stores: Box<dyn ObjectStores>) {
    // A second call comes from a second caller in the same process, with the same stores.
    let _ = INSTALLED.set(stores);
}

/// The stores; an error where this program was built without them.
pub fn stores() -> io::Result<&'static dyn ObjectStores> {
    INSTALLED.get().map(|stores| &**stores).ok_or_else(|| {
        io::Error::new(io::ErrorKind::Unsupported, "this build has no object stores")
    })
}

/// Whether a path is the address of something in a store.
pub fn is_address(path: &Path) -> bool {
    address(path).is_some()
}

/// A path as the address of something in a store, if it is one.
pub fn address(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    // Joining paths writes `\` on Windows, and no address of ours has one.
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    SCHEMES.iter().any(|scheme| text.starts_with(scheme)).then_some(text)
}

/// A path without the `file://` that it may begin with.
pub fn local_path(path: &Path) -> PathBuf {
    let Some(rest) = path.to_str().and_then(|text| text.strip_prefix(FILE)) else {
        return path.to_owned();
    };
    // `file://localhost/logs` and `file:///logs` are the same place.
    let rest = rest.strip_prefix("localhost").filter(|rest| rest.starts_with('/')).unwrap_or(rest);
    // `file:///C:/logs`
    let rest = rest.strip_prefix('/').filter(|_| cfg!(windows)).unwrap_or(rest);
    PathBuf::from(rest)
}

/// Whether a path is a folder of logs. Stores have no folders: an address that names no log is one.
pub fn is_folder(path: &Path) -> bool {
    if is_address(path) {
        return !is_log(path) && !path.to_string_lossy().contains(['*', '?', '[']);
    }
    path.is_dir()
}

/// The logs directly below an address of a store.
pub fn stored_logs(folder: &Path) -> io::Result<Vec<StoredLog>> {
    let address = address(folder).unwrap_or_default();
    let mut listed = stores()?.list(&address)?;
    listed.retain(|log| is_log(&log.path));
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_from_a_path() {
        for path in ["s3://bucket/a.eval", "gs://bucket", "az://container/logs/a.eval"] {
            assert!(is_address(Path::new(path)), "{path}");
        }
        for path in ["s3/a.eval", "/s3://a", "s3:/a", "https://a/b.eval", "file:///a"] {
            assert!(!is_address(Path::new(path)), "{path}");
        }
        let joined = Path::new("s3://bucket/runs").join("a.eval");
        assert_eq!(address(&joined).as_deref(), Some("s3://bucket/runs/a.eval"));
    }

    #[test]
    fn a_local_address_is_the_path_it_holds() {
        for (text, path) in [("file:///a/b.eval", "/a/b.eval"), ("logs/a.eval", "logs/a.eval")] {
            assert_eq!(local_path(Path::new(text)), Path::new(path));
        }
        assert_eq!(local_path(Path::new("file://localhost/a")), Path::new("/a"));
    }

    #[test]
    fn an_address_without_the_name_of_a_log_is_a_folder() {
        assert!(is_folder(Path::new("s3://bucket/runs")));
        assert!(!is_folder(Path::new("s3://bucket/runs/a.eval")));
        assert!(!is_folder(Path::new("s3://bucket/runs/shard-*.eval")));
    }
}
