//! Causes that a reply gives for how things are, which a home does not tell.

use toolgauge_core::{Cause, Loss};

use super::context::Context;
use super::sorts::kinds_of;
use super::words::phrase_at;
use super::{Reply, loss};

/// Words behind which a cause is told.
const MARKERS: [&[&str]; 8] = [
    &["because"],
    &["due", "to"],
    &["thanks", "to"],
    &["comes", "from"],
    &["caused", "by"],
    &["down", "to", "the"],
    &["the", "reason", "is"],
    &["as", "a", "result", "of"],
];

/// Words of a cause that is told of the same things: `because it is warmer there`.
const OF_THE_SAME: [&str; 20] = [
    "i",
    "you",
    "no",
    "not",
    "nothing",
    "warmer",
    "colder",
    "cooler",
    "above",
    "below",
    "than",
    "already",
    "only",
    "off",
    "on",
    "unavailable",
    "offline",
    "still",
    "both",
    "none",
];

impl Reply {
    /// A cause in which nothing is named that the home has and no value: `because the sun was out all
    /// day`.
    pub(super) fn unknown_cause(&self, context: &Context<'_>) -> Option<Loss> {
        let is_of_a_home = !context.topic_things().is_empty()
            || context.returned_texts().any(|text| !text.trim().is_empty());
        if context.things.is_empty() || !is_of_a_home {
            return None;
        }
        let is_known = |word: &str| {
            let is_long = word.len() > 2 && !super::plain_words::is_function_word(word);
            let is_asked = || context.question.iter().any(|asked| asked == word);
            let is_named = || {
                context.named_things().any(|(thing, names)| {
                    names.iter().flatten().any(|name| super::words::same_word(word, name))
                        || kinds_of(thing).iter().any(|kind| super::words::same_word(word, kind))
                })
            };
            word.starts_with(|c: char| c.is_ascii_digit())
                || OF_THE_SAME.contains(&word)
                || is_long && (is_asked() || is_named())
        };
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let cause = MARKERS.iter().find_map(|marker| {
                let at = phrase_at(&words, marker)?;
                Some(&words[at + marker.len()..])
            });
            let is_value = self
                .numbers()
                .iter()
                .any(|said| clause.place.contains(&said.place.start) && said.value.unit.is_some());
            !clause.is_question
                && !self.is_conditional(clause)
                && !self.is_hedged(clause)
                && !is_value
                && cause.is_some_and(|cause| {
                    !cause.is_empty() && !cause.iter().any(|word| is_known(word))
                })
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", self.quote(clause)))
    }
}
