//! Whether a reply is of the kind that a case expects.

use toolgauge_core::{Cause, Expectation, ExpectedFact, Loss, ResponseKind};

use super::clause::Clause;
use super::{Context, Reply, loss};
use crate::chatbot::{ErrorSign, error_in_answer};

const REFUSAL: &[ExpectedFact] = &[ExpectedFact::Refusal { about: Vec::new() }];
const QUESTION: &[ExpectedFact] = &[ExpectedFact::Question { about: Vec::new() }];

/// The facts a reply of a kind is held to: those of the case where the kind is that of the case,
/// else the one that the kind implies.
pub(crate) fn facts_of(expectation: &Expectation, kind: Option<ResponseKind>) -> &[ExpectedFact] {
    let own = expectation.answer.as_deref().map_or(&[][..], |answer| &answer.facts);
    match kind {
        _ if kind == expectation.response && !own.is_empty() => own,
        Some(ResponseKind::Error) => REFUSAL,
        Some(ResponseKind::Clarification) => QUESTION,
        _ => &[],
    }
}

impl Reply {
    /// What is wrong with a reply that calls no tool, by the kind it should be of.
    ///
    /// The tables of phrases are in English, so that a refusal or a question in another language
    /// is left to whoever calls.
    pub(crate) fn wrong_kind(
        &self,
        kind: ResponseKind,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Vec<Loss> {
        let mut losses = self.held_against(facts, context);
        if losses.is_empty() && kind == ResponseKind::Text {
            losses.extend(self.speakers_act());
            losses.extend(self.turns_the_comparison_round(facts, context));
            let is_talk = facts.iter().any(|fact| matches!(fact, ExpectedFact::SmallTalk));
            let says_nothing = !is_talk && self.offers_in_place_of_an_answer();
            losses.extend(
                says_nothing.then(|| loss(Cause::NotAnAnswer, "an answer", self.plain.as_str())),
            );
        }
        if !losses.is_empty() || kind != ResponseKind::Text || !facts.is_empty() {
            return losses;
        }
        let is_null = error_in_answer(&self.plain) == Some(ErrorSign::Null);
        if is_null || self.is_mere_refusal() || self.is_mere_report() || self.tells_of_today() {
            return vec![loss(Cause::WrongResponseKind, kind.name(), self.plain.as_str())];
        }
        Vec::new()
    }

    /// Whether a measured value of now is told, which nobody looked up: `14 degrees today`.
    fn tells_of_today(&self) -> bool {
        let is_now = |word: &super::Word| {
            matches!(word.text.as_str(), "today" | "tonight" | "tomorrow" | "currently" | "now")
        };
        let told = self.numbers().into_iter().filter(|said| said.value.unit.is_some());
        told.map(|said| &self.clauses[said.clause]).any(|clause| {
            let of_sentence = |other: &&Clause| other.sentence == clause.sentence;
            self.clauses.iter().filter(of_sentence).any(|own| self.words_of(own).iter().any(is_now))
        })
    }

    /// Whether nothing is said but that something is done: `Okay, all done.`
    pub(super) fn is_mere_report(&self) -> bool {
        let is_end = |text: &str| matches!(text, "done" | "finished" | "completed");
        let is_filler = |text: &str| {
            matches!(text, "all" | "it" | "that" | "is" | "has" | "been" | "okay" | "ok" | "sure")
        };
        let told = || self.clauses.iter().filter(|clause| !clause.is_question);
        let words = || told().flat_map(|clause| self.words_of(clause)).map(|word| &*word.text);
        words().any(is_end) && words().all(|text| is_end(text) || is_filler(text))
    }

    /// Whether nothing is said but that something is not done.
    fn is_mere_refusal(&self) -> bool {
        let says_nothing = |clause: &Clause| {
            let words = self.words_of(clause);
            let apology =
                |text: &str| matches!(text, "sorry" | "unfortunately" | "afraid" | "apologies");
            self.refuses(clause)
                || self.does_not_know(clause)
                || words.len() <= 3 && words.iter().any(|word| apology(&word.text))
        };
        let refuses = |clause: &Clause| {
            self.refuses(clause) && self.words_of(clause).iter().any(|word| word.text == "i")
        };
        // One clause of substance makes it an answer, so all must say nothing.
        self.clauses.iter().any(refuses) && self.clauses.iter().all(says_nothing)
    }
}
