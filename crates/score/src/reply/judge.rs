//! Holds a reply against the facts that a case expects.

use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::context::Context;
use super::quantity::WantedNumber;
use super::words::date;
use super::{Reply, loss};
use crate::reading::Date;

impl Reply {
    /// Everything that is wrong with the reply by these facts, with no points given yet.
    pub(crate) fn held_against(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Vec<Loss> {
        if let Some(loss) = self.form(context) {
            return vec![loss];
        }
        if self.is_mere_report() && is_informative(facts) && !context.asks_for_an_end() {
            return vec![loss(Cause::NotAnAnswer, "an answer", self.plain.as_str())];
        }
        let misses: Vec<Loss> =
            facts.iter().filter_map(|fact| self.miss(fact, facts, context)).collect();
        // What is added counts only beside a right answer; a wrong one has lost already.
        if !misses.is_empty() {
            return misses;
        }
        let added = self.at_odds(context).or_else(|| self.added(facts, context));
        added.into_iter().collect()
    }

    /// What is wrong with the reply by one fact.
    fn miss(
        &self,
        fact: &ExpectedFact,
        all: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        match fact {
            ExpectedFact::Truth { truth, yes, no } => self.truth(*truth, yes, no, context),
            ExpectedFact::Number { number, unit, tolerance, about, not } => {
                let others = numbers(all);
                let wanted = WantedNumber {
                    number: *number,
                    unit: unit.as_deref(),
                    tolerance: *tolerance,
                    about,
                    not,
                    others: &others,
                };
                self.number(&wanted, context)
            }
            ExpectedFact::Date { date, not, .. } => self.date(date, not, &dates(all), context),
            ExpectedFact::Time { time, tolerance } => self.time(time, *tolerance),
            ExpectedFact::One { one, of } => self.one(one, of, context),
            ExpectedFact::Set { set, of } => self.set(set, of, context),
            ExpectedFact::Phrase { phrase, not } => self.phrase(phrase, not, context),
            ExpectedFact::Refusal { about } => self.refusal(about, context),
            ExpectedFact::Unknown { about } => self.unknown(about, context),
            ExpectedFact::Question { about } => self.question(about, context),
            ExpectedFact::SmallTalk => self.small_talk(context),
            ExpectedFact::AnyOf(ways) => {
                let mut misses = ways.iter().map(|way| self.miss(way, all, context));
                let first = misses.next().flatten()?;
                // The first way is the one the author wrote first, so its loss explains best.
                misses.all(|miss| miss.is_some()).then_some(first)
            }
        }
    }
}

/// Whether every fact asks for something to be said, so that `Done.` says none of them.
fn is_informative(facts: &[ExpectedFact]) -> bool {
    !facts.is_empty()
        && facts.iter().all(|fact| match fact {
            ExpectedFact::Refusal { .. } | ExpectedFact::Question { .. } => false,
            ExpectedFact::AnyOf(ways) => is_informative(ways),
            _ => true,
        })
}

/// The numbers that the facts of a case want.
pub(super) fn numbers(facts: &[ExpectedFact]) -> Vec<f64> {
    let mut found = Vec::new();
    for fact in facts {
        match fact {
            ExpectedFact::Number { number, .. } => found.push(*number),
            ExpectedFact::AnyOf(ways) => found.extend(numbers(ways)),
            _ => {}
        }
    }
    found
}

/// The dates that the facts of a case want.
pub(super) fn dates(facts: &[ExpectedFact]) -> Vec<Date> {
    let mut found = Vec::new();
    for fact in facts {
        match fact {
            ExpectedFact::Date { date: text, .. } => found.extend(date(text)),
            ExpectedFact::AnyOf(ways) => found.extend(dates(ways)),
            _ => {}
        }
    }
    found
}
