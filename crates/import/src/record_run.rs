//! Formats whose files are lists of records, each of them one trial.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use indexmap::IndexMap;
use serde_json::Value;

use crate::imported::ImportedTrials;
use crate::records::Records;
use crate::{ImportError, ImportedHead, ImportedRun, ImportedTrial, ResultKind};

/// How the records of a format become trials.
pub(crate) struct RecordFormat {
    pub(crate) kind: ResultKind,
    pub(crate) suite: &'static str,
    /// The scorer that judges by the tool's own rule, or the one of ours that says most.
    pub(crate) scorer: &'static str,
    pub(crate) further: &'static [&'static str],
    /// The keys that lead to the list of records, where the file is one object.
    pub(crate) within: Option<&'static [&'static str]>,
    /// Which run a record is of.
    pub(crate) run: Box<dyn Fn(&Value) -> RunName>,
    /// The trial that a record is, or what is wrong with it.
    pub(crate) trial: Box<ReadTrial>,
}

/// Makes a trial of a record; the error says what the record lacks.
type ReadTrial = dyn Fn(&Value) -> Result<ImportedTrial, String>;

/// Where a run has no name of its own, one of its parts is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct RunName {
    pub(crate) model: String,
    pub(crate) label: String,
}

impl RunName {
    pub(crate) fn of(model: impl Into<String>) -> Self {
        Self { model: model.into(), label: String::new() }
    }
}

/// The most runs in a file. The file is read once for each, and each becomes a log.
const MOST_RUNS: usize = 500;

/// One of the runs in a file of records.
struct RecordRun {
    format: Rc<RecordFormat>,
    path: PathBuf,
    name: RunName,
    head: ImportedHead,
}

/// The runs in a file.
pub(crate) fn find_runs(
    path: &Path,
    format: RecordFormat,
) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let format = Rc::new(format);
    let mut names: IndexMap<RunName, ()> = IndexMap::new();
    let mut count = 0_usize;
    for record in Records::open(path, format.kind, format.within, &[])? {
        names.entry((format.run)(&record?)).or_default();
        count += 1;
        if names.len() > MOST_RUNS {
            let why = format!("it holds more than {MOST_RUNS} runs");
            return Err(ImportError::unfit(path, format.kind, why));
        }
    }
    if count == 0 {
        return Err(ImportError::unfit(path, format.kind, "it holds no record"));
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let runs = names.into_keys().map(|name| {
        let head = ImportedHead {
            suite: format.suite.to_owned(),
            label: if name.label.is_empty() { stem.clone() } else { Some(name.label.clone()) },
            model: if name.model.is_empty() { "unknown".to_owned() } else { name.model.clone() },
            scorer: format.scorer,
            further: format.further,
            warnings: Vec::new(),
        };
        let (format, path) = (Rc::clone(&format), path.to_owned());
        Box::new(RecordRun { format, path, name, head }) as Box<dyn ImportedRun>
    });
    Ok(runs.collect())
}

impl ImportedRun for RecordRun {
    fn head(&self) -> &ImportedHead {
        &self.head
    }

    fn trials(&self) -> ImportedTrials<'_> {
        let mut records = match Records::open(&self.path, self.format.kind, self.format.within, &[])
        {
            Ok(records) => records,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        Box::new(std::iter::from_fn(move || {
            loop {
                let record = match records.next()? {
                    Ok(record) => record,
                    Err(error) => return Some(Err(error)),
                };
                if (self.format.run)(&record) == self.name {
                    let trial = (self.format.trial)(&record);
                    return Some(trial.map_err(|why| records.wrong_here(why)));
                }
            }
        }))
    }
}
