//! `toolgauge merge`: makes one log of the shards of a run.

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolgauge_core::MergedShards;
use toolgauge_engine::shard_logs::logs_of_run;
use toolgauge_engine::{EngineError, LogTarget};
use toolgauge_log::{Gaps, Log, ShardSet, local_path};
use toolgauge_report::number::counted;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::printer::Printer;

/// Make one log of the shards of a run.
///
/// The log is what a run of the whole plan in one process would have left. Samples are copied as
/// they are. Shards of different runs, different records of one trial and missing trials are
/// refused, and so is a file that exists.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shards: logs, a folder of them, or a pattern such as `'logs/shard-*'`.
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,

    /// The log to write.
    #[arg(long, short, value_name = "FILE.eval", required = true)]
    output: PathBuf,

    /// Merge what is there although trials are missing; the log says how many.
    #[arg(long)]
    partial: bool,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
}

#[derive(Serialize)]
struct PrintedMerge<'a> {
    log: &'a Path,
    trials: usize,
    #[serde(flatten)]
    merged: &'a MergedShards,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    if !toolgauge_log::is_log(&args.output) {
        return Err(Failure::NotALogName { path: args.output.clone() });
    }
    let mut shards = Vec::new();
    for named in &args.shards {
        let named = local_path(named);
        match logs_of_run(&named)? {
            Some(found) => shards.extend(found),
            None => shards.push(named),
        }
    }
    let set = ShardSet::open(&shards).map_err(EngineError::from)?;
    let gaps = if args.partial { Gaps::Allowed } else { Gaps::Refused };
    let target = LogTarget::new(&local_path(&args.output))?;
    let complete = set.is_complete();
    let merged = set.merge(target.path(), gaps).map_err(EngineError::from)?;
    let log = Log::open(target.path())?;
    let trials = log.len();
    match args.format {
        OutputFormat::Json => {
            printer.print_json(&PrintedMerge { log: &args.output, trials, merged: &merged })?;
        }
        OutputFormat::Text => {
            let shards = merged.of as usize - merged.missing.len();
            printer.print_text(&format!(
                "{} of {} merged into {}\n",
                counted(trials, "trial"),
                counted(shards, "shard"),
                args.output.display()
            ))?;
        }
    }
    target.keep()?;
    for warning in log.run().warnings.iter().filter(|_| !complete) {
        printer.warning(warning);
    }
    Ok(if complete { ExitStatus::Done } else { ExitStatus::SomeUnscored })
}
