//! `toolgauge home`: somebody's own home, imported and checked.

mod check;
mod cost;
mod import;

use clap::Subcommand;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Import your own home from Home Assistant, and check it.
///
/// The imported home is a folder with an inventory, `home.yaml`. `toolgauge generate --home` makes
/// cases for it, and `toolgauge run` then measures models in it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Import(import::Args),
    Check(check::Args),
    Cost(cost::Args),
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    match &args.what {
        What::Import(args) => import::exec(args, printer),
        What::Check(args) => check::exec(args, printer),
        What::Cost(args) => cost::exec(args, printer),
    }
}
