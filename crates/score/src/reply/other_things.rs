//! What an answer tells of other things than the one that was asked for: `and so is the back door`,
//! `both doors are locked`, `warmer than the kitchen`.

use toolgauge_core::{Cause, ExpectedFact, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::places::{is_in, places_in};
use super::sorts::kinds_of;
use super::state_claim::{STATES, StateWords};
use super::words::{phrase_at, same_word};
use super::{Reply, loss};
use crate::reading::is_same;

/// Words that say of something else what was said before: `and so is the back door`.
const LIKEWISE: [&[&str]; 10] = [
    &["including"],
    &["so", "is"],
    &["so", "are"],
    &["neither", "is"],
    &["nor", "is"],
    &["just", "like"],
    &["same", "as"],
    &["same", "goes", "for"],
    &["as", "is"],
    &["as", "are"],
];

/// Words that compare what is measured, with its class and whether more of it is meant.
const MEASURES: [(&[&str], &str, bool); 4] = [
    (&["warmer", "hotter"], "temperature", true),
    (&["colder", "cooler"], "temperature", false),
    (&["damper", "wetter"], "humidity", true),
    (&["drier", "dryer"], "humidity", false),
];

impl Reply {
    /// What is said of the things of the world that is not so.
    pub(crate) fn untrue(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        self.false_state(context)
            .or_else(|| self.counts_too_many(context))
            .or_else(|| self.wrong_about_others(context))
            .or_else(|| self.unknown_appliance(context))
            .or_else(|| self.misjudged(facts, context))
            .or_else(|| self.wild_consequence(context))
    }

    /// The same in a report of an act that was not for all.
    pub(super) fn wrong_beside_the_act(&self, context: &Context<'_>) -> Option<Loss> {
        const OF_ALL: [&str; 6] = ["all", "every", "everything", "everywhere", "both", "house"];
        let is_for_all = context.request().iter().any(|word| OF_ALL.contains(&word.as_str()))
            && !context.asks_for_exceptions();
        self.wrong_about_others(context).filter(|_| !is_for_all)
    }

    /// An act of the speaker on a thing that was not touched and that nobody spoke of: `I've also
    /// turned on the towel rail.`
    pub(super) fn acts_on_another(&self, context: &Context<'_>) -> Option<Loss> {
        let changes = context.changes?;
        let asked = |name: &Vec<String>| name.iter().all(|word| context.meant().contains(word));
        let is_meant = |thing: &WorldThing| {
            changes.get(&thing.id).is_some()
                || context.topic_things().iter().any(|own| own.id == thing.id)
                || thing.name_words.iter().any(asked)
        };
        let clause = self.clauses.iter().find(|clause| {
            let parts = self.parts_of(clause);
            self.is_plain_statement(clause)
                && !self.tells_of_the_rest(clause)
                && parts.iter().any(|part| {
                    let named = || {
                        let named = self.things_named(part, context).into_iter();
                        named.filter(|thing| !matches!(thing.kind(), "script" | "scene" | "sensor"))
                    };
                    self.tells_of_acting(part)
                        && named().next().is_some()
                        && !named().any(&is_meant)
                })
        })?;
        Some(loss(Cause::FalseClaim, "what was asked for", self.quote(clause)))
    }

    /// Whether a part of a clause tells of an act and not of a state: `and turned the lamp off`, but
    /// not `the lamp is turned off`.
    fn tells_of_acting(&self, part: &Clause) -> bool {
        let words = self.texts_of(part);
        let text = |at: usize| words.get(at).copied().unwrap_or_default();
        let first = (0..words.len()).find(|at| {
            !matches!(text(*at), "and" | "i" | "have" | "also" | "then" | "just" | "even" | "so")
        });
        first.is_some_and(|at| super::pattern::is_act(text(at), 1))
    }

    /// A state of things of another kind than those that were touched, in which none of them is: `The
    /// heating is off now` beside a lamp.
    pub(super) fn wrong_of_a_kind(&self, context: &Context<'_>) -> Option<Loss> {
        let touched = context.touched_things();
        if touched.is_empty() || context.changes.is_none() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            self.is_plain_statement(clause)
                && !self.is_limit(clause)
                && !self.is_planned(clause)
                && !self.is_partly(clause)
                && !self.has(clause, &super::LEXICON.old_value)
                && self.things_meant(clause, context).is_empty()
                && self.is_wrong_of_a_kind(clause, &touched, context)
        })?;
        Some(loss(Cause::FalseClaim, "what is so", self.quote(clause)))
    }

    fn is_wrong_of_a_kind(
        &self,
        clause: &Clause,
        touched: &[&WorldThing],
        context: &Context<'_>,
    ) -> bool {
        let texts = self.texts_of(clause);
        let verb = texts.iter().position(|text| matches!(*text, "is" | "are"));
        let (Some(verb), Some("the" | "your")) = (verb, texts.first().copied()) else {
            return false;
        };
        let Some(noun) = verb.checked_sub(1).map(|at| texts[at]).filter(|_| verb < 4) else {
            return false;
        };
        let is_of = |thing: &WorldThing| {
            kinds_of(thing).iter().any(|kind| same_word(noun, kind))
                || thing
                    .name_words
                    .iter()
                    .any(|name| name.last().is_some_and(|end| same_word(noun, end)))
        };
        // Of what was touched, and of rooms, other rules know more.
        if touched.iter().any(|thing| is_of(thing)) || noun == "light" || noun == "lights" {
            return false;
        }
        let places = places_in(&texts, context);
        let is_there = |thing: &WorldThing| {
            places.is_empty() || places.iter().any(|place| is_in(thing, place))
        };
        let words = &self.words_of(clause)[verb..];
        let things = context.named_things().map(|(thing, _)| thing);
        let told: Vec<&WorldThing> =
            things.filter(|thing| is_of(thing) && is_there(thing)).collect();
        let is_said = |said: &&StateWords| {
            !told.is_empty() && told.iter().all(|thing| said.is_said(words, thing))
        };
        STATES
            .iter()
            .find(is_said)
            .is_some_and(|said| !told.iter().any(|thing| said.is_true_of(thing)))
    }

    /// What is told of other things that is not so.
    fn wrong_about_others(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let plain = self.clauses.iter().filter(|clause| {
            !clause.is_question && !self.is_conditional(clause) && !self.is_hedged(clause)
        });
        let wrong = plain.into_iter().find(|clause| {
            self.is_wrong_likewise(clause, context)
                || self.tells_of_all(clause, context) == Some(false)
                || self.is_wrong_comparison(clause, context)
                || self.is_wrong_maximum(clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "what is so", self.quote(wrong)))
    }

    /// `And so is the back door`, where it is not.
    fn is_wrong_likewise(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let texts = self.texts_of(clause);
        let found = LIKEWISE.iter().find_map(|phrase| {
            let at = phrase_at(&texts, phrase)?;
            Some((at, at + phrase.len()))
        });
        // `The right one too`, with no word of its own for what is so.
        let ends_likewise = || {
            let is_end = matches!(words, [.., last] if last.text == "too")
                || matches!(words, [.., one, last] if one.text == "as" && last.text == "well");
            let says_state = STATES.iter().any(|said| {
                let things = self.things_meant(clause, context);
                things.iter().any(|thing| said.is_said(words, thing))
            });
            (is_end && !says_state).then_some((0, 0))
        };
        let behind_and = || {
            let and = words.iter().rposition(|word| word.text == "and")?;
            let tail = &words[and + 1..];
            let is_end = matches!(tail, [.., last] if last.text == "too")
                || matches!(tail, [.., one, last] if one.text == "as" && last.text == "well");
            let has_verb = tail.iter().any(|word| matches!(&*word.text, "is" | "are"));
            (is_end && !has_verb).then_some((and + 1, and + 1))
        };
        // `Kitchen lights off, ceiling light included`.
        let included = || {
            let [.., last] = words else { return None };
            let comma = (1..words.len()).rev().find(|at| {
                let gap = words[at - 1].place.end..words[*at].place.start;
                self.plain[gap].contains(',')
            });
            comma.filter(|_| last.text == "included").map(|at| (at, at))
        };
        let is_so = found.is_some_and(|(start, end)| start + 2 == end && texts[start] == "so");
        let Some((start, end)) = found.or_else(included).or_else(behind_and).or_else(ends_likewise)
        else {
            return false;
        };
        let rest = Clause { words: clause.words.start + end..clause.words.end, ..clause.clone() };
        let others = self.things_meant(&rest, context);
        let before = clause.words.start + start;
        if is_so && self.names_nothing_there(&rest, context) {
            return true;
        }
        if others.is_empty() {
            return texts[start..end] == ["including"]
                && self.is_wrong_of_place(&rest, before, context);
        }
        if let Some(is_so) = self.state_before_word(before, &others) {
            return !is_so;
        }
        // `60 percent, just like the left one`.
        let numbers = self.numbers();
        let told = numbers.iter().rfind(|said| said.place.start < self.words[before].place.start);
        let is_value = |thing: &&WorldThing| {
            let values = super::detail::values(&thing.state, &thing.attributes);
            told.is_some_and(|said| values.iter().any(|own| (own - said.value.value).abs() < 0.6))
        };
        told.is_some_and(|said| said.value.unit.is_some()) && !others.iter().any(is_value)
    }

    /// `All the lights are off, including the office`, where one is on.
    fn is_wrong_of_place(&self, rest: &Clause, before: usize, context: &Context<'_>) -> bool {
        let places = places_in(&self.texts_of(rest), context);
        let touched = context.touched_things();
        let mut there = context.named_things().map(|(thing, _)| thing).filter(|thing| {
            touched.iter().any(|own| own.kind() == thing.kind())
                && places.iter().any(|place| is_in(thing, place))
                && !matches!(&*thing.state, "unavailable" | "unknown")
        });
        there.any(|thing| self.state_before_word(before, &[thing]) == Some(false))
    }

    /// Whether words name a thing that no home has: `and so is the reading lamp`, where there is none.
    fn names_nothing_there(&self, rest: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(rest);
        let ["the" | "your", name @ ..] = &words[..] else { return false };
        let end = name.iter().position(|word| matches!(*word, "in" | "at" | "on" | "of"));
        let name = &name[..end.unwrap_or(name.len())];
        let is_open = |word: &&str| {
            matches!(
                *word,
                "rest" | "other" | "others" | "one" | "ones" | "whole" | "house" | "room"
            )
        };
        let covers = |thing: &WorldThing, names: &[Vec<String>]| {
            let places: Vec<String> =
                thing.all_place_names().flat_map(|name| WorldThing::words_of(name)).collect();
            name.iter().all(|word| {
                names.iter().flatten().chain(&places).any(|own| same_word(own, word))
                    || kinds_of(thing).iter().any(|kind| same_word(kind, word))
            })
        };
        (2..=3).contains(&name.len())
            && !name.iter().any(is_open)
            && !context.named_things().any(|(thing, names)| covers(thing, names))
    }

    /// Whether the state that the words before one tell is that of other things too.
    fn state_before_word(&self, word: usize, others: &[&WorldThing]) -> Option<bool> {
        let mut clauses = self.clauses.iter().rev().filter(|clause| clause.words.start < word);
        clauses.find_map(|clause| {
            let told =
                Clause { words: clause.words.start..clause.words.end.min(word), ..clause.clone() };
            let words = self.words_of(&told);
            let said =
                STATES.iter().find(|said| others.iter().any(|thing| said.is_said(words, thing)))?;
            let start = said.start_in(words)?;
            let denied = self.is_denied(&told, told.words.start + start);
            Some(others.iter().any(|thing| said.is_true_of(thing) != denied))
        })
    }

    /// Whether `both doors are locked` is so, where a clause tells a state of several things.
    pub(super) fn tells_of_all(&self, clause: &Clause, context: &Context<'_>) -> Option<bool> {
        const OF_SOME: [&str; 8] =
            ["except", "but", "other", "others", "rest", "will", "were", "was"];
        let words = self.words_of(clause);
        let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        let is_all = |text: &&str| matches!(*text, "both" | "all" | "every" | "neither" | "none");
        let at = texts.iter().position(is_all)?;
        let excepts = context.asks_for_exceptions() && texts[at] != "both";
        if excepts || texts.iter().any(|text| OF_SOME.contains(text)) {
            return None;
        }
        // Only what stands behind the word is counted: `all the doors in the house`.
        let is_of = |thing: &WorldThing, word: &str| {
            let mut names = thing.name_words.iter().flatten();
            kinds_of(thing).iter().any(|kind| same_word(word, kind))
                || word.len() > 4 && word.ends_with('s') && names.any(|own| same_word(word, own))
        };
        let is_noun = |word: &&&str| context.things.iter().any(|thing| is_of(thing, word));
        let noun = texts[at + 1..].iter().take(4).find(is_noun)?;
        let places = places_in(&texts, context);
        let things = context.named_things().map(|(thing, _)| thing);
        let things: Vec<&WorldThing> = things
            .filter(|thing| is_of(thing, noun))
            .filter(|thing| places.is_empty() || places.iter().any(|place| is_in(thing, place)))
            .collect();
        let none = matches!(texts[at], "neither" | "none");
        let is_said = |said: &&StateWords| things.iter().any(|thing| said.is_said(words, thing));
        let said = STATES.iter().find(is_said)?;
        let denied = none || self.is_denied(clause, clause.words.start + said.start_in(words)?);
        let mut own = things.iter().filter(|thing| said.is_said(words, thing));
        if matches!(texts[at], "both" | "neither") && own.clone().count() != 2 {
            return None;
        }
        let is_so = own.clone().all(|thing| said.is_true_of(thing) != denied);
        // One thing alone is not called all.
        (!is_so || own.nth(1).is_some()).then_some(is_so)
    }

    /// `Warmer than the living room`, where it is not.
    fn is_wrong_comparison(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let texts = self.texts_of(clause);
        let Some(than) = texts.iter().position(|text| *text == "than") else { return false };
        let found = MEASURES.iter().find_map(|(words, class, more)| {
            texts[..than].iter().any(|text| words.contains(text)).then_some((*class, *more))
        });
        let Some((class, more)) = found.filter(|_| !self.has_denial(clause)) else { return false };
        let asked: Vec<&str> = context.question.iter().map(String::as_str).collect();
        let behind = value_there(&texts[than..], class, context);
        let own = value_there(&texts[..than], class, context)
            .or_else(|| value_there(&asked, class, context));
        match (own, behind) {
            (Some(own), Some(other)) => !is_same(own, other) && (own > other) != more,
            _ => false,
        }
    }

    /// `At full speed`, where it is not.
    fn is_wrong_maximum(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const MOST: [(&[&str], &str); 5] = [
            (&["full", "brightness"], "brightness"),
            (&["maximum", "brightness"], "brightness"),
            (&["full", "speed"], "percentage"),
            (&["maximum", "speed"], "percentage"),
            (&["full", "volume"], "volume_level"),
        ];
        let texts = self.texts_of(clause);
        // `A third of its full speed` is not at full speed.
        let is_part = texts.contains(&"of");
        let found = MOST.iter().find(|(phrase, _)| phrase_at(&texts, phrase).is_some());
        let found = found.filter(|_| !is_part);
        let Some((_, property)) = found.filter(|_| !self.has_denial(clause)) else { return false };
        let named = self.things_meant(clause, context);
        let things = if named.is_empty() { context.topic_things().to_vec() } else { named };
        let levels: Vec<f64> = things
            .iter()
            .filter_map(|thing| thing.attributes.get(*property)?.as_f64())
            .map(|level| super::detail::told_value(property, level))
            .collect();
        !levels.is_empty() && levels.iter().all(|level| *level < 90.0)
    }
}

/// What is measured in the one place that words name.
fn value_there(words: &[&str], class: &str, context: &Context<'_>) -> Option<f64> {
    let places = places_in(words, context);
    let outside = words.iter().any(|word| matches!(*word, "outside" | "outdoors"));
    let things = context.named_things().map(|(thing, _)| thing);
    let of_class = |thing: &&WorldThing| thing.class() == Some(class);
    if outside {
        let is_outside = |thing: &WorldThing| {
            thing.name_words.iter().flatten().any(|word| word == "outdoor" || word == "outside")
        };
        let mut found = things.filter(of_class).filter(|thing| is_outside(thing));
        return found.next()?.state.parse().ok();
    }
    let [place] = &places[..] else { return None };
    let there: Vec<&WorldThing> = things.filter(|thing| is_in(thing, place)).collect();
    let sensor =
        there.iter().find(|thing| of_class(thing)).and_then(|thing| thing.state.parse().ok());
    let current = || {
        let measured = format!("current_{class}");
        there.iter().find_map(|thing| thing.attributes.get(&measured)?.as_f64())
    };
    sensor.or_else(current)
}
