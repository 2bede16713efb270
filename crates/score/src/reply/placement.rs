//! Where a reply says things are: whether the world has such a thing there.

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::sorts::{KINDS, kinds_of};
use super::{Reply, loss};

impl Reply {
    /// A thing said to be where there is none: `the television is in the bedroom`, `the lounge
    /// window is open`.
    pub(super) fn misplaced_thing(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let places = context.place_words();
        let mut clauses = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let wrong = clauses.find(|clause| self.is_misplaced(clause, places, context))?;
        Some(loss(Cause::FalseClaim, "where things are", self.quote(wrong)))
    }

    fn is_misplaced(&self, clause: &Clause, places: &[Vec<String>], context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let Some((start, end)) = only_place(&words, places) else { return false };
        let place = &words[start..end];
        let is_there = |thing: &WorldThing| {
            thing.all_place_names().any(|name| WorldThing::words_of(name) == place)
        };
        let leads = |back: usize| start.checked_sub(back).map_or("", |at| words[at]);
        let is_told_of = matches!(leads(1), "in" | "on" | "at")
            || leads(1) == "the" && matches!(leads(2), "in" | "on" | "at");
        let named = self.things_named(clause, context);
        // In `the bedroom radiator` the room is a part of the name.
        let holds_place = |thing: &&WorldThing| {
            thing.name_words.iter().any(|name| name.windows(place.len()).any(|w| w == place))
        };
        // In a gym, `a television` is the gym's own, though another is called so.
        let is_called_alike = |other: &WorldThing| {
            let names = named.iter().flat_map(|thing| &thing.name_words);
            let mut kinds = names.filter_map(|name| name.last());
            kinds.any(|kind| other.name_words.iter().any(|name| name.contains(kind)))
        };
        if !named.is_empty() {
            return is_told_of
                && !named.iter().any(holds_place)
                && !context.things.iter().any(|other| is_there(other) && is_called_alike(other));
        }
        let is_kind = |word: &str, kind: &str| {
            (word == kind || word.strip_suffix('s') == Some(kind)) && !KINDS.unlisted.contains(kind)
        };
        let is_of =
            |thing: &WorldThing, word: &str| kinds_of(thing).iter().any(|kind| is_kind(word, kind));
        let is_called = |thing: &WorldThing, word: &str| {
            thing.name_words.iter().flatten().any(|name| is_kind(word, name))
        };
        let known_kind = |word: &&&str| context.things.iter().any(|thing| is_of(thing, word));
        // `The lounge window`, or `a television … in the bedroom`.
        let behind = words.get(end).into_iter();
        let before = words[..start].iter().filter(|_| is_told_of);
        let kind = behind.chain(before).find(known_kind);
        kind.is_some_and(|kind| {
            let fits = |thing: &WorldThing| is_of(thing, kind) || is_called(thing, kind);
            !context.things.iter().any(|thing| fits(thing) && is_there(thing))
        })
    }

    /// Whether every thing that a clause names is elsewhere than the place of the question.
    pub(super) fn names_things_elsewhere(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let named = self.things_named(clause, context);
        let asked: Vec<&str> = context.question.iter().map(String::as_str).collect();
        let said = self.texts_of(clause);
        let places = context.place_words();
        let Some((start, end)) = only_place(&asked, places) else { return false };
        let place = &asked[start..end];
        let is_there = |thing: &&WorldThing| {
            thing.all_place_names().any(|name| WorldThing::words_of(name) == place)
        };
        // `The only one is the ceiling fan in the bedroom` tells where it is.
        !named.is_empty() && only_place(&said, places).is_none() && !named.iter().any(is_there)
    }
}

/// Where the one place that words name stands; of two nobody can tell which is meant.
fn only_place(words: &[&str], places: &[Vec<String>]) -> Option<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for place in places.iter().filter(|place| !place.is_empty() && place.len() <= words.len()) {
        for at in 0..=words.len() - place.len() {
            let same = words[at..at + place.len()].iter().zip(place).all(|(word, own)| word == own);
            if same && !found.contains(&(at, at + place.len())) {
                found.push((at, at + place.len()));
            }
        }
    }
    let is_within = |one: &(usize, usize)| {
        found.iter().any(|other| other != one && other.0 <= one.0 && one.1 <= other.1)
    };
    let mut whole = found.iter().filter(|one| !is_within(one));
    match (whole.next(), whole.next()) {
        (Some(place), None) => Some(*place),
        _ => None,
    }
}
