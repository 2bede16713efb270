//! The run of a matrix.

use std::path::Path;

use toolgauge_runner::StopSignal;

use super::ResolvedArgs;
use super::args::Args;
use super::choice;
use super::conclusion::ending;
use super::matrix_results::MatrixResults;
use crate::cell::Finished;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::gates;
use crate::matrix::{self, MatrixRequest};
use crate::printer::Printer;
use crate::run_display::RunDisplay;
use crate::settings::ProjectSettings;
use crate::status_line::StatusLine;
use crate::{ExitStatus, interrupt};

/// Runs the cells of a matrix and prints its leaderboard.
pub(super) async fn run_matrix(
    args: &Args,
    file: &Path,
    (stop, status_line): (&StopSignal, &StatusLine),
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let project = ProjectSettings::read()?;
    let settings = project.with_layers(&[args.layer().table()])?;
    let resolved = ResolvedArgs::new(args, &settings)?;
    let demand = MatrixRequest {
        file,
        project: &project,
        flags: args.layer().table(),
        selection: args.selection(&settings)?,
        trials: args.trials,
        scorers: &args.scorers,
        fixes: args.fixes.rules(),
        world: args.world.overrides(),
        body: args.sampling.extra(),
        key_file: args.server.key_file.as_deref(),
        resume: args.resume.is_some(),
    };
    let plan = matrix::MatrixPlan::of(&demand)?;
    resolved.check(plan.suites())?;
    let (name, size) = (plan.matrix.name.clone(), plan.size());
    interrupt::listen(stop, plan.grace(), status_line);
    let ran = Box::pin(plan.run(stop, &RunDisplay::new(status_line))).await?;
    let missing = size - ran.len();
    let results =
        MatrixResults::of(name, &ran, &settings, args.full).map_err(Failure::after_run)?;
    match args.format {
        OutputFormat::Json => printer.print_json(&results)?,
        OutputFormat::Text => {
            printer.print_report(&results)?;
            if let Some(choice) = choice::of_cells(&ran).map_err(Failure::after_run)? {
                printer.print_report(&choice)?;
            }
        }
    }
    if let Some(path) = &args.leaderboard {
        let written = toolgauge_log::replace_file(path, results.markdown()).map_err(Failure::from);
        written.map_err(Failure::after_run)?;
    }
    let unscored = results.has_unscored();
    let finished: Vec<Finished> = ran.into_iter().map(|cell| cell.finished).collect();
    let gated = judge_gates(&resolved, &finished, printer).map_err(Failure::after_run)?;
    if missing > 0 {
        let hint = format!("`toolgauge run --matrix {} --resume` goes on", file.display());
        printer.warning(format!("{missing} of {size} cells have no result\n  hint: {hint}"));
    } else if unscored {
        let command = format!("toolgauge run --matrix {} --resume", file.display());
        printer.note(format!("some trials are unscored; `{command}` runs them again"));
    }
    let status = ending(&finished, unscored || missing > 0, &[], printer);
    let status = if stop.gently.is_cancelled() { ExitStatus::Interrupted } else { status };
    let is_decided = status == ExitStatus::Interrupted || gated == ExitStatus::Done;
    Ok(if is_decided { status } else { gated })
}

/// Holds every cell to the gates, and says what came of it.
fn judge_gates(
    resolved: &ResolvedArgs<'_>,
    finished: &[Finished],
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let logs: Vec<&Path> = finished.iter().flat_map(|cell| &cell.logs).map(|log| &**log).collect();
    let ResolvedArgs { args, settings, against } = resolved;
    let (judged, comparisons) = args.gates.judge_logs(&logs, against.as_deref(), settings)?;
    args.gates.write_reports(&logs, &judged, &comparisons, settings)?;
    gates::tell(&judged, printer);
    Ok(gates::status(&judged))
}
