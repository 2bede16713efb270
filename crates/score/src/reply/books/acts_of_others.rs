//! What others are said to have done meanwhile, to want or to have promised.

use std::collections::HashSet;

use toolgauge_core::{Cause, Loss};

use crate::reply::clause::Clause;
use crate::reply::shelf::Shelf;
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
                self.tells_of_an_act(clause) && !words.is_empty() && shelf.left_out(&words) > 0
            },
        )?;
        Some(loss(Cause::UnsupportedClaim, "what is written in the books", self.quote(clause)))
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
