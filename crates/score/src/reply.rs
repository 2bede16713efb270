//! Reads a reply as a person would: what it claims, denies, refuses, asks and promises.
//!
//! A reply is put into plain form, split into sentences and clauses, and every clause is read for
//! what it does. The facts a case expects, and the state of the world where there is one, are
//! then held against these clauses. Words are told apart by tables in `reply/tables`, which hold
//! nothing but phrases and can be read and reviewed on their own.

mod act;
mod age;
mod agenda;
mod amount;
mod appointment;
mod assessment;
mod beside_the_point;
mod beyond_called;
mod books;
mod call_states;
mod calls_alone;
mod cause;
mod change;
mod choices;
mod clause;
mod compared_names;
mod conclusion;
mod consequences;
mod context;
mod counting;
mod day;
mod detail;
mod duration;
mod earlier;
mod effect;
mod evasion;
mod example;
mod extent;
mod extreme;
mod forecast;
mod foreign_report;
mod gloss;
mod happenings;
mod home_words;
mod invention;
mod judge;
mod kind;
mod kind_claim;
mod language;
mod left_out;
mod lexicon;
mod list;
mod made_up;
mod message;
mod missing_document;
mod moment;
mod moment_gloss;
mod naming;
mod no_report;
mod novelty;
mod opposition;
mod other_things;
mod own_words;
mod pairing;
mod pattern;
mod period;
mod place_state;
mod placement;
mod places;
mod plain_words;
mod quantity;
mod question_back;
mod ranking;
mod recipients;
mod refusal_reasons;
mod relation;
mod report;
mod restated;
mod routine;
mod several_states;
mod shelf;
mod small_talk;
mod sorts;
mod stance;
mod state_claim;
mod summary;
mod summing_up;
mod superlative;
mod support;
mod taken_back;
mod timers;
mod told_values;
mod truth;
mod turned_conclusion;
mod unknown_subject;
mod untold;
mod value;
mod vocabulary;
mod word_order;
mod words;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use serde_json::Value;
use toolgauge_core::{Cause, Loss};

use self::clause::Clause;
use self::lexicon::LEXICON;
use self::pattern::Phrase;
use self::value::ReplyValues;
use self::words::Word;
use crate::recall::{ReadTexts, recall};

pub(crate) use self::context::Context;
pub use self::example::example_answer;
pub(crate) use self::kind::facts_of;

/// A reply, read.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// The text with short forms written out.
    plain: String,
    words: Vec<Word>,
    clauses: Vec<Clause>,
    /// By word: whether it denies what follows.
    negators: Vec<bool>,
    is_english: OnceCell<bool>,
    values: ReplyValues,
}

thread_local! {
    static READ: RefCell<ReadTexts<Reply>> = RefCell::default();
}

const NEGATORS: [&str; 14] = [
    "not", "no", "never", "none", "nothing", "neither", "nor", "without", "nobody", "nowhere",
    "cannot", "hardly", "forgot", "failed",
];

/// As much of a text as is read, in bytes: some 2,500 words. Some rules compare every word with
/// every other, so that a text four times as long takes sixteen times as long.
const MOST_READ: usize = 16 << 10;

impl Reply {
    /// Reads a text; of one beyond [`MOST_READ`] the beginning and the end.
    pub(crate) fn read(text: &str) -> Rc<Self> {
        recall(&READ, text, |text| Rc::new(Self::read_anew(text)))
    }

    fn read_anew(text: &str) -> Self {
        let plain = words::plain(&readable(text));
        let words = words::words(&plain);
        let clauses = clause::clauses(&plain, &words);
        let mut negators: Vec<bool> =
            words.iter().map(|word| NEGATORS.contains(&word.text.as_str())).collect();
        for clause in &clauses {
            let own = &words[clause.words.clone()];
            // Phrases such as `no problem` hold a negator and deny nothing.
            for phrase in &LEXICON.not_negation {
                if let Some((start, end)) = phrase.find(own) {
                    let start = clause.words.start + start;
                    negators[start..clause.words.start + end].fill(false);
                }
            }
        }
        let is_english = OnceCell::new();
        Self { plain, words, clauses, negators, is_english, values: ReplyValues::default() }
    }

