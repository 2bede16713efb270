//! Reading the files that a suite names for its world.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Refuses what would be waited for without end: pipes, devices and sockets. Links are followed.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if found.is_file() || found.is_dir() {
        return Ok(());
    }
    Err(io::Error::other("it is not a regular file"))
}

/// The bytes of a regular file that has no more than `most`.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Before it is opened: opening a pipe waits until somebody writes to it.
    check_regular(path)?;
    read_bounded(path, most)
}

/// The text of a file that a person named, which may be a pipe, with no more than `most` bytes.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_bounded(path, most)?).map_err(|_| io::Error::other("it is no UTF-8"))
}

fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Its size is not asked: files of the system say that they are empty, and others grow.
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {} MB", most >> 20)));
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn neither_devices_nor_large_files_are_read() {
        let refused = |path: &str, most| read_regular(Path::new(path), most).unwrap_err();
        assert_eq!(refused("/dev/zero", 1 << 20).to_string(), "it is not a regular file");
        assert_eq!(refused("Cargo.toml", 10).to_string(), "it has more than 0 MB");
        assert_eq!(
            read_text(Path::new("/dev/zero"), 1 << 20).unwrap_err().to_string(),
            "it has more than 1 MB"
        );
        assert_eq!(refused("/nowhere", 10).kind(), io::ErrorKind::NotFound);
        assert!(!read_regular(Path::new("Cargo.toml"), 1 << 20).unwrap().is_empty());
    }
}
