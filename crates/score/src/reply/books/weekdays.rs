//! Days of the week, which follow from the dates that are told: `Saturday, April 11`.

use toolgauge_core::{Cause, ExpectedFact, Loss, english};

use crate::reading::Date;
use crate::reply::context::Context;
use crate::reply::day::weekday_of;
use crate::reply::judge::dates;
use crate::reply::{Reply, loss};

impl Reply {
    /// A day of the week that is that of no date which the reply tells, the case wants or something
    /// behind the answer tells.
    pub(super) fn weekday_of_no_date(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let weekday = |text: &str| english::WEEKDAYS.iter().position(|day| *day == text);
        let plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let mut said = plain.flat_map(|clause| clause.words.clone()).filter_map(|at| {
            // `On Mondays` and `the Friday rule` tell of no day.
            let day = weekday(&self.words[at].text)?;
            Some((at, day)).filter(|_| self.is_capital(at))
        });
        let asked = Self::read(&context.question.join(" "));
        let reference = context.reference();
        let years: Vec<u32> = self
            .dates()
            .iter()
            .chain(&asked.dates())
            .chain(&reference.map(Self::dates).unwrap_or_default())
            .filter_map(|date| date.value.year)
            .chain(dates(facts).iter().filter_map(|date| date.year))
            .chain(context.today.and_then(|today| today.year))
            .collect();
        let days_of = |date: Date| {
            let years = match date.year {
                Some(year) => vec![year],
                None => years.clone(),
            };
            years.into_iter().filter_map(move |year| weekday_of(Date { year: Some(year), ..date }))
        };
        let own = self.dates();
        let told = reference.map(Self::dates).unwrap_or_default();
        let wrong = said.find(|(at, day)| {
            let place = self.words[*at].place.clone();
            let beside = own.iter().find(|date| {
                date.place.start >= place.end
                    && self.plain[place.end..date.place.start].trim_matches([' ', ',']).len() <= 3
            });
            let named = &english::WEEKDAYS[*day];
            if let Some(date) = beside.filter(|date| date.value.day.is_some()) {
                return !days_of(date.value).any(|own| own == *day);
            }
            let all = own.iter().chain(&told).map(|date| date.value);
            let mut all = all.chain(dates(facts)).chain(context.today);
            !all.any(|date| days_of(date).any(|own| own == *day))
                && !context.all_texts().any(|text| text.to_lowercase().contains(named))
        })?;
        let word = &self.words[wrong.0];
        Some(loss(Cause::UnsupportedClaim, "the day of the week", word.text.as_str()))
    }
}
