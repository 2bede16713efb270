//! `toolgauge export`: trials of logs in the forms of other tools, and as tables.

mod spans;
mod tables;

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use toolgauge_engine::{ReadableLog, shard_logs};
use toolgauge_import::ExportForm;
use toolgauge_log::{Damage, Log, OutputFile};
use toolgauge_report::{CaseStanding, Thresholds};
use toolgauge_tables::{TableFormat, TableName};

use crate::failure::Failure;
use crate::flags::LogDirFlag;
use crate::last_log::named_logs;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::{ExitStatus, summaries};

/// Give the trials of logs to other tools: one JSON value per trial, or tables for SQL engines.
///
/// With `--to`, each trial is a line: `openai-jsonl` are chats for fine-tuning, `promptfoo` rows of
/// its results, `agentevals` rows with a reference, and `otlp` spans of OpenTelemetry with the scores
/// as `gen_ai.evaluation.result`. With `--format`, the logs become a folder of tables that DuckDB,
/// Polars, Spark and others read; docs/scale.md has questions for them.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("form").required(true).args(["to", "format"]))]
pub(crate) struct Args {
    /// The logs, folders of logs, or result files of other tools; `last` is the newest log.
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    /// The form: openai-jsonl, promptfoo, agentevals or otlp.
    #[arg(long, value_name = "FORM", value_parser = form)]
    to: Option<ExportForm>,

    /// The format of tables: parquet, arrow or csv.
    #[arg(long, value_name = "FORMAT", value_parser = format, requires = "output")]
    format: Option<TableFormat>,

    /// The tables to write, of runs, trials, calls, losses, turns and transcripts.
    ///
    /// `transcripts` holds whole conversations in the schema of Inspect Scout, and is much larger
    /// than the others.
    #[arg(
        long,
        value_name = "TABLES",
        value_delimiter = ',',
        value_parser = table,
        default_value = "runs,trials,calls,losses,turns",
        conflicts_with = "to"
    )]
    tables: Vec<TableName>,

    /// The file to write [default: standard output]; with `--format` the folder.
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Send the spans to this address, by OTLP over HTTP with JSON; `/v1/traces` is added to an
    /// address without a path. Headers, such as a key, are taken from the variable
    /// `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`.
    #[arg(long, value_name = "URL", conflicts_with_all = ["output", "format"])]
    endpoint: Option<String>,

    #[command(flatten)]
    log_dir: LogDirFlag,
}

fn form(name: &str) -> Result<ExportForm, String> {
    let forms = || ExportForm::ALL.map(ExportForm::name).join(", ");
    ExportForm::by_name(name).ok_or_else(|| format!("use one of: {}", forms()))
}

fn format(name: &str) -> Result<TableFormat, String> {
    let known = TableFormat::ALL.into_iter().find(|format| format.name() == name);
    known.ok_or_else(|| {
        format!("use one of: {}", TableFormat::ALL.map(TableFormat::name).join(", "))
    })
}

fn table(name: &str) -> Result<TableName, String> {
    let known = TableName::ALL.into_iter().find(|table| table.name() == name);
    known.ok_or_else(|| format!("use some of: {}", TableName::ALL.map(TableName::name).join(", ")))
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let settings = args.log_dir.settings()?;
    let mut runs = Vec::new();
    for path in named_logs(&args.logs, &settings)? {
        runs.extend(shard_logs::runs_at(&path)?);
    }
    match (args.to, args.format, &args.output) {
        (_, Some(format), Some(folder)) => {
            let wanted = tables::Wanted { folder, format, tables: &args.tables };
            tables::write(&runs, &wanted, &settings, printer)
        }
        (Some(form), _, _) => lines(args, form, (&runs, &settings), printer),
        _ => unreachable!("the arguments ask for a form or a format"),
    }
}

/// Gives each trial as a line, or sends it.
fn lines(
    args: &Args,
    form: ExportForm,
    (runs, settings): (&[PathBuf], &Settings),
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    if args.endpoint.is_some() && form != ExportForm::Otlp {
        return Err(Failure::NotSpans { form: form.name() });
    }
    let mut out = match (&args.output, &args.endpoint) {
        (Some(output), _) => Some(BufWriter::new(OutputFile::create(output, runs)?)),
        (None, _) => None,
    };
    let mut read = Vec::new();
    for path in runs {
        let readable = ReadableLog::of(path)?;
        let log = Log::open(readable.path())?;
        let wanted = (form, settings.grades);
        let (damage, given) = match (&args.endpoint, &mut out) {
            (Some(address), _) => spans::send(&log, address, printer)?,
            (None, Some(out)) => write(&log, wanted, out)?,
            (None, None) => write(&log, wanted, &mut BufWriter::new(printer.out()))?,
        };
        read.push((path.as_path(), damage, given));
    }
    if let Some((out, output)) = out.zip(args.output.as_ref()) {
        let failed = |error| Failure::file("write", output, error);
        let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
        file.finish().map_err(failed)?;
    }
    let read = read.iter().map(|(path, damage, given)| (*path, damage, *given));
    Ok(summaries::tell_damage(read, printer))
}

/// Writes each trial that can be read; gives what cannot be, and how many were written.
fn write(
    log: &Log,
    (form, graded): (ExportForm, Thresholds),
    out: &mut impl Write,
) -> Result<(Damage, usize), Failure> {
    let (mut damage, mut written) = (Damage::default(), 0);
    let passes = |scorer: &str, mark: f64| {
        Thresholds::of_scorer(scorer, graded).standing(Some(mark)) == CaseStanding::Pass
    };
    for trial in log.trials() {
        match trial {
            Ok(trial) => {
                writeln!(out, "{}", form.line(log.run(), &trial, &passes))?;
                written += 1;
            }
            Err(error) => damage.note(&error),
        }
    }
    out.flush()?;
    Ok((damage, written))
}
