//! An answer that names the first of all, and then another that is before it.

use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::context::Context;
use super::words::phrase_at;
use super::{Reply, loss};

/// Words of a question for the first of all by some measure.
const FIRST: [&str; 14] = [
    "most", "largest", "highest", "biggest", "longest", "oldest", "newest", "lowest", "least",
    "fewest", "smallest", "shortest", "cheapest", "best",
];

/// What makes another thing the first one.
const OUTDOING: [&[&str]; 18] = [
    &["higher", "still"],
    &["still", "higher"],
    &["even", "higher"],
    &["even", "more"],
    &["even", "larger"],
    &["larger", "still"],
    &["more", "still"],
    &["even", "older"],
    &["older", "still"],
    &["even", "bigger"],
    &["even", "lower"],
    &["lower", "still"],
    &["even", "cheaper"],
    &["just", "behind"],
    &["second", "only"],
    &["one", "fewer"],
    &["fewer", "than"],
    &["after", "only"],
];

impl Reply {
    /// `Brightline Electric, with $1,840. Vega Painting's bill was higher still.`
    pub(super) fn outdone(&self, context: &Context<'_>) -> Option<Loss> {
        let asks = context.question.iter().any(|word| FIRST.contains(&word.as_str()));
        if !asks {
            return None;
        }
        let clause = self.clauses.iter().filter(|clause| self.is_plain_statement(clause)).find(
            |clause| {
                let words = self.texts_of(clause);
                let at = OUTDOING.iter().find_map(|phrase| phrase_at(&words, phrase));
                // `And just behind it Riverside Row` puts the other one behind.
                let is_turned = |at: usize| {
                    let behind = words.get(at + 2).copied().unwrap_or_default();
                    matches!(
                        behind,
                        "it" | "them" | "that" | "is" | "are" | "was" | "comes" | "came"
                    ) || at == 0
                };
                at.is_some_and(|at| !(words[at] == "just" && is_turned(at)))
            },
        )?;
        Some(loss(Cause::WrongAnswer, "the first of all", self.quote(clause)))
    }

    /// The other verdict at the end: `… sold for $214,000. So no, the price was not reached.`
    pub(super) fn turned_at_the_end(&self, facts: &[ExpectedFact]) -> Option<Loss> {
        let truth = facts.iter().find_map(|fact| match fact {
            ExpectedFact::Truth { truth, .. } => Some(*truth),
            _ => None,
        })?;
        let other = if truth { "no" } else { "yes" };
        let clause = self.clauses.iter().find(|clause| {
            // `So, no` is two clauses.
            let mut words = self.words[clause.words.start..].iter().map(|word| &*word.text);
            let is_verdict = words.next() == Some("so") && words.next() == Some(other);
            is_verdict && clause.is_first && clause.sentence > 0
        })?;
        Some(loss(Cause::WrongAnswer, if truth { "yes" } else { "no" }, self.quote(clause)))
    }
}
