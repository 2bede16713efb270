//! Results of τ²-bench: one JSON object with tasks and simulations, or a folder that keeps each
//! simulation in a file of its own.

mod criteria;
mod simulation;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::simulation::trial;
use crate::field::name;
use crate::imported::ImportedTrials;
use crate::json_reader::JsonReader;
use crate::records::Records;
use crate::{ImportError, ImportedHead, ImportedRun, ImportedTrial, ResultKind};

/// What says more than the reward alone.
const FURTHER: &[&str] = &["tool_calls", "partial"];

/// A results file.
struct Tau2Run {
    head: ImportedHead,
    file: PathBuf,
    /// The tasks by their names.
    tasks: HashMap<String, Value>,
    /// The files of the simulations, where they are not in the results file.
    beside: Vec<PathBuf>,
}

/// What stands in a results file beside its simulations.
#[derive(Default)]
struct Contents {
    info: Value,
    tasks: Option<HashMap<String, Value>>,
    simulations: usize,
    spoken: usize,
}

impl Contents {
    /// Reads a file once from its beginning to its end; only one simulation is in memory.
    fn read(file: &Path) -> Result<Self, ImportError> {
        let mut contents = Self::default();
        let mut reader = JsonReader::open(file, ResultKind::Tau2)?;
        reader.begin(b'{')?;
        while let Some(key) = reader.key()? {
            match key.as_str() {
                "info" => contents.info = reader.value()?,
                "tasks" if reader.peek()? == Some(b'[') => {
                    let tasks = contents.tasks.get_or_insert_default();
                    reader.begin(b'[')?;
                    while reader.item()? {
                        let task = reader.value()?;
                        tasks.insert(name(task.get("id")), task);
                    }
                }
                "simulations" if reader.peek()? == Some(b'[') => {
                    reader.begin(b'[')?;
                    while reader.item()? {
                        contents.simulations += 1;
                        contents.spoken += usize::from(is_spoken(&reader.value()?));
                    }
                }
                _ => reader.skip()?,
            }
        }
        reader.end()?;
        Ok(contents)
    }
}

/// The run in a results file, or in the folder it stands in.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let file = if path.is_dir() { path.join("results.json") } else { path.to_owned() };
    let wrong = |why: &str| ImportError::unfit(&file, ResultKind::Tau2, why);
    let mut contents = Contents::read(&file)?;
    let tasks = contents.tasks.take().ok_or_else(|| wrong("it has no `tasks`"))?;
    let mut beside = Vec::new();
    if contents.simulations == 0 {
        beside = files_beside(&file)?;
        for path in &beside {
            contents.spoken += usize::from(is_spoken(&whole(path)?));
        }
        if beside.is_empty() {
            let why = "it has no `simulations`, and there is no such folder beside it";
            return Err(wrong(why));
        }
    }
    let at = |pointer: &str| contents.info.pointer(pointer).and_then(Value::as_str);
    let domain = at("/environment_info/domain_name").unwrap_or_default();
    let mut warnings = Vec::new();
    if contents.spoken > 0 {
        warnings.push(format!("{} simulations of speech are left out", contents.spoken));
    }
    let head = ImportedHead {
        suite: if domain.is_empty() { "tau2".to_owned() } else { format!("tau2-{domain}") },
        label: label(&file),
        model: at("/agent_info/llm").unwrap_or("unknown").to_owned(),
        scorer: "tau2",
        further: FURTHER,
        warnings,
    };
    Ok(vec![Box::new(Tau2Run { head, file, tasks, beside })])
}

/// The value that a file is.
fn whole(path: &Path) -> Result<Value, ImportError> {
    let mut reader = JsonReader::open(path, ResultKind::Tau2)?;
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

/// The name of the run: that of the file, or of the folder where the file has the usual name.
fn label(file: &Path) -> Option<String> {
    let stem = file.file_stem()?.to_str()?;
    if stem != "results" {
        return Some(stem.to_owned());
    }
    let folder = file.parent()?;
    let usual = folder.file_name().is_some_and(|name| name == "tau2_output");
    let folder = if usual { folder.parent()? } else { folder };
    Some(folder.file_name()?.to_str()?.to_owned())
}

fn files_beside(file: &Path) -> Result<Vec<PathBuf>, ImportError> {
    let folder = file.with_file_name("simulations");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(ImportError::io(&folder))? {
        let path = entry.map_err(ImportError::io(&folder))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn is_spoken(simulation: &Value) -> bool {
    let has =
        |key| simulation.get(key).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    has("ticks") && !has("messages")
}

impl Tau2Run {
    /// The simulations one after the other, wherever they are.
    fn simulations(&self) -> Result<SimulationValues<'_>, ImportError> {
        if !self.beside.is_empty() {
            return Ok(Box::new(self.beside.iter().map(|path| whole(path))));
        }
        let within = Some(["simulations"].as_slice());
        Ok(Box::new(Records::open(&self.file, ResultKind::Tau2, within, &[])?))
    }

    fn trial(&self, simulation: &Value) -> Result<ImportedTrial, ImportError> {
        let task = self.tasks.get(&name(simulation.get("task_id")));
        let missing = || {
            let why = "a simulation is of no task that the file has";
            ImportError::unfit(&self.file, ResultKind::Tau2, why)
        };
        task.ok_or_else(missing).map(|task| trial(simulation, task))
    }
}

type SimulationValues<'a> = Box<dyn Iterator<Item = Result<Value, ImportError>> + 'a>;

impl ImportedRun for Tau2Run {
    fn head(&self) -> &ImportedHead {
        &self.head
    }

    fn trials(&self) -> ImportedTrials<'_> {
        let simulations = match self.simulations() {
            Ok(simulations) => simulations,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        Box::new(simulations.filter_map(|simulation| match simulation {
            Ok(simulation) if is_spoken(&simulation) => None,
            Ok(simulation) => Some(self.trial(&simulation)),
            Err(error) => Some(Err(error)),
        }))
    }
}
