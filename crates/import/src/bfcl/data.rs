//! The questions and accepted answers of a category.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::Value;

use super::Edition;
use super::files::ResultFile;
use super::functions::{AskedQuestion, LastFunctions};
use crate::json_lines::JsonLines;
use crate::python_json::{ScanStop, members};
use crate::{ImportError, ResultKind};

/// The questions and accepted answers of a category, by the name of the question.
#[derive(Debug, Default)]
pub(super) struct QuestionData {
    questions: Entries,
    answers: Entries,
    last: LastFunctions,
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
        let answers = if answers.is_file() { Entries::read(&answers)? } else { Entries::default() };
        Ok(Self { questions: Entries::read(path)?, answers, last: LastFunctions::default() })
    }

    /// The names of all questions.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.questions.texts.keys().map(String::as_str)
    }

    /// Whether a question has a function of exactly this name.
    pub(super) fn has_function(&self, id: &str, name: &str) -> Result<bool, ImportError> {
        let functions = self.question(id)?.and_then(|question| question.functions);
        Ok(functions.is_some_and(|functions| functions.has(name)))
    }

    /// A question with its functions.
    pub(super) fn question(&self, id: &str) -> Result<Option<AskedQuestion>, ImportError> {
        self.questions.get(id, |text| self.last.question(text))
    }

    /// The accepted answers to a question.
    pub(super) fn answers(&self, id: &str) -> Result<Option<Value>, ImportError> {
        let entry = self.answers.get(id, |text| members(text, &["ground_truth"]))?;
        Ok(entry.and_then(|mut entry| entry.get_mut("ground_truth").map(Value::take)))
    }
}

/// The entries of a file as they are written: a value takes several times the memory of its text,
/// and each is asked for once in a run.
#[derive(Debug, Default)]
struct Entries {
    path: PathBuf,
    texts: IndexMap<String, Box<[u8]>>,
}

impl Entries {
    /// Reads entries by their `id`, else by their place as the first edition counts them.
    fn read(path: &Path) -> Result<Self, ImportError> {
        let mut texts: IndexMap<String, Box<[u8]>> = IndexMap::new();
        let mut lines = JsonLines::open_members(path, &["id"])?;
        while let Some((_, entry)) = lines.next().transpose()? {
            let id = entry.get("id").and_then(Value::as_str).map(str::to_owned);
            texts.insert(id.unwrap_or_else(|| texts.len().to_string()), lines.text().into());
        }
        Ok(Self { path: path.to_owned(), texts })
    }

    fn get<T>(
        &self,
        id: &str,
        read: impl FnOnce(&[u8]) -> Result<T, ScanStop>,
    ) -> Result<Option<T>, ImportError> {
        let Some(text) = self.texts.get(id) else { return Ok(None) };
        let entry = read(text).map_err(|stop| {
            let why = format!("`{id}` cannot be read: {} is expected", stop.wanted);
            ImportError::unfit(&self.path, ResultKind::Bfcl, why)
        });
        entry.map(Some)
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
