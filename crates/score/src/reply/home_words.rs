//! Places, things and colours of which a report in another language speaks, told by single words: a
//! report of one thing names no other.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::sorts::kinds_of;
use super::{Reply, gloss, loss, pattern};

/// Words for one sort of thing.
struct Sort {
    said: Vec<&'static str>,
    alike: Vec<&'static str>,
}

static SORTS: LazyLock<Vec<Sort>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let (said, alike) = line.split_once('|').unwrap_or((line, ""));
        let words = |part: &'static str| part.split_whitespace().collect();
        Sort { said: words(said), alike: words(alike) }
    };
    pattern::lines(include_str!("tables/home_words.txt")).map(read).collect()
});

/// By word, the sorts that it speaks of.
static SORT_OF: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let sorts = SORTS.iter().enumerate();
    sorts.flat_map(|(at, sort)| sort.said.iter().map(move |word| (*word, at))).collect()
});

/// Other words for the sorts of which some words are.
pub(super) fn things_alike(
    known: &std::collections::HashSet<String>,
) -> impl Iterator<Item = &'static str> {
    let is_known = |sort: &&Sort| sort.said.iter().any(|own| known.contains(*own));
    let sorts: Vec<&Sort> = SORTS.iter().filter(is_known).collect();
    sorts.into_iter().flat_map(|sort| sort.said.iter().chain(&sort.alike).copied())
}

/// A word without the `s` of its plural.
fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(short) if short.len() > 3 && !short.ends_with('s') => short,
        _ => word,
    }
}

fn sort_of(word: &str) -> Option<usize> {
    SORT_OF.get(word).or_else(|| SORT_OF.get(singular(word))).copied()
}

impl Reply {
    /// A place, a thing or a colour that was neither asked for nor touched: `I have turned on the
    /// ceiling light` where it was the strip over the worktop.
    pub(super) fn other_home_word(&self, context: &Context<'_>) -> Option<Loss> {
        if context.touched_things().is_empty() || context.changes.is_none() {
            return None;
        }
        let known = context.home_words();
        let word = self.clauses.iter().filter(|clause| self.reports(clause, context)).find_map(
            |clause| {
                let words = self.words_of(clause).iter().map(|word| word.text.as_str());
                words.clone().find(|word| sort_of(word).is_some_and(|sort| !known.contains(&sort)))
            },
        )?;
        Some(loss(Cause::FalseClaim, "what was asked for", word))
    }

    /// A thing of the sort that was changed in a place where another sort was: `the living room
    /// radiator` where the television is in the living room.
    pub(super) fn other_pair(&self, context: &Context<'_>) -> Option<Loss> {
        let touched = context.touched_things();
        if touched.len() < 2 || context.changes.is_none() {
            return None;
        }
        let of_thing: Vec<(BTreeSet<usize>, BTreeSet<usize>)> =
            touched.iter().map(|thing| sorts_of(thing)).collect();
        let places: BTreeSet<usize> =
            of_thing.iter().flat_map(|(_, place)| place.clone()).collect();
        let clause = self.clauses.iter().find(|clause| {
            let words = self.words_of(clause).iter();
            let said: BTreeSet<usize> = words.filter_map(|word| sort_of(&word.text)).collect();
            let mut rooms = said.iter().filter(|sort| places.contains(sort));
            let (Some(room), None) = (rooms.next(), rooms.next()) else { return false };
            let mut things = said.iter().filter(|sort| !places.contains(sort));
            let (Some(kind), None) = (things.next(), things.next()) else { return false };
            let mut own = of_thing.iter().filter(|(kinds, _)| kinds.contains(kind)).peekable();
            self.reports(clause, context)
                && own.peek().is_some()
                && own.all(|(kinds, place)| !place.contains(room) && !kinds.contains(room))
        })?;
        Some(loss(Cause::FalseClaim, "what was asked for", self.quote(clause)))
    }

    /// Somebody else than the one whose thing was changed: `Max's radiator` for Ella's.
    pub(super) fn other_owner(&self, context: &Context<'_>) -> Option<Loss> {
        let touched = context.touched_things();
        let texts = |thing: &WorldThing| -> Vec<String> {
            let names = thing.names.iter().chain(thing.all_place_names());
            names.flat_map(|name| WorldThing::words_of(name)).collect()
        };
        let owner = |word: &str| word.strip_suffix("'s").map(str::to_owned);
        let owners = |words: Vec<String>| -> BTreeSet<String> {
            words.iter().filter_map(|word| owner(word)).collect()
        };
        let own: BTreeSet<String> = touched.iter().flat_map(|thing| owners(texts(thing))).collect();
        if touched.is_empty() || context.changes.is_none() {
            return None;
        }
        let all: BTreeSet<String> =
            context.named_things().flat_map(|(thing, _)| owners(texts(thing))).collect();
        let is_of = |word: &str, name: &String| {
            word == name || word.strip_suffix("'s").or(word.strip_suffix('s')) == Some(name)
        };
        let is_known = |name: &String| {
            own.contains(name) || context.request().iter().any(|word| is_of(word, name))
        };
        let other = all.iter().filter(|name| name.len() > 2 && !is_known(name)).find(|name| {
            self.clauses
                .iter()
                .filter(|clause| self.reports(clause, context))
                .any(|clause| self.words_of(clause).iter().any(|word| is_of(&word.text, name)))
        })?;
        Some(loss(Cause::FalseClaim, "what was asked for", other.as_str()))
    }

