//! A run of another tool: its head, and its trials one after the other.

use std::path::PathBuf;
use std::sync::Arc;

use toolgauge_core::{Case, Transcript};

use crate::{ImportError, ResultKind};

/// What is known of an imported run beside its trials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedHead {
    /// The name for the suite: `bfcl-v4`.
    pub suite: String,
    /// The name of the run, where the folder of the results tells it.
    pub label: Option<String>,
    /// The model.
    pub model: String,
    /// The scorer that judges by the tool's own rule.
    pub scorer: &'static str,
    /// Other scorers that say more about these trials.
    pub further: &'static [&'static str],
    /// What is odd about the results and may be worth a look.
    pub warnings: Vec<String>,
}

/// One trial of an imported run.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedTrial {
    /// The case, with tools of its own where the tool gives each question its own.
    pub case: Arc<Case>,
    /// Which trial of the case it is, counted from 1; 0 where the file does not number them, so
    /// that it is the next one.
    pub number: u32,
    /// What was said and called, with the recorded verdicts in its background.
    pub transcript: Transcript,
}

/// Trials as they are read.
pub type ImportedTrials<'a> = Box<dyn Iterator<Item = Result<ImportedTrial, ImportError>> + 'a>;

/// A run of another tool. Its trials can be read as often as needed, and only one is in memory.
pub trait ImportedRun {
    /// What is known of the run.
    fn head(&self) -> &ImportedHead;

    /// Its trials.
    fn trials(&self) -> ImportedTrials<'_>;
}

/// A run that was found, or why what looks like one cannot be read: in a folder others may lie
/// beside it.
pub type FoundRun = Result<Box<dyn ImportedRun>, ImportError>;

/// What an import is told.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What the results are; `None` means that the files must say so.
    pub kind: Option<ResultKind>,
    /// Where the questions and answers are that some results refer to.
    pub data: Option<PathBuf>,
    /// The attribute or the key of the metadata that names the case, for spans and stored answers.
    pub case_key: Option<String>,
}
