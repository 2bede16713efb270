//! How long ago something was by a reply, and the year of a day that the reference gives.

use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::clause::Clause;
use super::context::Context;
use super::judge::dates;
use super::{Reply, loss};
use crate::reading::Date;

/// How far an age may be off, in years, and as a share of it.
const OFF: f64 = 0.8;
const OFF_SHARE: f64 = 0.04;

impl Reply {
    /// `Built in 1912, so it is over 130 years old`, `bought on February 14, 2025, so it has been ours
    /// for two years`.
    pub(super) fn wrong_age(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let today = years(context.today?)?;
        let wanted = dates(facts);
        let told = self.dates();
        let mut bases: Vec<Date> = wanted.clone();
        bases.extend(told.iter().map(|date| date.value));
        // Of several days nobody knows which one is meant.
        let mut ages: Vec<f64> =
            bases.into_iter().filter_map(years).map(|day| today - day).collect();
        ages.dedup_by(|one, other| (*one - *other).abs() < 1.0);
        let [age] = ages[..] else { return None };
        let clause = self.clauses.iter().find(|clause| {
            self.is_plain_statement(clause)
                && self
                    .years_told(clause)
                    .is_some_and(|told| (told - age).abs() > OFF.max(age.abs() * OFF_SHARE))
        })?;
        Some(loss(Cause::WrongAnswer, format!("{age:.1} years"), self.quote(clause)))
    }

    /// How many years ago something was by a clause, how old it is, or for how long it has been so.
    fn years_told(&self, clause: &Clause) -> Option<f64> {
        let words = self.texts_of(clause);
        let at = words.iter().position(|word| matches!(*word, "years" | "year"))?;
        let behind = words.get(at + 1).copied().unwrap_or_default();
        let is_so_far = words.contains(&"been") && words[..at].contains(&"for");
        if !matches!(behind, "old" | "ago") && !is_so_far {
            return None;
        }
        let place = self.words[clause.words.start + at].place.start;
        let numbers = self.numbers();
        let mut before = numbers
            .iter()
            .filter(|said| clause.place.contains(&said.place.start) && said.place.start <= place);
        before.next_back().map(|said| said.value.value).filter(|years| *years < 1000.0)
    }

    /// `He moved in on September 1, 2024`, where the reference gives that day of another year.
    pub(super) fn other_year_of_a_day(&self, context: &Context<'_>) -> Option<Loss> {
        let told = context.reference()?.dates();
        let wrong = self.dates().into_iter().find(|said| {
            let own = said.value;
            let is_other = |known: Date| {
                known.month == own.month
                    && known.day == own.day
                    && known.year.is_some()
                    && known.year != own.year
            };
            own.day.is_some()
                && own.year.is_some()
                && !said.is_set_aside
                && !context.supports_date(own)
                && told.iter().any(|known| is_other(known.value))
        })?;
        Some(loss(Cause::WrongAnswer, "the year", &self.plain[wrong.place]))
    }
}

/// A day in years, roughly; a year alone is its middle.
fn years(date: Date) -> Option<f64> {
    let year = f64::from(date.year?);
    let month = date.month.map_or(6.5, |month| f64::from(month) - 1.0);
    let day = date.day.map_or(15.0, f64::from);
    Some(year + month / 12.0 + day / 365.0)
}
