//! `toolgauge home`: somebody's own home, imported and checked.

mod import;

use clap::Subcommand;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Import your own home from Home Assistant.
///
/// The imported home is a folder with an inventory, `home.yaml`: `toolgauge prompt` and `toolgauge
/// try` take it as it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Import(import::Args),
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    match &args.what {
        What::Import(args) => import::exec(args, printer),
    }
}
