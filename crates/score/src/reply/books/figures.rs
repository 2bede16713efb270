//! Figures of a reply, looked for in all of the books together with what they are told of.

use std::cell::LazyCell;

use toolgauge_core::english::MONTHS;
use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::names::is_inside_sentence;
use super::words::{is_lookable, is_telling};
use crate::reading::{Date, MeasureUnit, NumberWithUnit, is_same};
use crate::reply::clause::Clause;
use crate::reply::context::Context;
use crate::reply::judge::numbers;
use crate::reply::plain_words::is_in_calendar;
use crate::reply::shelf::Tally;
use crate::reply::shelf::{Entry, Shelf};
use crate::reply::value::Given;
use crate::reply::words::book_stem;
use crate::reply::{Reply, Word, loss, period};

impl Reply {
    /// A figure that no record gives of what it is told of: `Vega Painting's bill of $2,310`.
    pub(super) fn figure_in_no_record(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let shelf = context.shelf()?;
        let tally = shelf.tally.as_ref()?;
        let wanted = numbers(facts);
        let all = self.numbers();
        let about = LazyCell::new(|| self.spoken_of(context));
        let wrong = all.iter().find(|said| {
            is_amount(&said.value)
                && !said.is_set_aside
                && !said.is_rounded
                && self.is_plain_statement(&self.clauses[said.clause])
                && !context.supports(&said.value, &wanted)
                && !follows(said, &all, &wanted, context)
                && !self.is_part(said, &wanted, tally)
                && !self.is_recorded(said, (shelf, tally), &about)
        })?;
        Some(loss(
            Cause::UnsupportedClaim,
            "a figure of the books",
            &self.plain[wrong.place.clone()],
        ))
    }

    /// Whether a record holds a figure together with what the clause speaks of, or rows come to it.
    /// Where the clause names nothing, the rest of the reply and the question say what it is about.
    fn is_recorded(
        &self,
        said: &Given<NumberWithUnit>,
        (shelf, tally): (&Shelf, &Tally),
        about: &[String],
    ) -> bool {
        let clause = &self.clauses[said.clause];
        let names: Vec<String> = self
            .names_of(clause)
            .into_iter()
            .filter(|name| shelf.with_word(name).next().is_some())
            .collect();
        let telling = self.telling_of(clause, shelf);
        let anchors = match (names.is_empty(), telling.is_empty()) {
            (false, _) => &names[..],
            (true, false) => &telling[..],
            (true, true) => about,
        };
        let dates = self.months_beside(said);
        let is_about = |entry: &Entry| {
            // A row of the day that is told needs no word in common.
            is_of_day(entry, &dates)
                || is_of_days(entry, &dates)
                    && anchors.iter().any(|word| entry.words.contains(word))
        };
        let value = said.value.value;
        // Two months of rent; a year of a monthly amount.
        let is_year = |word: &Word| period::named(&word.text) == Some("year");
        let of_year = self.words_of(clause).iter().any(is_year);
        let times = [1.0, 2.0, if of_year { 12.0 } else { 1.0 }];
        times.iter().any(|times| shelf.with_number(value / times).any(is_about))
            || tally.comes_to(value, anchors, &dates)
    }

    /// The dates in the clause of a figure.
    fn dates_beside(&self, said: &Given<NumberWithUnit>) -> Vec<Date> {
        let of_clause = self.dates().into_iter().filter(|date| date.clause == said.clause);
        of_clause.map(|date| date.value).collect()
    }

    /// Whether a figure is what some of the rows come to that make up one of the others: the rent of
    /// January beside that of the quarter.
    pub(in crate::reply) fn is_part_in_books(
        &self,
        said: &Given<NumberWithUnit>,
        other: f64,
        context: &Context<'_>,
    ) -> bool {
        let tally = context.shelf().and_then(|shelf| shelf.tally.as_ref());
        tally.is_some_and(|tally| self.is_part(said, &[other], tally))
    }

    fn is_part(&self, said: &Given<NumberWithUnit>, others: &[f64], tally: &Tally) -> bool {
        tally.is_kin(said.value.value, others, &self.months_beside(said))
    }

    /// The month right before a figure: `January: $47,005, February: $47,060`; else the dates in
    /// its clause, or the one month there.
    fn months_beside(&self, said: &Given<NumberWithUnit>) -> Vec<Date> {
        let month = |word: &Word| {
            let at = MONTHS.iter().position(|month| *month == word.text)?;
            Some(Date { year: None, month: u32::try_from(at + 1).ok(), day: None })
        };
        let at = self.word_at(said.place.start);
        let before = at.checked_sub(1).and_then(|at| month(&self.words[at]));
        let dates = || Some(self.dates_beside(said)).filter(|dates| !dates.is_empty());
        let one_month = || {
            let mut months = self.words_of(&self.clauses[said.clause]).iter().filter_map(month);
            months.next().filter(|_| months.next().is_none())
        };
        let before = before.map(|one| vec![one]).or_else(dates);
        before.unwrap_or_else(|| one_month().into_iter().collect())
    }

