//! What a report of an act tells of people, animals and the weather, which no home tells and nobody
//! asked about: `Unlocked, and your visitor has just stepped inside.`

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, words_of_sections};
use super::sorts::{KINDS, kinds_of};
use super::{Reply, loss};
use crate::reading::stem;

static PEOPLE: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/people.txt")));

/// Verbs by which something happened, is so, or will be.
static FINITE: LazyLock<HashSet<&str>> =
    LazyLock::new(|| words_of_sections(include_str!("tables/finite.txt"), &["both", "happened"]));

/// Words behind which somebody is only thought of: `so that nobody is left in the dark`.
const THOUGHT_OF: [&str; 14] = [
    "if", "when", "before", "until", "till", "once", "case", "so", "for", "let", "lets", "unless",
    "whoever", "whenever",
];

impl Reply {
    /// What somebody of whom nobody spoke did, does or will do, and what the weather will be.
    pub(super) fn unknown_happening(&self, context: &Context<'_>) -> Option<Loss> {
        let mut plain = self.clauses.iter().filter(|clause| {
            !clause.is_question && !self.is_conditional(clause) && !self.offers(clause)
        });
        let clause = plain.find(|clause| {
            self.tells_of_people(clause, context) || self.tells_the_weather(clause, context)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was done", self.quote(clause)))
    }

    /// `The first guests will arrive`, where no guests were spoken of.
    fn tells_of_people(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let is_happening = |word: &str| {
            FINITE.contains(word) || word.len() > 4 && word.ends_with("ed") && word != "need"
        };
        (0..words.len()).any(|at| {
            let noun = words[at].text.as_str();
            let thought_of = || words[..at].iter().any(|word| THOUGHT_OF.contains(&&*word.text));
            let happens = || {
                let behind = words[at + 1..].iter().take(3).map(|word| word.text.as_str());
                let behind = behind.take_while(|word| !matches!(*word, "can" | "could" | "may"));
                behind.into_iter().any(is_happening)
            };
            // `Now nobody has to sit in the dark.`
            let must = || {
                words[at + 1..].windows(2).take(2).any(|pair| {
                    matches!(&*pair[0].text, "has" | "have" | "need" | "needs")
                        && pair[1].text == "to"
                })
            };
            let is_theirs = || at > 0 && words[at - 1].text == "your" && !context.is_at_home(noun);
            // `Nobody gets in there now` tells what follows, and no event.
            let follows = noun == "nobody"
                && words
                    .get(at + 1)
                    .is_some_and(|word| matches!(&*word.text, "gets" | "comes" | "is"));
            (PEOPLE.contains(noun) || is_theirs())
                && !follows
                && happens()
                && !must()
                && !thought_of()
                && !context.was_told_of(noun)
        })
    }

    /// `It will rain tonight.`
    fn tells_the_weather(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const WEATHER: [&str; 6] = ["rain", "snow", "freeze", "hail", "thunder", "pour"];
        self.words_of(clause).windows(2).any(|pair| {
            let noun = pair[1].text.as_str();
            pair[0].text == "will" && WEATHER.contains(&noun) && !context.was_told_of(noun)
        })
    }
}

impl Context<'_> {
    /// Whether a word names what a home has: `your heating`, `your robot`.
    fn is_at_home(&self, noun: &str) -> bool {
        let bare = noun.strip_suffix("'s").unwrap_or(noun);
        KINDS.theirs.contains(bare)
            || self.things.is_empty()
            || self.is_name(bare)
            || self.named_things().any(|(thing, _)| {
                kinds_of(thing).iter().any(|kind| super::words::same_word(bare, kind))
            })
    }

    /// Whether the request, what was said before, a call, or the name of a thing that it is about
    /// holds a word.
    pub(super) fn was_told_of(&self, word: &str) -> bool {
        let is_same = |own: &str| own == word || stem(own) == stem(word);
        let holds =
            |text: &str| toolgauge_core::WorldThing::words_of(text).iter().any(|own| is_same(own));
        self.request().iter().any(|own| is_same(own))
            || self.said().any(holds)
            || self.words_of_calls().iter().any(|own| is_same(own))
            || self.topic_things().iter().any(|thing| thing.names.iter().any(|name| holds(name)))
    }
}
