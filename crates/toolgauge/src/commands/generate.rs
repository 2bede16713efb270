//! `toolgauge generate`: a fresh suite from a seed.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::suites;
use toolgauge_home_assistant::generate::{self, FEWEST_ENTITIES, SuiteSize};

/// Make a fresh suite, with a home and requests no model can have seen.
///
/// The same seed gives the same suite. Every answer is played in the home before the suite is
/// reported as done.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What kind of suite.
    #[arg(value_name = "KIND")]
    kind: Kind,

    /// Which suite of its kind.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How many devices the home has.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = entities)]
    entities: usize,

    /// How many requests there are.
    #[arg(long, value_name = "N", default_value_t = 150)]
    cases: usize,

    /// The folder to write, new or empty [default: `home-assistant-SEED`].
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// What can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Voice control of a home by Home Assistant.
    HomeAssistant,
}

fn entities(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (FEWEST_ENTITIES..=5000).contains(&count) => Ok(count),
        _ => Err(format!("a home has {FEWEST_ENTITIES} to 5000 devices")),
    }
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let Kind::HomeAssistant = args.kind;
    let size = SuiteSize { seed: args.seed, entities: args.entities, cases: args.cases };
    let named = || PathBuf::from(format!("home-assistant-{}", args.seed));
    let folder = args.output.clone().unwrap_or_else(named);
    let has_content = folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if has_content {
        return Err(Failure::NotEmpty { folder });
    }
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, error))?;
    for (name, text) in generate::suite_files(size) {
        let path = folder.join(name);
        toolgauge_log::replace_file(&path, text)?;
    }
    let shown = folder.display().to_string();
    let suite = suites::load(&shown)?;
    printer.print(&format!(
        "{shown}: {} cases in a home of {} devices; run it with `toolgauge run {shown}`\n",
        suite.cases.len(),
        args.entities
    ))?;
    Ok(ExitStatus::Done)
}
