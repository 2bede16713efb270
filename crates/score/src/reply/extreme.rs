//! What a report tells of the limits of a thing: `at 30 percent, its top speed`.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::{Reply, loss};

/// Words for the most and for the least of something, in front of what can be set.
const MOST: [&str; 11] = [
    "top",
    "highest",
    "maximum",
    "max",
    "fastest",
    "loudest",
    "brightest",
    "hottest",
    "warmest",
    "strongest",
    "full",
];
const LEAST: [&str; 10] = [
    "lowest", "bottom", "minimum", "min", "slowest", "quietest", "dimmest", "coolest", "coldest",
    "weakest",
];

/// What can be set.
const SETTABLE: [&str; 9] = [
    "setting",
    "level",
    "speed",
    "volume",
    "brightness",
    "temperature",
    "position",
    "step",
    "stage",
];

/// Words for more and for less of something, behind `cannot go any`.
const MORE: [&str; 7] = ["higher", "faster", "louder", "brighter", "warmer", "hotter", "further"];
const LESS: [&str; 7] = ["lower", "slower", "quieter", "dimmer", "darker", "cooler", "colder"];

impl Reply {
    /// A level that is called the highest or the lowest there is, and is not.
    pub(super) fn wrong_limit(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let is_told = !clause.is_question && !self.is_conditional(clause);
            is_told && self.named_limit(clause).is_some_and(|most| !context.is_at_limit(most))
        })?;
        Some(loss(Cause::FalseClaim, "the level that was set", self.quote(clause)))
    }

    /// Whether a clause says that something is at its highest (true) or lowest level.
    fn named_limit(&self, clause: &Clause) -> Option<bool> {
        let words = self.texts_of(clause);
        let text = |at: usize| words.get(at).copied().unwrap_or_default();
        let is_part = |at: usize| {
            words[..at].iter().rev().take(3).any(|word| matches!(*word, "of" | "below" | "from"))
        };
        (0..words.len()).find_map(|at| {
            let word = text(at);
            let is_level = SETTABLE.contains(&text(at + 1))
                || text(at + 1) == "possible" && SETTABLE.contains(&text(at + 2))
                || at > 0
                    && text(at - 1) == "the"
                    && at + 1 == words.len()
                    && word.ends_with("imum");
            if is_level && !self.has_denial(clause) && !is_part(at) {
                return limit_of(word, &MOST, &LEAST);
            }
            // `It can't go any higher.`
            let is_any = at > 1 && text(at - 1) == "any" && self.has_denial(clause);
            is_any.then(|| limit_of(word, &MORE, &LESS)).flatten()
        })
    }
}

/// Whether a word is one of those for the most (true) or for the least.
fn limit_of(word: &str, most: &[&str], least: &[&str]) -> Option<bool> {
    match (most.contains(&word), least.contains(&word)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

impl Context<'_> {
    /// Whether any thing of the request is at the end of one of its levels, or may be, as what it is
    /// at is not told.
    fn is_at_limit(&self, most: bool) -> bool {
        let asked = |word: &str| self.request().iter().any(|own| own == word);
        let is_asked = if most {
            MOST.iter().any(|word| asked(word))
        } else {
            LEAST.iter().any(|word| asked(word))
        };
        let things = self.touched_things();
        is_asked
            || self.things.is_empty()
            || things
                .iter()
                .any(|thing| level_ends(thing).iter().any(|at| if most { at.1 } else { at.0 }))
    }
}

/// By level of a thing, whether it is at the low and at the high end.
fn level_ends(thing: &WorldThing) -> Vec<(bool, bool)> {
    let number = |name: &str| thing.attributes.get(name).and_then(Value::as_f64);
    let whole = ["brightness", "volume_level", "percentage", "current_position"];
    let shares =
        whole.iter().filter_map(|name| Some(super::detail::told_value(name, number(name)?)));
    let mut ends: Vec<(bool, bool)> = shares.map(|share| (share <= 10.0, share >= 90.0)).collect();
    let bounded =
        [("temperature", "min_temp", "max_temp"), ("humidity", "min_humidity", "max_humidity")];
    ends.extend(bounded.iter().filter_map(|(name, least, most)| {
        let value = number(name)?;
        let near = |end: &str| number(end).is_some_and(|end| (end - value).abs() < 0.6);
        Some((near(least), near(most)))
    }));
    ends
}
