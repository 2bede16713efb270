//! States told of several things at once: `dryer on, washer off`, `both machines are off`.

use toolgauge_core::WorldThing;

use super::Reply;
use super::clause::Clause;
use super::context::Context;
use super::state_claim::STATES;

impl Reply {
    /// Whether a clause without a verb tells a state in each of its parts: `dryer on, washer off`.
    pub(super) fn lists_states(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_verb = |word: &&str| {
            matches!(*word, "is" | "are" | "was" | "were" | "have" | "has" | "i" | "it" | "they")
        };
        if self.texts_of(clause).iter().any(is_verb) {
            return false;
        }
        let parts = self.parts_of(clause);
        let touched = context.touched_things();
        let tells = |part: &&Clause| {
            let words = self.words_of(part);
            words.len() > 1
                && STATES.iter().any(|said| touched.iter().any(|it| said.is_said(words, it)))
        };
        parts.len() > 1 && parts.iter().filter(tells).count() == parts.len()
    }

    /// Of `both machines` the two that were touched, where the words name but one of them.
    pub(super) fn or_both<'c>(
        &self,
        clause: &Clause,
        named: Vec<&'c WorldThing>,
        context: &Context<'c>,
    ) -> Vec<&'c WorldThing> {
        let words = self.texts_of(clause);
        let touched = context.touched_things();
        let is_both = words.contains(&"both") && words.contains(&"are");
        let is_one = matches!(named[..], [one] if touched.iter().any(|own| own.id == one.id));
        if is_both && is_one && touched.len() == 2 { touched } else { named }
    }
}
