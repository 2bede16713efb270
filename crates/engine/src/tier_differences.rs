//! Cases that are asked in several tiers: whether their answer does the same in each of them.
//!
//! An answer by area, floor or kind reaches more things in a larger home. That may be meant, or
//! an answer that nobody looked at again: `close the blinds` must not open the skylight that only
//! the larger home has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{Case, ResponseKind, Transcript};
use toolgauge_runner::play;
use toolgauge_score::rehearsals;
use toolgauge_world::World;

/// What a case says under `metadata` where its answer is meant to differ: the reason.
const DIFFERS: &str = "differs";

/// How many things are named.
const NAMED: usize = 6;

/// A complaint for each case whose answer differs from tier to tier without saying so, or that
/// says so and does not, with the position of the case.
pub(crate) fn complaints<'c>(
    cases: impl IntoIterator<Item = (usize, &'c Case)>,
    world: &dyn World,
) -> Vec<(usize, String)> {
    let mut groups: IndexMap<&str, Vec<(usize, &Case)>> = IndexMap::new();
    for (position, case) in cases {
        // Cases that share a group are one sentence asked in several tiers.
        if let Some((group, _)) = case.group.as_deref().zip(case.tags.get("tier")) {
            groups.entry(group).or_default().push((position, case));
        }
    }
    let several = groups.into_values().filter(|cases| cases.len() > 1);
    several.filter_map(|cases| Some((cases[0].0, complaint(&cases, world)?))).collect()
}

fn complaint(cases: &[(usize, &Case)], world: &dyn World) -> Option<String> {
    // A conversation of another wording, such as a dialogue, is no case that is asked again.
    let first = cases[0].1;
    if cases.iter().any(|(_, case)| case.input != first.input) {
        return None;
    }
    let effects: Vec<(&str, AnswerEffect)> = cases
        .iter()
        .filter_map(|(_, case)| {
            Some((case.tags.get("tier")?.as_str(), AnswerEffect::of(case, world)?))
        })
        .collect();
    let (tier, effect) = effects.first()?;
    let other = effects.iter().find(|(_, other)| other != effect);
    match (other, first.metadata.contains_key(DIFFERS)) {
        (Some((other_tier, other)), false) => Some(format!(
            "the answer does not do the same in `{tier}` and `{other_tier}`: {}; if that is \
             meant, say why by `metadata: {{{DIFFERS}: …}}`",
            effect.difference(other)
        )),
        (None, true) => {
            Some(format!("the answer does the same in every tier, and `{DIFFERS}` says otherwise"))
        }
        _ => None,
    }
}

/// What the first accepted answer of a case changes and, if it is a question, reads: by thing.
#[derive(PartialEq)]
struct AnswerEffect(BTreeMap<String, Value>);

impl AnswerEffect {
    fn of(case: &Case, world: &dyn World) -> Option<Self> {
        let calls = rehearsals(case, &Transcript::default()).into_iter().next()?;
        let played = play(world, case, &calls)?;
        let mut things = BTreeMap::new();
        if let Value::Object(changes) = Arc::unwrap_or_clone(played.changes) {
            things.extend(changes.into_iter().map(|(thing, change)| (thing, after(change))));
        }
        // What was looked at on the way to an act is no part of what it does.
        if case.expectation.response == Some(ResponseKind::Query) {
            let read = played.answers.iter().flat_map(|answer| items(&answer.content));
            things.extend(read.map(|item| (item, Value::Null)));
        }
        Some(Self(things))
    }

    /// The things that only one of two has, or that end otherwise.
    fn difference(&self, other: &Self) -> String {
        let all: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let differing = all.into_iter().filter(|thing| self.0.get(*thing) != other.0.get(*thing));
        let differing: Vec<String> = differing.map(|thing| format!("`{thing}`")).collect();
        let named = differing[..differing.len().min(NAMED)].join(", ");
        match differing.len().saturating_sub(NAMED) {
            0 => named,
            more => format!("{named} and {more} more"),
        }
    }
}

/// The values after a change, without those before it, which belong to the home.
fn after(change: Value) -> Value {
    match change {
        Value::Object(properties) => {
            properties.into_iter().map(|(name, change)| (name, after(change))).collect()
        }
        Value::Array(mut pair) if pair.len() == 2 => pair.pop().unwrap_or_default(),
        other => other,
    }
}

/// The things a look told of: the names in a list of them, or the whole answer.
fn items(content: &str) -> Vec<String> {
    let told = serde_json::from_str::<Value>(content).unwrap_or_default();
    match told.pointer("/data/result").and_then(Value::as_str) {
        // A list names the same things in another order or layout in another home.
        Some(list) if list.contains("\n- ") => list
            .split("\n- ")
            .skip(1)
            .map(|item| item.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect(),
        _ => vec![content.to_owned()],
    }
}
