//! Formats whose files are lists of records, each of them one trial.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use indexmap::IndexSet;
use memchr::memmem::Finder;
use serde_json::Value;

use crate::imported::ImportedTrials;
use crate::python_json::Node;
use crate::records::Records;
use crate::{ImportError, ImportedHead, ImportedRun, ImportedTrial, ResultKind, file};

/// How the records of a format become trials.
pub(crate) struct RecordFormat {
    pub(crate) kind: ResultKind,
    pub(crate) suite: &'static str,
    /// The scorer that judges by the tool's own rule, or the one of ours that says most.
    pub(crate) scorer: &'static str,
    pub(crate) further: &'static [&'static str],
    /// The keys that lead to the list of records, where the file is one object.
    pub(crate) within: Option<&'static [&'static str]>,
    /// Other lists of records beside that one.
    pub(crate) beside: &'static [&'static str],
    /// Which run a record is of.
    pub(crate) run: RunOf,
    /// The trial that a record is, or what is wrong with it.
    pub(crate) trial: ReadTrial,
}

/// A trial, or what its record lacks.
type TrialRead = Result<ImportedTrial, String>;

/// Makes a trial of a record.
pub(crate) enum ReadTrial {
    /// Of one that points at the text of the file.
    Node(fn(&Node<'_>) -> TrialRead),
    /// Of one that stands for itself.
    Value(Box<dyn Fn(&Value) -> TrialRead>),
}

impl ReadTrial {
    pub(crate) fn value(read: impl Fn(&Value) -> TrialRead + 'static) -> Self {
        Self::Value(Box::new(read))
    }
}

/// Which run a record is of.
pub(crate) enum RunOf {
    /// A file of this kind has one run.
    File(RunName),
    /// What these members of a record say.
    Record(&'static [&'static str], fn(&Value) -> RunName),
}

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
    /// Which records are of this run; `None` if all are.
    name: Option<RunName>,
    head: ImportedHead,
}

impl RecordFormat {
    fn records(&self, path: &Path) -> Result<Records, ImportError> {
        let within = self.within.and_then(<[&str]>::split_last);
        let lists = within.map(|(last, outer)| {
            let lists: Vec<&str> = std::iter::once(last).chain(self.beside).copied().collect();
            (outer, lists)
        });
        let within = lists.as_ref().map(|(outer, lists)| (*outer, lists.as_slice()));
        Records::open_lists(path, self.kind, within, &[])
    }

    /// The names of the runs in a file. A file of one run is not read for it: whoever reads the
    /// trials sees what is wrong with the rest.
    fn run_names(&self, path: &Path) -> Result<IndexSet<RunName>, ImportError> {
        let mut records = self.records(path)?;
        let mut names = IndexSet::new();
        match &self.run {
            RunOf::File(name) => {
                if records.next_members(&[]).transpose()?.is_some() {
                    names.insert(name.clone());
                }
            }
            RunOf::Record(members, name) if !may_mention(path, members)? => {
                if records.next_members(&[]).transpose()?.is_some() {
                    names.insert(name(&Value::Null));
                }
            }
            RunOf::Record(members, name) => {
                while let Some(record) = records.next_members(members).transpose()? {
                    names.insert(name(&record));
                    if names.len() > MOST_RUNS {
                        let why = format!("it holds more than {MOST_RUNS} runs");
                        return Err(ImportError::unfit(path, self.kind, why));
                    }
                }
            }
        }
        if names.is_empty() {
            return Err(ImportError::unfit(path, self.kind, "it holds no record"));
        }
        Ok(names)
    }

    fn is_of(&self, record: &Value, run: &RunName) -> bool {
        match &self.run {
            RunOf::File(_) => true,
            RunOf::Record(_, name) => name(record) == *run,
        }
    }

    /// The next record as a trial; `None` within if it is of another run.
    fn next_trial(
        &self,
        records: &mut Records,
        run: Option<&RunName>,
    ) -> Option<Result<Option<TrialRead>, ImportError>> {
        match &self.trial {
            ReadTrial::Node(trial) => records.next_made(|record| {
                let members: &[&str] = match &self.run {
                    RunOf::File(_) => &[],
                    RunOf::Record(members, _) => members,
                };
                let is_of = |run| self.is_of(&record.picked(members), run);
                run.is_none_or(is_of).then(|| trial(record))
            }),
            ReadTrial::Value(trial) => Some(records.next()?.map(|record| {
                run.is_none_or(|run| self.is_of(&record, run)).then(|| trial(&record))
            })),
        }
    }
}

/// Whether a file may have a member of one of these names. To look for the names alone takes a
/// fraction of the time of reading; where characters are escaped, a name may look otherwise.
fn may_mention(path: &Path, names: &[&str]) -> Result<bool, ImportError> {
    let quoted = names.iter().map(|name| format!("\"{name}\""));
    let wanted: Vec<String> = quoted.chain(["\\u00".to_owned()]).collect();
    let finders: Vec<Finder<'_>> = wanted.iter().map(Finder::new).collect();
    let overlap = wanted.iter().map(String::len).max().unwrap_or_default();
    let mut file = file::open(path)?;
    let (mut chunk, mut kept) = (vec![0; 1 << 16], 0);
    loop {
        let read = file.read(&mut chunk[kept..]).map_err(ImportError::io(path))?;
        let seen = &chunk[..kept + read];
        if finders.iter().any(|finder| finder.find(seen).is_some()) {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        // A name may lie across the end of what was read.
        let end = seen.len();
        kept = end.min(overlap);
        chunk.copy_within(end - kept..end, 0);
    }
}

/// The runs in a file.
pub(crate) fn find_runs(
    path: &Path,
    format: RecordFormat,
) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let format = Rc::new(format);
    let names = format.run_names(path)?;
    let is_alone = names.len() == 1;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let runs = names.into_iter().map(|name| {
        let head = ImportedHead {
            suite: format.suite.to_owned(),
            label: if name.label.is_empty() { stem.clone() } else { Some(name.label.clone()) },
            model: if name.model.is_empty() { "unknown".to_owned() } else { name.model.clone() },
            scorer: format.scorer,
            further: format.further,
            warnings: Vec::new(),
        };
        let (format, path) = (Rc::clone(&format), path.to_owned());
        let name = (!is_alone).then_some(name);
        Box::new(RecordRun { format, path, name, head }) as Box<dyn ImportedRun>
    });
    Ok(runs.collect())
}

impl ImportedRun for RecordRun {
    fn head(&self) -> &ImportedHead {
        &self.head
    }

    fn trials(&self) -> ImportedTrials<'_> {
        let mut records = match self.format.records(&self.path) {
            Ok(records) => records,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        Box::new(std::iter::from_fn(move || {
            loop {
                match self.format.next_trial(&mut records, self.name.as_ref())? {
                    Ok(Some(trial)) => {
                        return Some(trial.map_err(|why| records.wrong_here(why)));
                    }
                    Ok(None) => {}
                    Err(error) => return Some(Err(error)),
                }
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_wherever_it_lies_and_may_be_escaped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.jsonl");
        let mentions = |text: &str| {
            std::fs::write(&path, text).unwrap();
            may_mention(&path, &["model", "session_name"]).unwrap()
        };
        assert!(!mentions("") && !mentions("{\"models\": \"model\\u2013b\"}"));
        assert!(mentions(r#"{"\u006dodel": 1}"#), "any name may be meant");
        for before in [0, (1 << 16) - 5, (1 << 16) - 1, 1 << 16, 200_000] {
            assert!(mentions(&format!("{}\"session_name\": 1", " ".repeat(before))), "{before}");
        }
    }
}
