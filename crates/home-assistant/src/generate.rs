//! Fresh homes and cases from a seed, so that no model can have seen them.
//!
//! The same seed gives the same suite, byte for byte, on any machine: random numbers come
//! from one fixed generator, and nothing is hashed.

mod acts;
mod answers;
mod calls;
mod draft;
mod home;
mod maker;
mod own_home;
mod proof;
mod sentences;
mod vocabulary;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use self::draft::CaseDraft;
use self::home::GeneratedHome;
use self::maker::{CaseMaker, Recipe};
use self::proof::Proof;
use self::sentences::Sentences;
use crate::inventory::{Inventory, InventoryError};
use crate::world::SettingError;

/// The fewest entities a home needs to have something of every kind.
pub const FEWEST_ENTITIES: usize = 24;

/// How large a suite is to be, and which one.
#[derive(Clone, Copy, Debug)]
pub struct SuiteSize {
    /// Which one.
    pub seed: u64,
    /// How many entities the home has, at least [`FEWEST_ENTITIES`].
    pub entities: usize,
    /// How many cases are to be made.
    pub cases: usize,
}

/// The files of a fresh Home Assistant suite, by name.
pub fn suite_files(size: SuiteSize) -> Vec<(&'static str, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(size.seed);
    let home = GeneratedHome::build(&mut random, size.entities);
    let cases = cases(CaseMaker::new(&mut random, &home), size.cases);
    vec![
        ("suite.yaml", suite(size)),
        ("home.yaml", home.to_yaml()),
        ("cases.yaml", flow_list(&cases)),
    ]
}

/// The comment with which every file begins that is made for somebody's own home.
pub const MADE_FOR_HOME: &str = "# Made by `toolgauge generate --home`";

/// What suite is to be made for somebody's own home.
#[derive(Clone, Copy, Debug)]
pub struct HomeSuiteRequest<'r> {
    /// The name of the suite.
    pub name: &'r str,
    /// Which cases are drawn.
    pub seed: u64,
    /// How many cases there are at most.
    pub cases: usize,
    /// With how many exposed entities the home is to be run beside all of them.
    pub exposures: &'r [usize],
    /// The page of sentences that an earlier suite came with, as people changed it.
    pub sentences: Option<&'r str>,
}

