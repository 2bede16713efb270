//! Words that turn the reference round: `rejected` for approved, `has expired` for a day to come.

use std::ops::Range;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::context::Context;
use super::lexicon::{self, LEXICON};
use super::pattern::{self, Phrase};
use super::truth::Sides;
use super::{Reply, loss};
use crate::reading::Date;

/// Pairs of words of opposite meaning of which an answer and its reference use one side.
static VERDICTS: LazyLock<Vec<[Vec<Phrase>; 2]>> = LazyLock::new(|| {
    pattern::lines(include_str!("tables/verdicts.txt")).filter_map(lexicon::opposites).collect()
});

impl Reply {
    /// A word on the other side of what the reference says, where the reply has none on its side.
    pub(super) fn opposed(&self, context: &Context<'_>) -> Option<Loss> {
        let reference = context.reference()?;
        VERDICTS.iter().find_map(|pair| {
            let sides = Sides::of_pair(pair);
            let known = reference.all_votes(&sides);
            let truth = known.first().map(|(says, _)| *says)?;
            let own = self.all_votes(&sides);
            let is_turned = known.iter().all(|(says, _)| *says == truth)
                && own.iter().all(|(says, _)| *says != truth);
            let (_, clause) = own.first().filter(|_| is_turned)?;
            let quote = self.quote(&self.clauses[*clause]);
            Some(loss(Cause::WrongAnswer, "what the reference says", quote))
        })
    }

    /// What all clauses that state something say by the words of one pair, with their numbers.
    fn all_votes(&self, sides: &Sides) -> Vec<(bool, usize)> {
        let clauses = self.clauses.iter().enumerate().filter(|(_, clause)| {
            !clause.is_question
                && !self.is_conditional(clause)
                && !self.is_hedged(clause)
                && !self.says_unknown(clause)
        });
        let votes = clauses.map(|(at, clause)| (at, sides.said_in(self, clause)));
        votes.flat_map(|(at, votes)| votes.into_iter().map(move |says| (says, at))).collect()
    }

    /// A day to come that is called past, or a past one that is called to come.
    pub(super) fn wrong_side_of_today(&self, context: &Context<'_>) -> Option<Loss> {
        let today = context.today?;
        let order = |date: Date| Some((date.year?, date.month?, date.day?));
        let now = order(today)?;
        let dates = self.dates();
        let sentences = self.clauses.iter().map(|clause| clause.sentence);
        let wrong = sentences.filter(|sentence| {
            let is_own = |clause: usize| self.clauses[clause].sentence == *sentence;
            let told: Vec<(u32, u32, u32)> = dates
                .iter()
                .filter(|said| is_own(said.clause) && !said.is_set_aside)
                .filter_map(|said| order(said.value))
                .collect();
            let is_said = |phrases: &[Phrase]| {
                self.clauses.iter().filter(|clause| clause.sentence == *sentence).any(|clause| {
                    let found: Option<Range<usize>> = self.find(clause, phrases);
                    let is_ahead = self.words_of(clause).iter().any(|word| word.text == "before");
                    found.is_some_and(|found| !self.is_denied(clause, found.start) && !is_ahead)
                        && !clause.is_question
                        && !self.is_conditional(clause)
                })
            };
            !told.is_empty()
                && (told.iter().all(|date| *date > now) && is_said(&LEXICON.past)
                    || told.iter().all(|date| *date < now) && is_said(&LEXICON.to_come))
        });
        let sentence = wrong.min()?;
        let clause = self.clauses.iter().find(|clause| clause.sentence == sentence)?;
        Some(loss(Cause::WrongAnswer, "what today makes of it", self.quote(clause)))
    }
}
