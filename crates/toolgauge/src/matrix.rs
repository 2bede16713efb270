//! A matrix of runs: one suite on every model, quantisation, context, prompt and tier of a file.
//!
//! Each cell leaves a log of its own in a folder that bears the matrix's name, and its head says
//! which cell it is of; that is how a resumed matrix finds what is done. One server is kept for
//! all prompts and tiers of a model, quantisation and context.

mod board;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toml::Table;
use toolgauge_core::{CaseId, Outcome, Run, UnscoredReason};
use toolgauge_log::Log;
use toolgauge_model::Secret;
use toolgauge_report::CellName;
use toolgauge_runner::{Ending, Stop};
use toolgauge_score::Scorer;
use toolgauge_suite::{
    Matrix, MatrixModel, MatrixSurroundings, ModelPlace, Sampling, Selection, Suite,
};

pub(crate) use self::board::Board;
use crate::cell::{self, Cell, Finished};
use crate::failure::Failure;
use crate::flags::Layer;
use crate::invocation::Invocation;
use crate::progress::Progress;
use crate::settings::Settings;
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

/// A log of an earlier run.
struct Kept {
    path: PathBuf,
    complete: bool,
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
            plan.find_logs()?;
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

    /// Looks for the logs of earlier runs, the newest of each cell.
    fn find_logs(&mut self) -> Result<(), Failure> {
        let Some(first) = self.stations.first() else { return Ok(()) };
        let folder = PathBuf::from(&first.invocation.settings.run.log_dir);
        let mut found: BTreeMap<String, (PathBuf, Run)> = BTreeMap::new();
        // A folder that is not there yet has no logs; so has a file that is no log.
        for entry in toolgauge_log::list(&folder).into_iter().flatten().flatten() {
            let of = entry
                .run
                .settings
                .get("matrix")
                .and_then(|cell| serde_json::from_value::<MatrixCell>(cell.clone()).ok());
            if let Some(of) = of.filter(|of| of.name == self.matrix.name) {
                found.insert(key(&of.cell), (entry.path, entry.run));
            }
        }
        for planned in self.stations.iter_mut().flat_map(|station| &mut station.cells) {
            let Some((path, run)) = found.remove(&key(&planned.name)) else { continue };
            if is_same(&planned.cell, &run)? {
                let complete = is_complete(&path, &run)?;
                planned.log = Some(Kept { path, complete });
            }
        }
        Ok(())
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
                ran.extend(station.cells.into_iter().filter_map(kept));
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
                    ran.extend(kept(planned));
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
}

/// A cell that is left as its log has it.
fn kept(planned: Planned) -> Option<Ran> {
    let log = planned.log?;
    let finished =
        Finished { ending: Ending::Complete, logs: vec![log.path], judge: None, stopping: None };
    Some(Ran { name: planned.name, finished })
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

/// A suite seen from the matrix if there is one, else as it is named.
fn resolved(name: &str, folder: &Path) -> String {
    let beside = folder.join(name);
    if beside.exists() { beside.display().to_string() } else { name.to_owned() }
}

/// The places of a model: each with what its cells are called so far, and how to reach it.
fn places(
    matrix: &Matrix,
    model: &MatrixModel,
    demand: &Demand<'_>,
) -> Result<Vec<(CellName, Invocation)>, Failure> {
    let layer = layer(matrix, model, demand);
    let mut settings = Settings::resolve(&[layer.table(), demand.flags.clone()])?;
    let folder = Path::new(&settings.run.log_dir).join(&matrix.name);
    settings.run.log_dir = folder.display().to_string();
    let mut body = model.sampling.extra.clone();
    body.extend(demand.body.clone());
    let scorers = if demand.scorers.is_empty() { &matrix.scorers } else { demand.scorers };
    let usual = Invocation {
        suite: resolved(&matrix.suite, &matrix.folder),
        model: String::new(),
        settings,
        world: Map::new(),
        body,
        scorers: scorers.to_vec(),
        fixes: demand.fixes.clone(),
        matrix: None,
        judge: None,
    };
    let name = CellName { model: model.name.clone(), ..CellName::default() };
    let ModelPlace::Files { quantisations, contexts, flags } = &model.place else {
        return Ok(vec![(name, Invocation { model: elsewhere(model, matrix), ..usual })]);
    };
    let contexts: Vec<Option<u64>> = match contexts.as_slice() {
        [] => vec![None],
        contexts => contexts.iter().copied().map(Some).collect(),
    };
    let mut places = Vec::new();
    for (quantisation, file) in quantisations {
        for context in &contexts {
            let mut invocation = Invocation { model: file.display().to_string(), ..usual.clone() };
            let server = &mut invocation.settings.server;
            server.llama_flags.extend(flags.iter().cloned());
            if let Some(tokens) = context {
                server.llama_flags.extend(["--ctx-size".to_owned(), tokens.to_string()]);
            }
            let quantisation = Some(quantisation.clone());
            let name = CellName { quantisation, context: *context, ..name.clone() };
            places.push((name, invocation));
        }
    }
    Ok(places)
}

/// The name of a model that is not served here. A script is looked for beside the matrix.
fn elsewhere(model: &MatrixModel, matrix: &Matrix) -> String {
    let ModelPlace::Elsewhere { model, .. } = &model.place else { return String::new() };
    match model.split_once(':') {
        Some((kind @ ("script" | "replay"), file)) => {
            format!("{kind}:{}", matrix.folder.join(file).display())
        }
        _ => model.clone(),
    }
}

/// What the file says of settings, as a layer below the flags.
fn layer(matrix: &Matrix, model: &MatrixModel, demand: &Demand<'_>) -> Layer {
    let (base_url, key_variable) = match &model.place {
        ModelPlace::Files { .. } => (None, None),
        ModelPlace::Elsewhere { base_url, key_variable, .. } => {
            (base_url.clone(), key_variable.clone())
        }
    };
    let trials = demand.trials.or(matrix.trials).map(i64::from);
    let limits = matrix.limits;
    sampling(&model.sampling)
        .with("run", "trials", trials)
        .with("server", "base_url", base_url)
        .with("server", "key_variable", key_variable)
        .with("limits", "attempt_timeout", Some(limits.attempt_timeout))
        .with("limits", "retries", Some(i64::from(limits.retries)))
        .with("limits", "trial_timeout", limits.trial_timeout)
}

fn sampling(sampling: &Sampling) -> Layer {
    let whole = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
    let tool_choice = sampling.tool_choice.as_ref().and_then(Value::as_str).map(str::to_owned);
    Layer::default()
        .with("sampling", "temperature", sampling.temperature)
        .with("sampling", "top_p", sampling.top_p)
        .with("sampling", "max_tokens", whole(sampling.max_tokens))
        .with("sampling", "seed", whole(sampling.seed))
        .with("sampling", "tool_choice", tool_choice)
        .with("sampling", "parallel_tool_calls", sampling.parallel_tool_calls)
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

/// What tells one cell from another.
fn key(name: &CellName) -> String {
    serde_json::to_string(name).expect("a name is plain data")
}

/// Whether a log holds what the cell would run.
fn is_same(cell: &Cell, run: &Run) -> Result<bool, Failure> {
    let cases: Vec<&CaseId> = cell.cases.iter().map(|case| &case.id).collect();
    let scorers: Vec<String> =
        cell.scorers()?.iter().map(|scorer| scorer.name().to_owned()).collect();
    Ok(run.suite.hash == cell.suite.hash
        && run.trials == cell.invocation.settings.run.trials
        && run.cases.iter().eq(cases)
        && run.scorers == scorers)
}

/// Whether every trial of a log was judged, or cannot be.
fn is_complete(path: &Path, run: &Run) -> Result<bool, Failure> {
    let mut judged = 0;
    for trial in Log::open(path)?.summaries() {
        // What cannot be read is run again.
        let Ok(trial) = trial else { continue };
        let failed =
            matches!(trial.outcome(), None | Some(Outcome::Unscored(UnscoredReason::Failed(_))));
        judged += usize::from(!failed);
    }
    Ok(judged >= run.cases.len() * run.trials as usize)
}

/// A cell in a line.
pub(crate) fn words(name: &CellName) -> String {
    let context = name.context.map(|context| context.to_string());
    let parts = [Some(&name.model), name.quantisation.as_ref(), context.as_ref()];
    let parts = parts.into_iter().chain([name.prompt.as_ref(), name.tier.as_ref()]);
    parts.flatten().map(String::as_str).collect::<Vec<_>>().join(" · ")
}
