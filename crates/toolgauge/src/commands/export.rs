//! `toolgauge export`: trials of a log in the forms of other tools.

mod spans;

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use toolgauge_engine::ReadableLog;
use toolgauge_import::ExportForm;
use toolgauge_log::{Damage, Log, OutputFile};
use toolgauge_report::{CaseStanding, Thresholds};

use crate::failure::Failure;
use crate::flags::LogDirFlag;
use crate::last_log::named_log;
use crate::printer::Printer;
use crate::{ExitStatus, summaries};

/// Give the trials of a log to other tools, one JSON value per line.
///
/// `openai-jsonl` are chats for fine-tuning, `promptfoo` rows of its results, `agentevals` rows with a
/// reference, and `otlp` spans of OpenTelemetry with the scores as `gen_ai.evaluation.result`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The log, or a result file of another tool; `last` is the newest log.
    #[arg(value_name = "LOG")]
    log: PathBuf,

    /// The form: openai-jsonl, promptfoo, agentevals or otlp.
    #[arg(long, value_name = "FORM", value_parser = form)]
    to: ExportForm,

    /// The file to write [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Send the spans to this address, by OTLP over HTTP with JSON; `/v1/traces` is added to an
    /// address without a path. Headers, such as a key, are taken from the variable
    /// `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`.
    #[arg(long, value_name = "URL", conflicts_with = "output")]
    endpoint: Option<String>,

    #[command(flatten)]
    log_dir: LogDirFlag,
}

fn form(name: &str) -> Result<ExportForm, String> {
    let forms = || ExportForm::ALL.map(ExportForm::name).join(", ");
    ExportForm::by_name(name).ok_or_else(|| format!("use one of: {}", forms()))
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let settings = args.log_dir.settings()?;
    let path = named_log(&args.log, &settings)?;
    let readable = ReadableLog::of(&path)?;
    let log = Log::open(readable.path())?;
    if let Some(address) = &args.endpoint {
        if args.to != ExportForm::Otlp {
            return Err(Failure::NotSpans { form: args.to.name() });
        }
        let (damage, sent) = spans::send(&log, address, printer)?;
        return Ok(summaries::tell_damage([(args.log.as_path(), &damage, sent)], printer));
    }
    let (damage, written) = match &args.output {
        None => write(&log, (args.to, settings.grades), &mut BufWriter::new(printer.out()))?,
        Some(output) => {
            let failed = |error| Failure::file("write", output, error);
            let mut out = BufWriter::new(OutputFile::create(output, &[path.as_path()])?);
            let written = write(&log, (args.to, settings.grades), &mut out)?;
            let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
            file.finish().map_err(failed)?;
            written
        }
    };
    Ok(summaries::tell_damage([(path.as_path(), &damage, written)], printer))
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
