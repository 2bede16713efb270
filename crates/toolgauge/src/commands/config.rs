//! `toolgauge config`: the settings as they come out, every setting there is, and trusted folders.

use std::fmt::Write;
use std::path::PathBuf;

use toolgauge_engine::TrustedFolders;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::{self, Settings};

/// Print the settings that a run here would use.
///
/// Flags win over TOOLGAUGE_* variables, those over `toolgauge.toml` in this folder, and that
/// over the defaults. Addresses are printed without user, password and query. The folders that you
/// trust are listed below the settings.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print every setting with its default and what it means.
    #[arg(long)]
    defaults: bool,

    /// Trust a folder: suites in it start the commands that they name without `--allow-commands`.
    ///
    /// The list is kept in your own configuration (`~/.config/toolgauge/trusted.toml`), by real
    /// paths. No suite and no project can change it, and agents that use `toolgauge mcp` start
    /// nothing by it. Whoever can write into the folder can then start programs as you.
    #[arg(long, value_name = "FOLDER", conflicts_with = "defaults")]
    trust: Option<PathBuf>,

    /// Trust a folder no more.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["defaults", "trust"])]
    untrust: Option<PathBuf>,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    if let Some(folder) = &args.trust {
        let real = TrustedFolders::load()?.trust(folder)?;
        printer.note(format!("suites in `{}` may start commands", real.display()));
    } else if let Some(folder) = &args.untrust {
        let was_trusted = TrustedFolders::load()?.untrust(folder)?;
        let words = if was_trusted { "is trusted no more" } else { "was not trusted" };
        printer.note(format!("`{}` {words}", folder.display()));
    } else if args.defaults {
        printer.print(settings::DEFAULTS)?;
    } else {
        let settings = Settings::resolve(&[])?.without_secrets();
        let mut text = toml::to_string_pretty(&settings).expect("settings are plain data");
        for folder in TrustedFolders::load()?.folders() {
            // A comment, and in quotes: a name may hold a line break.
            let _ = write!(text, "\n# trusted: {:?}", folder.display().to_string());
        }
        printer.print(&(text.trim_end().to_owned() + "\n"))?;
    }
    Ok(ExitStatus::Done)
}
