//! `toolgauge man`: manual pages.

use std::path::PathBuf;

use clap::Command;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Write the manual pages.
///
/// Without a folder the main page goes to stdout, to be read with `toolgauge man | man -l -`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write one page a command into this folder.
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn exec(
    args: &Args,
    cli: Command,
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    if let Some(folder) = &args.output {
        let cannot_write = |error| Failure::file("write", folder, error);
        std::fs::create_dir_all(folder).map_err(cannot_write)?;
        clap_mangen::generate_to(cli, folder).map_err(cannot_write)?;
        printer.note(format!("the manual pages are in {}", folder.display()));
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(cli).render(&mut page)?;
        printer.print(&String::from_utf8_lossy(&page))?;
    }
    Ok(ExitStatus::Done)
}
