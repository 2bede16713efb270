//! `toolgauge cases`: which cases are hard, which are telling, and which are probably wrong.

use std::collections::HashSet;
use std::path::PathBuf;

use toolgauge_core::Run;
use toolgauge_log::Damage;
use toolgauge_report::CaseTally;

use crate::failure::Failure;
use crate::flags::{LogDirFlag, OutputFormat};
use crate::last_log::named_logs;
use crate::printer::Printer;
use crate::{ExitStatus, sides, summaries};

/// Look at cases over several runs: difficulty, discrimination, flakiness, disagreement.
///
/// Cases that deserve a look come first: those that every good subject fails and a weak one
/// passes, those that scorers disagree about, those that nobody ever passes. They are usually
/// wrong themselves.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs: logs of toolgauge and Inspect AI, and result files of other tools; `last` is the
    /// newest log.
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,

    #[command(flatten)]
    log_dir: LogDirFlag,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let logs = named_logs(&args.logs, &args.log_dir.settings()?)?;
    let mut tally = CaseTally::default();
    let mut status = ExitStatus::Done;
    let mut read = HashSet::new();
    for log in &logs {
        // A run that is given twice would count as two subjects that agree.
        if !read.insert(log.canonicalize().unwrap_or_else(|_| log.clone())) {
            printer.warning(format!("`{}` is given twice and counts once", log.display()));
            continue;
        }
        let mut so_far = std::mem::take(&mut tally);
        let begin = |run: &Run| {
            so_far.begin(log.display().to_string(), run);
            Ok(so_far)
        };
        let (mut damage, mut readable) = (Damage::default(), 0);
        tally = sides::each_trial(log, begin, |tally, trial| match trial {
            Ok(trial) => {
                tally.add(trial);
                readable += 1;
            }
            Err(error) => damage.note(error),
        })?;
        status = status.max(summaries::tell_damage([(log.as_path(), &damage, readable)], printer));
    }
    let study = tally.study();
    match args.format {
        OutputFormat::Json => printer.print_json(&study)?,
        OutputFormat::Text => printer.print_report(&study)?,
    }
    Ok(status)
}
