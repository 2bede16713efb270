//! Shares that a reply gives beside the answer, and where things are said to lie.

use toolgauge_core::{Cause, ExpectedFact, Loss};

use crate::reading::{MeasureUnit, is_same};
use crate::reply::clause::Clause;
use crate::reply::context::Context;
use crate::reply::judge::numbers;
use crate::reply::words::{book_stem, phrase_at};
use crate::reply::{Reply, loss};

/// Words for more and for less than half.
const MORE: [&[&str]; 8] = [
    &["more", "than", "half"],
    &["over", "half"],
    &["well", "over", "half"],
    &["most", "of"],
    &["the", "bulk", "of"],
    &["the", "majority", "of"],
    &["mostly"],
    &["the", "greater", "part"],
];
const LESS: [&[&str]; 4] =
    [&["less", "than", "half"], &["under", "half"], &["below", "half"], &["a", "fraction", "of"]];

/// Where something lies by another thing, with the word that the books would have for it.
const PLACES: [(&[&str], &str); 10] = [
    (&["next", "door"], "door"),
    (&["across", "the", "street"], "across"),
    (&["across", "the", "road"], "across"),
    (&["across", "from"], "across"),
    (&["around", "the", "corner"], "corner"),
    (&["adjacent", "to"], "adjacent"),
    (&["adjoining"], "adjoining"),
    (&["opposite"], "opposite"),
    (&["a", "stone's", "throw"], "throw"),
    (&["walking", "distance"], "distance"),
];

/// How far a percentage may be off that was rounded, in percent.
const ROUNDED: f64 = 1.0;

impl Reply {
    /// `$77,225, over half of that on Maple Court`, where the rows come to a third there.
    pub(super) fn wrong_share_of_rows(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let tally = context.shelf()?.tally.as_ref()?;
        let [whole] = numbers(facts)[..] else { return None };
        let clause = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            let words = self.texts_of(clause);
            let says = |phrases: &[&[&str]]| {
                phrases.iter().any(|phrase| phrase_at(&words, phrase).is_some())
            };
            let is_more = match (says(&MORE), says(&LESS)) {
                (true, false) => true,
                (false, true) => false,
                _ => return false,
            };
            let names = self.names_of(clause);
            let part = || tally.part_of(whole, &names);
            !names.is_empty() && part().is_some_and(|part| (part * 2.0 > whole.abs()) != is_more)
        })?;
        Some(loss(Cause::WrongAnswer, "the share by the rows", self.quote(clause)))
    }

    /// Where something is said to lie of which no book tells: `right next door to Maple Court`.
    pub(super) fn untold_place(&self, context: &Context<'_>) -> Option<Loss> {
        let shelf = context.shelf()?;
        let clause = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            let words = self.texts_of(clause);
            let place = PLACES.iter().find(|(words_of, _)| phrase_at(&words, words_of).is_some());
            place.is_some_and(|(_, key)| {
                let mut together = vec![book_stem(key)];
                together.extend(self.names_of(clause));
                together.len() > 1 && !shelf.holds_together(&together)
            })
        })?;
        Some(loss(Cause::UnsupportedClaim, "what is written in the books", self.quote(clause)))
    }

    /// A percentage beside amounts that neither comes to any of them nor stands anywhere: `up by
    /// $7,750 (about 55 percent)`.
    pub(super) fn share_of_nothing(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let shelf = context.shelf()?;
        let wanted = numbers(facts);
        let all = self.numbers();
        let told = context.reference().map(Self::numbers).unwrap_or_default();
        let is_share = |unit: Option<MeasureUnit>| unit == Some(MeasureUnit::PERCENT);
        let of_clause = |clause: usize| &self.clauses[clause];
        let amounts: Vec<f64> = all
            .iter()
            .chain(&told)
            .filter(|said| said.value.unit.is_some_and(MeasureUnit::is_money))
            .map(|said| said.value.value.abs())
            .chain(wanted.iter().map(|wanted| wanted.abs()))
            .filter(|amount| *amount > 0.0)
            .collect();
        let wrong = all.iter().find(|said| {
            let value = said.value.value;
            let text = &self.plain[said.place.clone()];
            let is_beside = all.iter().any(|other| {
                other.value.unit.is_some_and(MeasureUnit::is_money)
                    && self.clauses[other.clause].sentence == of_clause(said.clause).sentence
            });
            let near = |share: f64| (share.abs() - value).abs() <= ROUNDED.max(value * 0.05);
            let follows = || {
                amounts.iter().any(|one| {
                    amounts.iter().any(|other| {
                        near(one / other * 100.0) || near((one - other) / other * 100.0)
                    })
                })
            };
            let is_known = || {
                context.supports(&said.value, &wanted)
                    || shelf.with_number(value).next().is_some()
                    || all.iter().any(|other| {
                        other.place != said.place
                            && is_share(other.value.unit)
                            && is_same(other.value.value + value, 100.0)
                    })
            };
            is_share(said.value.unit)
                && text.starts_with(|c: char| c.is_ascii_digit())
                && !said.is_set_aside
                && is_beside
                && self.is_plain_statement(of_clause(said.clause))
                && !follows()
                && !is_known()
        })?;
        let clause: &Clause = of_clause(wrong.clause);
        Some(loss(Cause::UnsupportedClaim, "a share of the amounts", self.quote(clause)))
    }
}
