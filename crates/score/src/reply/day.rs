//! Dates and days of the week: whether a reply gives the right one as its answer.

use std::ops::Range;

use toolgauge_core::{Cause, Loss, english};

use super::context::Context;
use super::missing_document::DOCUMENTS;
use super::value::Given;
use super::{Reply, loss};
use crate::reading::{Date, ItemContent, NumberWithUnit, TextReader};

impl Reply {
    /// What is wrong with the date a reply gives.
    pub(super) fn date(
        &self,
        date: &str,
        not: &[String],
        others: &[Date],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let wanted = super::words::date(date)?;
        let given = self.dates_and_days(wanted, context);
        let is_held = |said: &&Given<Date>| {
            !said.is_set_aside
                && (fits(wanted, said.value) || self.document_dated(&said.place).is_none())
        };
        let held: Vec<&Given<Date>> = given.iter().filter(is_held).collect();
        let right: Vec<&Given<Date>> =
            held.iter().copied().filter(|said| fits(wanted, said.value)).collect();
        if right.is_empty() {
            if wanted.month.is_none() && self.says_year(wanted.year) {
                return None;
            }
            let cause = if held.is_empty() { Cause::MissingAnswer } else { Cause::WrongAnswer };
            return Some(loss(cause, date, self.plain.as_str()));
        }
        let wrong = held.iter().find(|said| {
            let known =
                fits(wanted, said.value) || others.iter().any(|other| fits(*other, said.value));
            let is_not = || {
                not.iter()
                    .filter_map(|not| super::words::date(not))
                    .any(|not| fits(not, said.value))
                    && !self.is_replaced(&said.place, &right)
            };
            !known
                && (is_not()
                    || self.is_alternative(said, &right)
                    || self.is_correction(said, &right)
                    || (context.has_sources
                        && self.is_in_sentence_of(said, &right)
                        && !context.supports_date(said.value)
                        && !stands_beside(said.value, wanted, context)))
        });
        wrong.map(|wrong| loss(Cause::WrongAnswer, date, &self.plain[wrong.place.clone()]))
    }

    /// The document of which a date only says which one is meant: `by the letter of March 5, 2026`.
    pub(super) fn document_dated(&self, place: &Range<usize>) -> Option<&str> {
        let at = self.word_at(place.start);
        let text = |back: usize| self.text_before(at, back);
        let is_dated = matches!(text(1), "of" | "dated" | "from") && DOCUMENTS.contains(&text(2));
        is_dated.then(|| text(2))
    }

    /// The dates of the reply, with days of the week, days of the month and `tomorrow` where
    /// they can only be meant as the wanted day or are known to be another.
    fn dates_and_days(&self, wanted: Date, context: &Context<'_>) -> Vec<Given<Date>> {
        let mut dates = self.dates();
        for date in &mut dates {
            self.fill_end_of_month(date);
        }
        for (number, word) in self.words.iter().enumerate() {
            let day = self.day_of(number, wanted, context.today);
            let Some(value) = day.or_else(|| self.month_alone(number, wanted)) else { continue };
            let clause = self.clauses.iter().position(|clause| clause.words.contains(&number));
            let Some(clause) = clause.filter(|clause| !self.clauses[*clause].is_question) else {
                continue;
            };
            let inside = |date: &Given<Date>| date.place.contains(&word.place.start);
            // `Saturday, 11 April` names one day, which is not the wanted Saturday.
            let of_date =
                |date: &Given<Date>| date.value.day.is_some() && self.is_beside(number, date);
            let is_taken = fits(wanted, value) && dates.iter().any(of_date);
            if !is_taken && !dates.iter().any(inside) {
                let place = word.place.clone();
                dates.push(Given {
                    value,
                    place,
                    clause,
                    is_set_aside: false,
                    is_rounded: false,
                    is_loss: false,
                });
            }
        }
        dates
    }

    /// Whether a word stands right before a date, or right behind it: `Saturday, 11 April`, `on 11
    /// April, a Saturday`.
    fn is_beside(&self, number: usize, date: &Given<Date>) -> bool {
        let first = self.word_at(date.place.start);
        let behind = self.word_at(date.place.end);
        let is_article = |at: usize| {
            self.words.get(at).is_some_and(|word| matches!(word.text.as_str(), "a" | "the"))
        };
        number + 1 == first
            || number + 2 == first && is_article(number + 1)
            || number == behind
            || number == behind + 1 && is_article(behind)
    }

    /// `by the end of June 2026`, `on the last day of June` is its last day.
    fn fill_end_of_month(&self, date: &mut Given<Date>) {
        let before = self.plain[..date.place.start].trim_end().to_lowercase();
        if date.value.day.is_none()
            && (before.ends_with("end of") || before.ends_with("last day of"))
        {
            let (year, month) = (date.value.year.unwrap_or(1), date.value.month);
            date.value.day = month.map(|month| days_in(year, month));
        }
    }

