//! `toolgauge run`: puts every case of a suite to a model and leaves a log.

mod args;
mod cells;
mod choice;
mod conclusion;
mod matrix;
mod matrix_results;
mod short;

use std::path::PathBuf;

use toolgauge_engine::subjects::BASELINE;
use toolgauge_engine::{EngineError, Observer as _};
use toolgauge_runner::StopSignal;
use toolgauge_suite::Suite;

pub(crate) use self::args::Args;
use self::cells::{cells, resumed_cell};
use self::conclusion::conclude;
use self::matrix::run_matrix;
use crate::cell::{Cell, Finished};
use crate::failure::Failure;
use crate::gates::check_opens;
use crate::last_log::optional_log;
use crate::printer::Printer;
use crate::run_display::RunDisplay;
use crate::settings::Settings;
use crate::status_line::{Display, StatusLine};
use crate::{ExitStatus, interrupt};

/// What was asked for, with what is settled before the first trial.
struct ResolvedArgs<'a> {
    args: &'a Args,
    settings: &'a Settings,
    /// The log to compare with. `last` must not become the log that this run leaves.
    against: Option<PathBuf>,
}

impl<'a> ResolvedArgs<'a> {
    fn new(args: &'a Args, settings: &'a Settings) -> Result<Self, Failure> {
        let against = optional_log(args.against.as_deref(), settings)?;
        against.as_deref().map_or(Ok(()), check_opens)?;
        Ok(Self { args, settings, against })
    }

    /// Refuses what could only fail after all trials: gates that cannot be judged, and outputs that would replace what the run reads.
    fn check<'s>(&self, suites: impl Iterator<Item = &'s Suite> + Clone) -> Result<(), Failure> {
        let names = suites.clone().map(|suite| suite.name.as_str());
        self.args.gates.conditions.check(names, self.against.as_deref(), self.settings)?;
        self.args.check_outputs(suites)
    }
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::Runtime)?;
    let ended = runtime.block_on(run(args, printer));
    // Reading or judging a huge answer that nobody waits for any more must not hold up the end.
    runtime.shutdown_background();
    ended
}

async fn run(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    // A gate that cannot be read is better known before a night's run than after it.
    args.gates.read()?;
    let (stop, status_line) = (StopSignal::default(), status_line(printer));
    let display = RunDisplay::new(&status_line);
    if let Some(file) = &args.matrix {
        // On the heap: it holds the futures of all cells' servers.
        return Box::pin(run_matrix(args, file, (&stop, &status_line), printer)).await;
    }
    let settings = Settings::resolve(&[args.layer().table()])?;
    let resolved = ResolvedArgs::new(args, &settings)?;
    let mut results = Vec::new();
    if let Some(log) = &args.resume {
        let (cell, log) = resumed_cell(args, log, &settings, printer)?;
        resolved.check(std::iter::once(&*cell.suite))?;
        listen(&stop, &cell, &status_line);
        results.push(cell.resume(&log, &stop, &display).await?);
    } else {
        let cells = cells(args, &settings).await?;
        resolved.check(cells.iter().map(|cell| &*cell.suite))?;
        // Whoever serves the baseline must not take the built-in one for it.
        if args.server.names_address() && cells.iter().all(|cell| cell.invocation.model == BASELINE)
        {
            printer.warning(
                "`baseline` is built in, so that no server is asked; name a served one otherwise, \
                 with `--any-model`",
            );
        }
        if let Some(first) = cells.first() {
            listen(&stop, first, &status_line);
        }
        // The first looks at its subject itself. The others must not fail after hours of trials.
        for later in cells.iter().skip(1) {
            later.check_subject(&stop, &display).await?;
        }
        for cell in cells {
            match run_cell(&cell, args, &stop, &display).await {
                Ok(finished) => results.extend(finished),
                Err(failure) => {
                    // What the earlier cells came to is not lost by the failure of a later one.
                    if !results.is_empty() {
                        conclude(&resolved, &results, printer)?;
                        if matches!(failure, EngineError::Interrupted) {
                            return Ok(ExitStatus::Interrupted);
                        }
                    }
                    return Err(failure.into());
                }
            }
            if stop.gently.is_cancelled() {
                break;
            }
        }
    }
    if results.is_empty() {
        // Other workers had everything, or the user stopped before anything could be claimed.
        let interrupted = stop.gently.is_cancelled();
        return Ok(if interrupted { ExitStatus::Interrupted } else { ExitStatus::Done });
    }
    conclude(&resolved, &results, printer).map_err(Failure::after_run)
}

/// Runs a cell, or what can be claimed of it. Chunks that were run here and elsewhere are one run.
async fn run_cell(
    cell: &Cell,
    args: &Args,
    stop: &StopSignal,
    display: &RunDisplay,
) -> Result<Option<Finished>, EngineError> {
    let Some(claims) = args.claims() else { return cell.run(stop, display).await.map(Some) };
    let chunks = Box::pin(cell.run_claimed(&claims, stop, display)).await?;
    if chunks.is_empty() {
        display.note("nothing was left to claim: every chunk is finished");
    }
    Ok(Finished::of_chunks(chunks))
}

fn listen(stop: &StopSignal, cell: &Cell, status_line: &StatusLine) {
    let grace = cell.invocation.settings.limits.grace;
    interrupt::listen(stop, grace.duration(), status_line);
}

fn status_line(printer: &Printer) -> StatusLine {
    StatusLine::new(match (printer.is_quiet(), printer.is_interactive()) {
        (true, _) => Display::Nothing,
        (false, true) => Display::Bar,
        (false, false) => Display::Lines,
    })
}
