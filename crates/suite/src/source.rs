//! Where the files of a suite come from: a folder, a single file, or the program itself.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use globset::GlobBuilder;

/// The names a suite file may have in its folder, the first one found being taken.
const SUITE_FILES: [&str; 3] = ["suite.yaml", "suite.yml", "suite.json"];

/// How large a file of a suite may be, in bytes.
const LARGEST: u64 = 1 << 30;

/// The files of a suite that is part of the program, by their path within the suite.
pub type EmbeddedFiles = BTreeMap<String, Cow<'static, [u8]>>;

/// Where a suite is to be read from.
#[derive(Clone, Debug)]
pub enum SuiteSource {
    /// A folder that holds a `suite.yaml`, or a single suite file.
    Path(PathBuf),
    /// A suite that is part of the program.
    Embedded {
        /// The name its files are shown under.
        name: String,
        /// Its files by their paths.
        files: Arc<EmbeddedFiles>,
    },
}

impl SuiteSource {
    /// A suite in memory.
    pub fn embedded(name: impl Into<String>, files: EmbeddedFiles) -> Self {
        Self::Embedded { name: name.into(), files: Arc::new(files) }
    }
}

/// The files of one suite, found from the suite file.
#[derive(Clone, Debug)]
pub(crate) struct SuiteFiles {
    place: SuiteLocation,
    /// The suite file, by its path within the suite.
    pub(crate) main: String,
    /// The files that were opened so far, by their path within the suite.
    opened: Arc<Mutex<BTreeSet<String>>>,
}

#[derive(Clone, Debug)]
enum SuiteLocation {
    Folder(PathBuf),
    Memory { name: String, files: Arc<EmbeddedFiles> },
}

impl SuiteFiles {
    fn new(place: SuiteLocation, main: &str) -> Self {
        Self { place, main: main.to_owned(), opened: Arc::default() }
    }

    /// The files of a suite that has none.
    pub(crate) fn none(name: &str) -> Self {
        let (name, files) = (name.to_owned(), Arc::default());
        Self::new(SuiteLocation::Memory { name, files }, "")
    }

    /// The files on disk that were opened so far.
    pub(crate) fn opened(&self) -> Vec<PathBuf> {
        let Some(folder) = self.folder() else { return Vec::new() };
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.iter().map(|path| folder.join(path)).collect()
    }

    /// Finds the suite file.
    pub(crate) fn find(source: &SuiteSource) -> Result<Self, (String, io::Error)> {
        match source {
            SuiteSource::Embedded { name, files } => {
                let main = SUITE_FILES.into_iter().find(|file| files.contains_key(*file));
                let place = SuiteLocation::Memory { name: name.clone(), files: Arc::clone(files) };
                main.map(|main| Self::new(place, main))
                    .ok_or_else(|| (name.clone(), no_suite_file()))
            }
            SuiteSource::Path(path) => {
                Self::find_on_disk(path).map_err(|error| (path.display().to_string(), error))
            }
        }
    }

