//! `toolgauge import`: results of other tools as logs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgauge_engine::{EngineError, write_inspect_json};
use toolgauge_import::{ImportOptions, ResultKind, is_inspect_json};
use toolgauge_log::{Log, is_address};
use toolgauge_report::{Overview, Summary, SummaryTally};

use crate::failure::Failure;
use crate::imports::{self, CheckedRun, CheckedRuns};
use crate::printer::Printer;
use crate::settings::Settings;
use crate::{ExitStatus, followed_log, suites, summaries};

/// Turn results of other tools into logs.
///
/// The kind of a file is recognised by its content. One log is written for each run and each model, with
/// the verdict that the tool recorded, the same verdict computed anew by the tool's rule, and
/// toolgauge's own judgement beside. Nothing is written if a file cannot be read to its end; of a
/// folder, the runs that cannot be read are left out and named, and the exit status is 3.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The result files, or folders of them.
    #[arg(value_name = "FILE|FOLDER", required = true)]
    inputs: Vec<PathBuf>,

    /// What the results are [default: what the files say].
    #[arg(long, value_name = "KIND", value_parser = kind)]
    from: Option<ResultKind>,

    /// The folder of questions and accepted answers that the results refer to, for BFCL that of
    /// `bfcl_eval/data`.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// The suite whose expectations the cases are scored against, by their ids. For results
    /// without verdicts: spans, traces and stored answers.
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,

    /// The attribute of a span, or the key in the metadata of a stored answer, that names the case
    /// [default: the trace, `case`].
    #[arg(long, value_name = "KEY")]
    case_key: Option<String>,

    /// Set an option of a scorer that judges as another tool does, such as
    /// `deepeval.mode=exact`.
    #[arg(long = "option", value_name = "SCORER.NAME=VALUE")]
    options: Vec<String>,

    /// The log to write, or for several runs the folder they go to [default: logs].
    #[arg(long, short, value_name = "LOG")]
    output: Option<PathBuf>,
}

fn kind(name: &str) -> Result<ResultKind, String> {
    let kinds = || ResultKind::ALL.map(ResultKind::name).join(", ");
    ResultKind::by_name(name).ok_or_else(|| format!("use one of: {}", kinds()))
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let settings = Settings::resolve(&[])?;
    if let Some(data) = args.data.as_deref().filter(|data| !data.is_dir()) {
        return Err(Failure::NoData { folder: data.to_owned() });
    }
    let options =
        ImportOptions { kind: args.from, data: args.data.clone(), case_key: args.case_key.clone() };
    let suite = args.suite.as_deref().map(suites::load).transpose()?.map(Arc::new);
    let is_log = |input: &&PathBuf| args.from.is_none() && is_inspect_json(input);
    let (logs, inputs): (Vec<&PathBuf>, Vec<&PathBuf>) = args.inputs.iter().partition(is_log);
    let inputs: Vec<PathBuf> = inputs.into_iter().cloned().collect();
    let CheckedRuns { mut runs, left_out } =
        imports::check(&inputs, &options, suite.as_ref(), &mut |note| printer.note(note))?;
    // Before anything is written: a wrong option must not leave some of the logs.
    imports::set_options(&mut runs, &args.options)?;
    let mut new = NewLogs::default();
    let written = write(args, (&logs, runs), (&settings, &mut new), printer)?;
    new.are_complete = true;
    for (log, summary) in &written {
        printer.print_report(summary)?;
        printer.print(&format!("  log        {}\n\n", log.display()))?;
    }
    if written.len() > 1 {
        printer.print_report(&Overview::of(written.iter().map(|(_, summary)| summary)))?;
    }
    for error in &left_out {
        printer.warning(format!("left out: {error}"));
    }
    if !left_out.is_empty() {
        return Ok(ExitStatus::SomeUnscored);
    }
    Ok(summaries::unscored(written.iter().map(|(_, summary)| summary)))
}

