//! `toolgauge summary`: the numbers of a run, from its log.

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolgauge_engine::ReadableLog;
use toolgauge_log::Log;
use toolgauge_report::{
    CaseStanding, Comparison, GateResult, Overview, QuestionAndAnswer, Summary,
};

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::{LogDirFlag, OutputFormat};
use crate::followed_log;
use crate::gates::{self, GateFlags};
use crate::grading::GradeFlags;
use crate::last_log::{named_logs, optional_log};
use crate::printer::Printer;
use crate::settings::{self, Settings};
use crate::summaries::{self, SUMMARY_VERSION};
use crate::watch::watch;

/// Print the numbers of runs from their logs.
///
/// Works on logs of unfinished runs too, and says that they are unfinished. Samples that are
/// damaged are left out and named. The exit status is 3 then, and where trials are
/// unscored.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The logs; `last` is the newest one.
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    /// Follow one log whose run is still going, and end with it.
    ///
    /// Redraws on a terminal, and prints a line for each change elsewhere. Ctrl-C ends it and
    /// leaves the run alone.
    #[arg(long, conflicts_with_all = ["against", "gates", "junit", "markdown", "format", "verbose", "failing"])]
    watch: bool,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,

    /// Print every question too: what was asked and said, the tools used, and what was expected.
    #[arg(long, short)]
    verbose: bool,

    /// Print only the questions that did not pass, in the form of `--verbose`, and no figures.
    #[arg(long, conflicts_with_all = ["verbose", "format"])]
    failing: bool,

    /// Compare with this log in gates [default: the run pinned for the suite]; `last` is the newest.
    #[arg(long, value_name = "LOG", help_heading = "Gates")]
    against: Option<PathBuf>,
    #[command(flatten)]
    log_dir: LogDirFlag,
    #[command(flatten)]
    gates: GateFlags,
    #[command(flatten)]
    grades: GradeFlags,
}

#[derive(Serialize)]
struct PrintedSummary<'a> {
    version: u32,
    log: &'a Path,
    finished: bool,
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gates: Vec<&'a GateResult>,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    args.gates.read()?;
    let settings = Settings::resolve(&[args.grades.over(args.log_dir.layer()).table()])?;
    let logs = named_logs(&args.logs, &settings)?;
    if args.watch {
        let [log] = logs.as_slice() else { return Err(Failure::WatchesOne) };
        return watch(log, &settings, printer);
    }
    let against = optional_log(args.against.as_deref(), &settings)?;
    let inputs = settings::with_file(logs.iter().chain(&against));
    args.gates.check_outputs(&inputs)?;
    args.grades.check_output(&inputs)?;
    let mut runs = Vec::new();
    for log in &logs {
        runs.push((log, followed_log::summary_of(log, &settings)?));
    }
    args.grades.write_lines(runs.iter().map(|(_, (summary, _))| summary))?;
    if args.format == OutputFormat::Json {
        let (judged, comparisons) = judge_gates(args, &runs, against.as_deref(), &settings)?;
        let printed = |(log, (summary, finished)): &Numbered<'_>| {
            let name = log.display().to_string();
            let gates = judged.iter().filter(|gate| gate.run == name).collect();
            let (version, finished) = (SUMMARY_VERSION, *finished);
            serde_json::to_value(PrintedSummary { version, log, finished, summary, gates })
        };
        let printed: Result<Vec<_>, _> = runs.iter().map(printed).collect();
        printer.print_json(&printed.expect("a summary is plain data"))?;
        return conclude(args, &settings, (&runs, &judged, &comparisons), printer);
    }
    for (log, (summary, finished)) in &runs {
        if !finished {
            printer.warning(followed_log::why_unfinished(log));
        }
        if args.verbose || args.failing {
            print_exchanges(log, summary, args.failing, printer)?;
        }
        if args.failing {
            continue;
        }
        printer.print_report(summary)?;
        printer.print("\n")?;
    }
    if runs.len() > 1 && !args.failing {
        let overview = Overview::of(runs.iter().map(|(_, (summary, _))| summary));
        printer.print_report(&overview)?;
    }
    let (judged, comparisons) = judge_gates(args, &runs, against.as_deref(), &settings)?;
    conclude(args, &settings, (&runs, &judged, &comparisons), printer)
}

/// A log, its numbers, and whether its run came to an end.
type Numbered<'a> = (&'a PathBuf, (Summary, bool));

/// Writes reports, and says how the gates came out and what could not be read. A gate that failed
/// comes first.
fn conclude(
    args: &Args,
    settings: &Settings,
    (runs, judged, comparisons): (&[Numbered<'_>], &[GateResult], &[Comparison]),
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let damage =
        runs.iter().map(|(log, (summary, _))| (log.as_path(), &summary.damage, summary.trials));
    let read = summaries::tell_damage(damage, printer);
    let unscored = summaries::unscored(runs.iter().map(|(_, (summary, _))| summary));
    let logs: Vec<&Path> = runs.iter().map(|(log, _)| log.as_path()).collect();
    args.gates.write_reports(&logs, judged, comparisons, settings)?;
    gates::tell(judged, printer);
    let gated = gates::status(judged);
    Ok(if gated == ExitStatus::Done { read.max(unscored) } else { gated })
}

/// Prints the trials of a log, in the order of its cases: all, or those that did not pass.
fn print_exchanges(
    log: &Path,
    summary: &Summary,
    only_failing: bool,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let readable = ReadableLog::of(log)?;
    let log = Log::open(readable.path())?;
    let thresholds = summary.grades.as_ref().map(|grades| grades.thresholds).unwrap_or_default();
    for trial in log.sorted_summaries().0 {
        match log.trial(&trial.id) {
            Ok(trial) => {
                if only_failing && thresholds.standing_of(&trial) == CaseStanding::Pass {
                    continue;
                }
                printer.print_report(&QuestionAndAnswer { trial: &trial, thresholds })?;
                printer.print("\n")?;
            }
            Err(error) => printer.warning(Failure::from(error)),
        }
    }
    Ok(())
}

/// Holds every run to the gates.
fn judge_gates(
    args: &Args,
    runs: &[Numbered<'_>],
    against: Option<&Path>,
    settings: &Settings,
) -> Result<(Vec<GateResult>, Vec<Comparison>), Failure> {
    let logs: Vec<&Path> = runs.iter().map(|(log, _)| log.as_path()).collect();
    args.gates.judge_logs(&logs, against, settings)
}