    /// The stems of the names in a clause.
    pub(in crate::reply) fn names_of(&self, clause: &Clause) -> Vec<String> {
        let is_name = |at: &usize| {
            let text = self.words[*at].text.as_str();
            self.is_capital(*at)
                && !is_in_calendar(text)
                && (is_inside_sentence(self, *at) || self.words[*at].text.len() > 4)
        };
        clause.words.clone().filter(is_name).map(|at| book_stem(&self.words[at].text)).collect()
    }

    /// The stems of the words of a clause that stand in the books and say what it is about.
    fn telling_of(&self, clause: &Clause, shelf: &Shelf) -> Vec<String> {
        let words = self.words_of(clause).iter().map(|word| word.text.as_str());
        let words = words.filter(|word| is_telling(word) && !UNTELLING.contains(word));
        let stems = words.map(book_stem);
        stems.filter(|stem| shelf.with_word(stem).next().is_some()).collect()
    }

    /// The stems of all that a reply and its question speak of.
    fn spoken_of(&self, context: &Context<'_>) -> Vec<String> {
        let own = self.words.iter().map(|word| &word.text);
        own.chain(context.request())
            .filter(|word| is_lookable(word) && !UNTELLING.contains(&word.as_str()))
            .map(|word| book_stem(word))
            .collect()
    }
}

/// Words of replies that stand in many records and tell nothing of what they are about.
pub(super) const UNTELLING: [&str; 19] = [
    "pay",
    "pays",
    "cost",
    "costs",
    "total",
    "books",
    "year",
    "month",
    "date",
    "amount",
    "paid",
    "payment",
    "payments",
    "name",
    "status",
    "company",
    "description",
    "property",
    "properties",
];

/// Whether a row is of just such a day.
fn is_of_day(entry: &Entry, dates: &[Date]) -> bool {
    let days = dates.iter().filter(|date| date.day.is_some());
    let is_own = |day: &Date| entry.dates.iter().any(|own| day.is_met_by(*own));
    entry.is_row && days.into_iter().any(is_own)
}

/// Whether a row is of one of these days, if any are given. A passage tells of several.
fn is_of_days(entry: &Entry, dates: &[Date]) -> bool {
    let days: Vec<&Date> = dates.iter().filter(|date| date.month.is_some()).collect();
    let is_own = |day: &&Date| entry.dates.iter().any(|own| day.is_met_by(*own));
    !entry.is_row || days.is_empty() || days.iter().any(is_own)
}

/// Whether a number is an amount that would be written down.
fn is_amount(said: &NumberWithUnit) -> bool {
    let is_money = said.unit.is_some_and(MeasureUnit::is_money);
    let is_percent = said.unit == Some(MeasureUnit::PERCENT);
    let is_year = said.unit.is_none() && (1900.0..2100.0).contains(&said.value);
    !is_year && (is_money || said.value.abs() >= 100.0 || said.value.fract() != 0.0 && !is_percent)
}

/// Whether a figure follows from others of the reply, the facts and the reference: a sum, a
/// difference, a product with a small number or a share.
fn follows(
    said: &Given<NumberWithUnit>,
    all: &[Given<NumberWithUnit>],
    wanted: &[f64],
    context: &Context<'_>,
) -> bool {
    let value = said.value.value;
    let near = |other: f64| (other - value).abs() <= 0.005 * value.abs().max(0.01);
    let told = context.reference().map(Reply::numbers).unwrap_or_default();
    let mut pool: Vec<f64> = all.iter().chain(&told).map(|other| other.value.value).collect();
    pool.extend(wanted);
    pool.extend([2.0, 3.0, 4.0, 6.0, 12.0]);
    pool.retain(|other| !is_same(*other, value));
    let others: f64 = all
        .iter()
        .filter(|other| other.place != said.place && other.value.unit == said.value.unit)
        .map(|other| other.value.value)
        .sum();
    let pairs = |one: f64| {
        pool.iter().any(|other| {
            near(one + other)
                || near((one - other).abs())
                || near(one * other)
                || near(one * other / 100.0)
                || near(one * (1.0 + other / 100.0))
                || *other != 0.0 && (near(one / other) || near(one / other * 100.0))
        })
    };
    near(others) || pool.iter().any(|one| pairs(*one))
}
