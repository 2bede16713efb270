//! What a report adds to the time of something in other words: `on Monday at 2 pm, so in the morning`,
//! `on May 4, that's next week`, `half an hour earlier`.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, english};

use super::clause::Clause;
use super::context::{Context, minutes_of_day};
use super::day::{shifted, weekday_of};
use super::words::phrase_at;
use super::{Reply, loss};
use crate::reading::{Date, is_same};

/// A part of the day, in minutes. It is taken widely, because people differ about its ends.
const PARTS: [(&[&str], u32, u32); 4] = [
    (&["in", "the", "morning"], 0, 750),
    (&["in", "the", "afternoon"], 710, 1140),
    (&["in", "the", "evening"], 960, 1440),
    (&["after", "midnight"], 0, 360),
];

impl Reply {
    /// Words for a time that do not fit the one that was called.
    pub(super) fn moment_turned(&self, context: &Context<'_>) -> Option<Loss> {
        let called = context.calls.iter().filter_map(|call| call.arguments.as_object());
        let called: Vec<&str> =
            called.flat_map(serde_json::Map::values).filter_map(Value::as_str).collect();
        let times: Vec<u32> = called.iter().filter_map(|text| minutes_of_day(text)).collect();
        let dates: Vec<Date> = called.iter().filter_map(|text| super::words::date(text)).collect();
        let plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let clause = plain.into_iter().find(|clause| {
            self.is_of_other_part(clause, &times)
                || self.is_of_other_month(clause, &dates, context)
                || self.is_of_other_week(clause, &dates, context)
                || self.is_moved_otherwise(clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "the time that was set", self.quote(clause)))
    }

    fn is_of_other_part(&self, clause: &Clause, times: &[u32]) -> bool {
        let words = self.texts_of(clause);
        !times.is_empty()
            && PARTS.iter().any(|(phrase, from, to)| {
                phrase_at(&words, phrase).is_some()
                    && !times.iter().any(|time| (*from..=*to).contains(time))
            })
    }

    /// `So in April`, for a day in May. `May` and `march` are other words too.
    fn is_of_other_month(&self, clause: &Clause, dates: &[Date], context: &Context<'_>) -> bool {
        let mut months = (1_u32..).zip(english::MONTHS);
        let words = self.texts_of(clause);
        !dates.is_empty()
            && months.any(|(number, name)| {
                !matches!(name, "may" | "march")
                    && words.contains(&name)
                    && !dates.iter().any(|date| date.month == Some(number))
                    && !context.request().iter().any(|word| word == name)
            })
    }

    /// `That's next week`, for a day in seven weeks.
    fn is_of_other_week(&self, clause: &Clause, dates: &[Date], context: &Context<'_>) -> bool {
        let Some(today) = context.today else { return false };
        let words = self.texts_of(clause);
        let says = |phrase: &[&str]| phrase_at(&words, phrase).is_some();
        let Some(weekday) = weekday_of(today).and_then(|day| i32::try_from(day).ok()) else {
            return false;
        };
        let week = if says(&["next", "week"]) {
            7 - weekday..14 - weekday
        } else if says(&["this", "week"]) {
            -weekday..7 - weekday
        } else {
            return false;
        };
        // Next Friday is in this week to some and in the next to others.
        let widened = week.start.min(0)..week.end + 1;
        !dates.is_empty()
            && !dates
                .iter()
                .any(|date| widened.clone().any(|by| date.is_met_by(shifted(today, by))))
    }

    /// `Half an hour earlier`, where half past twelve became one o'clock.
    fn is_moved_otherwise(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let by: Vec<f64> = self
            .durations()
            .into_iter()
            .filter(|own| clause.place.contains(&own.place.start))
            .map(|own| own.seconds / 60.0)
            .collect();
        let [by] = by[..] else { return false };
        let is_later = words.contains(&"later");
        if is_later == words.contains(&"earlier") {
            return false;
        }
        let hours = |text: &str| -> Vec<u32> {
            let read = Self::read(text);
            let times: Vec<u32> =
                read.times().into_iter().map(|own| own.value.minutes % 720).collect();
            let hours = read.hours(0..read.words.len()).into_iter().map(|hour| hour * 60 % 720);
            if times.is_empty() { hours.collect() } else { times }
        };
        let earlier = context.said().count().saturating_sub(1);
        let old: Vec<u32> = context.said().take(earlier).flat_map(hours).collect();
        let new = hours(&context.question.join(" "));
        let is_so = |old: &u32, new: &u32| {
            let apart = if is_later { 720 + new - old } else { 720 + old - new };
            is_same(f64::from(apart % 720), by)
        };
        !old.is_empty()
            && !new.is_empty()
            && !old.iter().any(|old| new.iter().any(|new| is_so(old, new)))
    }
}
