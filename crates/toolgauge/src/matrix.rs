//! A matrix of runs: one suite on every model, quantisation, context, prompt and tier of a file.
//!
//! Each cell leaves a log of its own in a folder that bears the matrix's name, and its head says
//! which cell it is of; that is how a resumed matrix finds what is done. One server is kept for
//! all prompts and tiers of a model, quantisation and context.

mod board;
mod demand;
mod kept;
mod place;
mod planner;
mod station;

use std::path::Path;
use std::time::Duration;

use toolgauge_report::CellName;
use toolgauge_runner::Stop;
use toolgauge_score::Scorer;
use toolgauge_suite::{Matrix, MatrixSurroundings, Suite};

pub(crate) use self::board::Board;
pub(crate) use self::demand::Demand;
use self::place::resolved;
use self::planner::Planner;
use self::station::{Planned, Ran, Station};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::settings::Seconds;
use crate::stage::Stage;
use crate::subjects::llama;
use crate::suites;
use crate::waiting::Waiting;

/// A matrix made ready: everything that can be wrong with it has been looked at.
pub(crate) struct Plan {
    pub(crate) matrix: Matrix,
    stations: Vec<Station>,
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
        let stations = Planner::new(&matrix, demand).stations()?;
        let mut plan = Self { matrix, stations };
        if demand.resume {
            kept::find(&plan.matrix.name, &mut plan.stations)?;
        }
        Ok(plan)
    }

    /// The suites of all cells.
    pub(crate) fn suites(&self) -> impl Iterator<Item = &Suite> {
        let cells = self.stations.iter().flat_map(|station| &station.cells);
        cells.map(|planned| &*planned.cell.suite)
    }

    /// How long trials may take to end after an interruption.
    pub(crate) fn grace(&self) -> Duration {
        let first = self.stations.first();
        let grace = first.map(|station| station.invocation.settings.limits.grace);
        grace.map_or(Duration::ZERO, Seconds::duration)
    }

    /// How many cells there are.
    pub(crate) fn size(&self) -> usize {
        self.stations.iter().map(|station| station.cells.len()).sum()
    }

    /// Runs every cell that is not done. What one server cannot do is told, and does not keep the
    /// others from being asked.
    pub(crate) async fn run(self, stop: &Stop, stage: &Stage) -> Result<Vec<Ran>, Failure> {
        let waiting = Waiting::new(stop, stage);
        let (size, mut number) = (self.size(), 0);
        let mut ran = Vec::new();
        for station in self.stations {
            if station.cells.iter().all(Planned::is_done) || stop.gently.is_cancelled() {
                number += station.cells.len();
                ran.extend(station.cells.into_iter().filter_map(Planned::kept));
                continue;
            }
            let mut served = station.invocation.clone();
            let started = llama::start(&mut served.model, &mut served.settings, &waiting).await;
            let (server, mut failed) = match started {
                Ok(server) => (server, false),
                Err(Failure::Interrupted) => (None, true),
                Err(failure) => {
                    stage.tell(&format!("warning: {failure}"));
                    (None, true)
                }
            };
            for planned in station.cells {
                number += 1;
                if failed || planned.is_done() || stop.gently.is_cancelled() {
                    ran.extend(planned.kept());
                    continue;
                }
                stage.tell(&format!("cell {number} of {size}: {}", words(&planned.name)));
                match planned.run(&served, stop, Progress::new(stage)).await {
                    Ok(done) => ran.push(done),
                    Err(Failure::Interrupted) => failed = true,
                    Err(failure @ Failure::Preflight(_)) => {
                        stage.tell(&format!("warning: {failure}"));
                        failed = true;
                    }
                    // The next prompt or tier may fit where this one does not.
                    Err(failure @ Failure::EveryTrialFails { .. }) => {
                        stage.tell(&format!("warning: {failure}"));
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

/// A cell in a line.
pub(crate) fn words(name: &CellName) -> String {
    let context = name.context.map(|context| context.to_string());
    let parts = [Some(&name.model), name.quantisation.as_ref(), context.as_ref()];
    let parts = parts.into_iter().chain([name.prompt.as_ref(), name.tier.as_ref()]);
    parts.flatten().map(String::as_str).collect::<Vec<_>>().join(" · ")
}
