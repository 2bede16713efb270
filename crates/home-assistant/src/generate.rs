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
mod vocabulary;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use self::home::Home;
use self::maker::{Maker, Recipe};

/// The fewest entities a home needs to have something of every kind.
pub const FEWEST_ENTITIES: usize = 24;

/// How large a suite is to be, and which one.
#[derive(Clone, Copy, Debug)]
pub struct SuiteSize {
    /// Which one.
    pub seed: u64,
    /// How many entities the home has, at least [`FEWEST_ENTITIES`].
    pub entities: usize,
    /// How many cases there are.
    pub cases: usize,
}

/// The files of a fresh Home Assistant suite, by name.
pub fn suite_files(size: SuiteSize) -> Vec<(&'static str, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(size.seed);
    let home = Home::build(&mut random, size.entities);
    let cases = cases(Maker::new(&mut random, &home), size.cases);
    vec![
        ("suite.yaml", suite(size)),
        ("home.yaml", home.to_yaml()),
        ("cases.yaml", flow_list(&cases)),
    ]
}

/// So many cases, the phenomena taking turns. What was said before is said again only when
/// the home gives no more.
fn cases(mut maker: Maker<'_>, count: usize) -> Vec<Value> {
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
        "# Made by `toolgauge generate home-assistant --seed {seed} --entities {entities} --cases \
         {cases}`.\n\n\
         name: home-assistant-{seed}\n\
         description: A home of {entities} devices and {cases} requests, made from seed {seed}\n\n\
         world: {{kind: home_assistant, profile: \"2026.10\", inventory: home.yaml, satellite: hub}}\n\
         solver: {{kind: loop, max_turns: 10}}\n\
         scorers: [end_state, tool_calls, wire]\n\
         rules: {{text: loose, lists: set}}\n\
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
