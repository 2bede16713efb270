//! Statements about all or none of several things, and causes: what a reply adds without having
//! looked, because it sounds likely.

use std::collections::HashSet;

use toolgauge_core::{Cause, Loss};

use super::figures::UNTELLING;
use super::passing::is_answer_word;
use super::words::{SWEEPING, is_lookable, is_telling};
use crate::reading::{MeasureUnit, is_same};
use crate::reply::clause::Clause;
use crate::reply::context::Context;
use crate::reply::plain_words::is_function_word;
use crate::reply::words::{book_stem, phrase_at};
use crate::reply::{Reply, loss};

/// What stands behind `all of`.
const THEM: [&str; 10] =
    ["them", "it", "which", "whom", "these", "those", "this", "our", "your", "the"];

impl Reply {
    /// `All of them have been completed`, where nobody asked for all and nothing tells of all.
    pub(super) fn sweeping_statement(
        &self,
        known: &HashSet<String>,
        context: &Context<'_>,
    ) -> Option<Loss> {
        let clause = self.clauses.iter().enumerate().find(|(at, clause)| {
            let rest = self.clauses.get(at + 1).filter(|next| next.sentence == clause.sentence);
            let new = || {
                let own = self.new_words(clause, known);
                // `All of` goes on in the clause of `which`.
                let goes_on = self.words_of(clause).len() <= 4 || self.ends_open(clause);
                let behind = rest.filter(|_| goes_on).map(|rest| self.new_words(rest, known));
                own.into_iter().chain(behind.into_iter().flatten()).collect::<Vec<String>>()
            };
            !clause.is_question
                && !self.is_conditional(clause)
                && !self.says_unknown(clause)
                && !self.does_not_know(clause)
                && self.is_sweeping(clause)
                && (!new().is_empty() || self.shares_out(clause, context))
        });
        let (_, clause) = clause.filter(|_| !is_told_of_all(context))?;
        Some(loss(Cause::UnsupportedClaim, "what is told of each", self.quote(clause)))
    }

    /// Whether a clause says something of all or none: `all of which he has paid`, `every tenant
    /// is`, `both buildings passed`.
    fn is_sweeping(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        (0..words.len()).any(|at| {
            let next = text(at + 1);
            let before = at.checked_sub(1).map_or("", |at| text(at));
            let is_end = at + 2 == words.len();
            let of_them = next == "of" && (is_end || THEM.contains(&text(at + 2)));
            let is_plural = |word: &str| word.ends_with('s') && word.len() > 3;
            match text(at) {
                "all" | "none" | "both" if of_them => true,
                "all" => {
                    (is_plural(next) || is_number(next))
                        && !matches!(before, "at" | "in" | "after" | "for" | "of" | "from")
                }
                "every" => next == "single" || next == "one" || is_thing(next),
                // Behind a figure it says what one costs: `$1,075 each plus two fees`.
                "each" => {
                    !before.starts_with(|c: char| c.is_ascii_digit())
                        && (matches!(next, "of" | "one" | "for") || is_thing(next))
                }
                "both" => is_plural(next) && !matches!(before, "in" | "on" | "at" | "from" | "for"),
                _ => false,
            }
        })
    }

    /// Whether a clause ends in `all of` or `none of`.
    fn ends_open(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        words.len() > 1 && words[words.len() - 1].text == "of"
    }

    /// Whether a clause gives each of several the same new amount: `$75,000 for each of the four
    /// members`.
    fn shares_out(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let is_each = |pair: &[crate::reply::Word]| pair[0].text == "each" && pair[1].text == "of";
        let told = context.reference().map(Self::numbers).unwrap_or_default();
        let is_told = |value: f64| told.iter().any(|told| is_same(told.value.value, value));
        let mut own = self.numbers_in(clause);
        words.windows(2).any(is_each)
            && own.any(|said| {
                said.value.unit.is_some_and(MeasureUnit::is_money) && !is_told(said.value.value)
            })
    }

