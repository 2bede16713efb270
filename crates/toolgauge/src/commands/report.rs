//! `toolgauge report`: runs as a file to send around.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use toolgauge_log::{OutputFile, TrialSummary};
use toolgauge_report::chart::ChartKind;
use toolgauge_report::{
    ChangeSince, Columns, Comparison, GateResult, ReportDocument, Terms, TrialTable, harmless,
    html, markdown_page,
};

use crate::earlier_run::earlier_run;
use crate::failure::{Failure, ReportFailure};
use crate::flags::LogDirFlag;
use crate::gates::{self, GateConditions};
use crate::last_log::{named_logs, optional_log};
use crate::printer::Printer;
use crate::reported::{FLIPS_SHOWN, ReportMaterial};
use crate::settings::{self, Settings};
use crate::summaries;
use crate::{ExitStatus, junit, sides};

/// Write runs and how they compare as a file to send around.
///
/// The ending of FILE says what is written: `.html` one self-contained page that opens from
/// disk, `.md` a comment for a pull request, `.csv` one row per trial, `.json` for programs,
/// `.xml` test results in the form of `JUnit`, `.svg` one chart. Several logs are compared with
/// the first. Takes logs of toolgauge and of Inspect AI and result files of other tools.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs; further ones are compared with the first. `last` is the newest log.
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    /// Where the report is written; `-` is stdout.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// In which form it is written [default: by the ending of FILE].
    #[arg(long, value_name = "FORMAT")]
    format: Option<ReportFormat>,

    /// Which chart an SVG shows.
    ///
    /// `scores` each run with its interval; `trend` a suite over time; `dimensions`, `tiers` and
    /// `losses` of the first run; `latency` one curve per run; `differences` of the first two runs.
    #[arg(long, value_name = "NAME", value_parser = chart)]
    chart: Option<ChartKind>,

    /// How many of the trials that lost points a page shows with all that was said.
    #[arg(long, alias = "trials", value_name = "N", default_value_t = 25)]
    show: usize,

    /// Compare a single run with this log, in gates and in Markdown [default: the run pinned for
    /// the suite]; `last` is the newest.
    #[arg(long, value_name = "LOG", help_heading = "Gates")]
    against: Option<PathBuf>,
    #[command(flatten)]
    log_dir: LogDirFlag,
    #[command(flatten)]
    gates: GateConditions,
}

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// One self-contained page.
    Html,
    /// A comment for a pull request.
    Md,
    /// One row per trial.
    Csv,
    /// Everything, for programs.
    Json,
    /// Test results in the form of `JUnit`.
    Xml,
    /// One chart; takes `--chart`.
    Svg,
}

fn chart(name: &str) -> Result<ChartKind, String> {
    let found = ChartKind::ALL.iter().find(|kind| kind.name() == name).copied();
    found.ok_or_else(|| {
        let mut words = "use one of".to_owned();
        for kind in ChartKind::ALL {
            let _ = write!(words, "\n  {:12} {}", kind.name(), kind.words());
        }
        words
    })
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let form = form(args)?;
    let settings = args.log_dir.settings()?;
    let logs = named_logs(&args.logs, &settings)?;
    let inputs = settings::with_file(&logs);
    if args.output.as_os_str() != "-" {
        OutputFile::check(&args.output, &inputs)?;
    }
    args.gates.read()?;
    let exhibited = if form == ReportFormat::Html { args.show } else { 0 };
    let compares = !matches!(form, ReportFormat::Csv | ReportFormat::Xml);
    let mut material = ReportMaterial::read(&logs, exhibited, compares, &settings)?;
    let judged = judge(args, &logs, &mut material, &settings)?;
    if form == ReportFormat::Md {
        compare_alone(args, &logs, &mut material, &settings)?;
        material.show_failing();
    }
    let ReportMaterial { document, columns, hidden, .. } = material;
    if form == ReportFormat::Csv && columns.cut_off {
        printer
            .warning("there are more tags, dimensions or measures than columns; some are left out");
    }
    write(&args.output, &inputs, printer, |out| match form {
        ReportFormat::Html => Ok(out.write_all(html::page(&document).as_bytes())?),
        ReportFormat::Md => Ok(out.write_all(markdown_page(&document).as_bytes())?),
        ReportFormat::Json => {
            let text = serde_json::to_string_pretty(&document).expect("a report is plain data");
            Ok(writeln!(out, "{}", harmless::json(&text))?)
        }
        ReportFormat::Csv => csv(out, &logs, &document, columns.sorted()),
        ReportFormat::Xml => Ok(junit::of_logs(&logs, &judged, settings.grades)?.write(out)?),
        ReportFormat::Svg => {
            let kind = args.chart.ok_or(ReportFailure::NoChart)?;
            let chart = document.chart(kind).ok_or(ReportFailure::NothingToDraw { kind })?;
            Ok(out.write_all(chart.file().as_bytes())?)
        }
    })?;
    if args.output.as_os_str() != "-" {
        printer.note(format!("wrote `{}`", args.output.display()));
    }
    let runs = logs.iter().map(PathBuf::as_path).zip(&document.runs);
    let damage = runs.map(|(log, run)| (log, &run.summary.damage, run.summary.trials));
    let shown = logs.iter().zip(&document.runs).zip(&hidden);
    let shown = shown
        .map(|((log, run), damage)| (log.as_path(), damage, run.exhibits.len() - damage.samples));
    let read = summaries::tell_damage(damage.chain(shown), printer);
    gates::tell(&judged, printer);
    let gated = gates::status(&judged);
    Ok(if gated == ExitStatus::Done { read } else { gated })
}

