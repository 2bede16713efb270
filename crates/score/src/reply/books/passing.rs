//! Details told in passing: what an answer adds in words that no book has, because it makes a
//! better story.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::names::COMMON_NAMES;
use super::words::is_lookable;
use crate::reply::clause::Clause;
use crate::reply::context::Context;
use crate::reply::pattern::{word_set, words_of_sections};
use crate::reply::shelf::Shelf;
use crate::reply::words::book_stem;
use crate::reply::{Reply, loss};

/// Words that lead a part of a sentence in which something is told beside the answer.
const LEADS: [&str; 18] = [
    "who", "whose", "which", "having", "being", "after", "by", "because", "since", "with",
    "during", "though", "although", "while", "when", "before", "until", "despite",
];

/// Leads that go on with a question behind what is not known: `it is not recorded which one`.
const ASKING: [&str; 4] = ["who", "whose", "which", "when"];

/// Persons of whom something is told in a clause of its own.
static PERSONS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| words_of_sections(include_str!("../tables/roles.txt"), &["both", "told of"]));

/// How far from its beginning a clause has its subject: `the previous owner measured`.
const SUBJECT: usize = 4;

/// Words in which any answer is put.
static ANSWER_WORDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| stems(include_str!("../tables/answer_words.txt")));

/// Words that no answer needs unless the books tell such a story.
static STORY_WORDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| stems(include_str!("../tables/story_words.txt")));

/// Whether the stem of a word is that of one in which any answer is put.
pub(super) fn is_answer_word(stem: &str) -> bool {
    ANSWER_WORDS.contains(stem)
}

fn stems(table: &'static str) -> HashSet<String> {
    word_set(table).into_iter().map(book_stem).collect()
}