/// A suite for somebody's own home.
#[derive(Clone, Debug)]
pub struct HomeSuite {
    /// Its files by name; the inventory is not among them.
    pub files: Vec<(&'static str, String)>,
    /// How many cases are in its files.
    pub cases: usize,
    /// How many have the words that people chose, or were left out by them.
    pub reworded: usize,
    /// Cases that people chose words for and that are not made. The words stay on the page.
    pub unused: Vec<String>,
}

/// Why no suite can be made for a home.
#[derive(Debug, thiserror::Error)]
pub enum HomeSuiteError {
    /// The page of sentences cannot be read.
    #[error(transparent)]
    Sentences(#[from] InventoryError),
    /// The home cannot be spoken to.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// Makes cases for a home. Every case is played in it first, and kept only if its calls are
/// accepted and do something.
pub fn suite_for_home(
    inventory: &Arc<Inventory>,
    request: &HomeSuiteRequest<'_>,
) -> Result<HomeSuite, HomeSuiteError> {
    let mut home = GeneratedHome::of_inventory(inventory);
    let satellite = home.speakers.first().map(|speaker| speaker.name.clone());
    let mut proofs = vec![Proof::new(inventory, satellite.clone())?];
    for smaller in smaller_homes(inventory, request.exposures) {
        // Every size gets the same cases: nobody asks for what one of them does not expose.
        let hidden = |id: &str| {
            let exposed = |home: &Inventory| home.entity(id).is_some_and(|entity| entity.exposed);
            exposed(inventory) && !exposed(&smaller)
        };
        home.devices.retain(|device| !hidden(&device.id));
        proofs.push(Proof::new(&smaller, satellite.clone())?);
    }
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let mut cases = proved_cases(CaseMaker::new(&mut random, &home), &proofs, request.cases);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let made: Vec<_> = cases.iter().map(|case| (text(&case["id"]), text(&case["say"]))).collect();
    let (reworded, unused) = match request.sentences {
        Some(page) => Sentences::read("sentences.yaml", page)?.apply(&mut cases),
        None => (0, vec![]),
    };
    let head = format!("{MADE_FOR_HOME}; `sentences.yaml` is the file to edit.\n");
    let files = vec![
        ("suite.yaml", head.clone() + &home_suite(request, inventory, satellite.as_deref())),
        ("cases.yaml", head + &flow_list(&cases)),
        ("sentences.yaml", sentences::page(&made, &cases, &unused)),
    ];
    let unused = unused.into_iter().map(|((id, _), _)| id).collect();
    Ok(HomeSuite { files, cases: cases.len(), reworded, unused })
}

/// The home with fewer entities exposed, once for each size that is smaller than it.
fn smaller_homes(inventory: &Inventory, sizes: &[usize]) -> Vec<Arc<Inventory>> {
    let smaller = sizes.iter().filter(|&&size| size < inventory.exposed_count());
    smaller.map(|&size| Arc::new(inventory.exposing(size))).collect()
}

/// Cases that hold in the home, each said once. A small home gives fewer than asked for.
fn proved_cases(mut maker: CaseMaker<'_>, proofs: &[Proof], count: usize) -> Vec<Value> {
    let recipes: Vec<Recipe> = acts::RECIPES.iter().chain(answers::RECIPES).copied().collect();
    let mut said = BTreeSet::new();
    let mut cases = Vec::with_capacity(count);
    // A home of few things must not fill up with what can be asked for in any.
    let most = (count / 10).max(3);
    let mut kept: BTreeMap<&str, usize> = BTreeMap::new();
    // A small home may never give so many cases, so that the attempts are counted.
    for attempt in 0..40 * count {
        if cases.len() == count {
            break;
        }
        let (phenomenon, recipe) = recipes[attempt % recipes.len()];
        if kept.get(phenomenon).is_some_and(|&kept| kept >= most) {
            continue;
        }
        let holds = |draft: &CaseDraft| proofs.iter().all(|proof| proof.holds(draft));
        let Some(draft) = recipe(&mut maker).filter(holds) else { continue };
        if said.insert(draft.say.to_lowercase()) {
            *kept.entry(phenomenon).or_default() += 1;
            cases.push(draft.finish(cases.len() + 1, phenomenon));
        }
    }
    cases
}

fn home_suite(
    request: &HomeSuiteRequest<'_>,
    inventory: &Inventory,
    satellite: Option<&str>,
) -> String {
    let satellite = satellite.map(|name| format!(", satellite: {}", json!(name)));
    format!(
        "name: {}\n\
         description: Requests in somebody's own home, made from seed {}\n\n\
         world: {{kind: home_assistant, profile: \"2026.10\", inventory: home.yaml{}}}\n\
         solver: {{kind: loop, max_turns: 10}}\n\
         scorers: [end_state, tool_calls, wire]\n\
         rules: {{text: loose, lists: set}}\n\
         latency_budget: 3\n\
         cases: cases.yaml\n{}",
        request.name,
        request.seed,
        satellite.unwrap_or_default(),
        variants(request.exposures, inventory.exposed_count()),
    )
}

/// A variant for each number of exposed entities, and one for all of them.
fn variants(sizes: &[usize], all: usize) -> String {
    if sizes.is_empty() {
        return String::new();
    }
    let sizes: BTreeSet<usize> = sizes.iter().copied().filter(|&size| size < all).collect();
    let line = |size: usize| format!("  expose-{size}: {{world: {{expose: {size}}}}}\n");
    let lines: String = sizes.into_iter().chain([all]).map(line).collect();
    format!("\nvariants:\n{lines}")
}

/// So many cases, the phenomena taking turns. What was said before is said again only when
/// the home gives no more.
fn cases(mut maker: CaseMaker<'_>, count: usize) -> Vec<Value> {
    let recipes: Vec<Recipe> = acts::RECIPES.iter().chain(answers::RECIPES).copied().collect();
    let mut said = BTreeSet::new();
    let mut cases = Vec::with_capacity(count);
    let mut attempts = 0;
    while cases.len() < count {
        let (phenomenon, recipe) = recipes[attempts % recipes.len()];
        attempts += 1;
        let Some(draft) = recipe(&mut maker) else { continue };
        if said.insert(draft.say.to_lowercase()) || attempts > 50 * count {
            cases.push(draft.finish(cases.len() + 1, phenomenon));
        }
    }
    cases
}

fn suite(size: SuiteSize) -> String {
    let SuiteSize { seed, entities, cases } = size;
    format!(
        "# Made by `toolgauge generate home-assistant --seed {seed} --entities {entities} --count \
         {cases}`.\n\n\
         name: home-assistant-{seed}\n\
         description: A home of {entities} devices and {cases} requests, made from seed {seed}\n\n\
         world: {{kind: home_assistant, profile: \"2026.10\", inventory: home.yaml, satellite: hub}}\n\
         solver: {{kind: loop, max_turns: 10}}\n\
         scorers: [end_state, tool_calls, wire]\n\
         rules: {{text: loose, lists: set}}\n\
         latency_budget: 3\n\
         cases: cases.yaml\n"
    )
}

/// A list with one JSON item a line, which is YAML too.
fn flow_list(items: &[Value]) -> String {
    let mut text = String::new();
    for item in items {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- {item}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(seed: u64, entities: usize) -> Vec<(&'static str, String)> {
        suite_files(SuiteSize { seed, entities, cases: 120 })
    }

    #[test]
    fn a_seed_gives_the_same_suite_and_another_gives_another() {
        assert_eq!(files(7, 40), files(7, 40));
        assert_ne!(files(7, 40), files(8, 40));
    }

    #[test]
    fn a_home_has_the_size_that_was_asked_for() {
        for entities in [FEWEST_ENTITIES, 90, 600] {
            let home = &files(1, entities)[1].1;
            assert_eq!(home.matches("\"entity_id\"").count(), entities);
        }
    }

    #[test]
    fn cases_are_as_many_as_asked_for_and_all_different() {
        let cases = &files(3, 60)[2].1;
        let said: BTreeSet<&str> = cases
            .lines()
            .filter_map(|line| line.split("\"say\":\"").nth(1)?.split('"').next())
            .collect();
        assert_eq!(cases.lines().count(), 120);
        assert!(said.len() >= 118, "{}", said.len());
    }
}
