//! Dates, however they are written.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use toolgauge_core::english::MONTHS;

/// A date, as far as it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: Option<u32>,
    pub(crate) month: Option<u32>,
    pub(crate) day: Option<u32>,
}

impl Date {
    /// Whether another date says at least what this one says.
    pub(crate) fn is_met_by(self, said: Self) -> bool {
        let met = |wanted: Option<u32>, said| wanted.is_none() || wanted == said;
        met(self.year, said.year) && met(self.month, said.month) && met(self.day, said.day)
    }

    fn checked(year: Option<u32>, month: u32, day: Option<u32>) -> Option<Self> {
        let is_day = day.is_none_or(|day| (1..=31).contains(&day));
        ((1..=12).contains(&month) && is_day).then_some(Self { year, month: Some(month), day })
    }
}

const MONTH: &str = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

/// The month of this name, or of its beginning: `mar`, `sept`, `october`.
pub(crate) fn month(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    if name.len() < 3 || !name.is_ascii() {
        return None;
    }
    (1..).zip(MONTHS).find(|(_, month)| month.starts_with(&name)).map(|(number, _)| number)
}

fn expression(pattern: &str) -> Regex {
    Regex::new(&format!("(?i)^{}", pattern.replace("MONTH", MONTH)))
        .expect("the expression is valid")
}

/// `2025-03-01`, with a time behind it or not.
static YEAR_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?P<year>\d{4})[-/.](?P<second>\d{1,2})[-/.](?P<third>\d{1,2})(?:T[\d:.]+Z?|\b)")
});
/// `03/01/2025`, `1.3.2025`, `03-01-2025`.
static YEAR_LAST: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?P<first>\d{1,2})(?P<sign>[-/.])(?P<second>\d{1,2})[-/.](?P<year>\d{4}|\d{2})\b")
});
/// `1 Mar 2025`, `1st of March`.
static DAY_MONTH: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:\s+(?:day\s+)?of\s+|[\s-]+)MONTH\b\.?(?:(?:,?\s+|-)(?P<year>\d{4})\b)?",
    )
});
/// `March 1, 2025`, `March 1st`.
static MONTH_DAY: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"MONTH\b\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>\d{4})\b)?")
});
/// `March 2025`.
static MONTH_YEAR: LazyLock<Regex> =
    LazyLock::new(|| expression(r"MONTH\b\.?,?\s+(?:of\s+)?(?P<year>\d{4})\b"));

/// The date a text of digits begins with, and its length in bytes.
pub(crate) fn at_digits(text: &str, day_first: bool) -> Option<(Date, usize)> {
    let ends = |found: &Captures<'_>| found.get(0).map_or(0, |whole| whole.end());
    if let Some(found) = YEAR_FIRST.captures(text) {
        let date = Date::checked(
            number(&found, "year"),
            number(&found, "second")?,
            number(&found, "third"),
        );
        return date.map(|date| (date, ends(&found)));
    }
    if let Some(found) = YEAR_LAST.captures(text) {
        let (first, second) = (number(&found, "first")?, number(&found, "second")?);
        let dotted = found.name("sign").is_some_and(|sign| sign.as_str() == ".");
        let year = number(&found, "year").map(whole_year);
        // `1.2.24` may be a version; with dots a year has all its digits.
        if dotted && found.name("year").is_some_and(|year| year.len() < 4) {
            return None;
        }
        let in_order = |month, day| Date::checked(year, month, Some(day));
        let date = if day_first || dotted {
            // Dots are the continental form, with the day first. A month above 12 turns the order
            // round.
            in_order(second, first).or_else(|| in_order(first, second))
        } else {
            in_order(first, second).or_else(|| in_order(second, first))
        };
        return date.map(|date| (date, ends(&found)));
    }
    let found = DAY_MONTH.captures(text)?;
    // `12 may be late` is no date.
    if found.name("year").is_none() && found.name("month")?.as_str() == "may" {
        return None;
    }
    let date = Date::checked(number(&found, "year"), named(&found)?, number(&found, "day"));
    date.map(|date| (date, ends(&found)))
}

/// The date a text begins with the name of a month, and its length in bytes.
pub(crate) fn at_month(text: &str) -> Option<(Date, usize)> {
    // Looking for the name first spares the expressions for nearly every word.
    let name_end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    month(&text[..name_end])?;
    let found = MONTH_DAY.captures(text).or_else(|| MONTH_YEAR.captures(text))?;
    let date = Date::checked(number(&found, "year"), named(&found)?, number(&found, "day"))?;
    Some((date, found.get(0)?.end()))
}

fn number(found: &Captures<'_>, name: &str) -> Option<u32> {
    found.name(name)?.as_str().parse().ok()
}

fn named(found: &Captures<'_>) -> Option<u32> {
    month(found.name("month")?.as_str())
}

/// A year of two digits belongs to the century in which it is nearest to our days.
fn whole_year(year: u32) -> u32 {
    match year {
        0..70 => year + 2000,
        70..100 => year + 1900,
        _ => year,
    }
}
