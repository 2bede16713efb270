//! `toolgauge report`: runs as a file to send around.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use toolgauge_core::Run;
use toolgauge_engine::ReadableLog;
use toolgauge_log::{Damage, Log, LogError, OutputFile, TrialSummary};
use toolgauge_report::chart::ChartKind;
use toolgauge_report::{
    Columns, Comparison, ContestReport, ReportDocument, ReportedRun, RunSide, RunTally, Terms,
    Thresholds, TrialTable, harmless, html, markdown_page,
};

use crate::failure::{Failure, ReportFailure};
use crate::last_log::named_logs;
use crate::layer::with_log_dir;
use crate::printer::Printer;
use crate::settings::{self, Settings};
use crate::summaries;
use crate::{ExitStatus, junit, sides};

/// How many flipped cases of each kind a comparison lists.
const FLIPS_SHOWN: usize = 20;

/// Beyond so many runs pairs are no longer compared one by one; the ranking remains.
const MOST_COMPARED: usize = 8;

/// Write runs and how they compare as a file to send around.
///
/// The ending of FILE says what is written: `.html` one self-contained page that opens from
/// disk, `.md` for pull requests and READMEs, `.csv` one row a trial, `.json` for programs,
/// `.xml` test results in the form of `JUnit`, `.svg` one chart. Several logs are compared with
/// the first. Takes logs of toolgauge and of Inspect AI and result files of tau-bench.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs; further ones are compared with the first.
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
    /// `losses` of the first run; `latency` one curve a run; `differences` of the first two runs.
    #[arg(long, value_name = "NAME", value_parser = chart)]
    chart: Option<ChartKind>,

    /// Where logs are kept, to find `last` [default: logs].
    #[arg(long, value_name = "FOLDER", env = "TOOLGAUGE_LOG_DIR")]
    log_dir: Option<String>,

    /// How many of the trials that lost points a page shows with all that was said.
    #[arg(long, value_name = "N", default_value_t = 25)]
    trials: usize,
}

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// One self-contained page.
    Html,
    /// Markdown with tables.
    Md,
    /// One row a trial.
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
    let settings = with_log_dir(args.log_dir.as_deref())?;
    let logs = named_logs(&args.logs, &settings)?;
    let inputs = settings::with_file(&logs);
    if args.output.as_os_str() != "-" {
        OutputFile::check(&args.output, &inputs)?;
    }
    let exhibited = if form == ReportFormat::Html { args.trials } else { 0 };
    let compares = !matches!(form, ReportFormat::Csv | ReportFormat::Xml);
    let Material { document, columns, hidden } = read(&logs, exhibited, compares, &settings)?;
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
        ReportFormat::Xml => Ok(junit::of_logs(&logs, &[], settings.grades)?.write(out)?),
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
    Ok(summaries::tell_damage(damage.chain(shown), printer))
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

/// What is added up over the trials of one run.
struct ReadRun {
    run: Run,
    tally: RunTally,
    side: Option<RunSide>,
    columns: Columns,
}

impl ReadRun {
    fn take(&mut self, trial: Result<&TrialSummary, &LogError>) {
        match trial {
            Ok(trial) => {
                self.tally.add(trial);
                self.columns.add(trial);
                self.side.iter_mut().for_each(|side| side.add(trial));
            }
            Err(error) => {
                self.tally.add_damaged(error);
                self.side.iter_mut().for_each(|side| side.add_damaged(error));
            }
        }
    }
}

/// What a report is made of.
struct Material {
    document: ReportDocument,
    columns: Columns,
    /// Of each run, the trials that a page should show and cannot.
    hidden: Vec<Damage>,
}

/// Reads all runs, each once, and compares them.
fn read(
    logs: &[PathBuf],
    most: usize,
    compares: bool,
    settings: &Settings,
) -> Result<Material, Failure> {
    let compares = compares && logs.len() > 1;
    let mut columns = Columns::default();
    let (mut runs, mut sides, mut hidden) = (Vec::new(), Vec::new(), Vec::new());
    for path in logs {
        let begin = |run: &Run| {
            let side = || {
                let side = RunSide::new(label(path), run, None).graded(settings.grades);
                side.priced(settings.price_of(run))
            };
            Ok(ReadRun {
                run: run.clone(),
                tally: RunTally::of(run, most),
                side: compares.then(side),
                columns: std::mem::take(&mut columns),
            })
        };
        let reading = sides::each_trial(path, begin, ReadRun::take)?;
        columns = reading.columns;
        sides.extend(reading.side.map(RunSide::finished));
        let price = settings.price_of(&reading.run);
        let readable = ReadableLog::of(path)?;
        let log = Log::open(readable.path()).ok();
        let finished = log.as_ref().is_none_or(Log::is_finished);
        let mut run = reading.tally.finish(&reading.run, label(path), finished, price);
        run.summary.grades = run.summary.grades.map(|grades| grades.held_to(settings.grades));
        hidden.push(exhibit(&mut run, log.as_ref(), settings.grades));
        runs.push(run);
    }
    let mut document = ReportDocument::of(runs);
    compare(&mut document, &sides);
    Ok(Material { document, columns, hidden })
}

fn label(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Opens the worst trials, one at a time, and keeps what the page shows of them. Gives what could
/// not be opened.
fn exhibit(run: &mut ReportedRun, log: Option<&Log>, graded: Thresholds) -> Damage {
    let mut damage = Damage::default();
    let Some(log) = log else { return damage };
    for id in &run.worst {
        // Its numbers stand in a list as well, and were counted.
        run.exhibits.push(match log.trial(id) {
            Ok(trial) => html::exhibit(&trial, graded),
            Err(error) => {
                damage.note(&error);
                html::damaged_exhibit(id, &error.to_string())
            }
        });
    }
    damage
}

fn compare(document: &mut ReportDocument, sides: &[RunSide]) {
    let Some((first, others)) = sides.split_first() else { return };
    let terms = Terms { flips_shown: Some(FLIPS_SHOWN), ..Terms::default() };
    if others.len() < MOST_COMPARED {
        let compared = others.iter().map(|other| Comparison::of(first, other, &terms));
        document.comparisons = compared.filter(|found| found.shared.cases > 0).collect();
    }
    if others.len() > 1 {
        document.contest = ContestReport::of(sides, terms.unscored, &terms.resampling);
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
