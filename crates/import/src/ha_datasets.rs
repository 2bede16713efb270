//! Reports of home-assistant-datasets: a folder for each model with a YAML file for each trial, and
//! beside them `report.csv` with the labels.

mod report;
mod task;

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use self::report::Labels;
use self::task::trial;
use crate::imported::ImportedTrials;
use crate::{FoundRun, ImportError, ImportedHead, ImportedRun, ResultKind, file};

/// The file of the labels.
const REPORT: &str = "report.csv";
/// How deep folders are searched: dataset, version, model.
const DEEPEST: usize = 4;
/// The largest file of a trial that is read. The largest in published reports has 100 kB.
const LARGEST: u64 = 16 << 20;

/// The trials of one model.
struct HaRun {
    head: ImportedHead,
    files: Vec<PathBuf>,
    labels: Labels,
}

/// Whether a folder has such reports: one with labels, or a trial.
pub(crate) fn has_results(folder: &Path) -> Result<bool, ImportError> {
    has_results_below(folder, DEEPEST)
}

fn has_results_below(folder: &Path, depth: usize) -> Result<bool, ImportError> {
    let (files, folders) = entries(folder)?;
    if files.iter().any(|path| is_of_trial(path)) {
        return Ok(true);
    }
    if files.iter().any(|path| Labels::is_report(path)) {
        return Ok(true);
    }
    if depth > 0 {
        // A folder that may not be looked into is told when the others are read.
        let has_results = |folder: &PathBuf| has_results_below(folder, depth - 1).unwrap_or(false);
        return Ok(folders.iter().any(has_results));
    }
    Ok(false)
}

/// The first file or folder that may be such a report, but cannot be read.
pub(crate) fn first_broken(folder: &Path) -> Option<ImportError> {
    let mut runs = Vec::new();
    search(folder, DEEPEST, &mut runs);
    runs.into_iter().find_map(Result::err)
}

/// The runs in a folder: one for each folder of a model. A report leads to those beside it.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<FoundRun>, ImportError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut runs = Vec::new();
    search(folder, DEEPEST, &mut runs);
    if runs.is_empty() {
        let why = "no folder has a YAML file with `task_id` and `conversation_trace`";
        return Err(ImportError::unfit(path, ResultKind::HaDatasets, why));
    }
    Ok(runs)
}

fn search(folder: &Path, depth: usize, runs: &mut Vec<FoundRun>) {
    let (mut files, folders) = match entries(folder) {
        Ok(entries) => entries,
        Err(error) => return runs.push(Err(error)),
    };
    files.retain(|path| is_yaml(path) && !is_about_run(path));
    runs.extend(run_of(folder, files));
    if depth > 0 {
        for folder in &folders {
            search(folder, depth - 1, runs);
        }
    }
}

/// The run whose trials are among these files. Where no file is of a trial, what cannot be read may
/// have been one.
fn run_of(folder: &Path, files: Vec<PathBuf>) -> Option<FoundRun> {
    let mut broken = None;
    for path in &files {
        match read(path) {
            Ok(file) if task::is_trial(&file) => {
                let run = open(folder, files);
                return Some(run.map(|run| Box::new(run) as Box<dyn ImportedRun>));
            }
            // Folders of versions hold YAML files too, with figures of all models.
            Ok(_) => {}
            Err(error) => broken = broken.or(Some(Err(error))),
        }
    }
    broken
}

fn open(folder: &Path, files: Vec<PathBuf>) -> Result<HaRun, ImportError> {
    let folder = fs::canonicalize(folder).map_err(ImportError::io(folder))?;
    let part = |up: usize| {
        let part = folder.ancestors().nth(up).and_then(Path::file_name);
        part.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let labels = Labels::read(&folder.with_file_name(REPORT), &part(0))?;
    let mut warnings = Vec::new();
    if labels.is_empty() {
        warnings.push("no label is recorded for this model".to_owned());
    }
    let head = ImportedHead {
        suite: format!("ha-datasets-{}", part(2)),
        label: Some(part(1)),
        model: part(0),
        scorer: "ha_datasets",
        further: &["keywords", "tool_calls"],
        warnings,
    };
    Ok(HaRun { head, files, labels })
}

impl ImportedRun for HaRun {
    fn head(&self) -> &ImportedHead {
        &self.head
    }

    fn trials(&self) -> ImportedTrials<'_> {
        Box::new(self.files.iter().map(|path| {
            let wrong = |why: &str| ImportError::unfit(path, ResultKind::HaDatasets, why);
            trial(&read(path)?, &self.labels).map_err(|why| wrong(&why))
        }))
    }
}

/// The files and folders in a folder, by name. Links are not followed: they may lead in a circle.
fn entries(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), ImportError> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(ImportError::io(folder))? {
        let entry = entry.map_err(ImportError::io(folder))?;
        let kind = entry.file_type().map_err(ImportError::io(folder))?;
        if kind.is_dir() {
            folders.push(entry.path());
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    folders.sort();
    Ok((files, folders))
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml")
}

/// Each folder has one file about the run itself.
fn is_about_run(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "_scrape_context.yaml")
}

/// Whether a file is that of a trial. What is none may be anything; that one among trials is broken
/// is told when they are read.
fn is_of_trial(path: &Path) -> bool {
    is_yaml(path) && !is_about_run(path) && read(path).is_ok_and(|file| task::is_trial(&file))
}

fn read(path: &Path) -> Result<serde_json::Value, ImportError> {
    let mut text = Vec::new();
    let read = file::open(path)?.take(LARGEST + 1).read_to_end(&mut text);
    if read.map_err(ImportError::io(path))? as u64 > LARGEST {
        return Err(ImportError::unfit(path, ResultKind::HaDatasets, "it is larger than 16 MB"));
    }
    yaml_serde::from_slice(&text).map_err(|error| {
        ImportError::unfit(path, ResultKind::HaDatasets, format!("it is not YAML: {error}"))
    })
}