/// Writes each log and adds it up.
fn write(
    args: &Args,
    (logs, runs): (&[&PathBuf], Vec<CheckedRun>),
    (settings, new): (&Settings, &mut NewLogs),
    printer: &mut Printer,
) -> Result<Vec<(PathBuf, Summary)>, Failure> {
    let default = Path::new(&settings.run.log_dir);
    let mut written = Vec::new();
    for log in logs {
        let target = target_of_log(args, log, default, new)?;
        write_inspect_json(log, &target)?;
        new.logs.push(target.clone());
        if Log::open(&target)?.is_empty() {
            return Err(EngineError::EmptyImport { model: log.display().to_string() }.into());
        }
        let (summary, _) = followed_log::summary_of(&target, settings)?;
        written.push((target, summary));
    }
    let targets = if runs.is_empty() { Vec::new() } else { targets(args, &runs, default, new)? };
    for (run, target) in runs.into_iter().zip(targets) {
        let (head, mut tally) = (run.head.clone(), SummaryTally::of(&run.head));
        run.write(&target, &mut |note| printer.note(note), &mut |trial| tally.add(trial))?;
        new.logs.push(target.clone());
        let summary = followed_log::summary_by(&tally, &head, settings);
        written.push((target, summary));
    }
    Ok(written)
}

/// What this command has written so far. All of it is taken away again unless all came to an end:
/// a log in JSON is read only while it is written, and the second may be damaged.
#[derive(Default)]
struct NewLogs {
    logs: Vec<PathBuf>,
    /// The folder, if it was made for them.
    folder: Option<PathBuf>,
    are_complete: bool,
}

impl NewLogs {
    fn make_folder(&mut self, folder: &Path) -> Result<(), Failure> {
        if is_address(folder) {
            let why = "imported logs are written to a folder of this machine";
            let error = io::Error::new(io::ErrorKind::Unsupported, why);
            return Err(Failure::file("create", folder, error));
        }
        if !folder.exists() {
            self.folder = Some(folder.to_owned());
        }
        std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, error))
    }
}

impl Drop for NewLogs {
    fn drop(&mut self) {
        if self.are_complete {
            return;
        }
        // Whatever cannot be taken away stays; the failure that is told is the first one.
        for log in &self.logs {
            drop(std::fs::remove_file(log));
        }
        if let Some(folder) = &self.folder {
            drop(std::fs::remove_dir(folder));
        }
    }
}

/// Where the other form of a log in JSON goes: to the file named, else into a folder under its name.
fn target_of_log(
    args: &Args,
    log: &Path,
    default: &Path,
    new: &mut NewLogs,
) -> Result<PathBuf, Failure> {
    let name = log.with_extension("eval");
    let name = name.file_name().unwrap_or_default();
    match args.output.as_deref() {
        Some(file) if file.extension().is_some_and(|e| e == "eval") => {
            if args.inputs.len() > 1 {
                let runs = args.inputs.len();
                return Err(Failure::OneLogForRuns { log: file.to_owned(), runs });
            }
            Ok(file.to_owned())
        }
        folder => {
            let folder = folder.unwrap_or(default);
            new.make_folder(folder)?;
            Ok(folder.join(name))
        }
    }
}

/// Where each log goes: to the file named, else into a folder under a name of its own.
fn targets(
    args: &Args,
    runs: &[CheckedRun],
    default: &Path,
    new: &mut NewLogs,
) -> Result<Vec<PathBuf>, Failure> {
    let folder = match args.output.as_deref() {
        Some(file)
            if toolgauge_log::is_log(file) || file.extension().is_some_and(|e| e == "eval") =>
        {
            if runs.len() > 1 {
                return Err(Failure::OneLogForRuns { log: file.to_owned(), runs: runs.len() });
            }
            return Ok(vec![file.to_owned()]);
        }
        Some(folder) => folder,
        None => default,
    };
    new.make_folder(folder)?;
    Ok(runs.iter().map(|run| folder.join(toolgauge_log::file_name(&run.head))).collect())
}
