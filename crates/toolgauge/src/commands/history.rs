//! `toolgauge history`: the score of a suite over its runs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use toolgauge_log::shard_pattern;
use toolgauge_report::History;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::followed_log;
use crate::layer::with_log_dir;
use crate::printer::Printer;
use crate::summaries;

/// Show the score of a suite over its runs, and what changed between them.
///
/// Shows the scores as a curve, and one line per log of the suite: when it was started, what was
/// measured, the score with its interval, and whether the suite, the model, the variant or the
/// prompt changed since the run before.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The suite, by the name its logs have.
    #[arg(value_name = "SUITE")]
    suite: String,

    /// Show only runs of this model.
    #[arg(long, short, value_name = "MODEL")]
    model: Option<String>,

    /// Show only the latest N runs.
    #[arg(long, value_name = "N")]
    last: Option<usize>,

    /// Where logs are kept [default: logs].
    #[arg(long, value_name = "FOLDER", env = "TOOLGAUGE_LOG_DIR")]
    log_dir: Option<String>,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let settings = with_log_dir(args.log_dir.as_deref())?;
    let folder = PathBuf::from(&settings.run.log_dir);
    let mut known = Vec::new();
    let mut runs = Vec::new();
    let mut status = ExitStatus::Done;
    let mut shards = BTreeSet::new();
    for entry in toolgauge_log::list(&folder)? {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                printer.warning(Failure::from(error));
                continue;
            }
        };
        let name = &entry.run.suite.name;
        if *name != args.suite {
            known.push(name.clone());
        } else if args.model.as_ref().is_none_or(|model| *model == entry.run.subject.name) {
            let shard = entry.run.shard().and_then(|_| shard_pattern(&entry.path));
            // All shards of a run are one line.
            if shard.as_ref().is_some_and(|pattern| !shards.insert(pattern.clone())) {
                continue;
            }
            let path = shard.unwrap_or(entry.path);
            let (summary, _) = followed_log::summary_of(&path, &settings)?;
            let damage = (path.as_path(), &summary.damage, summary.trials);
            status = status.max(summaries::tell_damage([damage], printer));
            runs.push((entry.run, summary, path.display().to_string()));
        }
    }
    if runs.is_empty() {
        known.sort();
        known.dedup();
        return Err(Failure::NoRuns { suite: args.suite.clone(), folder, known });
    }
    let mut history = History::of(&args.suite, runs);
    if let Some(last) = args.last {
        history.runs.drain(..history.runs.len().saturating_sub(last));
    }
    match args.format {
        OutputFormat::Json => printer.print_json(&history)?,
        OutputFormat::Text => printer.print_report(&history)?,
    }
    Ok(status)
}
