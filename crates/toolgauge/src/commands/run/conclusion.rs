//! What is said at the end of a run.

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolgauge_core::TrialFailure;
use toolgauge_engine::ReadableLog;
use toolgauge_report::{Comparison, FullComparison, GateResult, Overview, Summary};
use toolgauge_runner::Ending;

use super::ResolvedArgs;
use super::choice;
use super::short::{RunOutcome, next_commands, short_summary};
use crate::ExitStatus;
use crate::aftermath::{self, Aftermath};
use crate::cell::Finished;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::followed_log;
use crate::gates;
use crate::judges;
use crate::printer::Printer;
use crate::summaries::SUMMARY_VERSION;

/// What is printed for programs.
#[derive(Serialize)]
struct PrintedRun<'a> {
    version: u32,
    log: &'a Path,
    summary: &'a Summary,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    gates: &'a [GateResult],
    /// How the variants compare, with the last one's summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<&'a Aftermath>,
}

/// Prints what came of it and says how the program should end.
pub(super) fn conclude(
    resolved: &ResolvedArgs<'_>,
    results: &[Finished],
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let ResolvedArgs { args, settings, .. } = *resolved;
    let mut runs = Vec::new();
    for log in results.iter().flat_map(|result| &result.logs) {
        let (summary, _) = followed_log::summary_of(log, settings)?;
        runs.push(RunOutcome { log, summary, gates: Vec::new() });
    }
    args.grades.write_lines(runs.iter().map(|run| &run.summary))?;
    let mut aftermaths = Vec::new();
    for result in results {
        let last = result.logs.last();
        aftermaths.extend(last.cloned().zip(aftermath::of_variants(result, settings)?));
    }
    // A gate that cannot be judged must not take the figures of a night's run with it.
    let gated = judge_gates(resolved, &mut runs);
    match args.format {
        OutputFormat::Json => print_json(&runs, &aftermaths, printer)?,
        OutputFormat::Text => {
            if args.full {
                print_full(&runs, &aftermaths, printer)?;
            } else {
                print_short(resolved, &runs, &aftermaths, printer)?;
            }
            if let Some(choice) = choice::of_runs(results)? {
                printer.print_report(&choice)?;
            }
        }
    }
    let mut comparisons = gated?;
    note_judges(results, printer)?;
    for stopping in results.iter().filter_map(|result| result.stopping.as_ref()) {
        printer.note(&stopping.words);
    }
    let judged: Vec<GateResult> = runs.iter().flat_map(|run| run.gates.clone()).collect();
    comparisons.extend(aftermaths.into_iter().filter_map(|(_, aftermath)| aftermath.comparison()));
    let logs: Vec<&Path> = runs.iter().map(|run| run.log).collect();
    args.gates.write_reports(&logs, &judged, &comparisons, settings)?;
    // The short form has them beside the score.
    if args.format == OutputFormat::Json || args.full || runs.len() > 1 {
        gates::tell(&judged, printer);
    }
    let unscored = runs.iter().any(|run| !run.summary.unscored.is_empty());
    let failed = runs.iter().filter(|run| run.summary.has_failed_trials());
    let failed: Vec<&Path> = failed.map(|run| run.log).collect();
    let ended = ending(results, unscored, &failed, printer);
    let gated = gates::status(&judged);
    let gate_counts = ended != ExitStatus::Interrupted && gated == ExitStatus::GateFailed;
    Ok(if gate_counts { gated } else { ended })
}

