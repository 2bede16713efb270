//! Words that could be looked up in books, and those that need not be.

use std::collections::HashSet;

use crate::reply::clause::Clause;
use crate::reply::pattern::is_any_act;
use crate::reply::plain_words::{is_common, is_function_word, is_in_calendar, is_number_word};
use crate::reply::words::book_stem;
use crate::reply::{Reply, Word};

/// Words of numbers and shares, which are held against figures elsewhere.
const COUNTING: [&str; 16] = [
    "hundred",
    "thousand",
    "million",
    "half",
    "halves",
    "first",
    "second",
    "third",
    "fourth",
    "quarter",
    "respectively",
    "apiece",
    "once",
    "twice",
    "dozen",
    "percent",
];

/// Words that speak of all or none of several things.
pub(super) const SWEEPING: [&str; 9] =
    ["all", "every", "each", "both", "none", "entire", "whole", "everything", "everyone"];

/// Words beside those that tell nothing of what all things have in common.
const EMPTY: [&str; 16] = [
    "single", "other", "others", "together", "goes", "called", "named", "come", "comes", "came",
    "add", "adds", "added", "make", "makes", "made",
];

/// Shares in words.
const SHARES: [&str; 5] = ["half", "third", "quarter", "majority", "equally"];

impl Reply {
    /// The stems of the words of a clause that nobody spoke of.
    pub(super) fn new_words(&self, clause: &Clause, known: &HashSet<String>) -> Vec<String> {
        let is_name = |word: &Word| self.plain[word.place.clone()].starts_with(char::is_uppercase);
        let words = self.words_of(clause).iter().enumerate();
        words
            .filter(|(at, word)| {
                (*at == 0 || !is_name(word))
                    && (is_lookable(&word.text) || SHARES.contains(&word.text.as_str()))
                    && !is_function_word(&word.text)
                    && !SWEEPING.contains(&word.text.as_str())
                    && !EMPTY.contains(&word.text.as_str())
            })
            .map(|(_, word)| book_stem(&word.text))
            .filter(|stem| !known.contains(stem))
            .collect()
    }
}

/// Whether a word tells anything that is not told of in other words as well.
pub(super) fn is_telling(word: &str) -> bool {
    is_lookable(word) && !is_common(word) && !is_any_act(word)
}

/// Whether a word is one that could be looked up as a word.
pub(in crate::reply) fn is_lookable(word: &str) -> bool {
    word.len() > 2
        && word.chars().all(|c| c.is_alphabetic() || c == '\'')
        && !is_function_word(word)
        && !is_number_word(word)
        && crate::reading::unit_named(word).is_none()
        && !is_in_calendar(word)
        && !COUNTING.contains(&word)
}
