//! Counts of the things there are: `three corner lamps` where there are two.

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::places::{is_in, places_in};
use super::plain_words::is_function_word;
use super::sorts::kinds_of;
use super::words::same_word;
use super::{Reply, loss};

impl Reply {
    /// A count that is more than there is.
    pub(super) fn counts_too_many(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            !clause.is_question
                && !self.has_denial(clause)
                && !self.is_conditional(clause)
                && (self.counts_more_than_there_are(clause, context)
                    || self.miscounts_a_list(clause, context))
        })?;
        Some(loss(Cause::FalseClaim, "as many as there are", self.quote(clause)))
    }

    /// `There are four things on it`, where there are three.
    fn miscounts_a_list(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let [list] = context.topic_things() else { return false };
        let Some(items) = list.state.parse::<f64>().ok().filter(|_| list.kind() == "todo") else {
            return false;
        };
        let mut told = self.numbers_in(clause);
        told.any(|said| {
            let noun = self.word_behind(&said.place);
            matches!(noun, "things" | "items" | "entries" | "tasks" | "chores")
                && (items - said.value.value).abs() > 0.5
        })
    }

    fn counts_more_than_there_are(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let places = places_in(&words, context);
        let told = self.numbers_in(clause);
        told.filter(|said| said.value.unit.is_none() && (2.0..20.0).contains(&said.value.value))
            .any(|said| {
                let at = self.word_at(said.place.end);
                let behind = at.saturating_sub(clause.words.start).min(words.len());
                let behind = &words[behind..];
                let counted = match counted_things(behind, context) {
                    Some(things) => things,
                    None if asks_for_things(context) && counts_what_was_asked(behind) => {
                        of_noun(&asked(context), context)
                    }
                    None => return false,
                };
                let place = if places.is_empty() {
                    places_in(&asked(context), context)
                } else {
                    places.clone()
                };
                let is_there = |thing: &&WorldThing| {
                    place.is_empty() || place.iter().any(|place| is_in(thing, place))
                };
                let count = counted.into_iter().filter(is_there).count();
                u32::try_from(count)
                    .is_ok_and(|count| count > 0 && said.value.value > f64::from(count))
            })
    }
}

fn asked<'c>(context: &'c Context<'_>) -> Vec<&'c str> {
    context.question.iter().map(String::as_str).collect()
}

/// Whether the request asks if there is something, or how much of it.
fn asks_for_things(context: &Context<'_>) -> bool {
    let how_many = context.question.windows(2).any(|pair| pair[0] == "how" && pair[1] == "many");
    how_many || context.asks_for_existence()
}

/// Whether a number stands for things of the sort that was asked for: `two of them`, `two: ...`.
fn counts_what_was_asked(behind: &[&str]) -> bool {
    matches!(
        behind,
        [] | ["of", "them" | "those", ..] | ["in" | "on", "the", ..] | ["there" | "here"]
    )
}

/// The things of the noun behind a number, with all that stands between them in their names.
fn counted_things<'c>(behind: &[&str], context: &Context<'c>) -> Option<Vec<&'c WorldThing>> {
    let (at, things) = behind.iter().take(4).enumerate().find_map(|(at, word)| {
        let things = of_noun(&[word], context);
        (word.ends_with('s') && !things.is_empty()).then_some((at, things))
    })?;
    let has = |thing: &WorldThing, word: &str| {
        let names = thing.name_words.iter().flatten().cloned();
        let places = thing.all_place_names().flat_map(|name| WorldThing::words_of(name));
        names.chain(places).any(|own| same_word(word, &own))
    };
    // `Reading lamps` are lamps of this name before they are those of the reading room.
    let in_name = |thing: &WorldThing, word: &str| {
        thing.name_words.iter().flatten().any(|own| same_word(word, own))
    };
    let between = &behind[..at];
    // Words between them that no name holds, as in `two bright lights`, tell nothing apart.
    let known = |word: &&&str| things.iter().any(|thing| has(thing, word));
    let tells = between.iter().filter(known).collect::<Vec<_>>();
    let by_name: Vec<&WorldThing> = things
        .iter()
        .copied()
        .filter(|thing| tells.iter().all(|word| in_name(thing, word)))
        .collect();
    if !by_name.is_empty() {
        return Some(by_name);
    }
    Some(things.iter().copied().filter(|thing| tells.iter().all(|word| has(thing, word))).collect())
}

/// The things that one of the words is a noun for.
fn of_noun<'c>(words: &[&str], context: &Context<'c>) -> Vec<&'c WorldThing> {
    let says = |name: &str| words.iter().any(|word| same_word(word, name));
    let is_meant = |thing: &&WorldThing| {
        let mut ends = thing.name_words.iter().filter_map(|words| words.last());
        ends.any(|word| word.len() > 2 && !is_function_word(word) && says(word))
            || kinds_of(thing).iter().any(|kind| says(kind))
    };
    context.named_things().map(|(thing, _)| thing).filter(is_meant).collect()
}
