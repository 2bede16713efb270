//! Reports that take back what they report: the act failed, or is still to come.

use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::words::phrase_at;
use super::{Reply, loss};

static TAKEN_BACK: LazyLock<Vec<Phrase>> =
    LazyLock::new(|| pattern::table(include_str!("tables/taken_back.txt")));

/// When something is done that is not done now.
const LATER: [&str; 8] =
    ["later", "tomorrow", "soon", "shortly", "tonight", "afterwards", "eventually", "moment"];

impl Reply {
    /// Says behind the act that it failed or is still to be done: `Done. Actually, nothing happened.`
    pub(super) fn taken_back_act(&self, context: &Context<'_>) -> Option<Loss> {
        // `The hall light is unavailable, it isn't responding` tells of what could not be done.
        let tells_of_missing = self.clauses.iter().any(|clause| {
            let named = self.things_named(clause, context);
            named.iter().any(|thing| matches!(&*thing.state, "unavailable" | "unknown"))
        });
        let clause = self.clauses.iter().filter(|_| !tells_of_missing).find(|clause| {
            self.offers_again(clause)
                || !clause.is_question
                    && !self.is_conditional(clause)
                    && (self.has(clause, &TAKEN_BACK) || self.puts_off(clause, context))
        })?;
        Some(loss(Cause::FalseClaim, "done", self.quote(clause)))
    }

    /// Whether a clause offers what the request asked for, as if it were not done: `Shall I do it now?`
    fn offers_again(&self, clause: &Clause) -> bool {
        const OFFERS: [&[&str]; 9] = [
            &["shall", "i", "do", "it"],
            &["shall", "i", "do", "that"],
            &["should", "i", "do", "it"],
            &["should", "i", "do", "that"],
            &["want", "me", "to", "do", "it"],
            &["like", "me", "to", "do", "it"],
            &["me", "to", "go", "ahead"],
            &["i", "should", "do", "it"],
            &["shall", "i", "go", "ahead"],
        ];
        let words = self.texts_of(clause);
        OFFERS.iter().any(|offer| phrase_at(&words, offer).is_some())
    }

    /// Whether a clause puts off what was asked for now: `I'll do it later`, `That will take effect
    /// tomorrow.`
    fn puts_off(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const ACTS: [&[&str]; 15] = [
            &["comes"],
            &["will", "come"],
            &["follows"],
            &["will", "follow"],
            &["i", "will", "take", "care"],
            &["should", "be", "done"],
            &["i", "will", "do", "it"],
            &["i", "will", "do", "that"],
            &["i", "will", "get", "to"],
            &["i", "will", "see", "to"],
            &["will", "take", "effect"],
            &["takes", "effect"],
            &["will", "be", "done"],
            &["will", "happen"],
            &["will", "apply"],
        ];
        let words = self.texts_of(clause);
        let asked = |word: &str| context.request().iter().any(|own| own == word);
        let is_later = words.iter().any(|word| LATER.contains(word) && !asked(word));
        let is_soon = phrase_at(&words, &["in", "a", "few", "minutes"]).is_some();
        (is_later || is_soon) && ACTS.iter().any(|act| phrase_at(&words, act).is_some())
    }
}
