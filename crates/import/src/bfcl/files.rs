//! Where BFCL puts results and scores.
//!
//! `…/result/<model>/[<group>/]BFCL_v4_<category>_result.json`, and the same with `score` twice.

use std::fs;
use std::path::{Path, PathBuf};

use super::Edition;
use crate::ImportError;

const FIRST_EDITION: &str = "gorilla_openfunctions_v1_test_";

/// How deep folders are searched: run, `result`, model, group, and two to spare.
const DEEPEST: usize = 6;

/// A file of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResultFile {
    pub(super) path: PathBuf,
    pub(super) edition: Edition,
    pub(super) category: String,
    pub(super) model: String,
    /// The folder of the model's results.
    pub(super) folder: PathBuf,
}

impl ResultFile {
    /// The file, if it is named as BFCL names its results.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.strip_suffix("_result.json")?;
        let (edition, category) = if let Some(category) = name.strip_prefix(FIRST_EDITION) {
            (Edition::V1, category)
        } else {
            let (number, category) = name.strip_prefix("BFCL_v")?.split_once('_')?;
            (Edition::Later(number.parse().ok()?), category)
        };
        let folder = model_folder(path)?;
        Some(Self {
            path: path.to_owned(),
            edition,
            category: category.to_owned(),
            model: folder.file_name()?.to_str()?.to_owned(),
            folder,
        })
    }

    /// What the files of one run have in common, with what they are sorted by.
    pub(super) fn run(&self) -> (&Path, Edition) {
        (&self.folder, self.edition)
    }

    /// The name of the folder that holds the results of several models: `v0.11.0`.
    pub(super) fn label(&self) -> Option<&str> {
        let results = self.folder.parent()?;
        let run = if results.file_name()? == "result" { results.parent()? } else { results };
        run.file_name()?.to_str()
    }

    /// The file of its verdicts, if there is one.
    pub(super) fn score_file(&self) -> Option<PathBuf> {
        let results = self.folder.parent()?;
        let group = self.path.parent()?.strip_prefix(&self.folder).ok()?;
        let model = results.parent()?.join("score").join(&self.model);
        let name = match self.edition {
            Edition::V1 => format!("{}_score.json", self.category),
            Edition::Later(number) => format!("BFCL_v{number}_{}_score.json", self.category),
        };
        let beside = self.path.with_file_name(&name);
        [model.join(group).join(&name), model.join(&name), beside]
            .into_iter()
            .find(|path| path.is_file())
    }
}

/// The folder named after the model: the one below `result`, else the one the file is in.
fn model_folder(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let below = |folder: &&Path| {
        folder.parent().and_then(Path::file_name).is_some_and(|name| name == "result")
    };
    let found = folder.ancestors().take(3).find(below);
    let folder = found.unwrap_or(folder).to_owned();
    // A file named without a folder is in the present one.
    if folder.as_os_str().is_empty() { fs::canonicalize(".").ok() } else { Some(folder) }
}

/// The result file that a score file belongs to.
pub(super) fn result_of_score(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix("_score.json")?;
    let text = path.parent()?.to_str()?;
    let (run, below) = text.rsplit_once("score")?;
    let folder = PathBuf::from(format!("{run}result{below}"));
    let named = if name.starts_with("BFCL_v") {
        format!("{name}_result.json")
    } else {
        format!("{FIRST_EDITION}{name}_result.json")
    };
    Some(folder.join(named)).filter(|path| path.is_file())
}

/// Result files, and the folders among theirs that may not be looked into.
#[derive(Default)]
pub(super) struct FoundFiles {
    pub(super) files: Vec<ResultFile>,
    pub(super) closed: Vec<ImportError>,
}

/// All result files in a file or folder, those of one run together and in the order of their
/// categories.
pub(super) fn find_files(path: &Path) -> Result<FoundFiles, ImportError> {
    let mut found = FoundFiles::default();
    if path.is_dir() {
        search(path, DEEPEST, &mut found)?;
    } else {
        let file = result_of_score(path).unwrap_or_else(|| path.to_owned());
        found.files.extend(ResultFile::of(&file));
    }
    found.files.sort_by(|a, b| (a.run(), &a.path).cmp(&(b.run(), &b.path)));
    Ok(found)
}

fn search(folder: &Path, depth: usize, found: &mut FoundFiles) -> Result<(), ImportError> {
    for entry in fs::read_dir(folder).map_err(ImportError::io(folder))? {
        let entry = entry.map_err(ImportError::io(folder))?;
        let path = entry.path();
        // Links are not followed: they may lead round in a circle.
        let kind = entry.file_type().map_err(ImportError::io(&path))?;
        if kind.is_dir() && depth > 0 {
            let searched = search(&path, depth - 1, found);
            found.closed.extend(searched.err());
        } else if kind.is_file() {
            found.files.extend(ResultFile::of(&path));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_edition_category_and_model() {
        let path = Path::new("runs/v1/result/gpt/live/BFCL_v4_live_multiple_result.json");
        let file = ResultFile::of(path).unwrap();
        assert_eq!((file.edition, file.category.as_str()), (Edition::Later(4), "live_multiple"));
        assert_eq!((file.model.as_str(), file.label()), ("gpt", Some("v1")));
        let path = Path::new("result/gpt-FC/gorilla_openfunctions_v1_test_simple_result.json");
        let file = ResultFile::of(path).unwrap();
        assert_eq!((file.edition, file.model.as_str()), (Edition::V1, "gpt-FC"));
        assert_eq!(ResultFile::of(Path::new("result/gpt/BFCL_v4_live_score.json")), None);
        assert_eq!(ResultFile::of(Path::new("results.json")), None);
    }
}