    /// Whether a clause tells what was done, and not what was left or how other things are.
    fn reports(&self, clause: &Clause, context: &Context<'_>) -> bool {
        self.is_plain_statement(clause)
            && !self.tells_of_the_rest(clause)
            && !self.is_true_aside(clause, context)
    }

    /// Whether a clause behind the report tells how things are, and they are so: `the lamp is off, the
    /// ceiling light is on`.
    fn is_true_aside(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let before = self.clauses.iter().take_while(|own| own.words.start < clause.words.start);
        let mut before = before.map(|own| own.words.len());
        let tells_an_act = self
            .texts_of(clause)
            .windows(2)
            .any(|pair| matches!(pair, ["i" | "we", "have" | "am" | "are"]));
        before.any(|length| length > 2) && !tells_an_act && self.is_true_state(clause, context)
    }
}

/// What a thing is by its names and its kind, and the places that it is in.
fn sorts_of(thing: &WorldThing) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let sorts = |texts: &mut dyn Iterator<Item = String>| -> BTreeSet<usize> {
        let words: Vec<String> = texts.flat_map(|text| WorldThing::words_of(&text)).collect();
        let is_own = |sort: &Sort| {
            let mut own = sort.said.iter().chain(&sort.alike);
            own.any(|own| words.iter().any(|word| word == own || singular(word) == *own))
        };
        (0..SORTS.len()).filter(|at| is_own(&SORTS[*at])).collect()
    };
    let english = |text: &String| gloss::english(&text.to_lowercase());
    let kinds = kinds_of(thing).iter().map(|kind| (*kind).to_owned());
    let names = thing.names.iter().map(|name| name.to_lowercase());
    let of = sorts(&mut names.chain(thing.names.iter().map(english)).chain(kinds));
    let places = thing.all_place_names().map(|name| name.to_lowercase());
    (of, sorts(&mut places.chain(thing.all_place_names().map(english))))
}

/// The items of all lists that were changed, before and after.
fn texts_in<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, into)),
        Value::Object(object) => {
            let items = object.iter().filter(|(name, value)| *name == "items" || value.is_object());
            items.for_each(|(_, value)| texts_in(value, into));
        }
        _ => {}
    }
}

impl Context<'_> {
    /// The names of the places in a place that a call names: the rooms of a floor.
    pub(super) fn places_called(&self) -> Vec<&str> {
        let called: Vec<String> = self.texts_called().map(str::to_lowercase).collect();
        let is_called = |thing: &&std::sync::Arc<WorldThing>| {
            thing.all_place_names().any(|place| called.contains(&place.to_lowercase()))
        };
        let things = self.things.iter().filter(is_called);
        things.flat_map(|thing| thing.all_place_names()).map(String::as_str).collect()
    }

    /// The sorts of places, things and colours of which the request speaks, that calls name, and of
    /// which the things are that were changed.
    fn home_words(&self) -> BTreeSet<usize> {
        let mut words: Vec<String> = self.meant().to_vec();
        let mut texts: Vec<&str> = Vec::new();
        for thing in self.touched_things() {
            texts.extend(thing.names.iter().chain(thing.all_place_names()).map(String::as_str));
        }
        // All that is in a place which is called, changed or not: `upstairs, that is bedroom and bath`.
        texts.extend(self.places_called());
        if let Some(changes) = self.changes {
            texts_in(changes, &mut texts);
        }
        let told = |text: &&str| WorldThing::words_of(&gloss::english(&text.to_lowercase()));
        words.extend(texts.iter().flat_map(|text| WorldThing::words_of(text)));
        words.extend(texts.iter().flat_map(told));
        let called = self.words_of_calls();
        words.extend(called.iter().flat_map(|word| told(&word.as_str())));
        words.extend(called);
        let names = |own: &[&str]| words.iter().any(|word| own.contains(&singular(word)));
        let names_cover = names(&["blind", "curtain", "awning", "skylight", "roof", "shutter"]);
        let names_gas = names(&["gas"]);
        for thing in self.touched_things() {
            let is_told = match thing.kind() {
                "cover" => names_cover,
                "valve" => names_gas,
                _ => false,
            };
            let kinds = if is_told { &[] } else { kinds_of(thing) };
            words.extend(kinds.iter().map(|kind| (*kind).to_owned()));
        }
        let is_known = |sort: &Sort| {
            let mut own = sort.said.iter().chain(&sort.alike);
            own.any(|own| words.iter().any(|word| word == own || singular(word) == *own))
        };
        (0..SORTS.len()).filter(|at| is_known(&SORTS[*at])).collect()
    }
}
