//! Names of a reply, looked for in all of the books, with what somebody is said to be.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss, english};

use crate::reply::pattern::words_of_sections;
use crate::reply::shelf::Shelf;
use crate::reply::words::book_stem;
use crate::reply::{Reply, loss};

/// What people are to a company, by the words that books and answers use for it.
static ROLES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| words_of_sections(include_str!("../tables/roles.txt"), &["both", "named"]));

/// Names of feasts, of languages and of what everybody works with, which stand in no book.
pub(super) const COMMON_NAMES: [&str; 8] =
    ["halloween", "christmas", "easter", "thanksgiving", "eve", "english", "internet", "excel"];

impl Reply {
    /// A name that stands nowhere in the books: `The order went to Haverly Masonry`.
    pub(super) fn name_in_no_book(&self, known: &HashSet<String>, shelf: &Shelf) -> Option<Loss> {
        let is_known = |at: usize| {
            let word = self.words[at].text.as_str();
            let stem = book_stem(word);
            let written = &self.plain[self.words[at].place.clone()];
            let behind = &self.plain[self.words[at].place.end..];
            word.len() < 4
                // `Vice President, Commercia…` is cut off in the middle.
                || behind.starts_with('…')
                || behind.starts_with("...")
                // `DSCR` is a short form and no name.
                || written.chars().all(char::is_uppercase)
                || COMMON_NAMES.contains(&word)
                // What day of the week it was follows from the date.
                || english::WEEKDAYS.contains(&word)
                || known.contains(&stem)
                || shelf.with_word(&stem).next().is_some()
                || !word.chars().all(|c| c.is_alphabetic() || c == '\'')
        };
        let told = self.clauses.iter().filter(|clause| !clause.is_question);
        let wrong = told.into_iter().find_map(|clause| {
            let mut inner = clause.words.clone().skip(usize::from(clause.is_first));
            inner.find(|at| self.is_capital(*at) && is_inside_sentence(self, *at) && !is_known(*at))
        })?;
        let name = &self.plain[self.words[wrong].place.clone()];
        Some(loss(Cause::UnsupportedClaim, "a name that stands in the books", name))
    }

    /// A name in a role that it has nowhere: `The buyer was Sara Lindquist`.
    pub(super) fn name_in_other_role(
        &self,
        known: &HashSet<String>,
        shelf: &Shelf,
    ) -> Option<Loss> {
        let wrong = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            let words = clause.words.clone();
            let is_role = |at: &usize| {
                let text = self.words[*at].text.as_str();
                ROLES.contains(text) && !self.is_capital(*at) && !known.contains(&book_stem(text))
            };
            let Some(role) = words.clone().find(is_role) else { return false };
            let names: Vec<String> = words
                .filter(|at| self.is_capital(*at) && *at != clause.words.start)
                .map(|at| book_stem(&self.words[at].text))
                .collect();
            let mut together = vec![book_stem(&self.words[role].text)];
            together.extend(names);
            together.len() > 2 && !shelf.holds_together(&together)
        })?;
        Some(loss(Cause::UnsupportedClaim, "who it is by the books", self.quote(wrong)))
    }
}

/// Whether a capital letter may be a name's, and not the beginning of a sentence's.
pub(in crate::reply) fn is_inside_sentence(reply: &Reply, at: usize) -> bool {
    let before = reply.plain[..reply.words[at].place.start].trim_end();
    !before.is_empty()
        && !before.ends_with(['.', '!', '?', ':', ';', '"', '(', '|', '\n'])
        && !reply.plain[..reply.words[at].place.start].ends_with('\n')
}