    /// The day that a word names.
    fn day_of(&self, number: usize, wanted: Date, today: Option<Date>) -> Option<Date> {
        let text = self.words[number].text.as_str();
        // The year is left open, since nobody adds it to a weekday.
        let day = Date { year: None, ..wanted };
        if let Some(weekday) = english::WEEKDAYS.iter().position(|name| *name == text) {
            let fits = weekday_of(wanted)? == weekday && !self.is_other_day(number, wanted);
            return Some(if fits {
                day
            } else {
                // A day that fits no wanted date: the weekday is known to be another one.
                Date { year: None, month: Some(0), day: Some(0) }
            });
        }
        if let Some(today) = today {
            let shift = match text {
                "today" | "tonight" => 0,
                "tomorrow" if self.stands_behind(number, &["day", "after"]) => 2,
                "yesterday" if self.stands_behind(number, &["day", "before"]) => -2,
                "tomorrow" => 1,
                "yesterday" => -1,
                _ => return self.day_of_month(number, wanted),
            };
            return Some(shifted(today, shift));
        }
        self.day_of_month(number, wanted)
    }

    /// Whether words stand right in front of a word: `the day after tomorrow`.
    fn stands_behind(&self, number: usize, words: &[&str]) -> bool {
        let start = number.checked_sub(words.len());
        start.is_some_and(|start| {
            self.words[start..number].iter().zip(words).all(|(own, word)| own.text == *word)
        })
    }

    /// A month without its year, where only the month is wanted: `this January`.
    fn month_alone(&self, number: usize, wanted: Date) -> Option<Date> {
        let text = self.words[number].text.as_str();
        let month = english::MONTHS.iter().position(|name| *name == text)? + 1;
        let before = self.text_before(number, 1);
        let is_wanted = wanted.day.is_none() && wanted.month == u32::try_from(month).ok();
        (is_wanted && before != "last").then_some(Date { year: None, ..wanted })
    }

    /// `the twentieth`, `the 20th`.
    fn day_of_month(&self, number: usize, wanted: Date) -> Option<Date> {
        let day = self.ordinal(number)?;
        let before = self.text_before(number, 1);
        (before == "the" && wanted.day.map(u64::from) == Some(day))
            .then_some(Date { year: None, ..wanted })
    }

    /// Whether a day of the month that is not the wanted one stands behind a day of the week:
    /// `Saturday the 11th`.
    fn is_other_day(&self, number: usize, wanted: Date) -> bool {
        let the = self.words.get(number + 1).is_some_and(|word| word.text == "the");
        let day = self.ordinal(number + 1 + usize::from(the));
        day.is_some_and(|day| (1..=31).contains(&day) && wanted.day.map(u64::from) != Some(day))
    }

    /// The ordinal number that stands at a word: `twentieth`, `20th`.
    fn ordinal(&self, number: usize) -> Option<u64> {
        let start = self.words.get(number)?.place.start;
        // A date such as `20th day of March 2026` is none, and nothing beyond it need be read.
        let last = self.words.get(number + 5).map_or(self.plain.len(), |word| word.place.end);
        let read = TextReader::default().read(&self.plain[start..last]);
        match read.first()?.content {
            ItemContent::Ordinal(day) => Some(day),
            _ => None,
        }
    }

    fn says_year(&self, year: Option<u32>) -> bool {
        let is_year = |said: &Given<NumberWithUnit>| !said.is_set_aside && said.value.is_year(year);
        self.numbers().iter().any(is_year)
            || self.dates().iter().any(|said| said.value.year == year)
    }
}

/// Whether a row of the books has both days: the deadline of what was filed eleven days before.
pub(super) fn stands_beside(said: Date, wanted: Date, context: &Context<'_>) -> bool {
    context.shelf().is_some_and(|shelf| shelf.has_both(said, wanted))
}

/// Whether a date that was said is the one that was wanted; the year may be left out.
fn fits(wanted: Date, said: Date) -> bool {
    let met = |wanted: Option<u32>, said: Option<u32>| wanted.is_none() || wanted == said;
    let year = said.year.is_none() && wanted.month.is_some() || met(wanted.year, said.year);
    year && met(wanted.month, said.month) && met(wanted.day, said.day)
}

/// The day of the week, counted from Monday.
///
/// Sakamoto's method, with its table of offsets of the months.
pub(super) fn weekday_of(date: Date) -> Option<usize> {
    const OFFSETS: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let (year, month, day) = (date.year?, date.month?, date.day?);
    // The calendar repeats itself after 400 years, so that January of the year 0 needs no year
    // before it.
    let year = if month < 3 { year + 399 } else { year + 400 };
    let sunday_first =
        year + year / 4 - year / 100 + year / 400 + OFFSETS[month as usize - 1] + day;
    Some((sunday_first as usize + 6) % 7)
}

/// How many days a month has.
fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The day before or after.
pub(super) fn shifted(date: Date, shift: i32) -> Date {
    let (Some(year), Some(month), Some(day)) = (date.year, date.month, date.day) else {
        return date;
    };
    let length = |month: u32| days_in(year, month);
    let (year, month, day) = match (shift, day) {
        (0, _) => (year, month, day),
        (1, day) if day < length(month) => (year, month, day + 1),
        (1, _) if month < 12 => (year, month + 1, 1),
        (1, _) => (year + 1, 1, 1),
        (_, 1) if month > 1 => (year, month - 1, length(month - 1)),
        (_, 1) => (year.saturating_sub(1), 12, 31),
        (_, day) => (year, month, day - 1),
    };
    Date { year: Some(year), month: Some(month), day: Some(day) }
}
