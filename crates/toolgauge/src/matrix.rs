//! A matrix of runs: one suite on every model, quantisation, context, prompt and tier of a file.
//!
//! Each cell leaves a log of its own in a folder that bears the matrix's name, and its head says
//! which cell it is of; that is how a resumed matrix finds what is done. One server is kept for
//! all prompts and tiers of a model, quantisation and context.

mod board;
mod kept;
mod place;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toml::Table;
use toolgauge_model::Secret;
use toolgauge_report::CellName;
use toolgauge_runner::{Ending, Stop};
use toolgauge_score::Scorer;
use toolgauge_suite::{Matrix, MatrixSurroundings, Selection, Suite};

pub(crate) use self::board::Board;
use self::kept::Kept;
use self::place::{places, resolved};
use crate::cell::{self, Cell, Finished};
use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::progress::Progress;
use crate::{stage, subjects, suites};

/// What is asked for beside the file.
pub(crate) struct Demand<'a> {
    pub(crate) file: &'a Path,
    /// The flags, which win over the file.
    pub(crate) flags: Table,
    pub(crate) selection: Selection,
    pub(crate) trials: Option<u32>,
    pub(crate) scorers: &'a [String],
    pub(crate) fixes: Vec<String>,
    pub(crate) world: Map<String, Value>,
    pub(crate) body: Map<String, Value>,
    pub(crate) key_file: Option<&'a Path>,
    /// Whether cells that have a log already are kept or completed.
    pub(crate) resume: bool,
}

/// Which matrix a run belongs to, and which of its cells it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MatrixCell {
    pub(crate) name: String,
    pub(crate) cell: CellName,
}

/// A matrix made ready: everything that can be wrong with it has been looked at.
pub(crate) struct Plan {
    pub(crate) matrix: Matrix,
    stations: Vec<Station>,
}

/// What one server is kept for: a model in one quantisation with one context.
struct Station {
    /// The model as a run names it, and how its server is started or reached.
    invocation: Invocation,
    cells: Vec<Planned>,
}

struct Planned {
    name: CellName,
    cell: Cell,
    /// Its log, if it has one already.
    log: Option<Kept>,
}

/// What came of one cell.
pub(crate) struct Ran {
    pub(crate) name: CellName,
    pub(crate) finished: Finished,
}

impl Plan {
    /// Reads the file and makes every cell ready.
    pub(crate) fn of(demand: &Demand<'_>) -> Result<Self, Failure> {
        let suite = |name: &str, folder: &Path| {
            toolgauge_suite::draft(&suites::find(&resolved(name, folder)).ok()?).suite
        };
        let surroundings = MatrixSurroundings { suite: &suite, scorers: Scorer::names() };
        let matrix = toolgauge_suite::load_matrix(demand.file, &surroundings)
            .map_err(|problems| Failure::BadMatrix { problems })?;
        let mut suites = Suites::of(&matrix, &demand.world);
        let mut stations = Vec::new();
        for model in &matrix.models {
            for (name, invocation) in places(&matrix, model, demand)? {
                let mut cells = Vec::new();
                for prompt in &model.prompts {
                    cells.extend(planned(
                        &matrix,
                        &name,
                        prompt,
                        (&invocation, demand, &mut suites),
                    )?);
                }
                stations.push(Station { invocation, cells });
            }
        }
        let mut plan = Self { matrix, stations };
        if demand.resume {
            kept::find(&plan.matrix.name, &mut plan.stations)?;
        }
        Ok(plan)
    }

    /// How long trials may take to end after an interruption.
    pub(crate) fn grace(&self) -> Duration {
        let first = self.stations.first();
        let grace = first.map_or(0.0, |station| station.invocation.settings.limits.grace);
        Duration::try_from_secs_f64(grace).unwrap_or_default()
    }

    /// How many cells there are.
    pub(crate) fn size(&self) -> usize {
        self.stations.iter().map(|station| station.cells.len()).sum()
    }

    /// Runs every cell that is not done. What one server cannot do is told, and does not keep the
    /// others from being asked.
    pub(crate) async fn run(
        self,
        stop: &Stop,
        progress: impl Fn() -> Progress,
    ) -> Result<Vec<Ran>, Failure> {
        let (size, mut number) = (self.size(), 0);
        let mut ran = Vec::new();
        for station in self.stations {
            let is_done = |planned: &Planned| planned.log.as_ref().is_some_and(|log| log.complete);
            if station.cells.iter().all(is_done) || stop.gently.is_cancelled() {
                number += station.cells.len();
                ran.extend(station.cells.into_iter().filter_map(Planned::kept));
                continue;
            }
            let mut served = station.invocation.clone();
            let started = subjects::start_llama(&mut served.model, &mut served.settings).await;
            let (llama, mut failed) = match started {
                Ok(llama) => (llama, false),
                Err(failure) => {
                    stage::tell(&format!("warning: {failure}"));
                    (None, true)
                }
            };
            for planned in station.cells {
                number += 1;
                if failed || is_done(&planned) || stop.gently.is_cancelled() {
                    ran.extend(planned.kept());
                    continue;
                }
                stage::tell(&format!("cell {number} of {size}: {}", words(&planned.name)));
                match planned.run(&served, stop, progress()).await {
                    Ok(done) => ran.push(done),
                    Err(failure @ Failure::Preflight(_)) => {
                        stage::tell(&format!("warning: {failure}"));
                        failed = true;
                    }
                    Err(failure) => {
                        cell::stop_llama(llama).await;
                        return Err(failure);
                    }
                }
            }
            cell::stop_llama(llama).await;
        }
        Ok(ran)
    }
}

