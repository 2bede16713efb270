//! How many things a reply says that it has listed: `three violations altogether` behind four.

use std::collections::BTreeSet;

use toolgauge_core::{Cause, Loss, english};

use super::clause::Clause;
use super::context::Context;
use super::plain_words::is_function_word;
use super::{Reply, loss};

/// Words of a clause that sums up what was listed.
const SUMMING: [&[&str]; 14] = [
    &["altogether"],
    &["in", "all"],
    &["all", "told"],
    &["in", "total"],
    &["that", "makes"],
    &["which", "makes"],
    &["making"],
    &["total", "of"],
    &["so"],
    &["therefore"],
    &["thus"],
    &["overall"],
    &["hence"],
    &["that", "is"],
];

/// How many things are counted at most.
const MOST: usize = 12;

impl Reply {
    /// A count of what the answer lists that is another one than the reference lists.
    pub(super) fn miscounted_list(&self, context: &Context<'_>) -> Option<Loss> {
        let reference = context.reference()?;
        let listed = reference.listed();
        if listed.is_empty() {
            return None;
        }
        let (clause, count) = self.clauses.iter().find_map(|clause| {
            let sums = self.is_summing_up(clause) && self.is_plain_statement(clause);
            let count = sums.then(|| self.counted_at_end(clause)).flatten()?;
            let is_known = listed.contains(&count)
                || context.request().iter().any(|word| count_of(word) == Some(count))
                || reference.words.iter().any(|word| count_of(&word.text) == Some(count));
            (!is_known).then_some((clause, count))
        })?;
        let expected = listed.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
        Some(loss(Cause::WrongAnswer, expected, format!("{count}: {}", self.quote(clause))))
    }

    fn is_summing_up(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_said = |phrase: &[&str]| {
            super::words::phrase_at(&words, phrase).is_some_and(|at| {
                // `So` sums up at the beginning alone.
                phrase.len() > 1 || !matches!(phrase[0], "so") || at == 0
            })
        };
        clause.words.start > 0 && SUMMING.iter().any(|phrase| is_said(phrase))
            || !clause.is_first && words.len() <= 3
    }

    /// The count of things in a clause that sums up: `four sets of minutes`, `a single payment`.
    fn counted_at_end(&self, clause: &Clause) -> Option<usize> {
        let words = self.words_of(clause);
        let is_thing = |word: &str| {
            word.len() > 3
                && word.chars().all(char::is_alphabetic)
                && !is_function_word(word)
                && crate::reading::unit_named(word).is_none()
                && super::period::named(word).is_none()
                && !english::MONTHS.contains(&word)
                && !matches!(word, "times" | "percent" | "thirds" | "quarters" | "halves" | "weeks")
        };
        words.windows(3).chain(words.len().checked_sub(2).map(|at| &words[at..])).find_map(
            |window| {
                let count = count_of(&window[0].text)?;
                let plural = |word: &str| is_thing(word) && word.ends_with('s');
                let noun = window[1..].iter().find(|word| plural(&word.text));
                let is_next = noun
                    .is_some_and(|noun| noun.place == window[1].place || is_thing(&window[1].text));
                let is_one = count == 1 && window[0].text == "single" && is_thing(&window[1].text);
                (is_next && count > 1 || is_one).then_some(count)
            },
        )
    }

    /// How many things a text lists: by commas and `and`, and by its days.
    fn listed(&self) -> BTreeSet<usize> {
        let days: BTreeSet<(Option<u32>, Option<u32>, Option<u32>)> = self
            .dates()
            .iter()
            .filter(|date| date.value.day.is_some())
            .map(|date| (date.value.year, date.value.month, date.value.day))
            .collect();
        let mut found: BTreeSet<usize> = BTreeSet::new();
        if days.len() > 1 {
            found.insert(days.len());
        }
        let dates = self.dates();
        let in_date = |at: usize| dates.iter().any(|date| date.place.contains(&at));
        let amounts = self.numbers();
        let in_number = |at: usize| amounts.iter().any(|said| said.place.contains(&at));
        for sentence in super::clause::sentences(&self.plain) {
            let text = &self.plain[sentence.clone()];
            let commas = text
                .char_indices()
                .filter(|(at, sign)| {
                    matches!(sign, ',' | ';') && {
                        let at = sentence.start + at;
                        !in_date(at) && !in_number(at)
                    }
                })
                .count();
            let ands = self
                .words
                .iter()
                .filter(|word| sentence.contains(&word.place.start) && word.text == "and")
                .filter(|word| !self.plain[..word.place.start].trim_end().ends_with(','))
                .count();
            if commas + ands > 0 {
                // An `and` may join two words of one item.
                found.extend((commas + usize::from(ands > 0) + 1)..=(commas + ands + 1));
            }
        }
        found.retain(|count| (2..=MOST).contains(count));
        found
    }
}

/// The small number that a word is.
fn count_of(word: &str) -> Option<usize> {
    if word == "single" {
        return Some(1);
    }
    let count = english::small_number(word).map(usize::from).or_else(|| word.parse().ok())?;
    (1..=MOST).contains(&count).then_some(count)
}
