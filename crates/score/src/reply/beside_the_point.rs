//! Clauses of an answer that speak of another thing or place than the question.

use toolgauge_core::WorldThing;

use super::Reply;
use super::clause::Clause;
use super::context::Context;
use super::places::{is_in, places_in};
use super::sorts::kinds_of;

impl Reply {
    /// Whether a clause speaks of another thing than the request.
    pub(super) fn is_beside_the_point(&self, clause: &Clause, context: &Context<'_>) -> bool {
        if self.is_of_other_side(clause, context) || self.is_of_another_place(clause, context) {
            return true;
        }
        let named = self.things_told(clause, context);
        if named.is_empty() {
            return self.is_of_another_noun(clause, context);
        }
        let is_asked =
            |thing: &&WorldThing| context.topic_things().iter().any(|own| own.id == thing.id);
        // `The back door is locked` tells of another door than the front door.
        if !context.topic_things().is_empty() && !named.iter().any(is_asked) {
            return true;
        }
        let asked: Vec<String> = context.question.clone();
        !named.iter().any(|thing| {
            thing.names.iter().any(|name| {
                let words = WorldThing::words_of(name);
                asked.windows(words.len().max(1)).any(|window| window == words)
                    || words.last().is_some_and(|last| asked.contains(last))
            })
        })
    }

    /// `While the dryer is off` to a question about the washing machine.
    fn is_of_another_noun(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let verb = words.iter().position(|word| matches!(*word, "is" | "are"));
        let noun = verb.and_then(|at| at.checked_sub(1)).map_or("", |at| words[at]);
        let article = verb.and_then(|at| at.checked_sub(2)).map_or("", |at| words[at]);
        let topic = context.topic_things();
        let ends = |thing: &WorldThing| {
            thing.name_words.iter().any(|name| name.last().is_some_and(|end| end == noun))
        };
        article == "the"
            && noun.len() > 3
            && !topic.is_empty()
            && !topic.iter().any(|thing| ends(thing) || kinds_of(thing).contains(&noun))
            && !context.question.iter().any(|word| word == noun)
            && context.named_things().any(|(thing, _)| ends(thing))
    }

    /// Whether a clause speaks of a place where nothing is that was asked about: `the one in the
    /// bathroom is closed`.
    fn is_of_another_place(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let places = places_in(&words, context);
        let is_there = |place: &Vec<String>| {
            context.places_asked().contains(place)
                || context.topic_things().iter().any(|thing| is_in(thing, place))
        };
        let is_asked_of = !context.topic_things().is_empty() || !context.places_asked().is_empty();
        is_asked_of && !places.is_empty() && !places.iter().any(is_there)
    }

    /// The things that a clause names, or those named just before it where it begins with a verb:
    /// `Shaun, by contrast, is docked`.
    fn things_told<'c>(&self, clause: &Clause, context: &Context<'c>) -> Vec<&'c WorldThing> {
        let named = self.things_named(clause, context);
        let first = self.words_of(clause).first().map_or("", |word| word.text.as_str());
        if !named.is_empty() || !matches!(first, "is" | "are" | "has" | "stays") {
            return named;
        }
        let before =
            self.clauses.iter().rev().filter(|own| {
                own.sentence == clause.sentence && own.words.end <= clause.words.start
            });
        let named = before.map(|own| self.things_named(own, context));
        named.into_iter().find(|named| !named.is_empty()).unwrap_or_default()
    }
}
