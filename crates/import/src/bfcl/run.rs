//! The results of one model, category by category.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::case::case;
use super::data::QuestionData;
use super::files::ResultFile;
use super::functions::Dots;
use super::scores::Scores;
use super::shape::AnswerShape;
use super::transcript::transcript;
use crate::imported::ImportedTrials;
use crate::json_lines::JsonLines;
use crate::{ImportError, ImportedHead, ImportedRun, ImportedTrial};

/// What says more than the verdict alone.
const FURTHER: &[&str] = &["tool_calls", "partial"];

/// What is read of each row. Dialogues have logs of many pages beside.
const OF_A_ROW: &[&str] = &["id", "result", "input_token_count", "output_token_count", "latency"];

/// The results of one model.
pub(super) struct BfclRun {
    head: ImportedHead,
    files: Vec<ResultFile>,
    data: Option<PathBuf>,
    shape: AnswerShape,
}

impl BfclRun {
    pub(super) fn open(files: Vec<ResultFile>, data: Option<&Path>) -> Result<Self, ImportError> {
        let shape = AnswerShape::of(&files, data)?;
        let first = files.first().expect("a run has a file");
        let mut warnings = Vec::new();
        let unjudged = files.iter().filter(|file| file.score_file().is_none());
        let unjudged: Vec<&str> = unjudged.map(|file| file.category.as_str()).collect();
        if !unjudged.is_empty() {
            warnings.push(format!("no verdict is recorded for {}", unjudged.join(", ")));
        }
        let head = ImportedHead {
            suite: first.edition.suite(),
            label: first.label().map(str::to_owned),
            model: first.model.clone(),
            scorer: first.edition.scorer(),
            further: FURTHER,
            warnings,
        };
        Ok(Self { head, files, data: data.map(Path::to_owned), shape })
    }

    /// The trials of one category.
    fn category<'a>(&'a self, file: &'a ResultFile) -> Result<ImportedTrials<'a>, ImportError> {
        let data = QuestionData::read(self.data.as_deref(), file)?;
        let scores = file.score_file().map(|path| Scores::read(&path)).transpose()?;
        let dots = if self.shape.has_dots { Dots::Keep } else { Dots::Underscore };
        let mut row = 0;
        Ok(Box::new(JsonLines::open_members(&file.path, OF_A_ROW)?.map(move |line| {
            let (line, entry) = line?;
            row += 1;
            let fail = |why: &str| ImportError::Line {
                path: file.path.clone(),
                line,
                why: why.to_owned(),
            };
            let id = entry.get("id").and_then(Value::as_str).ok_or_else(|| fail("has no `id`"))?;
            let result = entry.get("result").ok_or_else(|| fail("has no `result`"))?;
            let question = data.question(id)?;
            let turns = question.as_ref().and_then(|question| question.asked.as_array());
            let later = turns.and_then(|turns| turns.get(1..));
            let mut transcript = transcript(&entry, later.unwrap_or_default());
            if let Some(scores) = &scores {
                let mut verdict = scores.verdict(id, row, file.edition);
                verdict.only = self.shape.obstacle(file.edition, result);
                transcript.background.recorded.push(verdict);
            }
            let of = (file.edition, file.category.as_str());
            let case = case(id, of, question.as_ref(), data.answers(id)?, dots);
            Ok(ImportedTrial { case: Arc::new(case), number: 1, transcript })
        })))
    }
}

impl ImportedRun for BfclRun {
    fn head(&self) -> &ImportedHead {
        &self.head
    }

    fn trials(&self) -> ImportedTrials<'_> {
        Box::new(self.files.iter().flat_map(|file| match self.category(file) {
            Ok(trials) => trials,
            Err(error) => Box::new(std::iter::once(Err(error))),
        }))
    }
}