    /// A cause that nothing tells of: `because of a burst pipe`. One passage must have its words
    /// together with one of what is caused.
    pub(super) fn guessed_cause(
        &self,
        known: &HashSet<String>,
        context: &Context<'_>,
    ) -> Option<Loss> {
        let shelf = context.shelf()?;
        let asks_why = |word: &String| {
            matches!(word.as_str(), "why" | "reason" | "reasons" | "cause" | "caused")
        };
        if context.question.iter().any(asks_why) {
            return None;
        }
        // Who does not know something says why not.
        let is_unknown = |clause: &Clause| self.says_unknown(clause) || self.does_not_know(clause);
        let knows = !self.clauses.iter().any(is_unknown);
        let told = context.reference().map_or(&[][..], |reference| &reference.words);
        let caused: Vec<String> = context
            .topic()
            .chain(told.iter().map(|word| word.text.as_str()))
            .filter(|word| is_lookable(word) && !UNTELLING.contains(word))
            .map(book_stem)
            .collect();
        let mut plain = self.clauses.iter().filter(|clause| {
            self.is_plain_statement(clause)
                && (knows || !is_unknown(clause) && !self.is_of_records(clause))
        });
        let clause = plain.find(|clause| {
            let Some(at) = self.cause_in(clause) else { return false };
            let rest = Clause { words: at..clause.words.end, ..(*clause).clone() };
            let names = rest.words.clone().filter(|at| self.is_capital(*at));
            let names = names.map(|at| book_stem(&self.words[at].text));
            let all: Vec<String> = self.new_words(&rest, known).into_iter().chain(names).collect();
            let own = all.iter().filter(|stem| !is_answer_word(stem) && !known.contains(*stem));
            let words: Vec<String> = own.cloned().collect();
            // Of common words alone nobody knows what they tell: `because it is old`.
            let is_new = rest.words.clone().any(|at| {
                let word = self.words[at].text.as_str();
                is_telling(word) && all.contains(&book_stem(word))
            });
            is_new && !(shelf.holds_together(&all) && shelf.holds_with_one_of(&words, &caused))
        })?;
        Some(loss(Cause::UnsupportedClaim, "a cause that is told", self.quote(clause)))
    }

    /// The word behind the one that gives a cause.
    fn cause_in(&self, clause: &Clause) -> Option<usize> {
        const CAUSES: [&[&str]; 9] = [
            &["because"],
            &["because", "of"],
            &["due", "to"],
            &["thanks", "to"],
            &["owing", "to"],
            &["caused", "by"],
            &["result", "of"],
            &["account", "of"],
            &["driven", "by"],
        ];
        let words = self.texts_of(clause);
        // `As the marshal has exempted them.`
        if let [
            "as",
            "the" | "our" | "its" | "his" | "her" | "their" | "we" | "he" | "she" | "they",
            ..,
        ] = words[..]
            && words.len() > 4
        {
            return Some(clause.words.start + 1);
        }
        let found = CAUSES.iter().filter_map(|cause| Some(phrase_at(&words, cause)? + cause.len()));
        found.max().map(|at| clause.words.start + at)
    }
}

/// Whether a word is a number that counts things.
fn is_number(word: &str) -> bool {
    toolgauge_core::english::small_number(word).is_some() || word.parse::<u32>().is_ok()
}

/// Whether a word may name a thing of which there are several, and no time.
fn is_thing(word: &str) -> bool {
    word.len() > 2
        && crate::reply::period::named(word).is_none()
        && !matches!(word, "time" | "two" | "three" | "four" | "other" | "side" | "with" | "for")
        && !is_function_word(word)
        && toolgauge_core::english::WEEKDAYS.iter().all(|day| *day != word)
}

/// Whether the question or the reference speaks of all things, so that an answer may too.
fn is_told_of_all(context: &Context<'_>) -> bool {
    // `The whole of 2025` is one year.
    let is_part = |word: &str| matches!(word, "whole" | "entire");
    let is_sweeping = |word: &str| SWEEPING.contains(&word) && !is_part(word) || word == "any";
    let asked = context.question.iter().any(|word| is_sweeping(word));
    let told = || {
        let reference = context.reference();
        reference.is_some_and(|text| text.words.iter().any(|word| is_sweeping(&word.text)))
    };
    asked || told()
}
