//! Where suites come from: the disk, or the binary itself.

mod of_servers;

use std::path::Path;

use rust_embed::RustEmbed;
use serde_json::{Map, Value};
use toolgauge_core::Case;
use toolgauge_import::BfclQuestions;
use toolgauge_score::Scorer;
use toolgauge_suite::{EmbeddedFiles, Problems, Suite, SuiteSource, Surroundings};

use crate::error::EngineError;
use crate::{gold_check, worlds};

/// The suites that are shipped, as plain files.
#[derive(RustEmbed)]
#[folder = "../../suites"]
struct Shipped;

/// The suite that is run when none is named.
pub const DEFAULT: &str = "home-assistant";

/// The tier of it that is run then, so that the first look takes seconds.
pub const DEFAULT_TIER: &str = "small";

/// The names of the shipped suites, in order.
pub fn shipped() -> Vec<String> {
    let mut names: Vec<String> = Shipped::iter()
        .filter_map(|path| path.split_once('/').map(|(n, _)| n.to_owned()))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The files of a suite: of a path if there is one, of a shipped suite otherwise.
pub fn find(name: &str) -> Result<SuiteSource, EngineError> {
    // A folder here wins over a shipped suite, so that a changed copy can have the same name.
    if Path::new(name).exists() {
        return Ok(SuiteSource::Path(name.into()));
    }
    if let Some(made) = of_servers::find(name) {
        return made;
    }
    let inside = format!("{name}/");
    let files: EmbeddedFiles = Shipped::iter()
        .filter_map(|path| {
            let file = path.strip_prefix(&inside)?.to_owned();
            Some((file, Shipped::get(&path)?.data))
        })
        .collect();
    if files.is_empty() {
        return Err(EngineError::NoSuchSuite { name: name.to_owned(), shipped: shipped() });
    }
    Ok(SuiteSource::embedded(name, files))
}

/// The name of the suite that is made of the MCP servers in one file and the cases in another.
pub fn of_servers(servers: &Path, cases: &Path) -> String {
    of_servers::name(servers, cases)
}

/// The MCP servers of a file such as `.mcp.json`, by name, each to be started where the file is.
pub fn servers_of(file: &Path) -> Result<Value, EngineError> {
    of_servers::servers_of(file)
}

/// How the questions of BFCL are named: `bfcl:simple_python@FOLDER`.
const BFCL: &str = "bfcl:";

/// The name of a suite whose questions are in a folder: `bfcl:simple_python`, with the folder
/// behind it. Any other name stays as it is.
pub fn with_data(name: &str, folder: &Path) -> String {
    if is_questions(name) && !name.contains('@') {
        format!("{name}@{}", folder.display())
    } else {
        name.to_owned()
    }
}

/// Whether a suite is made of the questions of another tool.
pub(crate) fn is_questions(name: &str) -> bool {
    name.starts_with(BFCL)
}

/// The questions of another tool by that name, where it is one of theirs. They are not checked as
/// suites are: what is odd about them is theirs.
fn questions(name: &str) -> Option<Result<Suite, EngineError>> {
    let named = name.strip_prefix(BFCL)?;
    let Some((categories, folder)) = named.split_once('@') else {
        return Some(Err(EngineError::NoData { name: name.to_owned() }));
    };
    let found = BfclQuestions::read(categories, Path::new(folder));
    Some(found.map_err(EngineError::from).map(|found| {
        let scorers = vec![found.scorer.to_owned(), "tool_calls".to_owned()];
        let name = format!("{}-{}", found.suite, categories.replace(',', "-"));
        Suite::of_cases(name, scorers, found.shared_cases())
    }))
}

/// A suite that was read and found to make sense.
pub fn load(name: &str) -> Result<Suite, EngineError> {
    load_with(name, &Map::new())
}

/// A suite as it is written, without playing its answers: whoever measures scorers does not need
/// them to agree.
pub fn load_unchecked(name: &str) -> Result<Suite, EngineError> {
    let draft = toolgauge_suite::draft(&find(name)?);
    match draft.suite {
        Some(suite) if !draft.problems.has_errors() => Ok(suite),
        _ => Err(EngineError::BadSuite { name: name.to_owned(), problems: draft.problems }),
    }
}

/// A suite whose world was changed in some ways, read and found to make sense.
pub fn load_with(name: &str, world: &Map<String, Value>) -> Result<Suite, EngineError> {
    if let Some(questions) = questions(name) {
        return with_decoys(questions?, world);
    }
    // The program's own tests play the answers of the shipped suites, in their own worlds. Decoys
    // are no part of an answer.
    let source = find(name)?;
    let is_own_world = world.keys().all(|key| key == Case::DECOYS);
    let is_proved = !matches!(source, SuiteSource::Path(_)) && is_own_world;
    let (suite, problems) = examine_with(&source, world, !is_proved)?;
    match suite {
        Some(suite) if !problems.has_errors() => Ok(suite),
        _ => Err(EngineError::BadSuite { name: name.to_owned(), problems }),
    }
}

/// Questions of another tool, with decoys if some are asked for; nothing else can be changed.
fn with_decoys(mut suite: Suite, world: &Map<String, Value>) -> Result<Suite, EngineError> {
    let asked_for = world.get(Case::DECOYS).map(|counts| (Case::DECOYS.to_owned(), counts.clone()));
    suite.world.config.extend(asked_for);
    worlds::build(&suite, None)?;
    Ok(suite)
}

/// A suite whose world was changed in some ways, as far as it could be read, and everything that
/// is wrong with it.
pub fn examine(
    name: &str,
    world: &Map<String, Value>,
) -> Result<(Option<Suite>, Problems), EngineError> {
    if let Some(questions) = questions(name) {
        return Ok((Some(questions?), Problems::default()));
    }
    examine_with(&find(name)?, world, true)
}

fn examine_with(
    source: &SuiteSource,
    world: &Map<String, Value>,
    plays_answers: bool,
) -> Result<(Option<Suite>, Problems), EngineError> {
    let draft = toolgauge_suite::draft(source);
    let Some(mut suite) = draft.suite else { return Ok((None, draft.problems)) };
    // Kept before the world is changed, to see whether answers must be put into other words.
    let own_profile = suite.world.config.get("profile").cloned();
    suite.world.config.extend(world.clone());
    let is_own_profile = suite.world.config.get("profile") == own_profile.as_ref();
    let world = match worlds::build(&suite, None) {
        Ok(world) => world,
        // What is wrong with the files often is why the world cannot be built.
        Err(_) if draft.problems.has_errors() => return Ok((Some(suite), draft.problems)),
        Err(failure) => return Err(failure),
    };
    suite.cases = worlds::cases_of(&suite, None, &suite.cases, world.as_ref());
    // Answers that were put into other words were checked in their own.
    let is_other = suite.world.kind == worlds::HOME_ASSISTANT && !is_own_profile;
    if is_other && worlds::dialect::translate(&mut suite.cases, world.as_ref()) {
        return Ok((Some(suite), draft.problems));
    }
    let offered = |case: &Case| world.tools(case);
    let surroundings =
        Surroundings { offered: &offered, scorers: Scorer::names(), worlds: &worlds::KINDS };
    let problems = draft.problems.and(toolgauge_suite::check(&suite, &surroundings));
    let problems = problems.and(variant_worlds(&suite));
    // What is wrong on paper need not be tried.
    let tried = if problems.has_errors() || !plays_answers {
        Problems::default()
    } else {
        gold_check::check(&suite, world.as_ref())
    };
    let cautions = toolgauge_suite::cautions(&suite, &world.cautions());
    Ok((Some(suite), problems.and(tried).and(cautions)))
}

/// Variants whose worlds cannot be built, for example because a file of instructions is missing.
fn variant_worlds(suite: &Suite) -> Problems {
    let changed = suite.variants.iter().filter(|(_, variant)| !variant.world.is_empty());
    let found = changed.filter_map(|(name, _)| {
        let failure = worlds::build(suite, Some(name)).err()?;
        Some((name.as_str(), format!("the variant `{name}`: {failure}")))
    });
    toolgauge_suite::variant_complaints(suite, &found.collect::<Vec<_>>())
}
