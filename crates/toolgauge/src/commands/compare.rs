//! `toolgauge compare`: is B really better than A?

use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use toolgauge_engine::ReadableLog;
use toolgauge_report::{
    Comparison, ContestReport, FullComparison, GateResult, RunSide, Terms, UnscoredRule,
};
use toolgauge_stats::Margin;

use crate::baselines::Baselines;
use crate::failure::Failure;
use crate::flags::{LogDirFlag, OutputFormat};
use crate::gates::{self, GateFlags};
use crate::last_log::named_logs;
use crate::printer::Printer;
use crate::settings::{self, Settings};
use crate::{ExitStatus, sides, summaries};

/// How many flipped cases of each kind are listed unless all are asked for.
const FLIPS_SHOWN: usize = 10;

/// Compare runs, case by case, and say whether the difference is more than chance.
///
/// Pairs cases by name, takes the mean of the trials of each, and judges the differences. Takes logs of toolgauge and
/// of Inspect AI and result files of tau-bench, in any mixture. One log is compared with the
/// run pinned for its suite; more than two are ranked.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs: first the one to compare with, then the one (or those) to judge. One alone is
    /// compared with the run pinned for its suite; `last` is the newest log.
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    /// The difference that would not matter, which allows to call two runs equivalent.
    #[arg(long, value_name = "POINTS", value_parser = margin)]
    margin: Option<Margin>,

    /// How trials that could not be scored count.
    #[arg(long, value_name = "RULE", default_value = "exclude")]
    unscored: UnscoredTreatment,

    /// Compare the judgement of this scorer [default: the run's first].
    #[arg(long, value_name = "NAME")]
    scorer: Option<String>,

    /// List every case that flipped.
    #[arg(long)]
    all_flips: bool,

    /// Print every figure by dimension, scorer and tag, not only those that differ.
    #[arg(long)]
    full: bool,

    /// Also print the probability that B is better.
    #[arg(long, hide_short_help = true)]
    bayes: bool,

    /// The seed of resampling.
    #[arg(long, value_name = "SEED", default_value_t = 0, hide_short_help = true)]
    seed: u64,

    #[command(flatten)]
    log_dir: LogDirFlag,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,

    #[command(flatten)]
    gates: GateFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum UnscoredTreatment {
    /// Leave them out and count them.
    Exclude,
    /// Count those that failed as scored 0.
    AsFailures,
}

#[derive(Serialize)]
struct PrintedComparison<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'a Comparison>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contest: Option<&'a ContestReport>,
    #[serde(skip_serializing_if = "<[GateResult]>::is_empty")]
    gates: &'a [GateResult],
}

fn margin(text: &str) -> Result<Margin, String> {
    let margin = text.parse::<f64>().ok().and_then(Margin::new);
    margin.ok_or_else(|| "give a number above 0, such as 0.02".to_owned())
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    args.gates.read()?;
    let settings = args.log_dir.settings()?;
    let paths = logs(args, &settings)?;
    args.gates.check_outputs(&settings::with_file(&paths))?;
    let sides = sides::read_all(&paths, args.scorer.as_deref(), &settings)?;
    let mut terms = Terms {
        margin: args.margin,
        unscored: match args.unscored {
            UnscoredTreatment::Exclude => UnscoredRule::Exclude,
            UnscoredTreatment::AsFailures => UnscoredRule::AsFailures,
        },
        flips_shown: (!args.all_flips).then_some(FLIPS_SHOWN),
        bayes: args.bayes,
        ..Terms::default()
    };
    terms.resampling.seed = args.seed;
    let (first, others) = sides.split_first().expect("clap demands a log");
    let mut gates = Vec::new();
    for other in others {
        gates.extend(args.gates.conditions.judge(other, Some(first), terms)?);
    }
    let mut comparisons = Vec::new();
    if let [other] = others {
        let comparison = Comparison::of(first, other, &terms);
        print(args, Report::Two(&comparison), &gates, printer)?;
        comparisons.push(comparison);
    } else {
        contest(args, &sides, terms, &gates, printer)?;
    }
    let damage = paths.iter().zip(&sides);
    let damage = damage.map(|(log, side)| (log.as_path(), side.damage(), side.trials()));
    let read = summaries::tell_damage(damage, printer);
    args.gates.write_reports(&paths[1..], &gates, &comparisons, &settings)?;
    gates::tell(&gates, printer);
    let judged = gates::status(&gates);
    Ok(if judged == ExitStatus::Done { read } else { judged })
}

/// The runs to compare; one alone is compared with the one pinned for its suite.
fn logs(args: &Args, settings: &Settings) -> Result<Vec<PathBuf>, Failure> {
    let logs = named_logs(&args.logs, settings)?;
    let [log] = logs.as_slice() else { return Ok(logs) };
    let folder = PathBuf::from(&settings.run.log_dir);
    let suite = toolgauge_log::Log::open(ReadableLog::of(log)?.path())?.run().suite.name.clone();
    let pinned = Baselines::read(&folder)?.of_suite(&suite);
    let pinned = pinned.ok_or(Failure::NothingPinned { suite, folder })?;
    Ok(vec![pinned, log.clone()])
}

fn contest(
    args: &Args,
    sides: &[RunSide],
    terms: Terms,
    gates: &[GateResult],
    printer: &mut Printer,
) -> Result<(), Failure> {
    let found = ContestReport::of(sides, terms.unscored, &terms.resampling);
    let report = found.ok_or(Failure::NothingShared)?;
    print(args, Report::Several(&report), gates, printer)
}

#[derive(Clone, Copy)]
enum Report<'a> {
    Two(&'a Comparison),
    Several(&'a ContestReport),
}

fn print(
    args: &Args,
    report: Report<'_>,
    gates: &[GateResult],
    printer: &mut Printer,
) -> Result<(), Failure> {
    let (comparison, contest) = match report {
        Report::Two(comparison) => (Some(comparison), None),
        Report::Several(contest) => (None, Some(contest)),
    };
    match (args.format, comparison, contest) {
        (OutputFormat::Json, ..) => {
            printer.print_json(&PrintedComparison { comparison, contest, gates })
        }
        (OutputFormat::Text, Some(comparison), _) if args.full => {
            printer.print_report(&FullComparison(comparison))
        }
        (OutputFormat::Text, Some(comparison), _) => printer.print_report(comparison),
        (OutputFormat::Text, _, Some(contest)) => printer.print_report(contest),
        (OutputFormat::Text, None, None) => Ok(()),
    }
}
