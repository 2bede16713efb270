//! What can be typed: the commands and the flags all of them share.

use std::ffi::OsStr;
use std::sync::LazyLock;

use anstream::ColorChoice;
use clap::{CommandFactory, Parser};
use toolgauge_engine::{TARGET, VERSION};

use crate::commands::Command;
use crate::help::{EVERYWHERE, with_help};

/// Measure how well a model, chatbot or agent uses its tools.
///
/// Runs suites against language models behind OpenAI-compatible servers, scores every tool call
/// with partial credit and a typed cause for each lost point, and leaves logs that open in
/// Inspect AI.
#[derive(Debug, Parser)]
#[command(name = "toolgauge", version = VERSION, long_version = LONG_VERSION.as_str(), max_term_width = 100)]
#[command(after_help = "Exit statuses: 0 done · 1 a gate failed · 2 nothing ran · 3 some trials \
                        are unscored or damaged · 130 interrupted")]
pub(crate) struct Cli {
    /// Print results and errors only.
    #[arg(long, short, global = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,

    /// When to use colour; `NO_COLOR` is honoured.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        value_parser = color,
        help_heading = EVERYWHERE
    )]
    pub(crate) color: ColorChoice,

    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The optional parts that this program was built with, by the names of their features.
const FEATURES: &[&str] = &[
    #[cfg(feature = "mcp")]
    "mcp",
    #[cfg(feature = "tables")]
    "tables",
    #[cfg(feature = "sql")]
    "sql",
    #[cfg(feature = "stores")]
    "stores",
];

/// What a bug report needs: version, commit, features and platform.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let features = if FEATURES.is_empty() { "none".to_owned() } else { FEATURES.join(", ") };
    format!("{VERSION}\nfeatures: {features}\nbuilt for: {TARGET}")
});

/// All that can be typed.
pub(crate) fn command() -> clap::Command {
    with_help(without_empty_variables(Cli::command()))
}

/// Reads an empty variable as one that is not set, as a build server leaves it where an input or a
/// secret is missing.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
    let command = command.mut_args(|arg| match arg.get_env() {
        Some(name) if is_empty(name) => arg.env(None::<&str>),
        _ => arg,
    });
    command.mut_subcommands(without_empty_variables)
}

fn color(text: &str) -> Result<ColorChoice, String> {
    match text {
        "auto" => Ok(ColorChoice::Auto),
        "always" => Ok(ColorChoice::Always),
        "never" => Ok(ColorChoice::Never),
        _ => Err("use auto, always or never".to_owned()),
    }
}
