//! The questions and accepted answers of a category.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Edition;
use super::files::ResultFile;
use crate::ImportError;
use crate::json_lines::JsonLines;

/// The questions and accepted answers of a category, by the name of the question.
#[derive(Debug, Default)]
pub(super) struct QuestionData {
    pub(super) questions: HashMap<String, Value>,
    answers: HashMap<String, Value>,
}

impl QuestionData {
    /// Reads what a folder has of the category of a file; nothing if it has no such questions.
    pub(super) fn read(folder: Option<&Path>, file: &ResultFile) -> Result<Self, ImportError> {
        let Some(path) = folder.and_then(|folder| question_file(folder, file)) else {
            return Ok(Self::default());
        };
        let name = path.file_name().unwrap_or_default();
        let answers = path.with_file_name("possible_answer").join(name);
        let answers = if answers.is_file() { by_id(&answers)? } else { HashMap::new() };
        Ok(Self { questions: by_id(&path)?, answers })
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

fn question_file(folder: &Path, file: &ResultFile) -> Option<PathBuf> {
    let name = match file.edition {
        Edition::V1 => format!("gorilla_openfunctions_v1_test_{}.json", file.category),
        Edition::Later(number) => format!("BFCL_v{number}_{}.json", file.category),
    };
    // The folder itself, that of the installed package, or that of the repository.
    let places = ["", "data", "bfcl_eval/data", "berkeley-function-call-leaderboard/data"];
    places.iter().map(|place| folder.join(place).join(&name)).find(|path| path.is_file())
}

/// The entries of a file by their `id`, else by their place as the first edition counts them.
fn by_id(path: &Path) -> Result<HashMap<String, Value>, ImportError> {
    let mut entries = HashMap::new();
    for entry in JsonLines::open(path)? {
        let (_, entry) = entry?;
        let id = entry.get("id").and_then(Value::as_str).map(str::to_owned);
        entries.insert(id.unwrap_or_else(|| entries.len().to_string()), entry);
    }
    Ok(entries)
}
