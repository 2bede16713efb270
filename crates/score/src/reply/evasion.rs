//! Reports and answers that say something in general and nothing of what was asked for: `I can help you
//! keep track of your groceries`, `Blue is a calming colour.`

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::words::phrase_at;
use super::{LEXICON, Reply, loss, pattern};
use crate::reading::is_same;

static ASSESSMENTS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/assessments.txt")));

/// Words with which the speaker begins to tell what could be done.
const ABLE: [&[&str]; 16] = [
    &["i", "know"],
    &["i", "understand"],
    &["i", "can"],
    &["i", "could"],
    &["i", "am", "able"],
    &["i", "am", "here"],
    &["i", "am", "happy"],
    &["i", "am", "glad"],
    &["i", "would", "be"],
    &["i", "would", "love"],
    &["you", "can"],
    &["you", "could"],
    &["tell", "me"],
    &["ask", "me"],
    &["say", "the", "word"],
    &["let", "me", "know"],
];

/// What things do in general: `Timers help you`, `dinner sounds lovely`.
const GENERAL: [&str; 16] = [
    "sounds", "sound", "helps", "help", "needs", "need", "look", "looks", "happens", "happen",
    "taste", "tastes", "makes", "make", "saves", "save",
];

impl Reply {
    /// A reply all of whose clauses speak in general, behind calls that were made.
    pub(super) fn speaks_in_general(&self, context: &Context<'_>) -> Option<Loss> {
        let is_general = |clause: &Clause| {
            self.offers_help(clause)
                || self.assesses(clause, context)
                || self.tells_the_habit(clause, context)
                || self.has(clause, &LEXICON.idle)
                || clause.is_question && self.asks_for_assent(clause)
        };
        let speaks = !self.clauses.is_empty()
            && context.has_no_world()
            && !context.calls.is_empty()
            && self
                .clauses
                .iter()
                .all(|clause| is_general(clause) || self.waits_for_answer(clause));
        speaks.then(|| loss(Cause::NotAnAnswer, "what was done", self.plain.as_str()))
    }

    /// Whether nothing is said but what the speaker could do or cannot do: `I can't answer that. Ask
    /// me about the weather.`
    pub(super) fn offers_in_place_of_an_answer(&self) -> bool {
        let is_empty = |clause: &Clause| self.offers_help(clause) || self.refuses(clause);
        let able = |clause: &Clause| self.texts_of(clause).contains(&"me") || self.offers(clause);
        !self.clauses.is_empty()
            && self.clauses.iter().all(|clause| is_empty(clause) || self.is_conditional(clause))
            && self.clauses.iter().any(|clause| self.offers_help(clause) || able(clause))
    }

    /// `I can control the lights`, `Just tell me what you need.`
    fn offers_help(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let lead = words.iter().take_while(|word| matches!(**word, "just" | "and" | "so" | "well"));
        let own = &words[lead.count()..];
        // `I could not find it` refuses, `I can see it` reports.
        let is_now = own.last() == Some(&"now");
        ABLE.iter().any(|begin| own.starts_with(begin)) && !self.has_denial(clause) && !is_now
            || phrase_at(own, &["help", "you"]).is_some_and(|at| at < 3)
    }

    /// `Jazz is perfect for cooking`, `It's important to see the dentist regularly.`
    fn assesses(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let at = words.iter().position(|word| matches!(*word, "is" | "are" | "was" | "were"));
        let judged = at.is_some_and(|at| {
            let behind = || words[at + 1..].iter().take(5);
            let is_grade = behind().any(|word| ASSESSMENTS.contains(word));
            let is_kind = matches!(words.get(at + 1), Some(&"a" | &"an"))
                || words[at + 1..].starts_with(&["one", "of"]);
            // `It is nice and quiet`.
            let is_pair = phrase_at(&words, &["nice", "and"]).is_some();
            at > 0 && (is_grade || is_kind && !matches!(words[0], "there" | "it")) && !is_pair
        });
        // `Phone calls can be so important`, of which the end is a clause of its own.
        if words.len() <= 3 && words.iter().any(|word| ASSESSMENTS.contains(word)) {
            return true;
        }
        let can_be = words.windows(2).any(|pair| {
            pair[0] == "can" && matches!(pair[1], "be" | "really" | "work" | "make" | "help")
        });
        (judged || can_be && words.first() != Some(&"i"))
            && !self.tells_of_now(clause)
            && !self.tells_a_figure(clause, context)
    }

    /// `Timers help you keep track`, `Halls need light.`
    fn tells_the_habit(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let begins_with_thing =
            words.first().is_some_and(|word| !matches!(*word, "the" | "i" | "you" | "your" | "it"));
        let does = words.iter().skip(1).take(6).any(|word| GENERAL.contains(word));
        let goes = phrase_at(&words, &["go", "well"]).is_some()
            || phrase_at(&words, &["fly", "by"]).is_some();
        begins_with_thing
            && !self.has_denial(clause)
            && (does || goes)
            && !self.tells_of_now(clause)
            && !self.tells_a_figure(clause, context)
    }

    /// Whether a clause tells of what is so now, or of what the calls set.
    fn tells_of_now(&self, clause: &Clause) -> bool {
        self.claimed_act(clause).is_some()
            || self.words_of(clause).iter().any(|word| {
                matches!(
                    &*word.text,
                    "now"
                        | "on"
                        | "off"
                        | "set"
                        | "playing"
                        | "running"
                        | "done"
                        | "paused"
                        | "added"
                        | "booked"
                        | "sent"
                        | "today"
                        | "tomorrow"
                        | "degrees"
                )
            })
    }

    /// Whether a clause tells a figure with its unit that the request does not hold.
    fn tells_a_figure(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let asked = Self::read(&context.question.join(" ")).numbers();
        self.numbers().iter().any(|said| {
            clause.place.contains(&said.place.start)
                && said.value.unit.is_some()
                && !asked.iter().any(|own| is_same(own.value.value, said.value.value))
        })
    }

    /// `Can't they?`
    fn asks_for_assent(&self, clause: &Clause) -> bool {
        let last = self.words_of(clause).last().map_or("", |word| word.text.as_str());
        matches!(last, "they" | "it" | "we" | "that") && self.words_of(clause).len() <= 8
    }
}
