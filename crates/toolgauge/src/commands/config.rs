//! `toolgauge config`: the settings as they come out, or every setting there is.

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::{self, Settings};

/// Print the settings that a run here would use.
///
/// Flags win over TOOLGAUGE_* variables, those over `toolgauge.toml` in this folder, and that
/// over the defaults. Addresses are printed without user, password and query.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print every setting with its default and what it means.
    #[arg(long)]
    defaults: bool,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    if args.defaults {
        printer.print(settings::DEFAULTS)?;
    } else {
        let settings = Settings::resolve(&[])?.without_secrets();
        printer.print(&toml::to_string_pretty(&settings).expect("settings are plain data"))?;
    }
    Ok(ExitStatus::Done)
}
