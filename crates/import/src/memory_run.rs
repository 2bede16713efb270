//! Formats in which what belongs to one trial lies anywhere in the file, so that all of it is read
//! before the first trial is known.

use std::path::Path;

use indexmap::IndexMap;

use crate::imported::ImportedTrials;
use crate::{ImportError, ImportedHead, ImportedRun, ImportedTrial, ResultKind};

/// A run whose trials are in memory.
struct MemoryRun {
    head: ImportedHead,
    trials: Vec<ImportedTrial>,
}

/// Makes a run for each model out of trials with the names of their models.
pub(crate) fn by_model(
    path: &Path,
    kind: ResultKind,
    found: Vec<(String, ImportedTrial)>,
) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    if found.is_empty() {
        let why = "it holds no call of a model or a tool";
        return Err(ImportError::unfit(path, kind, why));
    }
    let mut models: IndexMap<String, Vec<ImportedTrial>> = IndexMap::new();
    for (model, trial) in found {
        models.entry(model).or_default().push(trial);
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let runs = models.into_iter().map(|(model, trials)| {
        let head = ImportedHead {
            suite: kind.name().to_owned(),
            label: stem.clone(),
            model: if model.is_empty() { "unknown".to_owned() } else { model },
            scorer: "tool_calls",
            further: &[],
            warnings: Vec::new(),
        };
        Box::new(MemoryRun { head, trials }) as Box<dyn ImportedRun>
    });
    Ok(runs.collect())
}

impl ImportedRun for MemoryRun {
    fn head(&self) -> &ImportedHead {
        &self.head
    }

    fn trials(&self) -> ImportedTrials<'_> {
        Box::new(self.trials.iter().cloned().map(Ok))
    }
}
