//! A folder of documents, read once and searched ever after.

use std::fs;
use std::io;
use std::path::Path;

use indexmap::IndexMap;

use super::document::{BusinessDocument, DocumentKind};
use super::index::{PassageHit, PassageIndex};

/// Files larger than this are not read, in bytes.
const LARGEST: u64 = 64 << 20;

/// A folder of documents, read once.
#[derive(Debug)]
pub struct Documents {
    by_id: IndexMap<String, BusinessDocument>,
    index: PassageIndex,
    warnings: Vec<Warning>,
}

/// A file that is left out of the documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file, by its path from the folder.
    pub file: String,
    /// Why it is left out.
    pub why: String,
}

/// Why documents cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The folder cannot be read.
    #[error("cannot read the folder `{folder}`: {source}")]
    Unreadable {
        /// The folder that the suite names.
        folder: String,
        /// What the system said.
        source: io::Error,
    },
    /// There is nothing to be searched.
    #[error(
        "there is no document in `{folder}` (known: text, Markdown, HTML, PDF, CSV){}",
        more(warnings)
    )]
    None {
        /// The folder that the suite names.
        folder: String,
        /// What was left out.
        warnings: Vec<Warning>,
    },
    /// The index could not be made.
    #[error("the documents of `{folder}` cannot be indexed: {why}")]
    Index {
        /// The folder that the suite names.
        folder: String,
        /// What the engine said.
        why: String,
    },
    /// A document is asked for by a path that leads elsewhere.
    #[error("`{0}` leaves the folder of documents; use a name from list_business_documents")]
    Outside(String),
    /// There is no such document.
    #[error("there is no document `{0}`; list_business_documents gives the names")]
    Unknown(String),
    /// There is no such folder among the documents.
    #[error("there is no folder `{name}` (known: {})", known.join(", "))]
    UnknownFolder {
        /// What was asked for.
        name: String,
        /// The folders there are.
        known: Vec<String>,
    },
}

fn more(warnings: &[Warning]) -> String {
    let lines = warnings.iter().map(|warning| format!("\n  {}: {}", warning.file, warning.why));
    lines.collect::<Vec<_>>().concat()
}

impl Documents {
    /// Reads all documents of a folder. Links are not followed, so that nothing outside is read.
    pub fn from_folder(folder: &Path) -> Result<Self, DocumentError> {
        let shown = folder.display().to_string();
        let mut files = Vec::new();
        let mut warnings = Vec::new();
        let unreadable = |source| DocumentError::Unreadable { folder: shown.clone(), source };
        walk(folder, "", &mut files, &mut warnings).map_err(unreadable)?;
        files.sort();
        let read = files.into_iter().filter_map(|file| {
            DocumentKind::of(&file)?;
            match bytes_of(&folder.join(&file)) {
                Ok(bytes) => Some((file, bytes)),
                Err(why) => {
                    warnings.push(Warning { file, why });
                    None
                }
            }
        });
        let files: Vec<(String, Vec<u8>)> = read.collect();
        Self::build(&shown, files, warnings)
    }

