//! What an answer brings in by itself: things and earlier states that nothing behind it tells of.
//!
//! Plain words are left alone, because right answers are full of them. Held against what was asked
//! and looked up is only what can be checked: a thing that is said to be there, and what was before.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::clause::Clause;
use super::context::Context;
use super::plain_words::{is_common, is_function_word, is_in_calendar, is_number_word};
use super::words::{known_stems, phrase_at};
use super::{Reply, loss};
use crate::reading::stem;

static PLAIN_NOUNS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| super::pattern::word_set(include_str!("tables/plain_nouns.txt")));

/// A thing that acted without being told to: `it switched itself off`.
const BY_ITSELF: &[&str] = &["itself"];

/// How many words a thing is named by at most: `a small red van`.
const LONGEST_NAME: usize = 3;

impl Reply {
    /// A thing that the answer says is there and nobody spoke of: `a red van is on the driveway`.
    pub(crate) fn new_thing(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let known = LazyCell::new(|| {
            let kinds = context.things.iter().flat_map(|thing| {
                super::sorts::kinds_of(thing).iter().copied().chain([thing.kind()])
            });
            let texts = context.all_texts().chain(context.request().iter().map(String::as_str));
            known_stems(facts, texts.chain(context.names_and_places()).chain(kinds), stem)
        });
        let thing = self
            .clauses
            .iter()
            .filter(|clause| self.is_plain_statement(clause))
            .flat_map(|clause| clause.words.clone())
            .filter(|at| matches!(self.words[*at].text.as_str(), "a" | "an" | "another"))
            .filter(|at| !self.is_advised(*at))
            .filter_map(|at| self.noun_behind(at))
            .find(|at| !is_known_noun(&self.words[*at].text, &known))?;
        let word = self.words[thing].text.as_str();
        Some(loss(Cause::UnsupportedClaim, "what was looked up", word))
    }

    /// Whether a clause says that something is so: it neither asks, denies, offers, doubts nor sets
    /// a condition.
    pub(super) fn is_plain_statement(&self, clause: &Clause) -> bool {
        !clause.is_question
            && !self.has_denial(clause)
            && !self.is_conditional(clause)
            && !self.offers(clause)
            && !self.is_hedged(clause)
    }

    /// Whether the words in front of an article advise something: `so take a warm coat`.
    fn is_advised(&self, article: usize) -> bool {
        let before = &self.words[article.saturating_sub(2)..article];
        before.iter().any(|word| {
            matches!(
                word.text.as_str(),
                "take" | "bring" | "wear" | "grab" | "pack" | "need" | "want" | "for" | "so"
            )
        })
    }

    /// The last word of the name behind an article, as far as it goes on without a gap.
    fn noun_behind(&self, article: usize) -> Option<usize> {
        let mut last = None;
        for at in article + 1..(article + 1 + LONGEST_NAME).min(self.words.len()) {
            let gap = &self.plain[self.words[at - 1].place.end..self.words[at].place.start];
            let word = self.words[at].text.as_str();
            // A word with a capital letter is a name, which has rules of its own.
            let is_name = self.plain[self.words[at].place.clone()].starts_with(char::is_uppercase);
            if gap != " " || is_function_word(word) || is_name {
                break;
            }
            last = Some(at);
        }
        last
    }

    /// What a thing was before, which a home does not tell: `it has been locked since noon`.
    pub(crate) fn unknown_past(&self, context: &Context<'_>) -> Option<Loss> {
        const SPANS: [&[&str]; 17] = [
            &["since", "lunchtime"],
            &["since", "noon"],
            &["yesterday"],
            &["last", "night"],
            &["last", "week"],
            &["last", "month"],
            &["last", "tested"],
            &["last", "checked"],
            &["this", "morning"],
            &["this", "afternoon"],
            &["time", "today"],
            &["time", "this", "week"],
            &["you", "last"],
            &["last", "used"],
            &["last", "did"],
            &["last", "opened"],
            &["ago"],
        ];
        if context.things.is_empty() {
            return None;
        }
        let told = |span: &[&str]| {
            context.all_texts().any(|text| {
                let text = text.to_lowercase();
                span.iter().all(|word| text.contains(word))
            })
        };
        let clauses = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let mut said = clauses.filter_map(|clause| {
            let words = self.texts_of(clause);
            let by_itself = words.windows(2).any(|pair| {
                pair[1] == "itself" && (pair[0] == "shut" || super::pattern::is_act(pair[0], 1))
            });
            // `It was at 40 a moment ago` tells what the act changed.
            let is_just_now = words
                .windows(2)
                .any(|pair| pair[1] == "ago" && matches!(pair[0], "moment" | "minute" | "second"));
            let is_said = |span: &&&[&str]| phrase_at(&words, span).is_some();
            let span = SPANS.iter().find(is_said).filter(|span| !is_just_now || span[0] != "ago");
            span.copied().or_else(|| by_itself.then_some(BY_ITSELF))
        });
        let span = said.find(|span| !told(span)).map(|span| span.join(" "));
        let mut looked_up = context.said().chain(context.returned_texts());
        let is_told = looked_up.any(|text| text.to_lowercase().contains("since"));
        let span = span.or_else(|| self.since_when().filter(|_| !is_told))?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", span))
    }

    /// The words that tell since when something is so: `since eight this morning`.
    fn since_when(&self) -> Option<String> {
        let is_moment = |word: &str| {
            let is_digit = |c: char| c.is_ascii_digit() || c == ':';
            !word.is_empty() && word.chars().all(is_digit)
                || is_number_word(word)
                || is_in_calendar(word)
                || matches!(
                    word,
                    "noon"
                        | "midnight"
                        | "morning"
                        | "afternoon"
                        | "early"
                        | "about"
                        | "around"
                        | "half"
                        | "quarter"
                        | "dawn"
                        | "breakfast"
                        | "lunch"
                        | "you"
                        | "they"
                        | "somebody"
                )
        };
        // At its beginning it gives a reason: `Since you ask from your phone, …`
        let since = self.clauses.iter().find_map(|clause| {
            let inner = clause.words.start + usize::from(clause.is_first)..clause.words.end;
            inner.into_iter().find(|at| self.words[*at].text == "since")
        })?;
        let this = self.words.get(since + 1).is_some_and(|word| word.text == "this");
        let moment = self.words.get(since + 1 + usize::from(this))?;
        is_moment(&moment.text).then(|| format!("since {}", moment.text))
    }
}

fn is_known_noun(word: &str, known: &HashSet<String>) -> bool {
    let is_form = word.len() > 4 && ["ly", "ed", "ing", "er"].iter().any(|end| word.ends_with(end));
    word.chars().count() < 3
        || is_form
        || word.contains(|c: char| c.is_ascii_digit())
        || is_number_word(word)
        || PLAIN_NOUNS.contains(word)
        || is_common(word)
        || super::pattern::is_any_act(word)
        || known.contains(&stem(word))
}
