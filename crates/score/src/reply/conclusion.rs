//! What a reply concludes from two figures of its own.

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::value::Given;
use super::words::phrase_at;
use super::{Reply, loss};
use crate::reading::{MeasureUnit, NumberWithUnit, is_same};

/// Words by which two figures are said to be apart.
const APART: [&[&str]; 24] = [
    &["too", "much"],
    &["too", "little"],
    &["too", "high"],
    &["too", "low"],
    &["overpaid"],
    &["underpaid"],
    &["overcharged"],
    &["undercharged"],
    &["differ"],
    &["differs"],
    &["a", "mismatch"],
    &["fell", "short"],
    &["falls", "short"],
    &["more", "than"],
    &["less", "than"],
    &["higher", "than"],
    &["lower", "than"],
    &["has", "risen"],
    &["has", "fallen"],
    &["went", "up"],
    &["went", "down"],
    &["rose"],
    &["fell"],
    &["disagree"],
];

impl Reply {
    /// `We paid $1,260 and the fee is $1,260, so we paid too much.`
    pub(super) fn difference_of_equals(&self, numbers: &[Given<NumberWithUnit>]) -> Option<Loss> {
        let clause = self.clauses.iter().enumerate().find(|(number, clause)| {
            let before = &self.clauses[..*number];
            let in_sentence = before.iter().any(|own| own.sentence == clause.sentence);
            let is_behind = self.begins_with_so(clause) || !in_sentence;
            is_behind
                && self.is_plain_statement(clause)
                && self.says_apart(clause)
                && !numbers.iter().any(|said| {
                    clause.place.contains(&said.place.start) && said.value.unit.is_some()
                })
                && Self::are_equal(before, numbers)
        });
        let (_, clause) = clause?;
        Some(loss(Cause::WrongAnswer, "what the figures say", self.quote(clause)))
    }

    /// Whether a clause begins as a conclusion does: `so`, `therefore`, `which means`.
    fn begins_with_so(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let first = words.iter().take(2);
        first.into_iter().any(|word| {
            matches!(&*word.text, "so" | "therefore" | "thus" | "hence" | "means" | "meaning")
        })
    }

    fn says_apart(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        APART.iter().any(|phrase| phrase_at(&words, phrase).is_some())
    }

    /// Whether clauses give one amount of money twice and no other.
    fn are_equal(clauses: &[Clause], numbers: &[Given<NumberWithUnit>]) -> bool {
        let is_told = |said: &&Given<NumberWithUnit>| {
            clauses.iter().any(|clause| clause.place.contains(&said.place.start))
                && said.value.unit.is_some_and(MeasureUnit::is_money)
        };
        let told: Vec<f64> = numbers.iter().filter(is_told).map(|said| said.value.value).collect();
        told.len() > 1 && told.iter().all(|value| is_same(*value, told[0]))
    }
}