impl Reply {
    /// A detail in a word that neither the request, the answer nor any book has: `bought in 2020
    /// from a family who had owned it since the sixties`.
    pub(super) fn told_in_passing(
        &self,
        known: &HashSet<String>,
        context: &Context<'_>,
    ) -> Option<Loss> {
        let shelf = context.shelf()?;
        // An answer to `why` tells a story.
        let asks_why = context.question.iter().any(|word| word == "why");
        if !self.is_english() || asks_why {
            return None;
        }
        let is_foreign = |at: &usize| {
            let stem = book_stem(&self.words[*at].text);
            self.is_plain_word(*at)
                && !ANSWER_WORDS.contains(&stem)
                && !known.contains(&stem)
                && shelf.with_word(&stem).next().is_none()
        };
        let told = self.clauses.iter().enumerate().filter(|(_, clause)| self.tells(clause));
        let (_, wrong) = told.into_iter().find(|(number, clause)| {
            self.beside_the_answer(*number).any(|at| is_foreign(&at))
                || self.tells_a_story(clause, known, shelf)
                || self.is_pieced_together(*number, known, shelf)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what is written in the books", self.quote(wrong)))
    }

    /// Whether what is told beside the answer has words and names that no row, passage or document
    /// has together: `which Dolores has asked to have extended`.
    fn is_pieced_together(&self, number: usize, known: &HashSet<String>, shelf: &Shelf) -> bool {
        let is_new = |stem: &String| !known.contains(stem) && !ANSWER_WORDS.contains(stem);
        let stem = |at: usize| book_stem(&self.words[at].text);
        let beside = self.beside_the_answer(number);
        let is_whole = |at: usize| !self.words[at].text.contains('\'');
        let words = beside.clone().filter(|at| self.is_plain_word(*at) && is_whole(*at));
        let words: Vec<String> = words.map(stem).filter(is_new).collect();
        let names = beside.filter(|at| {
            self.is_capital(*at) && !COMMON_NAMES.contains(&self.words[*at].text.as_str())
        });
        let mut all: Vec<String> = names.map(stem).filter(is_new).collect();
        all.extend(words.iter().cloned());
        all.sort_unstable();
        all.dedup();
        !words.is_empty() && shelf.left_out(&all) > 0
    }

    /// Whether a clause says that something is so that can be known.
    fn tells(&self, clause: &Clause) -> bool {
        self.is_plain_statement(clause) && !self.says_unknown(clause) && !self.does_not_know(clause)
    }

    /// Whether a word is written small and could be looked up.
    fn is_plain_word(&self, at: usize) -> bool {
        let word = &self.words[at];
        let is_name = self.plain[word.place.clone()].starts_with(char::is_uppercase);
        // `A walk-through`.
        let is_compound = self.plain[..word.place.start].ends_with('-')
            || self.plain[word.place.end..].starts_with('-');
        !is_name && !is_compound && is_lookable(&word.text)
    }

    /// The words of a clause that tell something beside the answer: those behind a lead in its
    /// sentence, or all words of a further clause about a person.
    fn beside_the_answer(&self, number: usize) -> std::ops::Range<usize> {
        let clause = &self.clauses[number];
        let before = self.clauses[..number].iter().rev();
        let mut before = before.take_while(|own| own.sentence == clause.sentence).peekable();
        let is_unknown =
            before.peek().is_some_and(|own| self.says_unknown(own) || self.does_not_know(own));
        let is_led = before.any(|own| own.words.clone().any(|at| self.leads(own, at)));
        if is_led && !is_unknown || number > 0 && self.is_about_a_person(clause) {
            return clause.words.clone();
        }
        let leads = |at: &usize| {
            let asks = is_unknown && ASKING.contains(&self.words[*at].text.as_str());
            self.leads(clause, *at) && !asks
        };
        clause.words.clone().find(leads).map_or(0..0, |at| at..clause.words.end)
    }

    /// Whether a word leads a part of a sentence. At its beginning it leads all of it: `With 85
    /// percent in favor the sale was approved.`
    fn leads(&self, clause: &Clause, at: usize) -> bool {
        let is_beginning = clause.is_first && at == clause.words.start;
        let next = self.text_at(at + 1);
        // `As a hotel for pilgrims`, but not `as soon as possible`.
        let is_role = matches!(next, "a" | "an" | "his" | "her" | "their");
        let text = self.words[at].text.as_str();
        !is_beginning && (LEADS.contains(&text) || text == "as" && is_role)
    }

    /// Whether a clause tells what a person does: `she lent the money back`.
    fn is_about_a_person(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let subject = words.iter().take(SUBJECT).position(|word| {
            PERSONS.contains(word.text.as_str())
                && !self.plain[word.place.clone()].starts_with(char::is_uppercase)
                || matches!(word.text.as_str(), "he" | "she" | "they")
        });
        subject.is_some_and(|at| {
            let before = at.checked_sub(1).map_or("", |at| words[at].text.as_str());
            !matches!(before, "of" | "by" | "to" | "for" | "from" | "with")
        })
    }

    /// Whether a clause has a word of a story that the books do not tell with its other words: `as
    /// a hotel`, `his sister`, `two reminders by phone`.
    fn tells_a_story(&self, clause: &Clause, known: &HashSet<String>, shelf: &Shelf) -> bool {
        let new = self.new_words(clause, known);
        let mut story = clause.words.clone().filter(|at| {
            let stem = book_stem(&self.words[*at].text);
            self.is_plain_word(*at) && STORY_WORDS.contains(&stem) && new.contains(&stem)
        });
        story.next().is_some() && !self.is_proposed(clause) && shelf.left_out(&new) > 0
    }

    /// Whether a clause says what could or should be done: `you may phone the bank`.
    fn is_proposed(&self, clause: &Clause) -> bool {
        let is_modal = |text: &str| {
            matches!(text, "could" | "would" | "should" | "may" | "might" | "can" | "must" | "you")
        };
        self.words_of(clause).iter().any(|word| is_modal(&word.text))
    }
}
