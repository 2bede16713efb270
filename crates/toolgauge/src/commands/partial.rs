//! `toolgauge partial`: partial credit for a tau-bench results file.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use toolgauge_engine::partial_credit::{PartialCreditError, PartialCreditWork};
use toolgauge_import::tau::TauError;
use toolgauge_log::OutputFile;
use toolgauge_report::partial::PartialReport;

use crate::ExitStatus;
use crate::failure::{Failure, PartialFailure};
use crate::flags::OutputFormat;
use crate::partial_watch::watch;
use crate::printer::Printer;

/// Add partial credit to a tau-bench results file, and say where the points went.
///
/// Works on files that tau-bench has written, as they are. Each task gets a `partial_score` in
/// a copy of the file; every other byte stays as it was. The statistics show how near the
/// failures were, what they lacked, and how far the figures can be trusted.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The results file; `-` reads stdin, and then needs --output.
    #[arg(value_name = "RESULTS.json")]
    results: PathBuf,

    /// Write the copy here; `-` is stdout, and needs --no-stats [default: <name>_partial.json
    /// beside the results].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print no statistics.
    #[arg(long)]
    no_stats: bool,

    /// Add each task's losses to the copy, as `losses`.
    #[arg(long)]
    losses: bool,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: OutputFormat,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let target = target(args)?;
    let source = PartialSource::open(&args.results)?;
    let output = match &target {
        Some(path) => OutputFile::create(path, &[&source.file])?,
        None => OutputFile::stdout(),
    };
    let interactive = printer.is_interactive();
    let length = source.length.filter(|_| interactive);
    let unfinished = output.temporary().map(Path::to_owned);
    let work = PartialCreditWork::new(source.reader, output, args.losses);
    let Some(outcome) = watch(work, length, unfinished) else {
        return Ok(ExitStatus::Interrupted);
    };
    let report = outcome.map_err(|error| failure(error, &args.results, target.as_deref()))?;
    warn(&report, printer);
    if !args.no_stats {
        match args.format {
            OutputFormat::Text => printer.print_text(&report.to_text())?,
            OutputFormat::Json => printer.print(&json(&report))?,
        }
    }
    if let Some(path) = &target {
        printer.note(format!("the results with partial scores are in {}", path.display()));
    }
    Ok(ExitStatus::Done)
}

/// The failure with the files named; without a target it is stdout.
fn failure(error: PartialCreditError, results: &Path, target: Option<&Path>) -> Failure {
    match (error, target) {
        (PartialCreditError::Results(TauError::Read(error)), _) => {
            Failure::file("read", results, error)
        }
        (PartialCreditError::Results(source), _) => {
            PartialFailure::Results { path: results.to_owned(), source }.into()
        }
        (PartialCreditError::Write(error), Some(path)) => Failure::file("write", path, error),
        (PartialCreditError::Write(error), None) => Failure::from(error),
        (PartialCreditError::Stopped, _) => {
            Failure::from(io::Error::from(io::ErrorKind::Interrupted))
        }
    }
}

/// What is read, and how much of it there is.
struct PartialSource {
    reader: Box<dyn Read + Send>,
    /// Its name, by which the copy must not overwrite it.
    file: PathBuf,
    length: Option<u64>,
}

impl PartialSource {
    fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            let file = PathBuf::from("/dev/stdin");
            return Ok(Self { reader: Box::new(io::stdin()), file, length: None });
        }
        let cannot_read = |error| Failure::file("read", path, error);
        let file = File::open(path).map_err(cannot_read)?;
        let metadata = file.metadata().map_err(cannot_read)?;
        if metadata.is_dir() {
            return Err(PartialFailure::Folder { path: path.to_owned() }.into());
        }
        let length = metadata.is_file().then_some(metadata.len());
        Ok(Self { reader: Box::new(file), file: path.to_owned(), length })
    }
}

/// Where the copy goes; `None` is stdout.
fn target(args: &Args) -> Result<Option<PathBuf>, Failure> {
    match &args.output {
        Some(path) if path.as_os_str() == "-" && !args.no_stats => {
            Err(PartialFailure::TwoThingsOnStdout.into())
        }
        Some(path) if path.as_os_str() == "-" => Ok(None),
        Some(path) => Ok(Some(path.clone())),
        None if args.results.as_os_str() == "-" => Err(PartialFailure::NoOutput.into()),
        None => {
            let mut name = args.results.file_stem().unwrap_or_default().to_owned();
            name.push("_partial.json");
            Ok(Some(args.results.with_file_name(name)))
        }
    }
}

/// Tells what was odd in the file and did not stop the work.
fn warn(report: &PartialReport, printer: &mut Printer) {
    if report.tasks == 0 {
        printer.warning("the list of tasks is empty");
    }
    if report.odd_tasks > 0 {
        let (odd, all) = (report.odd_tasks, report.tasks);
        let mut text = format!("{odd} of {all} tasks are not as tau-bench writes them:");
        for kind in &report.oddities {
            let (oddity, count) = (&kind.oddity, kind.tasks);
            let first: Vec<String> = kind.first.iter().map(u64::to_string).collect();
            let more = if count > kind.first.len() as u64 { ", …" } else { "" };
            write!(text, "\n  {oddity}: {count} (at index {}{more})", first.join(", "))
                .expect("a string takes any text");
        }
        printer.warning(text);
    }
    match report.malformed_calls {
        0 => {}
        1 => printer.warning("the arguments of 1 tool call are malformed"),
        count => printer.warning(format!("the arguments of {count} tool calls are malformed")),
    }
}

fn json(report: &PartialReport) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("a report is plain data");
    text.push('\n');
    text
}
