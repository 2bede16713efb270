//! `toolgauge home check`: what in a home will confuse any model.

use std::path::PathBuf;

use toolgauge_home_assistant::{Inventory, confusions};
use toolgauge_home_import::HOME_FILE;
use toolgauge_report::number::counted;

use crate::ExitStatus;
use crate::failure::{Failure, TryFailure};
use crate::printer::Printer;

/// Warn of what will confuse any model in a home.
///
/// Two things of one name, an alias that is the name of another room, a light called "Fan", names
/// that differ by one letter, names nobody can say, and scripts that speak of what is not exposed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  toolgauge home check my-home\n  toolgauge home check --strict \
                        my-home/home.yaml    # exits with 1 if there is any warning"
)]
pub(crate) struct Args {
    /// The folder of an imported home, or an inventory.
    #[arg(value_name = "HOME")]
    home: PathBuf,

    /// Exit with status 1 if there is anything to warn of.
    #[arg(long)]
    strict: bool,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let file = if args.home.is_dir() { args.home.join(HOME_FILE) } else { args.home.clone() };
    let inventory = Inventory::from_path(&file).map_err(TryFailure::from)?;
    let found = confusions(&inventory);
    for confusion in &found {
        printer.print_text(&format!("{confusion}\n  → {}\n", confusion.advice))?;
    }
    let exposed = inventory.entities().iter().filter(|entity| entity.exposed).count();
    let warnings = counted(found.len(), "warning");
    let exposed = counted(exposed, "exposed entity");
    printer.print(&format!("{warnings} in a home of {exposed}\n"))?;
    let failed = args.strict && !found.is_empty();
    Ok(if failed { ExitStatus::GateFailed } else { ExitStatus::Done })
}
