//! Results of τ²-bench: one JSON object with tasks and simulations, or a folder that keeps each
//! simulation in a file of its own.

mod criteria;
mod simulation;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::simulation::trial;
use crate::document::Document;
use crate::imported::ImportedTrials;
use crate::python_json::ByteSpan;
use crate::{ImportError, ImportedHead, ImportedRun, ResultKind};

/// What says more than the reward alone.
const FURTHER: &[&str] = &["tool_calls", "partial"];

/// A results file.
struct Tau2Run {
    head: ImportedHead,
    document: Document,
    /// The tasks by their names.
    tasks: HashMap<String, Value>,
    places: Vec<SimulationPlace>,
}

/// Where a simulation is.
enum SimulationPlace {
    Within(ByteSpan),
    File(PathBuf),
}

/// The run in a results file, or in the folder it stands in.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let file = if path.is_dir() { path.join("results.json") } else { path.to_owned() };
    let document = Document::read(&file, ResultKind::Tau2)?;
    let members = document.members()?;
    let place = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, span)| span);
    let info = place("info").map(|span| document.value(span)).transpose()?.unwrap_or_default();
    let Some(tasks) = place("tasks") else {
        return Err(document.wrong("it has no `tasks`"));
    };
    let mut by_id = HashMap::new();
    for span in document.items(tasks)? {
        let task = document.value(&span)?;
        by_id.insert(text(task.get("id")), task);
    }
    let within = place("simulations").map(|span| document.items(span)).transpose()?;
    let mut places: Vec<_> =
        within.unwrap_or_default().into_iter().map(SimulationPlace::Within).collect();
    if places.is_empty() {
        places = files_beside(&file)?;
    }
    if places.is_empty() {
        return Err(
            document.wrong("it has no `simulations`, and there is no such folder beside it")
        );
    }
    let at = |path: &str| info.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let domain = at("/environment_info/domain_name");
    let head = ImportedHead {
        suite: if domain.is_empty() { "tau2".into() } else { format!("tau2-{domain}") },
        label: label(&file),
        model: at("/agent_info/llm").to_owned(),
        scorer: "tau2",
        further: FURTHER,
        warnings: Vec::new(),
    };
    let mut run = Tau2Run { head, document, tasks: by_id, places };
    let spoken = run.spoken()?;
    if spoken > 0 {
        run.head.warnings.push(format!("{spoken} simulations of speech are left out"));
    }
    Ok(vec![Box::new(run)])
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

fn files_beside(file: &Path) -> Result<Vec<SimulationPlace>, ImportError> {
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
    Ok(files.into_iter().map(SimulationPlace::File).collect())
}

/// A name, which may be written as a number.
fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

impl Tau2Run {
    fn simulation(&self, place: &SimulationPlace) -> Result<Value, ImportError> {
        match place {
            SimulationPlace::Within(span) => self.document.value(span),
            SimulationPlace::File(path) => {
                let file = Document::read(path, ResultKind::Tau2)?;
                file.value(&file.whole())
            }
        }
    }

    /// How many simulations are of speech: they have `ticks` in place of messages.
    fn spoken(&self) -> Result<usize, ImportError> {
        let mut count = 0;
        for place in &self.places {
            count += usize::from(is_spoken(&self.simulation(place)?));
        }
        Ok(count)
    }
}

fn is_spoken(simulation: &Value) -> bool {
    let has =
        |key| simulation.get(key).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    has("ticks") && !has("messages")
}

impl ImportedRun for Tau2Run {
    fn head(&self) -> &ImportedHead {
        &self.head
    }

    fn trials(&self) -> ImportedTrials<'_> {
        Box::new(self.places.iter().filter_map(|place| {
            let simulation = match self.simulation(place) {
                Ok(simulation) => simulation,
                Err(error) => return Some(Err(error)),
            };
            if is_spoken(&simulation) {
                return None;
            }
            let task = self.tasks.get(&text(simulation.get("task_id")));
            let missing = || self.document.wrong("a simulation is of no task that the file has");
            Some(task.ok_or_else(missing).map(|task| trial(&simulation, task)))
        }))
    }
}
