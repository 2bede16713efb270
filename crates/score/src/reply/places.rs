//! The places of a home that words name, and what is there.

use toolgauge_core::WorldThing;

use super::Reply;
use super::clause::Clause;
use super::context::Context;
use super::words::same_word;

/// Whether a thing is in a place.
pub(super) fn is_in(thing: &WorldThing, place: &[String]) -> bool {
    thing.all_place_names().any(|name| WorldThing::words_of(name) == place)
}

/// The places that words name, each by its longest name there.
pub(super) fn places_in(words: &[&str], context: &Context<'_>) -> Vec<Vec<String>> {
    let mut found: Vec<(usize, &Vec<String>)> = Vec::new();
    for place in context.place_words().iter().filter(|place| place.len() <= words.len()) {
        let said =
            |window: &[&str]| window.iter().zip(place).all(|(word, own)| same_word(word, own));
        let starts = words.windows(place.len()).enumerate().filter(|(_, window)| said(window));
        found.extend(starts.map(|(at, _)| (at, place)));
    }
    let is_within = |(at, place): &(usize, &Vec<String>), other: &(usize, &Vec<String>)| {
        other.1.len() > place.len() && other.0 <= *at && at + place.len() <= other.0 + other.1.len()
    };
    let whole = found.iter().filter(|one| !found.iter().any(|other| is_within(one, other)));
    whole.map(|(_, place)| (*place).clone()).collect()
}

impl Reply {
    /// Of things that share a name, those in the place that was asked for, where a clause says that it
    /// speaks of that place: `the lamp there is still on`.
    pub(super) fn those_there<'c>(
        &self,
        clause: &Clause,
        named: Vec<&'c WorldThing>,
        context: &Context<'c>,
    ) -> Vec<&'c WorldThing> {
        let words = self.texts_of(clause);
        let says_there = words.iter().skip(1).any(|word| *word == "there");
        let places = context.places_asked();
        let is_there = |thing: &&WorldThing| places.iter().any(|place| is_in(thing, place));
        if !says_there || !named.iter().any(is_there) {
            return named;
        }
        named.into_iter().filter(is_there).collect()
    }
}

impl Context<'_> {
    /// The places that the question names.
    pub(super) fn places_asked(&self) -> &[Vec<String>] {
        self.places_asked.get_or_init(|| {
            let asked: Vec<&str> = self.question.iter().map(String::as_str).collect();
            places_in(&asked, self)
        })
    }
}