    fn find_on_disk(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            let main = SUITE_FILES.into_iter().find(|file| path.join(file).is_file());
            let main = main.ok_or_else(no_suite_file)?;
            return Ok(Self::new(SuiteLocation::Folder(path.to_owned()), main));
        }
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self::new(SuiteLocation::Folder(folder), &name.to_string_lossy()))
    }

    /// How a file is shown to people.
    pub(crate) fn shown(&self, path: &str) -> String {
        match &self.place {
            SuiteLocation::Folder(folder) => folder.join(path).display().to_string(),
            SuiteLocation::Memory { name, .. } => format!("{name}/{path}"),
        }
    }

    /// The folder the suite is in, if it is on disk.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.place {
            SuiteLocation::Folder(folder) => Some(folder),
            SuiteLocation::Memory { .. } => None,
        }
    }

    /// Opens a file of the suite.
    pub(crate) fn open(&self, path: &str) -> io::Result<Box<dyn BufRead + '_>> {
        match &self.place {
            SuiteLocation::Folder(folder) => {
                // Before it is opened: opening a pipe waits until somebody writes to it.
                let found = fs::metadata(folder.join(path))?;
                if !found.is_dir() && !found.is_file() {
                    return Err(io::Error::other("it is not a regular file"));
                }
                if found.len() > LARGEST {
                    let most = LARGEST >> 20;
                    return Err(io::Error::other(format!("it has more than {most} MB")));
                }
                let file = File::open(folder.join(path))?;
                let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
                opened.insert(path.to_owned());
                if file.metadata()?.is_dir() {
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
                }
                Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
            }
            SuiteLocation::Memory { files, .. } => {
                let bytes = files.get(&tidy(path)).ok_or(io::ErrorKind::NotFound)?;
                Ok(Box::new(Cursor::new(bytes.as_ref())))
            }
        }
    }

    /// The bytes of a file of the suite.
    pub(crate) fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The files a path stands for, in order: a file itself, a folder with all it holds.
    pub(crate) fn under(&self, path: &str) -> Vec<String> {
        let path = tidy(path);
        match &self.place {
            SuiteLocation::Folder(folder) if folder.join(&path).is_dir() => walk(folder, &path),
            SuiteLocation::Folder(folder) if folder.join(&path).is_file() => vec![path],
            SuiteLocation::Folder(_) => Vec::new(),
            SuiteLocation::Memory { files, .. } => {
                let inside = format!("{path}/");
                let wanted = |file: &&String| **file == path || file.starts_with(&inside);
                files.keys().filter(wanted).cloned().collect()
            }
        }
    }

    /// The files a glob matches, in order.
    pub(crate) fn matching(&self, glob: &str) -> Result<Vec<String>, globset::Error> {
        let matcher = GlobBuilder::new(glob).literal_separator(true).build()?.compile_matcher();
        let all = match &self.place {
            SuiteLocation::Folder(folder) => walk(folder, ""),
            SuiteLocation::Memory { files, .. } => files.keys().cloned().collect(),
        };
        Ok(all.into_iter().filter(|file| matcher.is_match(file)).collect())
    }
}

fn no_suite_file() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "there is no `suite.yaml` in it")
}

/// All files below `folder/path`, by their path from `folder`, in order; hidden ones left out.
fn walk(folder: &Path, path: &str) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(path) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&path)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let inner = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            // Links are left alone: one that points upwards would never end.
            match entry.file_type() {
                _ if name.starts_with('.') => {}
                Ok(kind) if kind.is_dir() => folders.push(inner),
                Ok(kind) if kind.is_file() => files.push(inner),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// A path without `.` and `..`, with forward slashes.
fn tidy(path: &str) -> String {
    let mut parts: Vec<Cow<'_, str>> = Vec::new();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if parts.last().is_some_and(|part| part != "..") => {
                parts.pop();
            }
            other => parts.push(other.as_os_str().to_string_lossy()),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_not_a_regular_file_is_refused_without_being_opened() {
        let files = SuiteFiles::new(SuiteLocation::Folder("/dev".into()), "zero");
        let error = files.read("zero").unwrap_err();
        assert_eq!(error.to_string(), "it is not a regular file");
    }

    #[test]
    fn a_tidy_path_has_no_detours() {
        assert_eq!(tidy("./a/../b/c.json"), "b/c.json");
        assert_eq!(tidy("../b"), "../b");
    }

    #[test]
    fn a_glob_stays_within_one_folder_unless_told_otherwise() {
        let names = ["suite.yaml", "a.ndjson", "more/b.ndjson"];
        let files = names.map(|name| (name.to_owned(), Cow::Borrowed(&b""[..])));
        let source = SuiteSource::embedded("x", EmbeddedFiles::from(files));
        let files = SuiteFiles::find(&source).unwrap();
        assert_eq!(files.matching("*.ndjson").unwrap(), ["a.ndjson"]);
        assert_eq!(files.matching("**/*.ndjson").unwrap(), ["a.ndjson", "more/b.ndjson"]);
    }
}
