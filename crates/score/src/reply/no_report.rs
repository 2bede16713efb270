//! Replies after an act that report nothing: idle talk, and questions about what was clear.

use toolgauge_core::{Cause, Loss, ResponseKind};

use super::clause::Clause;
use super::lexicon::LEXICON;
use super::{Reply, loss};

impl Reply {
    /// Says nothing but what could be said at any time, or tells the person how to do it: `To turn it
    /// off, you can use the command …`
    pub(super) fn idle_talk(&self) -> Option<Loss> {
        let is_idle = |clause: &Clause| self.has(clause, &LEXICON.idle);
        let tells_how = |clause: &Clause| {
            self.words_of(clause).windows(3).any(|three| {
                three[0].text == "you"
                    && matches!(&*three[1].text, "can" | "could" | "should" | "may" | "need")
                    && matches!(
                        &*three[2].text,
                        "use" | "say" | "run" | "call" | "type" | "enter" | "try" | "listen"
                    )
            })
        };
        let claims = self.clauses.iter().any(|clause| self.claimed_act(clause).is_some());
        let is_lesson = !claims
            && self.clauses.first().is_some_and(|first| {
                let begins = self.words_of(first).first().is_some_and(|word| word.text == "to");
                begins && self.clauses.iter().any(tells_how)
            });
        // `You could put on a sweater.`
        let advises = |clause: &Clause| {
            let words = self.words_of(clause);
            words.first().is_some_and(|word| word.text == "you")
                && words
                    .get(1)
                    .is_some_and(|word| matches!(&*word.text, "could" | "should" | "might"))
        };
        let greets = |clause: &Clause| {
            let words = self.texts_of(clause);
            words.len() <= 2 && matches!(words.first(), Some(&("hello" | "hi" | "hey")))
        };
        let is_idle = !self.clauses.is_empty()
            && self
                .clauses
                .iter()
                .all(|clause| is_idle(clause) || advises(clause) || greets(clause));
        (is_idle || is_lesson)
            .then(|| loss(Cause::NotAnAnswer, "what was done", self.plain.as_str()))
    }

    /// Asks for what was done already.
    pub(super) fn asked_after_the_act(&self) -> Option<Loss> {
        let is_question =
            !self.clauses.is_empty() && self.clauses.iter().all(|clause| clause.is_question);
        // `Do you enjoy reading by that lamp?`
        let begins = |clause: &Clause| {
            let first = self.words_of(clause).first().map_or("", |word| word.text.as_str());
            super::stance::QUESTION_WORDS.contains(&first)
        };
        let asks = self
            .clauses
            .iter()
            .any(|clause| self.asks(clause) || self.offers(clause) || begins(clause));
        (is_question && asks || self.reads_the_request_back() || self.asks_which_without_a_report())
            .then(|| {
                loss(Cause::WrongResponseKind, ResponseKind::Action.name(), self.plain.as_str())
            })
    }

    /// `I could open it. Which one do you mean?` asks for what was clear, and reports nothing.
    fn asks_which_without_a_report(&self) -> bool {
        let asks = |clause: &Clause| {
            clause.is_question && self.texts_of(clause).first().is_some_and(|word| *word == "which")
        };
        let reports = |clause: &Clause| {
            let is_open = clause.is_question || self.offers(clause);
            let says_could =
                self.texts_of(clause).iter().any(|word| matches!(*word, "could" | "can"));
            !is_open && !says_could
        };
        self.clauses.iter().any(asks) && !self.clauses.iter().any(reports)
    }

    /// Whether a reply is one question that begins with what the person wants: `You'd like the lamp
    /// on, is that right?`
    fn reads_the_request_back(&self) -> bool {
        let Some(first) = self.clauses.first() else { return false };
        let words = self.texts_of(first);
        let begin =
            words.iter().position(|word| !matches!(*word, "so" | "okay" | "ok" | "sorry" | "me"));
        let wants = begin.is_some_and(|at| {
            words[at] == "you"
                && words[at + 1..].iter().take(3).any(|word| {
                    matches!(*word, "want" | "like" | "wanted" | "asked" | "mean" | "need" | "said")
                })
        });
        // `You said I can turn it off now` alone tells of no act either.
        let asks = self.clauses.last().is_some_and(|last| last.is_question);
        let repeats = self.clauses.len() == 1
            && words.iter().take(5).any(|word| matches!(*word, "said" | "asked"));
        wants
            && (asks || repeats)
            && !self.clauses.iter().any(|clause| self.claimed_act(clause).is_some())
    }
}
