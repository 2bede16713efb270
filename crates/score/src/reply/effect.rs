//! What a reply says was done, by sort of act, held against what was asked for and done.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;
use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::words::Word;
use super::{Reply, loss};

/// The verbs that mean nothing without another word: `turn on`, `turn off`.
const TURN: &str = "turn/turned/turning/switch/switched/switching/flip/flipped/power/powered/\
                    put/flick/flicked/pop/popped";

/// One sort of act.
struct Effect {
    name: &'static str,
    phrases: Vec<Phrase>,
    /// Sorts that come to the same.
    alike: Vec<&'static str>,
}

static EFFECTS: LazyLock<Vec<Effect>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        let (name, words, alike) = (parts.next()?, parts.next()?, parts.next()?);
        let phrase = |words: &str| Phrase::new(&words.trim().replace("TURN", TURN));
        Some(Effect {
            name,
            phrases: words.split(',').map(phrase).collect(),
            alike: alike.split_whitespace().collect(),
        })
    };
    pattern::lines(include_str!("tables/effects.txt")).filter_map(read).collect()
});

/// The sorts of act that words speak of.
fn effects_in(words: &[Word]) -> impl Iterator<Item = &'static Effect> + use<'_> {
    EFFECTS.iter().filter(|effect| effect.phrases.iter().any(|phrase| phrase.find(words).is_some()))
}

impl Reply {
    /// An act of another sort than was asked for and done.
    pub(super) fn other_act(&self, context: &Context<'_>) -> Option<Loss> {
        let known = context.effects();
        if context.calls.is_empty() && known.is_empty() {
            return None;
        }
        // To close a repair is to write a row, and neither name says so of the other.
        if context.has_unlisted_things() {
            return None;
        }
        let wrong = self.clauses.iter().find(|clause| {
            let words = self.words_of(clause);
            let is_claim = !clause.is_question
                && !self.is_conditional(clause)
                && !self.offers(clause)
                && !self.has_denial(clause)
                && !self.tells_of_the_past(clause)
                && !self.tells_the_old_state(clause, context)
                && !self.is_true_state(clause, context)
                && self.claims_by_verb(clause);
            is_claim
                && effects_in(words).next().is_some()
                && !effects_in(words).any(|effect| {
                    known.contains(effect.name)
                        || effect.alike.iter().any(|alike| known.contains(alike))
                })
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(wrong)))
    }

    /// Whether a clause tells how something was before the act: `it was unlocked until now`.
    fn tells_of_the_past(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        (0..words.len()).any(|at| match text(at) {
            "ago" | "earlier" | "previous" | "previously" => true,
            "until" | "till" => text(at + 1) == "now",
            "was" | "were" => matches!(
                text(at + 1),
                "before" | "previously" | "until" | "wide" | "half" | "fully" | "already"
            ),
            // A reason: `As the television's playing, …`
            "as" => at == 0,
            "stopped" => text(at + 1) == "at",
            _ => false,
        })
    }

    /// Whether a clause speaks of acts, and of none that was asked for.
    pub(super) fn is_about_other_act(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let known = context.effects();
        let is_known = |effect: &Effect| {
            known.contains(effect.name) || effect.alike.iter().any(|alike| known.contains(alike))
        };
        let words = self.words_of(clause);
        // `Tell me` and `the heating` are no acts to be carried out.
        let told =
            || effects_in(words).filter(|effect| !matches!(effect.name, "send" | "heat" | "cool"));
        !known.is_empty() && told().next().is_some() && !told().any(is_known)
    }

    /// An offer to do what was done: `Shall I start the one for the fish?`
    pub(super) fn offered_after_the_act(&self, context: &Context<'_>) -> Option<Loss> {
        const OFFERS: [&[&str]; 8] = [
            &["shall", "i"],
            &["should", "i"],
            &["want", "me", "to"],
            &["like", "me", "to"],
            &["let", "me", "know", "when", "to"],
            &["tell", "me", "when", "to"],
            &["i", "can", "also"],
            &["still", "need", "to"],
        ];
        let done = context.effects_done();
        let names = super::pairing::distinct_names(context);
        let clause = self.clauses.iter().find(|clause| {
            let words = self.words_of(clause);
            let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            let offers =
                OFFERS.iter().any(|offer| texts.windows(offer.len()).any(|part| part == *offer));
            let is_done = |effect: &Effect| done.contains(effect.name);
            let named = |word: &&str| names.contains(&crate::reading::stem(word));
            offers && effects_in(words).any(is_done) && texts.iter().any(named)
        })?;
        Some(loss(Cause::FalseClaim, "done", self.quote(clause)))
    }

    /// Whether a clause says of an act that was carried out that it was not: `I didn't text her`.
    pub(super) fn denies_effect(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let speaks = matches!(
            (text(0), text(1), text(2)),
            ("i", "did" | "have" | "could" | "can", "not") | ("i", "was", "not" | "unable")
        );
        let done = || context.effects_done();
        let is_done = |effect: &Effect| {
            let done = done();
            done.contains(effect.name) || effect.alike.iter().any(|alike| done.contains(alike))
        };
        speaks && !clause.is_question && effects_in(words).any(is_done)
    }

