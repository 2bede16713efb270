//! A matrix of runs: one suite on every model, quantisation, context, prompt and tier of a file.
//!
//! Each cell leaves a log of its own in a folder that bears the matrix's name, and its head says
//! which cell it is of; that is how a resumed matrix finds what is done. One server is kept for
//! all prompts and tiers of a model, quantisation and context.

mod kept;
mod matrix_request;
mod place;
mod planner;
mod server_group;

use std::path::Path;
use std::time::Duration;

use toolgauge_core::CellName;
use toolgauge_runner::StopSignal;
use toolgauge_score::Scorer;
use toolgauge_suite::{Matrix, MatrixSurroundings, Suite};

pub use self::matrix_request::MatrixRequest;
use self::place::resolved;
use self::planner::Planner;
pub use self::server_group::CellResult;
use self::server_group::{PlannedCell, ServerGroup};
use crate::error::EngineError;
use crate::observer::Observer;
use crate::settings::Seconds;
use crate::subjects::llama;
use crate::suites;
use crate::waiting::Waiting;

/// A matrix made ready: everything that can be wrong with it has been looked at.
pub struct MatrixPlan {
    /// What its file says.
    pub matrix: Matrix,
    groups: Vec<ServerGroup>,
}

impl MatrixPlan {
    /// Reads the file and makes every cell ready.
    pub fn of(demand: &MatrixRequest<'_>) -> Result<Self, EngineError> {
        let suite = |name: &str, folder: &Path| {
            toolgauge_suite::draft(&suites::find(&resolved(name, folder)).ok()?).suite
        };
        let surroundings = MatrixSurroundings { suite: &suite, scorers: Scorer::names() };
        let matrix = toolgauge_suite::load_matrix(demand.file, &surroundings)
            .map_err(|problems| EngineError::BadMatrix { problems })?;
        let groups = Planner::new(&matrix, demand).groups()?;
        let mut plan = Self { matrix, groups };
        if demand.resume {
            kept::find(&plan.matrix.name, &mut plan.groups)?;
        }
        Ok(plan)
    }

    /// The suites of all cells.
    pub fn suites(&self) -> impl Iterator<Item = &Suite> + Clone {
        let cells = self.groups.iter().flat_map(|group| &group.cells);
        cells.map(|planned| &*planned.cell.suite)
    }

    /// How long trials may take to end after an interruption.
    pub fn grace(&self) -> Duration {
        let first = self.groups.first();
        let grace = first.map(|group| group.invocation.settings.limits.grace);
        grace.map_or(Duration::ZERO, Seconds::duration)
    }

    /// How many cells there are.
    pub fn size(&self) -> usize {
        self.groups.iter().map(|group| group.cells.len()).sum()
    }

    /// Runs every cell that is not done. What one server cannot do is told, and does not keep the
    /// others from being asked.
    pub async fn run(
        self,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Vec<CellResult>, EngineError> {
        let waiting = Waiting::new(stop, observer);
        let (size, mut number) = (self.size(), 0);
        let mut ran = Vec::new();
        for group in self.groups {
            // No server is started for a group in which nothing is left to run.
            if group.cells.iter().all(PlannedCell::is_done) || stop.gently.is_cancelled() {
                number += group.cells.len();
                ran.extend(group.cells.into_iter().filter_map(PlannedCell::kept));
                continue;
            }
            let mut served = group.invocation.clone();
            let started = llama::start(&mut served.model, &mut served.settings, &waiting).await;
            let (server, mut failed) = match started {
                Ok(server) => (server, false),
                Err(EngineError::Interrupted) => (None, true),
                Err(failure) => {
                    observer.warning(&failure.to_string());
                    (None, true)
                }
            };
            for planned in group.cells {
                number += 1;
                if failed || planned.is_done() || stop.gently.is_cancelled() {
                    ran.extend(planned.kept());
                    continue;
                }
                observer.note(&format!("cell {number} of {size}: {}", cell_line(&planned.name)));
                match planned.run(&served, stop, observer).await {
                    Ok(done) => ran.push(done),
                    Err(EngineError::Interrupted) => failed = true,
                    // The other cells of the group ask the same server and would fail alike.
                    Err(failure @ EngineError::Preflight(_)) => {
                        observer.warning(&failure.to_string());
                        failed = true;
                    }
                    // The next prompt or tier may fit where this one does not.
                    Err(failure @ EngineError::EveryTrialFails { .. }) => {
                        observer.warning(&failure.to_string());
                    }
                    Err(failure) => {
                        llama::stop(server).await;
                        return Err(failure);
                    }
                }
            }
            llama::stop(server).await;
        }
        Ok(ran)
    }
}

/// What a cell is made of, in a line: `qwen · q4 · 8192 · short`.
pub fn cell_line(name: &CellName) -> String {
    let context = name.context.map(|context| context.to_string());
    let parts = [Some(&name.model), name.quantisation.as_ref(), context.as_ref()];
    let parts = parts.into_iter().chain([name.prompt.as_ref(), name.tier.as_ref()]);
    parts.flatten().map(String::as_str).collect::<Vec<_>>().join(" · ")
}
