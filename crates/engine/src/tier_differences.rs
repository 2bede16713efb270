//! Cases that are asked in several tiers: whether their answer does the same in each of them.
//!
//! An answer by area, floor or kind reaches more things in a larger home. That may be meant, or
//! an answer that nobody looked at again: `close the blinds` must not open the skylight that only
//! the larger home has. A number that an answer states must be what is looked up in each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{Case, ExpectedFact, ResponseKind, Transcript};
use toolgauge_runner::play;
use toolgauge_score::{Played, PlayedAnswer, rehearsals};
use toolgauge_world::World;

use crate::proofs::SearchableText;

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
    several
        .flat_map(|cases| {
            complaints_of(&cases, world).into_iter().map(move |why| (cases[0].0, why))
        })
        .collect()
}

fn complaints_of(cases: &[(usize, &Case)], world: &dyn World) -> Vec<String> {
    // A conversation of another wording, such as a dialogue, is no case that is asked again.
    let first = cases[0].1;
    if cases.iter().any(|(_, case)| case.input != first.input) {
        return Vec::new();
    }
    let mut numbers = StatedNumbers::default();
    let mut effects: Vec<(Vec<&str>, AnswerEffect)> = Vec::new();
    for (_, case) in cases {
        let Some(tier) = case.tags.get("tier") else { continue };
        let Some(played) = played(case, world) else { continue };
        numbers.note(tier, case, &played.answers);
        let effect = AnswerEffect::of(case, played);
        match effects.iter_mut().find(|(_, other)| *other == effect) {
            Some((tiers, _)) => tiers.push(tier),
            None => effects.push((vec![tier], effect)),
        }
    }
    let mut complaints = numbers.complaints();
    complaints.extend(difference(&effects, first.metadata.contains_key(DIFFERS)));
    complaints
}

/// What the first accepted answer of a case leads to.
fn played(case: &Case, world: &dyn World) -> Option<Played> {
    let calls = rehearsals(case, &Transcript::default()).into_iter().next()?;
    play(world, case, &calls)
}

/// What is wrong with these effects, each with the tiers that have it.
fn difference(effects: &[(Vec<&str>, AnswerEffect)], is_meant: bool) -> Option<String> {
    let ((first_tiers, first), others) = effects.split_first()?;
    match (others.is_empty(), is_meant) {
        (false, false) => {
            let first_tiers = named(first_tiers);
            let all: Vec<String> = others
                .iter()
                .map(|(tiers, other)| {
                    format!("in {first_tiers} and {}: {}", named(tiers), first.difference(other))
                })
                .collect();
            Some(format!(
                "the answer does not do the same {}; if that is meant, say why by `metadata: \
                 {{{DIFFERS}: …}}`",
                all.join("; nor ")
            ))
        }
        (true, true) => {
            Some(format!("the answer does the same in every tier, and `{DIFFERS}` says otherwise"))
        }
        _ => None,
    }
}

/// Tiers that do the same.
fn named(tiers: &[&str]) -> String {
    let tiers: Vec<String> = tiers.iter().map(|tier| format!("`{tier}`")).collect();
    tiers.join("/")
}

/// The numbers that the answers of one sentence state, with the tiers in which the look-ups of the
/// answer return them and those in which they do not.
#[derive(Default)]
struct StatedNumbers<'c>(Vec<(ReturnedIn<'c>, MissingIn<'c>)>);

/// The tiers in which a stated number is returned.
type ReturnedIn<'c> = Vec<&'c str>;

/// The tiers in which it is not, with what is stated there.
type MissingIn<'c> = Vec<(&'c str, f64)>;

impl<'c> StatedNumbers<'c> {
    fn note(&mut self, tier: &'c str, case: &'c Case, answers: &[PlayedAnswer]) {
        let facts = case.expectation.answer.as_deref().map_or(&[][..], |answer| &answer.facts);
        let numbers = facts.iter().filter_map(|fact| match fact {
            // None of something is told by its absence.
            ExpectedFact::Number { number, tolerance, .. } if *number != 0.0 => {
                Some((*number, *tolerance))
            }
            _ => None,
        });
        let mut texts = None;
        for (at, (number, tolerance)) in numbers.enumerate() {
            let texts: &Vec<SearchableText> = texts.get_or_insert_with(|| {
                answers.iter().map(|answer| SearchableText::new(&answer.content)).collect()
            });
            if self.0.len() <= at {
                self.0.push(<_>::default());
            }
            let (returned, missing) = &mut self.0[at];
            if texts.iter().any(|text| text.has_number(number, tolerance)) {
                returned.push(tier);
            } else {
                missing.push((tier, number));
            }
        }
    }

    /// A number that no home returns may have been counted or computed. One that some return must
    /// be right in all of them.
    fn complaints(self) -> Vec<String> {
        let doubtful = self.0.into_iter().filter(|(returned, _)| !returned.is_empty());
        let each = doubtful.flat_map(|(returned, missing)| {
            let returned = named(&returned);
            missing.into_iter().map(move |(tier, number)| {
                format!(
                    "the answer states {number}, which its calls return in {returned} and not in \
                     `{tier}`"
                )
            })
        });
        each.collect()
    }
}

/// What the first accepted answer of a case changes and, if it is a question, reads: by thing.
#[derive(PartialEq)]
struct AnswerEffect(BTreeMap<String, Value>);

impl AnswerEffect {
    fn of(case: &Case, played: Played) -> Self {
        let mut things = BTreeMap::new();
        if let Value::Object(changes) = Arc::unwrap_or_clone(played.changes) {
            things.extend(changes.into_iter().map(|(thing, change)| (thing, after(change))));
        }
        // What was looked at on the way to an act is no part of what it does.
        if case.expectation.response == Some(ResponseKind::Query) {
            let read = played.answers.iter().flat_map(|answer| items(&answer.content));
            things.extend(read.map(|item| (item, Value::Null)));
        }
        Self(things)
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