fn print_json(
    runs: &[RunOutcome<'_>],
    aftermaths: &[(PathBuf, Aftermath)],
    printer: &mut Printer,
) -> Result<(), Failure> {
    let variants =
        |log: &Path| aftermaths.iter().find(|(last, _)| last == log).map(|(_, after)| after);
    let printed: Vec<PrintedRun<'_>> = runs
        .iter()
        .map(|run| PrintedRun {
            version: SUMMARY_VERSION,
            log: run.log,
            summary: &run.summary,
            gates: &run.gates,
            variants: variants(run.log),
        })
        .collect();
    printer.print_json(&printed)
}

/// What a person decides by. Of several runs that is how they compare.
fn print_short(
    resolved: &ResolvedArgs<'_>,
    runs: &[RunOutcome<'_>],
    aftermaths: &[(PathBuf, Aftermath)],
    printer: &mut Printer,
) -> Result<(), Failure> {
    if let [run] = runs {
        printer.print_fitted(&short_summary(run, resolved)?)?;
        return printer.print(&format!("  log        {}\n", run.log.display()));
    }
    for run in runs {
        printer.print(&format!("log        {}\n", run.log.display()))?;
    }
    printer.print_text(&format!("next       {}\n\n", next_commands(resolved.args)))?;
    print_side_by_side(runs, aftermaths, false, printer)
}

/// Every figure of every run.
fn print_full(
    runs: &[RunOutcome<'_>],
    aftermaths: &[(PathBuf, Aftermath)],
    printer: &mut Printer,
) -> Result<(), Failure> {
    for run in runs {
        printer.print_report(&run.summary)?;
        printer.print(&format!("  log        {}\n\n", run.log.display()))?;
    }
    print_side_by_side(runs, aftermaths, true, printer)
}

fn print_side_by_side(
    runs: &[RunOutcome<'_>],
    aftermaths: &[(PathBuf, Aftermath)],
    full: bool,
    printer: &mut Printer,
) -> Result<(), Failure> {
    if runs.len() > 1 {
        printer.print_report(&Overview::of(runs.iter().map(|run| &run.summary)))?;
    }
    for (_, aftermath) in aftermaths {
        printer.print("\n")?;
        match aftermath {
            Aftermath::Comparison(comparison) if full => {
                printer.print_report(&FullComparison(comparison))?;
            }
            _ => printer.print_report(aftermath)?,
        }
    }
    Ok(())
}

/// Says what the judges of each log agreed on.
fn note_judges(results: &[Finished], printer: &mut Printer) -> Result<(), Failure> {
    for result in results {
        let Some(judge) = &result.judge else { continue };
        for log in &result.logs {
            let readable = ReadableLog::of(log)?;
            if let Some(words) = judges::votes_of(readable.path(), judge)? {
                printer.note(words);
            }
        }
    }
    Ok(())
}

/// Holds every run to the gates. Gives the comparisons that were made for it.
fn judge_gates(
    resolved: &ResolvedArgs<'_>,
    runs: &mut [RunOutcome<'_>],
) -> Result<Vec<Comparison>, Failure> {
    let ResolvedArgs { args, settings, against } = resolved;
    let mut comparisons = Vec::new();
    for run in runs {
        let (judged, compared) = args.gates.judge_logs(&[run.log], against.as_deref(), settings)?;
        run.gates = judged;
        comparisons.extend(compared);
    }
    Ok(comparisons)
}

/// How the program should end, for what each cell came to. Says how to go on.
///
/// `failed` are the logs that have trials which another try may score.
pub(super) fn ending(
    results: &[Finished],
    unscored: bool,
    failed: &[&Path],
    printer: &mut Printer,
) -> ExitStatus {
    let mut status = if unscored { ExitStatus::SomeUnscored } else { ExitStatus::Done };
    for result in results {
        let log = result.logs.first().map(|log| log.display().to_string()).unwrap_or_default();
        let go_on = if result.is_shard {
            "the same command".to_owned()
        } else {
            format!("`toolgauge run --resume {log}`")
        };
        match &result.ending {
            // A run whose first trials all fail alike ends as a failure of its own.
            Ending::EveryTrialFails(_) => {}
            Ending::Complete => {
                for log in result.logs.iter().filter(|log| failed.contains(&log.as_path())) {
                    let command = format!("toolgauge run --resume {}", log.display());
                    printer.note(format!("some trials are unscored; `{command}` runs them again"));
                }
            }
            Ending::Interrupted => {
                printer.note(format!("interrupted; go on with {go_on}"));
                status = ExitStatus::Interrupted;
            }
            Ending::ServerGone(TrialFailure { message, .. }) => {
                printer.warning(format!(
                    "the server is gone: {message}\n  hint: when it is back, go on with {go_on}"
                ));
                status = status.max(ExitStatus::SomeUnscored);
            }
        }
    }
    status
}