    /// Reads documents from the files of a folder, each with its path from there.
    pub fn from_files(
        folder: &str,
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<Self, DocumentError> {
        Self::build(folder, files, Vec::new())
    }

    fn build(
        folder: &str,
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
        mut warnings: Vec<Warning>,
    ) -> Result<Self, DocumentError> {
        let mut by_id = IndexMap::new();
        for (file, bytes) in files {
            let Some(kind) = DocumentKind::of(&file) else { continue };
            match BusinessDocument::read(&file, kind, &bytes) {
                Ok(document) => drop(by_id.insert(file, document)),
                Err(why) => warnings.push(Warning { file, why }),
            }
        }
        warnings.sort_by(|one, other| one.file.cmp(&other.file));
        if by_id.is_empty() {
            return Err(DocumentError::None { folder: folder.to_owned(), warnings });
        }
        // In the order of names: files of the program and of a folder then give the same index.
        by_id.sort_keys();
        let index = PassageIndex::new(by_id.values()).map_err(|error| DocumentError::Index {
            folder: folder.to_owned(),
            why: error.to_string(),
        })?;
        Ok(Self { by_id, index, warnings })
    }

    /// All documents, ordered by id.
    pub fn iter(&self) -> impl Iterator<Item = &BusinessDocument> {
        self.by_id.values()
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is none; a folder without documents is refused.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// The files that were left out, and why.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// A document by its id.
    pub fn get(&self, id: &str) -> Result<&BusinessDocument, DocumentError> {
        let inside = inside(id)?;
        self.by_id.get(&inside).ok_or_else(|| DocumentError::Unknown(id.to_owned()))
    }

    /// The folders that hold documents, at any depth, in order.
    pub fn folders(&self) -> Vec<String> {
        let mut folders: Vec<String> = Vec::new();
        for id in self.by_id.keys() {
            let ends = id.match_indices('/').map(|(at, _)| id[..at].to_owned());
            folders.extend(ends);
        }
        folders.sort();
        folders.dedup();
        folders
    }

    /// The documents below a folder.
    pub fn below(&self, folder: &str) -> Result<Vec<&BusinessDocument>, DocumentError> {
        let inside = inside(folder)?;
        let start = if inside.is_empty() { inside } else { format!("{inside}/") };
        let found: Vec<&BusinessDocument> =
            self.iter().filter(|document| document.id.starts_with(&start)).collect();
        if found.is_empty() {
            let (name, known) = (folder.to_owned(), self.folders());
            return Err(DocumentError::UnknownFolder { name, known });
        }
        Ok(found)
    }

    /// The passages that fit the words of a query best, the best first; only those of one
    /// document if one is named. Any text is a query.
    pub fn search(
        &self,
        query: &str,
        document: Option<&str>,
        limit: usize,
    ) -> Result<Vec<PassageHit<'_>>, DocumentError> {
        let only = document.map(|id| self.get(id)).transpose()?;
        let at = only.and_then(|document| self.by_id.get_index_of(&document.id));
        let found = self.index.search(query, at, limit);
        let hit = |(document, passage, score): (usize, usize, f64)| {
            let document = &self.by_id[document];
            PassageHit {
                document,
                position: passage + 1,
                passage: &document.passages[passage],
                score,
            }
        };
        Ok(found.into_iter().map(hit).collect())
    }
}

/// A path within the folder, tidied: `./a//b/` is `a/b`. What leads elsewhere is refused.
fn inside(path: &str) -> Result<String, DocumentError> {
    let outside = || DocumentError::Outside(path.to_owned());
    let bytes = path.as_bytes();
    // `C:` leads elsewhere on Windows, and a suite must mean the same on every system.
    let drive = bytes.get(1) == Some(&b':') && bytes[0].is_ascii_alphabetic();
    if drive || path.starts_with(['/', '\\', '~']) || path.contains('\0') {
        return Err(outside());
    }
    let mut parts = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return Err(outside()),
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// All files below a folder, by their path from the first one; hidden ones are left out.
fn walk(
    folder: &Path,
    path: &str,
    files: &mut Vec<String>,
    warnings: &mut Vec<Warning>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(path))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let file = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
        let kind = entry.file_type()?;
        if name.starts_with('.') {
            continue;
        }
        if kind.is_symlink() {
            warnings.push(Warning { file, why: "it is a link, and links are not followed".into() });
        } else if kind.is_dir() {
            walk(folder, &file, files, warnings)?;
        } else if kind.is_file() {
            files.push(file);
        }
    }
    Ok(())
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > LARGEST {
        return Err(format!(
            "it has {} MB, more than the {} that are read",
            size >> 20,
            LARGEST >> 20
        ));
    }
    fs::read(path).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_inside_is_tidied_and_one_outside_refused() {
        assert_eq!(inside("./leases//a.md").unwrap(), "leases/a.md");
        assert_eq!(inside("leases\\a.md").unwrap(), "leases/a.md");
        assert_eq!(inside("").unwrap(), "");
        for path in ["..", "../x", "a/../../x", "/etc/passwd", "C:\\x", "~/x", "\\\\host\\x", "a\0"]
        {
            assert!(matches!(inside(path), Err(DocumentError::Outside(_))), "{path}");
        }
    }
}