    /// Reads a text that may be in another language than English; that is put into English first.
    pub(crate) fn read_any(text: &str) -> Rc<Self> {
        let reply = Self::read(text);
        if reply.is_english() { reply } else { Self::read_glossed(text) }
    }

    /// Reads a text of another language than English, put into English word for word.
    pub(crate) fn read_glossed(text: &str) -> Rc<Self> {
        Self::read(&gloss::english(text))
    }

    /// Whether a text is in one of the languages that can be put into English word for word.
    pub(crate) fn is_glossed(text: &str) -> bool {
        gloss::knows(text)
    }

    fn words_of(&self, clause: &Clause) -> &[Word] {
        &self.words[clause.words.clone()]
    }

    /// The words of a clause, as texts.
    fn texts_of(&self, clause: &Clause) -> Vec<&str> {
        self.words_of(clause).iter().map(|word| word.text.as_str()).collect()
    }

    /// The number of the first word that stands at a place of the plain text or behind it.
    fn word_at(&self, place: usize) -> usize {
        self.words.partition_point(|word| word.place.start < place)
    }

    /// The word of a number, empty where there is none.
    fn text_at(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    /// The word so many words in front of the one of a number, empty where there is none.
    fn text_before(&self, at: usize, back: usize) -> &str {
        at.checked_sub(back).map_or("", |at| self.text_at(at))
    }

    /// The word in front of a place of the plain text.
    fn word_before(&self, place: &Range<usize>) -> &str {
        self.text_before(self.word_at(place.start), 1)
    }

    /// The word behind a place of the plain text.
    fn word_behind(&self, place: &Range<usize>) -> &str {
        self.text_at(self.word_at(place.end))
    }

    /// Where one of the phrases stands in a clause, by the numbers of words in the reply.
    fn find(&self, clause: &Clause, phrases: &[Phrase]) -> Option<Range<usize>> {
        let words = self.words_of(clause);
        let found = phrases.iter().find_map(|phrase| phrase.find(words));
        found.map(|(start, end)| clause.words.start + start..clause.words.start + end)
    }

    fn has(&self, clause: &Clause, phrases: &[Phrase]) -> bool {
        self.find(clause, phrases).is_some()
    }

    /// Whether an odd number of denials stand in the clause before this word.
    fn is_denied(&self, clause: &Clause, word: usize) -> bool {
        let end = word.min(clause.words.end);
        let comma = |at: &usize| {
            let between = self.words[*at - 1].place.end..self.words[*at].place.start;
            self.plain[between].contains(',')
        };
        // A comma ends what is denied: `nothing much, it is at its base`.
        let start = (clause.words.start + 1..=end.min(self.words.len() - 1)).rev().find(comma);
        let before = start.unwrap_or(clause.words.start).min(end)..end;
        self.negators[before].iter().filter(|is| **is).count() % 2 == 1
    }

    /// Whether the clause denies anything.
    fn has_denial(&self, clause: &Clause) -> bool {
        self.negators[clause.words.clone()].contains(&true)
    }

    /// The words of a clause as they were written, for people.
    fn quote(&self, clause: &Clause) -> &str {
        &self.plain[clause.place.clone()]
    }
}

/// The part of a text that is read. Whoever writes very much gives the answer first or last.
fn readable(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST_READ {
        return Cow::Borrowed(text);
    }
    let start = &text[..text.floor_char_boundary(MOST_READ / 2)];
    let end = &text[text.ceil_char_boundary(text.len() - MOST_READ / 2)..];
    // The line keeps the two halves from being read as one sentence.
    Cow::Owned(format!("{start}\n{end}"))
}

/// What is lost, with both sides and no points given yet.
fn loss(cause: Cause, expected: impl Into<Value>, actual: impl Into<Value>) -> Loss {
    Loss { expected: Some(expected.into()), actual: Some(actual.into()), ..Loss::new(cause, 0.0) }
}

#[cfg(test)]
mod tests;
