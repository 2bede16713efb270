//! The questions and accepted answers of a category.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::Value;

use super::Edition;
use super::files::ResultFile;
use crate::ImportError;
use crate::json_lines::JsonLines;

/// The questions and accepted answers of a category, by the name of the question.
#[derive(Debug, Default)]
pub(super) struct QuestionData {
    pub(super) questions: IndexMap<String, Value>,
    answers: IndexMap<String, Value>,
}

impl QuestionData {
    /// Reads what a folder has of the category of a file; nothing if it has no such questions.
    pub(super) fn read(folder: Option<&Path>, file: &ResultFile) -> Result<Self, ImportError> {
        let path = folder.and_then(|folder| question_file(folder, file.edition, &file.category));
        path.map_or_else(|| Ok(Self::default()), |path| Self::open(&path))
    }

    /// Reads a file of questions, and the accepted answers beside it.
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        let name = path.file_name().unwrap_or_default();
        let answers = path.with_file_name("possible_answer").join(name);
        let answers = if answers.is_file() { by_id(&answers)? } else { IndexMap::new() };
        Ok(Self { questions: by_id(path)?, answers })
    }

    /// Whether a question has a function of exactly this name.
    pub(super) fn has_function(&self, id: &str, name: &str) -> bool {
        let functions = self.questions.get(id).and_then(|question| question.get("function"));
        let functions = match functions {
            Some(Value::Array(functions)) => functions.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        functions.iter().any(|function| function.get("name").and_then(Value::as_str) == Some(name))
    }

    /// The accepted answers to a question.
    pub(super) fn answers(&self, id: &str) -> Option<&Value> {
        self.answers.get(id).and_then(|entry| entry.get("ground_truth"))
    }
}

/// The file of the questions of a category.
pub(super) fn question_file(folder: &Path, edition: Edition, category: &str) -> Option<PathBuf> {
    let name = match edition {
        Edition::V1 => format!("gorilla_openfunctions_v1_test_{category}.json"),
        Edition::Later(number) => format!("BFCL_v{number}_{category}.json"),
    };
    places(folder).map(|place| place.join(&name)).find(|path| path.is_file())
}

/// Where a folder may have its questions: in itself, or as the installed package or the repository
/// has them.
pub(super) fn places(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let below = ["", "data", "bfcl_eval/data", "berkeley-function-call-leaderboard/data"];
    below.into_iter().map(|place| folder.join(place))
}

/// The entries of a file by their `id`, else by their place as the first edition counts them.
fn by_id(path: &Path) -> Result<IndexMap<String, Value>, ImportError> {
    let mut entries = IndexMap::new();
    let wanted = &["id", "question", "function", "ground_truth"];
    for entry in JsonLines::open_members(path, wanted)? {
        let (_, entry) = entry?;
        let id = entry.get("id").and_then(Value::as_str).map(str::to_owned);
        entries.insert(id.unwrap_or_else(|| entries.len().to_string()), entry);
    }
    Ok(entries)
}
