//! Files as a part of the end state.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::super::setups::inside;
use super::{Thing, Things};

/// How many files are looked at.
const MOST_FILES: usize = 5_000;
/// The longest text that is kept whole.
const LONGEST_TEXT: u64 = 64 << 10;
/// The largest file that is read.
const LARGEST_FILE: u64 = 64 << 20;

/// How files are looked at.
pub(super) struct FileProbe<'a> {
    pub(super) folder: &'a Path,
    /// Files that are looked at otherwise.
    pub(super) apart: &'a [&'a String],
    /// Whether a hash says whether they agree byte by byte.
    pub(super) exact: bool,
}

impl FileProbe<'_> {
    /// Every file below a path, with its content.
    pub(super) fn things(
        &self,
        path: &str,
        seen: &impl Fn(&str) -> String,
    ) -> Result<Things, String> {
        let mut things = Things::new();
        let start = inside(self.folder, path)?;
        if start.exists() {
            self.walk(&start, seen, &mut things)?;
        }
        Ok(things)
    }

    fn walk(
        &self,
        place: &Path,
        seen: &impl Fn(&str) -> String,
        things: &mut Things,
    ) -> Result<(), String> {
        for entry in fs::read_dir(place).map_err(|error| error.to_string())? {
            let entry = entry.map_err(|error| error.to_string())?;
            let path = entry.path();
            let kind = entry.file_type().map_err(|error| error.to_string())?;
            let name = path.strip_prefix(self.folder).unwrap_or(&path).to_string_lossy();
            let name = name.into_owned();
            if things.len() >= MOST_FILES {
                return Err(format!("there are more than {MOST_FILES} files"));
            }
            if kind.is_dir() {
                // A repository is looked at as one.
                if entry.file_name() != ".git" {
                    things.insert(format!("{name}/"), Thing::with("folder", true));
                    self.walk(&path, seen, things)?;
                }
            } else if kind.is_symlink() {
                let target = fs::read_link(&path).map_err(|error| error.to_string())?;
                things.insert(name, Thing::with("link", seen(&target.to_string_lossy())));
            } else if kind.is_file() && !self.is_apart(&name) {
                things.insert(name, self.file(&path, seen)?);
            }
        }
        Ok(())
    }

    fn is_apart(&self, name: &str) -> bool {
        self.apart.iter().any(|apart| {
            let rest = name.strip_prefix(apart.trim_start_matches("./"));
            rest.is_some_and(|rest| matches!(rest, "" | "-wal" | "-shm" | "-journal"))
        })
    }

    fn file(&self, path: &Path, seen: &impl Fn(&str) -> String) -> Result<Thing, String> {
        let length = fs::metadata(path).map_err(|error| error.to_string())?.len();
        if length > LARGEST_FILE {
            return Ok(Thing::with("content", format!("({length} bytes)")));
        }
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        let content = match std::str::from_utf8(&bytes) {
            Ok(text) if length <= LONGEST_TEXT => seen(text),
            _ => format!("({length} bytes, {})", digits(&bytes)),
        };
        let mut thing = Thing::with("content", content);
        if self.exact
            && let Thing::Properties(properties) = &mut thing
        {
            properties.insert("sha256".to_owned(), digits(&bytes).into());
        }
        Ok(thing)
    }
}

/// The text of a file of lines; empty if there is none.
pub(super) fn read_lines(folder: &Path, path: &str) -> Result<String, String> {
    let path = inside(folder, path)?;
    if !path.exists() {
        return Ok(String::new());
    }
    if fs::metadata(&path).map_err(|error| error.to_string())?.len() > LARGEST_FILE {
        return Err("it is too large".to_owned());
    }
    String::from_utf8(fs::read(&path).map_err(|error| error.to_string())?)
        .map_err(|_| "it is not UTF-8".to_owned())
}

/// The beginning of a hash, which is enough to tell two files apart.
pub(super) fn digits(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().take(8).fold(String::new(), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
