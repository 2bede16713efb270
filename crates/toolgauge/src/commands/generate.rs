//! `toolgauge generate`: a fresh suite from a seed.

mod questions;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use toolgauge_home_assistant::Inventory;
use toolgauge_home_assistant::generate::{
    self, FEWEST_ENTITIES, HomeSuiteRequest, MADE_FOR_HOME, SuiteSize,
};
use toolgauge_home_import::HOME_FILE;
use toolgauge_report::number::counted;

use crate::ExitStatus;
use crate::failure::{Failure, TryFailure};
use crate::flags::at_least_one;
use crate::printer::Printer;
use crate::suites;

/// Make a fresh suite: requests to a home, or questions over your data.
///
/// The same seed gives the same suite. Every answer is played in the home, or proved by a query or a
/// passage, before the suite is reported as done. With `--home` the requests are for your own home.
/// `questions` asks a database and a folder of documents for counts, sums, look-ups, the highest and
/// lowest, what belongs to what, and what a document says; no model is needed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What kind of suite.
    #[arg(value_name = "KIND", required_unless_present = "home", conflicts_with = "home")]
    kind: Option<GeneratedSuite>,

    /// The database that questions are about: a SQLite file, or a file of SQL that makes one.
    #[arg(long, value_name = "FILE", conflicts_with = "home")]
    database: Option<PathBuf>,

    /// The folder of documents that questions are about.
    #[arg(long, value_name = "FOLDER", conflicts_with = "home")]
    documents: Option<PathBuf>,

    /// The folder of an imported home, to which cases for it are added.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["entities", "output"])]
    home: Option<PathBuf>,

    /// Which suite of its kind.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// How many devices the home has.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = entities)]
    entities: usize,

    /// How many requests or questions there are [default: 150 requests, 50 questions].
    #[arg(long = "count", alias = "cases", value_name = "N", value_parser = at_least_one)]
    cases: Option<usize>,

    /// Make variants of your home with so many exposed entities, and cases that fit all of them.
    #[arg(long, value_name = "N,N", value_delimiter = ',', requires = "home", value_parser = at_least_one)]
    expose: Vec<usize>,

    /// The folder to write, new or empty [default: `home-assistant-SEED` or `questions-SEED`].
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// What can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GeneratedSuite {
    /// Voice control of a home by Home Assistant.
    HomeAssistant,
    /// Golden questions over a database and documents.
    Questions,
}

/// How many requests are made unless somebody says.
const USUAL: usize = 150;

fn entities(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (FEWEST_ENTITIES..=5000).contains(&count) => Ok(count),
        _ => Err(format!("a home has {FEWEST_ENTITIES} to 5000 devices")),
    }
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    if let Some(home) = &args.home {
        return own_home(args, home, printer);
    }
    let has_data = args.database.is_some() || args.documents.is_some();
    match args.kind {
        Some(GeneratedSuite::Questions) if has_data => return questions::exec(args, printer),
        Some(GeneratedSuite::Questions) => return Err(Failure::NoDataToAsk),
        _ if has_data => return Err(Failure::DataForHome),
        _ => {}
    }
    let cases = args.cases.unwrap_or(USUAL);
    let size = SuiteSize { seed: args.seed, entities: args.entities, cases };
    let named = || PathBuf::from(format!("home-assistant-{}", args.seed));
    let folder = args.output.clone().unwrap_or_else(named);
    make_empty(&folder)?;
    for (name, text) in generate::suite_files(size) {
        let path = folder.join(name);
        toolgauge_log::replace_file(&path, text)?;
    }
    let shown = folder.display().to_string();
    let suite = suites::load(&shown)?;
    printer.print(&format!(
        "{shown}: {} in a home of {}; run it with `toolgauge run {shown}`\n",
        counted(suite.cases.len(), "case"),
        counted(args.entities, "device")
    ))?;
    Ok(ExitStatus::Done)
}

/// Makes a folder, unless there is one that holds something.
fn make_empty(folder: &Path) -> Result<(), Failure> {
    let has_content = folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if has_content {
        return Err(Failure::NotEmpty { folder: folder.to_owned() });
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, error))
}

/// Adds cases to an imported home. Files that were made before are made anew, and the sentences
/// that were changed in them are kept.
fn own_home(args: &Args, folder: &Path, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let inventory = Inventory::from_path(&folder.join(HOME_FILE)).map_err(TryFailure::from)?;
    let sentences = std::fs::read_to_string(folder.join("sentences.yaml")).ok();
    let name = folder.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_owned()));
    let name =
        name.map_or_else(|| "my-home".to_owned(), |name| suite_name(&name.to_string_lossy()));
    let request = HomeSuiteRequest {
        name: &name,
        seed: args.seed,
        cases: args.cases.unwrap_or(USUAL),
        exposures: &args.expose,
        sentences: sentences.as_deref(),
    };
    let made = generate::suite_for_home(&inventory, &request).map_err(TryFailure::from)?;
    // Every file is looked at before the first is written, so that a refusal leaves none behind.
    for (file, _) in made.files.iter().filter(|(file, _)| *file != "sentences.yaml") {
        let path = folder.join(file);
        let is_own =
            std::fs::read_to_string(&path).is_ok_and(|old| !old.starts_with(MADE_FOR_HOME));
        if is_own {
            return Err(Failure::NotMade { path });
        }
    }
    for (file, text) in &made.files {
        toolgauge_log::replace_file(&folder.join(file), text)?;
    }
    let shown = folder.display().to_string();
    let suite = suites::load(&shown)?;
    printer.print(&format!(
        "{shown}: {}, each played in this home; change the words in {shown}/sentences.yaml, \
         run it with `toolgauge run {shown}`\n",
        counted(suite.cases.len(), "case"),
    ))?;
    if !args.expose.is_empty() {
        let variants: Vec<&str> = suite.variants.keys().map(String::as_str).collect();
        printer.note(format!("variants to run side by side: --variant {}", variants.join(",")));
    }
    if made.cases < request.cases && made.reworded == 0 {
        printer.note(format!("the home gives no more than {} different cases", made.cases));
    }
    if let Some(first) = made.unused.first() {
        let cases = if made.unused.len() == 1 { "a case" } else { "cases" };
        printer.note(format!(
            "sentences.yaml keeps your words for {cases} that this suite does not have, such as \
             `{first}`"
        ));
    }
    if inventory.version().is_some_and(is_unprefixed) {
        printer.note("the home is measured with the prompts and tools of 2026.10".to_owned());
    }
    Ok(ExitStatus::Done)
}

/// Whether a version has the tools of the earlier profile, without the names of integrations.
fn is_unprefixed(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
    (parts.next(), parts.next()) < (Some(2026), Some(9))
}

/// A name that suites may have.
fn suite_name(folder: &str) -> String {
    let name: String = folder
        .to_lowercase()
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect();
    match name.trim_matches('-') {
        "" => "my-home".to_owned(),
        name => name.to_owned(),
    }
}
