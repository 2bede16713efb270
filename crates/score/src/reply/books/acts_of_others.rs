//! What others are said to have done meanwhile, to want or to have promised.

use std::collections::HashSet;

use toolgauge_core::{Cause, Loss};

use super::names::is_inside_sentence;
use super::passing::is_answer_word;
use super::words::is_telling;
use crate::reply::clause::Clause;
use crate::reply::shelf::Shelf;
use crate::reply::words::book_stem;
use crate::reply::{Reply, loss};

impl Reply {
    /// What somebody is said to have done or promised of which no record tells: `the county has
    /// since agreed to refund it`.
    pub(super) fn reported_of_others(
        &self,
        known: &HashSet<String>,
        shelf: &Shelf,
    ) -> Option<Loss> {
        let clause = self.clauses.iter().filter(|clause| self.is_plain_statement(clause)).find(
            |clause| {
                let words = self.new_words(clause, known);
                let wish = self.wish_in(clause).map(|at| self.with_names(clause, at, known));
                self.tells_of_an_act(clause) && !words.is_empty() && shelf.left_out(&words) > 0
                    || wish.is_some_and(|words| shelf.left_out(&words) > 0)
            },
        )?;
        Some(loss(Cause::UnsupportedClaim, "what is written in the books", self.quote(clause)))
    }

    /// The word by which a clause tells what somebody wishes, asked for or got wrong: `which Ann still
    /// wants to go through`.
    fn wish_in(&self, clause: &Clause) -> Option<usize> {
        const WISHES: [&str; 26] = [
            "wants",
            "wanted",
            "wishes",
            "wished",
            "hopes",
            "hoped",
            "asked",
            "asks",
            "insists",
            "insisted",
            "refuses",
            "refused",
            "likes",
            "liked",
            "prefers",
            "preferred",
            "thinks",
            "thought",
            "believes",
            "believed",
            "complains",
            "complained",
            "disputes",
            "disputed",
            "considers",
            "threatens",
        ];
        const BLAMES: [&str; 12] = [
            "wrong",
            "forgot",
            "forgotten",
            "mistake",
            "error",
            "fault",
            "overlooked",
            "neglected",
            "misread",
            "misplaced",
            "confused",
            "careless",
        ];
        // What a firm or an office asks for stands in its letters.
        const OFFICES: [&str; 10] =
            ["bank", "inc", "llc", "county", "city", "company", "irs", "state", "co", "insurance"];
        let mut words = clause.words.clone();
        words.find(|at| {
            let text = self.words[*at].text.as_str();
            let before: Vec<&str> =
                self.words[clause.words.start..*at].iter().map(|word| word.text.as_str()).collect();
            let by_name = (at.saturating_sub(5).max(clause.words.start)..*at).any(|at| {
                let text = self.words[at].text.as_str();
                // `Four things` begins a sentence.
                let is_name = is_inside_sentence(self, at)
                    || is_telling(text) && !is_answer_word(&book_stem(text));
                self.is_capital(at) && text.len() > 2 && is_name
            });
            let by_pronoun = before.last().is_some_and(|word| {
                matches!(*word, "he" | "she" | "they" | "has" | "have" | "had")
            });
            let is_other = before
                .iter()
                .any(|word| matches!(*word, "you" | "i" | "we" | "as") || OFFICES.contains(word));
            let is_wish = WISHES.contains(&text) && (by_name || by_pronoun);
            (is_wish || BLAMES.contains(&text) && by_name) && !is_other
        })
    }

    /// The stems of a verb, of the names in its clause and of its new words.
    fn with_names(&self, clause: &Clause, verb: usize, known: &HashSet<String>) -> Vec<String> {
        let mut words = self.new_words(clause, known);
        words.push(book_stem(&self.words[verb].text));
        words.extend(self.names_of(clause));
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Whether a clause tells what somebody has done meanwhile, wants or will do.
    fn tells_of_an_act(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        // What should have been done is not told as done.
        let is_due = words.iter().any(|word| matches!(&*word.text, "should" | "would" | "must"));
        let is_act = |at: usize| {
            let before = at.checked_sub(1).map_or("", text);
            match text(at) {
                "already" | "will" | "intends" | "plans" | "announced" => true,
                // `He has since resigned`, but not `since the books begin`.
                "since" => matches!(before, "has" | "have" | "had"),
                // `The agreed rent`, `just as agreed`.
                "promised" | "agreed" | "offered" | "decided" | "planned" | "scheduled" => {
                    !matches!(before, "as" | "the" | "an" | "a" | "than")
                }
                _ => false,
            }
        };
        !is_due && (0..words.len()).any(is_act)
    }
}