/// Holds every run to the gates.
fn judge(
    args: &Args,
    logs: &[PathBuf],
    material: &mut ReportMaterial,
    settings: &Settings,
) -> Result<Vec<GateResult>, Failure> {
    let against = optional_log(args.against.as_deref(), settings)?;
    // Of several runs the first is the one to compare with.
    let (first, judged) = match logs {
        [first, others @ ..] if !others.is_empty() => (Some(first), others),
        logs => (None, logs),
    };
    let against = against.as_ref().or(first).map(PathBuf::as_path);
    let judged: Vec<&Path> = judged.iter().map(PathBuf::as_path).collect();
    let results = gates::judge_logs(&args.gates, &judged, against, settings)?;
    material.add_gates(logs, &results);
    Ok(results)
}

/// Compares a single run with the one that `run` compares with: the named, pinned or last one.
fn compare_alone(
    args: &Args,
    logs: &[PathBuf],
    material: &mut ReportMaterial,
    settings: &Settings,
) -> Result<(), Failure> {
    let [log] = logs else { return Ok(()) };
    let (Some(run), against) = (material.run(0), optional_log(args.against.as_deref(), settings)?)
    else {
        return Ok(());
    };
    let Some(earlier) = earlier_run((log, &run), against.as_deref(), settings)? else {
        return Ok(());
    };
    let terms = Terms { flips_shown: Some(FLIPS_SHOWN), ..Terms::default() };
    let (a, b) = (sides::read(&earlier.log, None, settings)?, sides::read(log, None, settings)?);
    let comparison = Comparison::of(&a, &b, &terms);
    if comparison.shared.cases > 0 {
        material.document.comparisons.push(comparison.clone());
        material.document.runs[0].change = Some(ChangeSince { run: earlier.name, comparison });
    }
    Ok(())
}

/// What is to be written, by `--format` or else by the ending.
fn form(args: &Args) -> Result<ReportFormat, ReportFailure> {
    let ending = || {
        let ending = args.output.extension()?.to_str()?.to_ascii_lowercase();
        let named = match ending.as_str() {
            "htm" => "html",
            "markdown" => "md",
            other => other,
        };
        ReportFormat::from_str(named, true).ok()
    };
    let unknown = || ReportFailure::UnknownEnding { path: args.output.clone() };
    let form = args.format.or_else(ending).ok_or_else(unknown)?;
    match (form, args.chart) {
        (ReportFormat::Svg, None) => Err(ReportFailure::NoChart),
        (ReportFormat::Svg, Some(_)) | (_, None) => Ok(form),
        (_, Some(_)) => Err(ReportFailure::ChartWithoutSvg),
    }
}

/// Writes to a file, which is only there once it is whole, or to stdout.
fn write(
    output: &Path,
    inputs: &[&Path],
    printer: &mut Printer,
    content: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if output.as_os_str() == "-" {
        let mut out = BufWriter::new(printer.out());
        content(&mut out)?;
        return Ok(out.flush()?);
    }
    let failed = |error| Failure::file("write", output, error);
    let mut out = BufWriter::new(OutputFile::create(output, inputs)?);
    content(&mut out).map_err(|failure| match failure {
        Failure::Output(error) => failed(error),
        other => other,
    })?;
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    file.finish().map_err(failed)
}

fn csv(
    out: &mut dyn Write,
    logs: &[PathBuf],
    document: &ReportDocument,
    columns: Columns,
) -> Result<(), Failure> {
    let mut table = TrialTable::new(out, columns)?;
    for (path, run) in logs.iter().zip(&document.runs) {
        each(path, |trial| table.add(&run.label, &run.summary, trial))?;
    }
    Ok(table.finish()?)
}

/// Hands each trial on until one cannot be written.
fn each(path: &Path, mut add: impl FnMut(&TrialSummary) -> io::Result<()>) -> Result<(), Failure> {
    let mut failed = None;
    sides::each_trial(
        path,
        |_| Ok(()),
        |(), trial| {
            if let (None, Ok(trial)) = (&failed, trial) {
                failed = add(trial).err();
            }
        },
    )?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}