impl Planned {
    async fn run(
        self,
        served: &Invocation,
        stop: &Stop,
        progress: Progress,
    ) -> Result<Ran, Failure> {
        let finished = match &self.log {
            Some(log) => self.cell.resume_on(&log.path, served, stop, progress).await?,
            None => self.cell.run_on(served, stop, progress).await?,
        };
        Ok(Ran { name: self.name, finished })
    }

    /// The cell as its log has it, if it has one.
    fn kept(self) -> Option<Ran> {
        let logs = vec![self.log?.path];
        let finished = Finished { ending: Ending::Complete, logs, judge: None, stopping: None };
        Some(Ran { name: self.name, finished })
    }
}

/// The suites of a matrix: one for each way in which prompts change the world.
struct Suites<'a> {
    name: String,
    world: &'a Map<String, Value>,
    loaded: BTreeMap<String, Arc<Suite>>,
}

impl<'a> Suites<'a> {
    fn of(matrix: &Matrix, world: &'a Map<String, Value>) -> Self {
        Self { name: resolved(&matrix.suite, &matrix.folder), world, loaded: BTreeMap::new() }
    }

    /// The suite with a prompt's changes to its world, and those changes.
    fn with(
        &mut self,
        prompt: &Map<String, Value>,
    ) -> Result<(Arc<Suite>, Map<String, Value>), Failure> {
        let mut world = prompt.clone();
        world.extend(self.world.clone());
        let key = Value::Object(world.clone()).to_string();
        if let Some(suite) = self.loaded.get(&key) {
            return Ok((Arc::clone(suite), world));
        }
        let suite = Arc::new(suites::load_with(&self.name, &world)?);
        self.loaded.insert(key, Arc::clone(&suite));
        Ok((suite, world))
    }
}

/// The cells of one place with one prompt: one for each tier.
fn planned(
    matrix: &Matrix,
    name: &CellName,
    prompt: &str,
    (invocation, demand, suites): (&Invocation, &Demand<'_>, &mut Suites<'_>),
) -> Result<Vec<Planned>, Failure> {
    let Some(changes) = matrix.prompts.get(prompt) else { return Ok(Vec::new()) };
    let (suite, world) = suites.with(&changes.world)?;
    let tiers: Vec<Option<&String>> = match matrix.tiers.as_slice() {
        [] => vec![None],
        tiers => tiers.iter().filter(|tier| is_wanted(tier, demand)).map(Some).collect(),
    };
    let mut cells = Vec::new();
    for tier in tiers {
        let mut selection = demand.selection.clone();
        selection.tags.retain(|(tag, _)| tag != TIER || tier.is_none());
        selection.tags.extend(tier.map(|tier| (TIER.to_owned(), tier.clone())));
        let name = CellName {
            prompt: Some(prompt.to_owned()).filter(|prompt| !prompt.is_empty()),
            tier: tier.cloned(),
            ..name.clone()
        };
        let mut invocation = Invocation { world: world.clone(), ..invocation.clone() };
        let asked_for = demand.trials.or(matrix.trials);
        let trials = &mut invocation.settings.run.trials;
        *trials = asked_for.unwrap_or(suite.trials.max(*trials));
        invocation.matrix = Some(MatrixCell { name: matrix.name.clone(), cell: name.clone() });
        let cell = Cell {
            cases: selection.select(&suite)?,
            suite: Arc::clone(&suite),
            key: key_of(&invocation, demand)?,
            invocation,
            variants: vec![changes.variant.clone()],
        };
        // Whatever cannot be judged is better known before the first trial.
        cell.scorers()?;
        cells.push(Planned { name, cell, log: None });
    }
    Ok(cells)
}

const TIER: &str = "tier";

/// Whether a tier is among those asked for by a flag, if any are.
fn is_wanted(tier: &str, demand: &Demand<'_>) -> bool {
    let mut asked_for = demand.selection.tags.iter().filter(|(tag, _)| tag == TIER).peekable();
    asked_for.peek().is_none() || asked_for.any(|(_, wanted)| wanted == tier)
}

fn key_of(invocation: &Invocation, demand: &Demand<'_>) -> Result<Option<Secret>, Failure> {
    invocation.key(demand.key_file)
}

/// A cell in a line.
pub(crate) fn words(name: &CellName) -> String {
    let context = name.context.map(|context| context.to_string());
    let parts = [Some(&name.model), name.quantisation.as_ref(), context.as_ref()];
    let parts = parts.into_iter().chain([name.prompt.as_ref(), name.tier.as_ref()]);
    parts.flatten().map(String::as_str).collect::<Vec<_>>().join(" · ")
}
