//! `toolgauge completions`: completion scripts for shells.

use clap::Command;
use clap_complete::Shell;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Print a completion script for a shell.
///
/// For bash: `toolgauge completions bash > ~/.local/share/bash-completion/completions/toolgauge`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell to complete in.
    shell: Shell,
}

pub(super) fn exec(
    args: &Args,
    mut cli: Command,
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "toolgauge", &mut script);
    printer.print(&String::from_utf8_lossy(&script))?;
    Ok(ExitStatus::Done)
}
