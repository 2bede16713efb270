//! `toolgauge man`: manual pages.

use std::path::{Path, PathBuf};

use clap::Command;
use toolgauge_log::replace_file;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Write the manual pages.
///
/// Without a folder the main page goes to stdout, to be read with `toolgauge man | man -l -`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write one page per command into this folder.
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn exec(
    args: &Args,
    cli: Command,
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    if let Some(folder) = &args.output {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, error))?;
        let mut cli = cli.disable_help_subcommand(true);
        cli.build();
        write_pages(&cli, folder)?;
        printer.note(format!("the manual pages are in {}", folder.display()));
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(cli).render(&mut page)?;
        printer.print(&String::from_utf8_lossy(&page))?;
    }
    Ok(ExitStatus::Done)
}

/// Writes the page of a command, and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_pages(subcommand, folder)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(replace_file(&folder.join(page.get_filename()), text)?)
}