    /// Whether a reply tells of a sort of act that the name of a tool speaks of.
    pub(super) fn tells_of_tool(&self, tool: &str) -> bool {
        let name: Vec<Word> = super::words::tool_words(tool)
            .iter()
            .map(|text| Word::new(text.to_owned(), 0..0))
            .collect();
        let told: BTreeSet<&str> = effects_in(&self.words).map(|effect| effect.name).collect();
        effects_in(&name).any(|effect| effect.name == "send" && told.contains("send"))
    }

    /// Whether a clause tells of an act: `I muted it`, `it has been removed`, `muting it`.
    fn claims_by_verb(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let told = |word: &Word| {
            super::pattern::is_act(&word.text, 1) || super::pattern::is_act(&word.text, 2)
        };
        let is_past = words.iter().any(|word| {
            matches!(word.text.as_str(), "already" | "still" | "stays" | "remains" | "before")
        });
        words.iter().any(told) && !is_past
    }
}

impl Context<'_> {
    /// The sorts of act that were asked for or carried out: by the words of the request, by the
    /// names of the tools that were called, and by what changed.
    fn effects(&self) -> BTreeSet<&'static str> {
        let word = |text: &str| Word::new(text.to_owned(), 0..0);
        let asked: Vec<Word> = self.request().iter().map(|text| word(text)).collect();
        let mut known: BTreeSet<&str> = effects_in(&asked).map(|effect| effect.name).collect();
        known.extend(self.effects_done());
        known
    }

    /// The sorts of act that were carried out.
    fn effects_done(&self) -> BTreeSet<&'static str> {
        let word = |text: &str| Word::new(text.to_owned(), 0..0);
        let mut known = BTreeSet::new();
        for call in &self.calls {
            let name: Vec<Word> =
                super::words::tool_words(&call.name).iter().map(|text| word(text)).collect();
            known.extend(effects_in(&name).map(|effect| effect.name));
            // `set_timer` and `set_alarm` start something.
            if name.iter().any(|word| word.text == "set") {
                known.insert("start");
            }
            for (key, value) in call.arguments.as_object().into_iter().flatten() {
                if let ("on", Value::Bool(on)) = (key.as_str(), value) {
                    known.insert(if *on { "on" } else { "off" });
                }
                // `Far too bright`, and then a brightness that is set.
                if key.contains("bright") || key.contains("volume") {
                    let asks = |end: &str| {
                        let is_end = |pair: &[String]| pair[0] == "too" && pair[1] == end;
                        self.request().windows(2).any(is_end)
                    };
                    known.extend((asks("bright") || asks("loud")).then_some("lower"));
                    known.extend((asks("dark") || asks("quiet")).then_some("raise"));
                }
            }
        }
        let changes = self.changes.and_then(Value::as_object).into_iter().flatten();
        for (thing, change) in changes {
            match change {
                Value::Object(properties) => {
                    for (property, pair) in properties {
                        known.extend(effects_of_change(property, &pair[0], &pair[1]));
                    }
                }
                Value::Array(pair) if pair.len() == 2 => {
                    known.extend(effects_of_change(thing, &pair[0], &pair[1]));
                }
                _ => {}
            }
        }
        known
    }
}

/// The sorts of act that come to a change of one property.
fn effects_of_change(property: &str, before: &Value, after: &Value) -> Vec<&'static str> {
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    if let (Some(before), Some(after)) = (number(before), number(after)) {
        return vec![if after > before { "raise" } else { "lower" }];
    }
    if let (Value::Array(before), Value::Array(after)) = (before, after) {
        let ticked = after.iter().any(|item| {
            item.as_str().is_some_and(|item| item.ends_with("(completed)"))
                && !before.contains(item)
        });
        // A longer list may be a list of items, timers, messages or bookings, so all of these
        // count.
        return match after.len().cmp(&before.len()) {
            std::cmp::Ordering::Greater => {
                vec!["add", "start", "send", "play", "run", "book", "on"]
            }
            std::cmp::Ordering::Less if after.is_empty() => vec!["remove", "cancel", "clear"],
            std::cmp::Ordering::Less => vec!["remove", "cancel"],
            std::cmp::Ordering::Equal if ticked => vec!["tick"],
            std::cmp::Ordering::Equal => vec!["raise", "lower", "add", "remove", "pause", "resume"],
        };
    }
    if property == "is_volume_muted" {
        return vec![if after.as_bool() == Some(true) { "mute" } else { "unmute" }];
    }
    match after.as_str().unwrap_or_default() {
        "on" => vec!["on"],
        "off" => vec!["off"],
        "open" | "opening" => vec!["open"],
        "closed" | "closing" => vec!["close"],
        "locked" | "locking" => vec!["lock"],
        "unlocked" | "unlocking" => vec!["unlock"],
        "playing" => vec!["play", "resume"],
        "paused" | "idle" => vec!["pause", "stop"],
        "cleaning" => vec!["clean"],
        "mowing" => vec!["mow"],
        "docked" | "returning" => vec!["dock"],
        "heat" | "auto" | "heat_cool" => vec!["heat"],
        "cool" => vec!["cool"],
        state if state.starts_with("armed") => vec!["arm"],
        "disarmed" => vec!["disarm"],
        _ => vec![],
    }
}
