//! `toolgauge try`: calls tools of a world by hand and shows what happens.

mod business;
mod call;
mod home_assistant;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Call the tools of a world by hand and see what they answer and change.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which world.
    #[command(subcommand)]
    world: TryWorld,
}

#[derive(Debug, clap::Subcommand)]
enum TryWorld {
    HomeAssistant(home_assistant::HomeArgs),
    Business(business::BusinessArgs),
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    match &args.world {
        TryWorld::HomeAssistant(args) => home_assistant::try_home(args, printer),
        TryWorld::Business(args) => business::try_business(args, printer),
    }
}
