//! Days, times and names beside an answer that was looked up in a calendar, a forecast or a list.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;
use toolgauge_core::{Cause, ExpectedFact, Loss, english};

use super::books::is_inside_sentence;
use super::context::Context;
use super::day::{shifted, weekday_of};
use super::plain_words::is_function_word;
use super::words::known_stems;
use super::{Reply, loss};
use crate::reading::{Date, stem, unit_named};

/// A day and a time as tools write them.
static MOMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})").expect("the expression is valid")
});

/// The beginning of something in what a tool returned.
static START: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?s)start"?:.{0,40}?\d{4}-\d{2}-\d{2}[T ](\d{2}):(\d{2})"#)
        .expect("the expression is valid")
});
/// And its end.
static END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?s)end"?:.{0,40}?\d{4}-\d{2}-\d{2}[T ](\d{2}):(\d{2})"#)
        .expect("the expression is valid")
});

/// What a name of somebody or somewhere stands behind.
const LEADS: [&str; 7] = ["in", "with", "at", "to", "from", "by", "near"];

/// Names that everybody may use.
const KNOWN_NAMES: [&str; 12] = [
    "celsius",
    "fahrenheit",
    "kelvin",
    "christmas",
    "earth",
    "english",
    "german",
    "french",
    "spanish",
    "europe",
    "internet",
    "wifi",
];

impl Reply {
    /// A day of the week told with the time of something that is on another day.
    pub(super) fn other_appointment(&self, context: &Context<'_>) -> Option<Loss> {
        let today = context.today?;
        let moments: Vec<(usize, u32)> = context
            .returned_texts()
            .flat_map(|text| MOMENT.captures_iter(text))
            .filter_map(|found| {
                let part = |at: usize| found[at].parse::<u32>().ok();
                let day = Date { year: part(1), month: part(2), day: part(3) };
                Some((weekday_of(day)?, part(4)? * 60 + part(5)?))
            })
            .collect();
        let times = self.times();
        let wrong = self.clauses.iter().filter(|clause| !clause.is_question).find(|clause| {
            let day_of = |word: &super::Word| {
                let day = match word.text.as_str() {
                    "today" | "tonight" => weekday_of(today),
                    "tomorrow" => weekday_of(shifted(today, 1)),
                    name => english::WEEKDAYS.iter().position(|day| *day == name),
                };
                Some((word.place.start, day?))
            };
            let days: Vec<(usize, usize)> =
                self.words_of(clause).iter().filter_map(day_of).collect();
            let in_clause = times.iter().filter(|time| clause.place.contains(&time.place.start));
            in_clause.into_iter().any(|time| {
                // Of several days the last one before a time is its own.
                let before = days.iter().rev().find(|(at, _)| *at < time.place.start);
                let day = match (&days[..], before) {
                    ([(_, only)], _) | (_, Some((_, only))) => *only,
                    _ => return false,
                };
                let is_at = |minutes: u32| {
                    minutes == time.value.minutes
                        || time.value.either_half && minutes == (time.value.minutes + 720) % 1440
                };
                let mut then = moments.iter().filter(|(_, at)| is_at(*at)).peekable();
                then.peek().is_some() && !then.any(|(on, _)| *on == day)
            })
        })?;
        Some(loss(Cause::WrongAnswer, "the day it is on", self.quote(wrong)))
    }

    /// The end of something told as if it were its beginning: `the visit is at nine`.
    pub(super) fn end_as_start(&self, context: &Context<'_>) -> Option<Loss> {
        let moments = |of: &Regex| -> HashSet<u32> {
            let found = context.returned_texts().flat_map(|text| {
                of.captures_iter(text).filter_map(|found| {
                    Some(found[1].parse::<u32>().ok()? * 60 + found[2].parse::<u32>().ok()?)
                })
            });
            found.collect()
        };
        let (starts, ends) = (moments(&START), moments(&END));
        let wrong = self.times().into_iter().find(|said| {
            let is_at = |all: &HashSet<u32>| {
                let later = (said.value.minutes + 720) % 1440;
                all.contains(&said.value.minutes) || said.value.either_half && all.contains(&later)
            };
            let clause = &self.clauses[said.clause];
            let words = self.words_of(clause);
            let spans = words.iter().any(|word| {
                matches!(
                    &*word.text,
                    "to" | "until"
                        | "till"
                        | "ends"
                        | "end"
                        | "ending"
                        | "finishes"
                        | "finish"
                        | "and"
                        | "by"
                        | "through"
                        | "over"
                        | "before"
                        | "lasts"
                        | "free"
                        | "from"
                        | "done"
                )
            });
            let begins = words.windows(2).any(|pair| {
                pair[0].text == "at"
                    && (pair[0].place.start == said.place.start
                        || pair[1].place.start == said.place.start)
            });
            !said.is_set_aside && begins && !spans && is_at(&ends) && !is_at(&starts)
        })?;
        Some(loss(Cause::WrongAnswer, "when it begins", &self.plain[wrong.place]))
    }

    /// A person or a place that nothing behind the answer names: `in Geneva`, `with Carla`, `Tom is
    /// there`.
    pub(super) fn unknown_name(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        context.returned_texts().next()?;
        let known = LazyCell::new(|| {
            let values = context.calls.iter().filter_map(|call| call.arguments.as_object());
            let called: Vec<String> = values.map(|values| format!("{values:?}")).collect();
            let texts = context.said().chain(context.returned_texts());
            let texts = texts.chain(called.iter().map(String::as_str));
            known_stems(facts, texts.chain(context.names_and_places()), stem)
        });
        let is_title = |word: &super::Word| matches!(&*word.text, "dr" | "mr" | "mrs" | "ms");
        let wrong = (1..self.words.len()).find(|at| {
            let (mut before, word) = (&self.words[at - 1], &self.words[*at]);
            if *at > 1 && is_title(before) {
                before = &self.words[at - 2];
            }
            let text = word.text.strip_suffix("'s").unwrap_or(&word.text);
            let written = &self.plain[word.place.clone()];
            let next = self.text_at(at + 1);
            let is_subject = matches!(next, "is" | "was" | "has")
                && is_inside_sentence(self, *at)
                && !self.is_capital(*at - 1);
            let is_behind_lead = (&self.plain[before.place.end..word.place.start] == " "
                || is_title(&self.words[at - 1]))
                && LEADS.contains(&before.text.as_str());
            let is_name = (is_behind_lead || is_subject)
                && self.is_capital(*at)
                && written.chars().skip(1).all(|c| c.is_lowercase() || c == '\'')
                && text.len() > 2;
            let is_day = english::WEEKDAYS.contains(&text);
            is_name
                && !is_day
                && !is_function_word(text)
                && !KNOWN_NAMES.contains(&text)
                && !super::plain_words::is_common(text)
                && unit_named(text).is_none()
                && !known.contains(&stem(text))
        })?;
        let denied = self
            .clauses
            .iter()
            .any(|clause| clause.words.contains(&wrong) && self.has_denial(clause));
        (!denied).then(|| {
            let name = self.words[wrong].text.as_str();
            loss(Cause::UnsupportedClaim, "what was looked up", name)
        })
    }
}
