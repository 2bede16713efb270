//! States of things that are told by what they are and where: `the lamp in the living room is on`.

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::places::{is_in, places_in};
use super::sorts::kinds_of;
use super::state_claim::{STATES, StateWords};
use super::words::same_word;
use super::{Reply, loss};

/// Work that is told by the name of what does it: the charger is charging.
const WORK: [(&str, &str); 5] = [
    ("charging", "charger"),
    ("sprinkling", "sprinkler"),
    ("drying", "dryer"),
    ("purifying", "purifier"),
    ("printing", "printer"),
];

impl Reply {
    /// A state in which none of the things is that a clause tells by their kind and place, and work that
    /// nothing does.
    pub(super) fn wrong_of_a_kind_there(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let mut before: Vec<&WorldThing> = Vec::new();
        for clause in &self.clauses {
            let meant = self.kind_there(clause, context);
            let told = if meant.is_empty() && self.is_of_the_last(clause, context) {
                before.clone()
            } else {
                meant
            };
            let is_told = !clause.is_question
                && !self.is_conditional(clause)
                && !self.offers(clause)
                && !self.is_hedged(clause)
                && !self.is_limit(clause)
                && !self.is_planned(clause)
                && !self.is_partly(clause)
                && !self.is_aside(clause)
                && !self.has(clause, &super::LEXICON.old_value);
            let is_wrong = is_told
                && (self.is_wrong_of(clause, &told) || self.tells_of_idle_work(clause, context));
            if is_wrong {
                return Some(loss(Cause::FalseClaim, "what is so", self.quote(clause)));
            }
            before = told;
        }
        None
    }

    /// Whether a clause goes on about what the one before it told of.
    fn is_of_the_last(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let first = words.iter().find(|word| **word != "and");
        let goes_on = first.is_some_and(|word| matches!(*word, "it" | "they" | "which"));
        goes_on
            && self.things_named(clause, context).is_empty()
            && places_in(&words, context).is_empty()
    }

    /// The things of a noun in the one place that a clause names: of `the lamp in the hall is on` all
    /// lamps in the hall. None where it names a thing in full.
    fn kind_there<'c>(&self, clause: &Clause, context: &Context<'c>) -> Vec<&'c WorldThing> {
        if !self.things_named(clause, context).is_empty() {
            return Vec::new();
        }
        let words = self.texts_of(clause);
        let [place] = &places_in(&words, context)[..] else { return Vec::new() };
        let things = || context.named_things().map(|(thing, _)| thing);
        let is_of = |thing: &WorldThing, word: &str| {
            let ends = thing.name_words.iter().filter_map(|name| name.last());
            kinds_of(thing).iter().any(|kind| same_word(word, kind))
                || ends.into_iter().any(|end| end.len() > 2 && same_word(word, end))
        };
        let is_noun = |word: &&&str| {
            !place.iter().any(|own| own == **word)
                && !matches!(**word, "water" | "music" | "heating" | "door" | "lock")
                && things().any(|thing| is_of(thing, word))
        };
        let mut nouns = words.iter().filter(is_noun);
        let (Some(noun), None) = (nouns.next(), nouns.next()) else { return Vec::new() };
        things().filter(|thing| is_in(thing, place) && is_of(thing, noun)).collect()
    }

    /// Whether a clause tells a state in which none of these things is.
    fn is_wrong_of(&self, clause: &Clause, things: &[&WorldThing]) -> bool {
        let words = super::truth::without_prepositions(self.words_of(clause));
        let verb = words.iter().position(|word| {
            matches!(&*word.text, "is" | "are" | "stays" | "stay" | "remains" | "stands")
        });
        let Some(verb) = verb.filter(|_| !things.is_empty()) else { return false };
        let is_said =
            |said: &&StateWords| things.iter().all(|thing| said.is_said(&words[verb..], thing));
        let Some(said) = STATES.iter().find(is_said) else { return false };
        let Some(start) = said.start_in(&words[verb..]) else { return false };
        let denied = self.is_denied(clause, clause.words.start + verb + start);
        !things.iter().any(|thing| said.is_true_of(thing) != denied)
    }

    /// `It's plugged in and charging`, where the one charger there is is off.
    fn tells_of_idle_work(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let worked = WORK.iter().filter(|(work, _)| words.contains(work));
        let moves = |thing: &WorldThing| matches!(thing.kind(), "vacuum" | "lawn_mower");
        let of_mover = context.topic_things().iter().any(|thing| moves(thing))
            || self.things_named(clause, context).iter().any(|thing| moves(thing));
        let is_idle = |worker: &str| {
            let called = |thing: &WorldThing| {
                thing.name_words.iter().any(|name| name.last().is_some_and(|end| end == worker))
            };
            let mut own = context
                .named_things()
                .map(|(thing, _)| thing)
                .filter(|thing| called(thing))
                .peekable();
            own.peek().is_some() && own.all(|thing| thing.state == "off")
        };
        !of_mover
            && !self.has_denial(clause)
            && worked.into_iter().any(|(_, worker)| is_idle(worker))
    }
}
