//! From a matrix to the cells that are to run.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolgauge_core::{CellName, MatrixCell};
use toolgauge_suite::{Matrix, Suite};

use super::matrix_request::MatrixRequest;
use super::place::{places, resolved};
use super::server_group::{PlannedCell, ServerGroup};
use crate::cell::Cell;
use crate::error::EngineError;
use crate::invocation::Invocation;
use crate::suites;

/// The tag by which cases are told apart into tiers.
const TIER: &str = "tier";

/// Makes the cells of a matrix ready.
pub(super) struct Planner<'a> {
    matrix: &'a Matrix,
    demand: &'a MatrixRequest<'a>,
    suites: Suites<'a>,
}

impl<'a> Planner<'a> {
    /// A planner of a matrix, and of what is asked for beside it.
    pub(super) fn new(matrix: &'a Matrix, demand: &'a MatrixRequest<'a>) -> Self {
        Self { matrix, demand, suites: Suites::of(matrix, &demand.world) }
    }

    /// Every station with its cells.
    pub(super) fn groups(mut self) -> Result<Vec<ServerGroup>, EngineError> {
        let mut groups = Vec::new();
        for model in &self.matrix.models {
            for (name, invocation) in places(self.matrix, model, self.demand)? {
                let mut cells = Vec::new();
                for prompt in &model.prompts {
                    cells.extend(self.cells(&name, prompt, &invocation)?);
                }
                groups.push(ServerGroup { invocation, cells });
            }
        }
        Ok(groups)
    }

    /// The cells of one place with one prompt: one for each tier.
    fn cells(
        &mut self,
        name: &CellName,
        prompt: &str,
        invocation: &Invocation,
    ) -> Result<Vec<PlannedCell>, EngineError> {
        let Some(changes) = self.matrix.prompts.get(prompt) else { return Ok(Vec::new()) };
        let (suite, world) = self.suites.with(&changes.world)?;
        let tiers: Vec<Option<&String>> = match self.matrix.tiers.as_slice() {
            [] => vec![None],
            tiers => tiers.iter().filter(|tier| is_wanted(tier, self.demand)).map(Some).collect(),
        };
        let mut cells = Vec::new();
        for tier in tiers {
            let mut selection = self.demand.selection.clone();
            // The cell's own tier replaces those asked for, which have chosen the cells already.
            selection.tags.retain(|(tag, _)| tag != TIER || tier.is_none());
            selection.tags.extend(tier.map(|tier| (TIER.to_owned(), tier.clone())));
            let name = CellName {
                prompt: Some(prompt.to_owned()).filter(|prompt| !prompt.is_empty()),
                tier: tier.cloned(),
                ..name.clone()
            };
            let mut invocation = Invocation { world: world.clone(), ..invocation.clone() };
            let asked_for = self.demand.trials.or(self.matrix.trials);
            let trials = &mut invocation.settings.run.trials;
            *trials = asked_for.unwrap_or(suite.trials.max(*trials));
            invocation.matrix =
                Some(MatrixCell { name: self.matrix.name.clone(), cell: name.clone() });
            let cell = Cell {
                cases: selection.select(&suite)?,
                suite: Arc::clone(&suite),
                key: invocation.key(self.demand.key_file)?,
                invocation,
                variants: vec![changes.variant.clone()],
            };
            // Whatever cannot be judged is better known before the first trial.
            cell.scorers()?;
            cells.push(PlannedCell { name, cell, log: None });
        }
        Ok(cells)
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
    ) -> Result<(Arc<Suite>, Map<String, Value>), EngineError> {
        let mut world = prompt.clone();
        // Flags win over what the file says of a prompt.
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

/// Whether a tier is among those asked for by a flag, if any are.
fn is_wanted(tier: &str, demand: &MatrixRequest<'_>) -> bool {
    let mut asked_for = demand.selection.tags.iter().filter(|(tag, _)| tag == TIER).peekable();
    asked_for.peek().is_none() || asked_for.any(|(_, wanted)| wanted == tier)
}
