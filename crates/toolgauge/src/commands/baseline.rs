//! `toolgauge baseline`: pins the run that later runs of its suite are compared with.

use std::path::PathBuf;

use clap::Subcommand;

use crate::ExitStatus;
use crate::baselines::Baselines;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::last_log::named_log;
use crate::layer::with_log_dir;
use crate::printer::Printer;

/// Pin the run that later runs of its suite are compared with.
///
/// `--gate no-regression` and `toolgauge compare LOG` then need no second log. What is pinned
/// is kept in a small file in the folder of the logs, one run for each suite.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: BaselineCommand,

    /// Where logs are kept [default: logs].
    #[arg(long, global = true, value_name = "FOLDER", env = "TOOLGAUGE_LOG_DIR")]
    log_dir: Option<String>,
}

#[derive(Debug, Subcommand)]
enum BaselineCommand {
    /// Pin this run for its suite.
    Set {
        /// Its log; `last` is the newest one.
        #[arg(value_name = "LOG")]
        log: PathBuf,
    },
    /// Print what is pinned.
    Show {
        /// In which form the result is printed.
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: OutputFormat,
    },
    /// Forget what is pinned, for one suite or for all.
    Clear {
        /// The suite.
        #[arg(value_name = "SUITE")]
        suite: Option<String>,
    },
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let settings = with_log_dir(args.log_dir.as_deref())?;
    let folder = PathBuf::from(&settings.run.log_dir);
    let mut baselines = Baselines::read(&folder)?;
    match &args.what {
        BaselineCommand::Set { log } => {
            let log = named_log(log, &settings)?;
            let suite = baselines.set(&log)?;
            baselines.write()?;
            printer.note(format!("runs of `{suite}` are now compared with {}", log.display()));
        }
        BaselineCommand::Show { format: OutputFormat::Json } => {
            printer.print_json(baselines.all())?;
        }
        BaselineCommand::Show { format: OutputFormat::Text } => {
            if baselines.all().is_empty() {
                let folder = folder.display();
                let hint = "`toolgauge baseline set last` pins the newest run";
                printer.note(format!("nothing is pinned in `{folder}`; {hint}"));
            }
            for (suite, pinned) in baselines.all() {
                let (log, subject) = (pinned.log.display(), &pinned.subject);
                printer.print_text(&format!("{suite}  {log}  ({subject})\n"))?;
            }
        }
        BaselineCommand::Clear { suite } => {
            let forgotten = baselines.clear(suite.as_deref());
            baselines.write()?;
            printer.note(format!("{forgotten} forgotten"));
        }
    }
    Ok(ExitStatus::Done)
}
