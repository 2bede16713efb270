//! What a document that is not on file is said to say or not to say.

use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::clause::Clause;
use super::context::Context;
use super::words::phrase_at;
use super::{Reply, loss};

/// Words that make a document one that nobody can read.
const MISSING: [&[&str]; 12] = [
    &["no", "copy"],
    &["not", "on", "file"],
    &["not", "among"],
    &["not", "in"],
    &["not", "have"],
    &["no", "document"],
    &["without", "a", "copy"],
    &["missing"],
    &["not", "part", "of"],
    &["not", "available"],
    &["not", "find"],
    &["no", "text"],
];

/// What is said of a text that was read and is silent on something.
const SILENT: [&[&str]; 9] = [
    &["says", "nothing"],
    &["say", "nothing"],
    &["contains", "nothing"],
    &["not", "mention"],
    &["not", "say"],
    &["not", "address"],
    &["not", "cover"],
    &["is", "silent"],
    &["no", "mention"],
];

impl Reply {
    /// `Her lease says nothing about parking`, where there is no copy of her lease to look into.
    pub(super) fn silent_document(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let asks_unknown = facts.iter().any(|fact| matches!(fact, ExpectedFact::Unknown { .. }));
        let reference = context.reference().filter(|_| asks_unknown)?;
        let is_missing = |reply: &Self| {
            reply.clauses.iter().any(|clause| reply.says_any(clause, &MISSING).is_some())
        };
        if !is_missing(reference) || is_missing(self) {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            let Some(at) = self.says_any(clause, &SILENT) else { return false };
            // The document that was asked for, and not the books: `our entries do not mention it`.
            let subject = &self.words[clause.words.start..at];
            subject.iter().any(|word| {
                DOCUMENTS.contains(&word.text.as_str()) && context.question.contains(&word.text)
            })
        })?;
        Some(loss(Cause::FalseClaim, "a document that is on file", self.quote(clause)))
    }

    /// Where one of these phrases begins in a clause.
    fn says_any(&self, clause: &Clause, phrases: &[&[&str]]) -> Option<usize> {
        let words = self.texts_of(clause);
        let at = phrases.iter().find_map(|phrase| phrase_at(&words, phrase));
        at.map(|at| clause.words.start + at)
    }
}

/// Words for documents.
pub(super) const DOCUMENTS: [&str; 12] = [
    "lease",
    "contract",
    "policy",
    "minutes",
    "return",
    "report",
    "letter",
    "agreement",
    "notice",
    "certificate",
    "form",
    "amendment",
];
