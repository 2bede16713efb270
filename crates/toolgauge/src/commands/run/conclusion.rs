//! What is said at the end of a run.

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolgauge_core::TrialFailure;
use toolgauge_report::{Overview, Summary};
use toolgauge_runner::Ending;

use super::args::Args;
use super::choice;
use crate::ExitStatus;
use crate::aftermath::{self, Aftermath};
use crate::cell::Finished;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::gates;
use crate::judges;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::summaries;

/// What is printed for programs.
#[derive(Serialize)]
struct PrintedRun<'a> {
    log: &'a Path,
    summary: &'a Summary,
    /// How the variants compare, with the last one's summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<&'a Aftermath>,
}

/// Prints what came of it and says how the program should end.
pub(super) fn conclude(
    args: &Args,
    settings: &Settings,
    results: &[Finished],
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let mut runs = Vec::new();
    for log in results.iter().flat_map(|result| &result.logs) {
        let (mut summary, _) = summaries::of_log(log, settings)?;
        args.grades.apply(&mut summary);
        runs.push((log, summary));
    }
    args.grades.write_lines(runs.iter().map(|(_, summary)| summary))?;
    let mut aftermaths = Vec::new();
    for result in results {
        let last = result.logs.last();
        aftermaths.extend(last.cloned().zip(aftermath::of_variants(result, settings)?));
    }
    match args.format {
        OutputFormat::Json => print_json(&runs, &aftermaths, printer)?,
        OutputFormat::Text => {
            print_text(&runs, &aftermaths, printer)?;
            if let Some(choice) = choice::of_runs(results)? {
                printer.print_report(&choice)?;
            }
        }
    }
    note_judges(results, printer)?;
    for stopping in results.iter().filter_map(|result| result.stopping.as_ref()) {
        printer.note(&stopping.words);
    }
    let gated = judge_gates(args, settings, results, aftermaths, printer)?;
    let unscored = runs.iter().any(|(_, summary)| !summary.unscored.is_empty());
    let failed = runs.iter().filter(|(_, summary)| summary.has_failed_trials());
    let failed: Vec<&PathBuf> = failed.map(|(log, _)| *log).collect();
    let ended = ending(results, unscored, &failed, printer);
    Ok(if ended == ExitStatus::Interrupted { ended } else { gated.unwrap_or(ended) })
}

fn print_json(
    runs: &[(&PathBuf, Summary)],
    aftermaths: &[(PathBuf, Aftermath)],
    printer: &mut Printer,
) -> Result<(), Failure> {
    let variants = |log: &PathBuf| {
        aftermaths.iter().find(|(last, _)| last == log).map(|(_, aftermath)| aftermath)
    };
    let printed: Vec<PrintedRun<'_>> = runs
        .iter()
        .map(|(log, summary)| PrintedRun { log, summary, variants: variants(log) })
        .collect();
    printer.print_json(&printed)
}

fn print_text(
    runs: &[(&PathBuf, Summary)],
    aftermaths: &[(PathBuf, Aftermath)],
    printer: &mut Printer,
) -> Result<(), Failure> {
    for (log, summary) in runs {
        printer.print_report(summary)?;
        printer.print(&format!("  log        {}\n\n", log.display()))?;
    }
    if runs.len() > 1 {
        printer.print_report(&Overview::of(runs.iter().map(|(_, summary)| summary)))?;
    }
    for (_, aftermath) in aftermaths {
        printer.print(&format!("\n{aftermath}"))?;
    }
    Ok(())
}

/// Says what the judges of each log agreed on.
fn note_judges(results: &[Finished], printer: &mut Printer) -> Result<(), Failure> {
    for result in results {
        let Some(judge) = &result.judge else { continue };
        for log in &result.logs {
            if let Some(words) = judges::votes_of(log, judge)? {
                printer.note(words);
            }
        }
    }
    Ok(())
}

/// Holds every run to the gates; tells if one failed.
pub(super) fn judge_gates(
    args: &Args,
    settings: &Settings,
    results: &[Finished],
    aftermaths: Vec<(PathBuf, Aftermath)>,
    printer: &mut Printer,
) -> Result<Option<ExitStatus>, Failure> {
    let logs: Vec<&Path> =
        results.iter().flat_map(|result| &result.logs).map(|log| &**log).collect();
    let (judged, mut comparisons) =
        gates::judge_logs(&args.gates, &logs, args.against.as_deref(), settings)?;
    comparisons.extend(aftermaths.into_iter().filter_map(|(_, aftermath)| aftermath.comparison()));
    let status = args.gates.conclude(&logs, &judged, &comparisons, printer)?;
    Ok((status == ExitStatus::GateFailed).then_some(status))
}

/// How the program should end, for what each cell came to. Says how to go on.
///
/// `failed` are the logs that have trials which another try may score.
pub(super) fn ending(
    results: &[Finished],
    unscored: bool,
    failed: &[&PathBuf],
    printer: &mut Printer,
) -> ExitStatus {
    let mut status = if unscored { ExitStatus::SomeUnscored } else { ExitStatus::Done };
    for result in results {
        let log = result.logs.first().map(|log| log.display().to_string()).unwrap_or_default();
        match &result.ending {
            // A run whose first trials all fail alike ends as a failure of its own.
            Ending::EveryTrialFails { .. } => {}
            Ending::Complete => {
                for log in result.logs.iter().filter(|log| failed.contains(log)) {
                    let command = format!("toolgauge run --resume {}", log.display());
                    printer.note(format!("some trials are unscored; `{command}` runs them again"));
                }
            }
            Ending::Interrupted => {
                printer.note(format!("interrupted; go on with `toolgauge run --resume {log}`"));
                status = ExitStatus::Interrupted;
            }
            Ending::ServerGone(TrialFailure { message, .. }) => {
                printer.warning(format!(
                    "the server is gone: {message}\n  hint: when it is back, go on with \
                     `toolgauge run --resume {log}`"
                ));
                status = status.max(ExitStatus::SomeUnscored);
            }
        }
    }
    status
}
