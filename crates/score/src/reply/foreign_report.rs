//! What reports in other languages name beside what was done: things and items that are told by the
//! words of their names, in whatever order these stand.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::list::items;
use super::sorts::{KINDS, kinds_of};
use super::words::same_word;
use super::{Reply, Word, gloss, loss};

/// What people put on a shopping list, as the table of words calls it.
const GOODS: [&str; 16] = [
    "milk", "bread", "eggs", "butter", "apples", "cheese", "coffee", "sugar", "flour", "tomatoes",
    "potatoes", "bananas", "salt", "rice", "pasta", "beer",
];

impl Reply {
    /// A thing that was neither asked for nor touched: `the lamp of the corner` where the television
    /// was turned off.
    pub(super) fn other_thing_in_gloss(&self, context: &Context<'_>) -> Option<Loss> {
        let touched = context.touched_things();
        if touched.is_empty() || context.changes.is_none() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            let is_report = !clause.is_question
                && !self.has_denial(clause)
                && !self.offers(clause)
                && !self.tells_of_the_rest(clause)
                && (self.tells_an_act_in_gloss(clause) || !self.is_true_state(clause, context));
            is_report && self.names_another(clause, &touched, context)
        })?;
        Some(loss(Cause::FalseClaim, "what was asked for", self.quote(clause)))
    }

    fn names_another(
        &self,
        clause: &Clause,
        touched: &[&WorldThing],
        context: &Context<'_>,
    ) -> bool {
        let words = self.words_of(clause);
        let says = |name: &str| words.iter().any(|word| same_word(&word.text, name));
        let asked = |name: &str| context.meant().iter().any(|word| same_word(word, name));
        let is_said = |name: &Vec<String>| name.len() > 1 && name.iter().all(|word| says(word));
        let is_own = |thing: &WorldThing| touched.iter().any(|own| own.id == thing.id);
        let own_kinds: Vec<&str> =
            touched.iter().flat_map(|thing| kinds_of(thing)).copied().collect();
        let is_thing = |thing: &WorldThing| !matches!(thing.kind(), "script" | "scene");
        let mut named = context
            .named_things()
            .filter(|(thing, names)| is_thing(thing) && names.iter().any(is_said))
            .peekable();
        let is_named = named.peek().is_some();
        // What the request names in other words may be of another kind than its name tells, unless a
        // word tells it from what was touched: `the ceiling light` for a strip.
        let of_touched = |word: &String| {
            asked(word)
                || touched.iter().any(|own| {
                    let places = own.all_place_names().flat_map(|name| WorldThing::words_of(name));
                    places
                        .chain(own.name_words.iter().flatten().cloned())
                        .any(|name| same_word(&name, word))
                        || kinds_of(own).iter().any(|kind| same_word(kind, word))
                })
        };
        let is_other = is_named
            && named.all(|(thing, names)| {
                let is_asked = names.iter().any(|name| name.iter().all(|word| asked(word)));
                let is_kind = kinds_of(thing).iter().any(|kind| asked(kind));
                let said = names.iter().find(|name| is_said(name));
                let is_told_apart = said.is_some_and(|name| !name.iter().all(of_touched));
                !is_own(thing) && !is_asked && (!is_kind || is_told_apart)
            });
        if is_other {
            return true;
        }
        let acts = self.tells_an_act_in_gloss(clause);
        let mut others = words.iter().filter(|word| KINDS.told_in_glosses.contains(&*word.text));
        acts && others.any(|word| {
            !asked(&word.text)
                && !own_kinds.iter().any(|kind| same_word(&word.text, kind))
                && !touched.iter().any(|thing| {
                    thing.name_words.iter().flatten().any(|own| same_word(&word.text, own))
                })
        })
    }

    /// Whether a clause tells of an act of the speaker, whose verb may stand at its end: `i have the
    /// light turned off`.
    fn tells_an_act_in_gloss(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let have = words.iter().position(|word| *word == "have");
        have.is_some_and(|at| words[at..].iter().any(|word| super::pattern::is_act(word, 1)))
    }

    /// Says of a changed thing that something could not be done with it: `could not lower the
    /// radiator`.
    pub(super) fn could_not_in_gloss(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let could_not = self.texts_of(clause).windows(2).any(|pair| pair == ["could", "not"]);
            let meant = self.things_meant(clause, context);
            could_not
                && !clause.is_question
                && !meant.is_empty()
                && meant.iter().all(|thing| context.is_changed(thing))
        })?;
        Some(loss(Cause::FalseClaim, "done", self.quote(clause)))
    }

    /// Another colour than the one that was asked for: `the lamp is in red` where green was.
    pub(super) fn other_colour_in_gloss(&self, context: &Context<'_>) -> Option<Loss> {
        const COLOURS: [&str; 11] = [
            "red",
            "green",
            "blue",
            "yellow",
            "orange",
            "purple",
            "pink",
            "white",
            "turquoise",
            "violet",
            "lilac",
        ];
        let is_colour = |word: &str| COLOURS.contains(&word);
        let called = context.words_of_calls();
        let asked: Vec<String> =
            WorldThing::words_of(&gloss::english(&context.request().join(" ")).to_lowercase());
        let known = || asked.iter().chain(&called).filter(|word| is_colour(word));
        let told = self.clauses.iter().filter(|clause| !self.has_denial(clause));
        let mut words = told.flat_map(|clause| self.words_of(clause));
        let wrong = words.find(|word| {
            is_colour(&word.text)
                && known().next().is_some()
                && !known().any(|own| *own == word.text)
        })?;
        Some(loss(Cause::FalseClaim, "the colour that was asked for", &*wrong.text))
    }

    /// What is told as done or to come behind a refusal: `I can not call anybody. I have sent her a
    /// message.`
    pub(crate) fn act_beside_refusal(&self, context: &Context<'_>) -> Option<Loss> {
        let is_event = |clause: &Clause| {
            self.texts_of(clause).windows(2).any(|pair| {
                matches!(pair[0], "is" | "are" | "will" | "be" | "has")
                    && matches!(
                        pair[1],
                        "ringing"
                            | "call"
                            | "arrive"
                            | "arriving"
                            | "ordered"
                            | "called"
                            | "coming"
                            | "ready"
                    )
            })
        };
        let clause = self.clauses.iter().find(|clause| {
            self.is_plain_statement(clause)
                && !self.refuses(clause)
                && (self.speaker_acted(clause).is_some()
                    || self.claimed_act(clause).is_some() && !self.is_true_state(clause, context)
                    || is_event(clause))
        })?;
        Some(loss(Cause::FalseClaim, "nothing was done", self.quote(clause)))
    }

    /// The goods of a clause that names none of those that were put on a list or taken off it.
    fn item_not_meant(&self, context: &Context<'_>) -> Option<&Word> {
        let items = |change: &Value, at: usize| -> Vec<String> {
            items(change, at).into_iter().flatten().map(str::to_lowercase).collect()
        };
        let mut meant = Vec::new();
        for change in context.changed_lists() {
            let (before, after) = (items(change, 0), items(change, 1));
            let moved = before.iter().filter(|item| !after.contains(item));
            let moved = moved.chain(after.iter().filter(|item| !before.contains(item)));
            let texts = moved.map(|item| gloss::english(item).to_lowercase());
            meant.extend(texts.flat_map(|text| WorldThing::words_of(&text)));
        }
        let is_goods = |word: &&Word| GOODS.contains(&&*word.text);
        let is_meant = |word: &Word| meant.iter().any(|own| same_word(&word.text, own));
        self.clauses.iter().filter(|clause| !self.has_denial(clause)).find_map(|clause| {
            let words = self.words_of(clause);
            words.iter().find(is_goods).filter(|_| !meant.is_empty() && !words.iter().any(is_meant))
        })
    }

    /// What people buy that the list does not hold: `behind the eggs`.
    pub(super) fn item_in_gloss(&self, context: &Context<'_>) -> Option<Loss> {
        let items: Vec<&str> = context
            .changed_lists()
            .flat_map(|change| [items(change, 0), items(change, 1)])
            .flatten()
            .flatten()
            .collect();
        if items.is_empty() {
            return None;
        }
        let asked = context.request().iter().chain(context.meant().iter()).map(String::as_str);
        let texts = items.into_iter().chain(asked).map(|text| gloss::english(text).to_lowercase());
        let known: Vec<String> = texts.flat_map(|text| WorldThing::words_of(&text)).collect();
        let is_unknown = |word: &&Word| {
            GOODS.contains(&&*word.text) && !known.iter().any(|own| same_word(&word.text, own))
        };
        let unknown = || self.words.iter().find(is_unknown);
        let word = self.item_not_meant(context).or_else(unknown)?;
        Some(loss(Cause::FalseClaim, "what is on the list", word.text.as_str()))
    }
}
