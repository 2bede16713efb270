//! Where an output goes once links are followed, and whether it may go there.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::OutputError;
use crate::archive::read_directory;

/// How many links are followed, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// How much of a file is looked at to tell what it holds.
const BEGINNING: u64 = 512;

/// What an output is written to.
#[derive(Debug)]
pub(super) enum Destination {
    /// A regular file, or one that does not exist yet.
    File(PathBuf),
    /// A pipe, a device or a descriptor: it cannot be replaced.
    Stream(PathBuf),
    Stdout,
    Stderr,
}

impl Destination {
    /// Follows links, and refuses what must not be overwritten.
    pub(super) fn find(path: &Path, inputs: &[impl AsRef<Path>]) -> Result<Self, OutputError> {
        let io = |source| OutputError::Io { path: path.to_owned(), source };
        let found = Self::follow(path).map_err(io)?;
        // Follows links as well, so the file that would be lost is the one that is compared.
        let existing = fs::metadata(path).ok();
        if let Some(existing) = existing.filter(Metadata::is_file) {
            let same = |input: &&Path| is_same_file(&existing, path, input);
            if let Some(input) = inputs.iter().map(AsRef::as_ref).find(same) {
                let (path, input) = (path.to_owned(), input.to_owned());
                return Err(OutputError::Input { path, input });
            }
            if holds_log(path).unwrap_or(false) {
                return Err(OutputError::Log { path: path.to_owned() });
            }
        }
        // A link of another name must not lead to a log either.
        let target = if let Self::File(path) = &found { path } else { path };
        if [path, target].into_iter().any(is_named_like_log) {
            return Err(OutputError::LogName { path: path.to_owned() });
        }
        Ok(found)
    }

    fn follow(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
            let full = folder.join(name);
            // Behind a descriptor there may be a file. Replacing it would take it away from the
            // shell that opened it, so this is asked before the link is followed.
            if is_descriptors(&folder) {
                return Ok(Self::descriptor(&folder, full.clone(), name));
            }
            match fs::symlink_metadata(&full) {
                Ok(link) if link.is_symlink() => path = folder.join(fs::read_link(&full)?),
                Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
                Ok(found) if !found.is_file() => return Ok(Self::Stream(full)),
                Ok(_) => return Ok(Self::File(full)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self::File(full));
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many links lead to it"))
    }

    fn descriptor(folder: &Path, full: PathBuf, name: &OsStr) -> Self {
        // Opening our own stdout anew would start at its beginning again.
        let own = ["/dev/fd", "/proc/self/fd"].map(|own| fs::canonicalize(own).ok());
        match name.to_str() {
            Some("1") if own.iter().flatten().any(|own| own == folder) => Self::Stdout,
            Some("2") if own.iter().flatten().any(|own| own == folder) => Self::Stderr,
            _ => Self::Stream(full),
        }
    }
}

/// Whether the names in a folder are descriptors of a process.
fn is_descriptors(folder: &Path) -> bool {
    folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd")
}

fn is_named_like_log(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("eval"))
}

/// Whether a file holds a log of Inspect AI, in either of its forms. No output but a log is a
/// zip archive, so that any archive counts, a damaged one too.
fn holds_log(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut beginning = Vec::new();
    file.by_ref().take(BEGINNING).read_to_end(&mut beginning)?;
    if beginning.starts_with(b"PK\x03\x04") || is_json_log(&beginning) {
        return Ok(true);
    }
    let length = file.metadata()?.len();
    Ok(read_directory(&file, length)?.is_some())
}

/// Whether a text begins as Inspect AI's logs in JSON do: `{"version": 2, "status": …, "eval": …`.
fn is_json_log(beginning: &[u8]) -> bool {
    let text: String =
        String::from_utf8_lossy(beginning).chars().filter(|c| !c.is_whitespace()).collect();
    text.starts_with("{\"version\":")
        && text.contains(",\"status\":")
        && text.contains(",\"eval\":{")
}

/// Whether an input is the existing file that `path` leads to, whatever it is called.
#[cfg(unix)]
fn is_same_file(existing: &Metadata, _: &Path, input: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let input = fs::metadata(input);
    input.is_ok_and(|input| (input.dev(), input.ino()) == (existing.dev(), existing.ino()))
}

#[cfg(not(unix))]
fn is_same_file(_: &Metadata, path: &Path, input: &Path) -> bool {
    fs::canonicalize(path)
        .is_ok_and(|path| fs::canonicalize(input).is_ok_and(|input| input == path))
}
