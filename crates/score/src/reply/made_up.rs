//! What a report of an act tells that no home could know: parts of things, how often something was
//! done, further acts to come, where somebody is, and the sun at night.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::{Reply, loss, pattern};

static PARTS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/parts.txt")));

/// Places in a row by which people count what was done or played.
const ORDINALS: [&str; 7] = ["first", "second", "third", "fourth", "fifth", "sixth", "last"];

/// Words that put an act off.
const PUT_OFF: [&str; 12] = [
    "when",
    "once",
    "after",
    "until",
    "till",
    "later",
    "again",
    "tomorrow",
    "tonight",
    "afterwards",
    "soon",
    "at",
];

/// Acts by which a home speaks to people, which timers do by themselves.
const CALLING: [&str; 10] =
    ["remind", "notify", "call", "ring", "announce", "message", "wake", "send", "text", "run"];

impl Reply {
    /// What a report of an act in a home makes up.
    pub(super) fn made_up(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let mut plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let clause = plain.find(|clause| {
            self.tells_of_a_part(clause, context)
                || self.counts_the_past(clause, context)
                || self.plans_an_act(clause, context)
                || self.tells_where_somebody_is(clause, context)
                || self.tells_of_the_sun(clause, context)
                || self.tells_an_end(clause, context)
                || self.claims_charging(clause, context)
                || self.claims_locked(clause, context)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was done", self.quote(clause)))
    }

    /// `Its battery is low.`
    fn tells_of_a_part(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_part = |word: &super::Word| PARTS.contains(&*word.text);
        // A list may hold it, and a thing may be called so or measure it.
        let changed = context.changes.map(|all| all.to_string().to_lowercase()).unwrap_or_default();
        let is_told = |word: &str| {
            let stem = crate::reading::stem(word);
            context.was_told_of(word)
                || context.is_name(word)
                || context.is_name(&stem)
                || changed.contains(word.get(..6).unwrap_or(word))
        };
        self.words_of(clause).iter().any(|word| is_part(word) && !is_told(&word.text))
    }

    /// `That's the second time you've done so`, `on its third track`.
    fn counts_the_past(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_counted = |noun: &str| {
            let is_piece = matches!(noun, "track" | "song" | "episode" | "chapter" | "season");
            noun == "time" || is_piece && !context.was_told_of(noun)
        };
        self.words_of(clause)
            .windows(2)
            .any(|pair| ORDINALS.contains(&&*pair[0].text) && is_counted(&pair[1].text))
    }

    /// `I'll unmute it when the call is over`, where nobody asked for it.
    fn plans_an_act(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let asked = |word: &str| context.request().iter().any(|own| own == word);
        let will = words.windows(2).position(|pair| pair == ["i", "will"]);
        // `I drive it up again tomorrow`, put into English word for word.
        let begins = words.first().is_some_and(|word| *word == "i") && words.contains(&"tomorrow");
        let Some(will) = will.or_else(|| begins.then_some(0)).filter(|at| at + 2 <= words.len())
        else {
            return false;
        };
        let is_filler = |word: &&&str| {
            matches!(
                **word,
                "also" | "then" | "just" | "gladly" | "automatically" | "of" | "course"
            )
        };
        let behind = &words[will + 2..];
        let verb = behind.iter().find(|word| !is_filler(word));
        let acts = verb.is_some_and(|verb| pattern::is_act(verb, 0) && !CALLING.contains(verb));
        let mut put_off = behind.iter().filter(|word| PUT_OFF.contains(word)).peekable();
        acts && put_off.peek().is_some()
            && !put_off.any(|word| asked(word))
            && !words.contains(&"you")
            && context.lengths().is_empty()
    }

    /// `He is already in the kitchen.` A robot has a place of its own.
    fn tells_where_somebody_is(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_robot =
            |thing: &&toolgauge_core::WorldThing| matches!(thing.kind(), "vacuum" | "lawn_mower");
        let words = self.texts_of(clause);
        let is_told = words.windows(2).enumerate().any(|(at, pair)| {
            let behind = words[at + 2..]
                .iter()
                .find(|word| !matches!(**word, "already" | "now" | "just" | "still" | "probably"));
            matches!(pair, ["he" | "she" | "everybody" | "everyone", "is"])
                && behind.is_some_and(|word| {
                    matches!(
                        *word,
                        "in" | "inside"
                            | "here"
                            | "there"
                            | "at"
                            | "outside"
                            | "home"
                            | "waiting"
                            | "coming"
                            | "on"
                    )
                })
        });
        is_told && !context.topic_things().iter().any(is_robot)
    }

    /// `It stays on until eleven`, where nobody spoke of it.
    fn tells_an_end(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let asks = context.request().iter().any(|word| {
            matches!(&**word, "until" | "till" | "by" | "at" | "for" | "in")
                || word.starts_with(|c: char| c.is_ascii_digit())
        });
        let is_hour = |word: &str| {
            matches!(word, "noon" | "midnight" | "sunrise" | "sunset" | "dawn" | "half")
                || toolgauge_core::english::small_number(word).is_some()
                || word.starts_with(|c: char| c.is_ascii_digit())
        };
        let ends =
            words.windows(2).any(|pair| matches!(pair[0], "until" | "till") && is_hour(pair[1]));
        ends && !asks && context.lengths().is_empty()
    }

    /// `The car's charging`, where its charger is off.
    fn claims_charging(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_off = |noun: &str| {
            let mut chargers = context.things.iter().filter(|thing| {
                thing.name_words.iter().any(|name| {
                    name.iter().any(|word| word == noun)
                        && name.iter().any(|word| word == "charger")
                })
            });
            chargers.any(|thing| thing.state == "off")
        };
        let words = self.texts_of(clause);
        words.windows(3).any(|three| matches!(three, [_, "is", "charging"]) && is_off(three[0]))
    }

    /// `The garage door is closed and locked`, where it has no lock.
    fn claims_locked(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let says_locked = self.texts_of(clause).contains(&"locked");
        let touched = context.touched_things();
        says_locked
            && !touched.is_empty()
            && touched.iter().all(|thing| thing.kind() == "cover")
            && !self.things_named(clause, context).iter().any(|thing| thing.kind() == "lock")
    }

    /// `The sun is coming in`, on a winter's evening.
    fn tells_of_the_sun(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_winter = context
            .today
            .and_then(|today| today.month)
            .is_some_and(|month| matches!(month, 10..=12 | 1..=3));
        let is_night = context.now.is_some_and(|now| !(7 * 60..18 * 60).contains(&now));
        let words = self.texts_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(word));
        is_winter
            && is_night
            && says(&["sun", "sunlight", "sunshine", "daylight"])
            && says(&["is", "are", "comes", "coming", "shines", "shining", "streaming", "in"])
            && !says(&["will", "tomorrow", "morning", "when", "out", "against", "keeps", "until"])
    }
}
