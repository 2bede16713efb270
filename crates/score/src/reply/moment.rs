//! When something is, in reports: times, days of the week and dates that were neither asked for nor
//! called.

use toolgauge_core::english::WEEKDAYS;
use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::value::{Given, TimeOfDay};
use super::{Reply, Word, loss};
use crate::reading::{Date, is_same};

impl Reply {
    /// A time or a day of the week that is neither in the request nor in what was called.
    pub(super) fn wrong_moment(&self, context: &Context<'_>) -> Option<Loss> {
        let mut known = context.request().join(" ");
        for call in &context.calls {
            for value in call.arguments.as_object().into_iter().flatten() {
                known.push_str(" , ");
                known.push_str(value.1.as_str().unwrap_or_default());
            }
        }
        let known = Self::read(&known);
        let called = context.texts_called();
        let exact: Vec<u32> = called.filter_map(super::context::minutes_of_day).collect();
        self.other_half_of_the_day(&exact)
            .or_else(|| self.other_hour(&known, &exact))
            .or_else(|| self.other_moment(&known, &exact, context))
            .or_else(|| self.other_weekday(&known))
            .or_else(|| self.unasked_end(&known))
            .or_else(|| self.other_day(&known, context))
            .or_else(|| self.other_date(context))
    }

    /// A call gives the half of the day: 19:30 is no half past seven in the morning.
    fn other_half_of_the_day(&self, exact: &[u32]) -> Option<Loss> {
        let wrong = self.times().into_iter().find(|said| {
            let said = &said.value;
            !said.either_half
                && exact.iter().any(|own| own % 720 == said.minutes % 720)
                && !exact.contains(&said.minutes)
        })?;
        Some(loss(Cause::FalseClaim, "the time asked for", &self.plain[wrong.place]))
    }

    /// `At 12` where it is at two; a bare number is no time where nothing else tells one.
    fn other_hour(&self, known: &Self, exact: &[u32]) -> Option<Loss> {
        let hours: Vec<u32> = exact.iter().map(|minutes| minutes / 60 % 12).collect();
        let asked = known.hours(0..known.words.len());
        let plain = |clause: &&Clause| !clause.is_question && !self.offers(clause);
        let wrong = self.clauses.iter().filter(plain).find(|clause| {
            let told = self.hours(clause.words.clone());
            told.iter().any(|hour| !hours.contains(hour) && !asked.contains(hour))
        });
        let clause = wrong.filter(|_| !exact.is_empty())?;
        Some(loss(Cause::FalseClaim, "the time asked for", self.quote(clause)))
    }

    /// A time that is neither asked for nor called, nor the end of what begins then. Where neither
    /// request nor calls name a time, the subject may tell one it looked up.
    fn other_moment(&self, known: &Self, exact: &[u32], context: &Context<'_>) -> Option<Loss> {
        let (times, told) = (known.times(), self.times());
        let is_time = |said: &TimeOfDay| {
            times.iter().any(|time| {
                let same = |minutes: u32| minutes % 720 == time.value.minutes % 720;
                said.minutes == time.value.minutes
                    || (said.either_half || time.value.either_half) && same(said.minutes)
            })
        };
        // `From two to three`: how long something takes need not be asked for.
        let is_end = |said: &Given<TimeOfDay>| {
            told.iter().any(|start| {
                let between = self.plain.get(start.place.end..said.place.start);
                is_time(&start.value)
                    && between.is_some_and(|text| {
                        let text = text.trim().trim_end_matches(" a");
                        matches!(text, "to" | "until" | "till" | "-" | "–" | ":")
                    })
            })
        };
        // `In at a quarter past ten, out again at a quarter to eleven`, where half an hour was asked
        // for.
        let lengths: Vec<u32> = context.lengths().into_iter().filter_map(minutes).collect();
        let tells_start = told.iter().any(|said| is_time(&said.value));
        let is_after = |said: &TimeOfDay| {
            tells_start
                && exact.iter().any(|start| {
                    lengths.iter().any(|length| (start + length) % 720 == said.minutes % 720)
                })
        };
        let wrong = told
            .iter()
            .find(|said| !is_time(&said.value) && !is_end(said) && !is_after(&said.value))
            .filter(|_| !times.is_empty())?;
        Some(loss(Cause::FalseClaim, "the time asked for", &self.plain[wrong.place.clone()]))
    }

    /// `Until Sunday`, where nobody spoke of a day.
    fn unasked_end(&self, known: &Self) -> Option<Loss> {
        let is_day = |word: &Word| WEEKDAYS.contains(&&*word.text) || word.text == "tomorrow";
        let told = self
            .words
            .windows(2)
            .find(|pair| matches!(&*pair[0].text, "until" | "till") && is_day(&pair[1]))?;
        (!known.words.iter().any(is_day))
            .then(|| loss(Cause::FalseClaim, "the time asked for", told[1].text.as_str()))
    }

    fn other_weekday(&self, known: &Self) -> Option<Loss> {
        let named = |reply: &Self| -> Vec<usize> {
            let day = |word: &Word| WEEKDAYS.iter().position(|name| *name == word.text);
            reply.words.iter().filter_map(day).collect()
        };
        let dated = known.dates().into_iter().filter_map(|date| super::day::weekday_of(date.value));
        let days: Vec<usize> = named(known).into_iter().chain(dated).collect();
        let other = named(self).into_iter().find(|day| !days.contains(day));
        let other = other.filter(|_| !days.is_empty())?;
        Some(loss(Cause::FalseClaim, "the day asked for", WEEKDAYS[other]))
    }

    /// Another day of the year than the one that calls name: `April 5` for the fourth of May.
    fn other_date(&self, context: &Context<'_>) -> Option<Loss> {
        let called: Vec<Date> = context.texts_called().filter_map(super::words::date).collect();
        let wrong = self.dates().into_iter().find(|said| {
            let is_day = said.value.day.is_some() && said.value.month.is_some();
            is_day && !said.is_set_aside && !called.iter().any(|own| said.value.is_met_by(*own))
        })?;
        let is_dated = called.iter().any(|own| own.day.is_some());
        is_dated.then(|| loss(Cause::FalseClaim, "the day that was set", &self.plain[wrong.place]))
    }

    /// A time at which nothing ends that was set, by the clock of a world that stands still.
    pub(super) fn wrong_end(&self, context: &Context<'_>) -> Option<Loss> {
        let now = f64::from(context.now?);
        let told = self.times();
        if told.is_empty() {
            return None;
        }
        let minutes: Vec<f64> =
            context.lengths().into_iter().map(|seconds| seconds / 60.0).collect();
        // What was added to a timer ends when both have passed.
        let added = if context.has_calls_alone() { &[][..] } else { &minutes[..] };
        let sums = minutes.iter().flat_map(|one| added.iter().map(move |other| one + other));
        let ends = minutes.iter().copied().chain(sums).map(|length| now + length);
        let moments = |text: &str| {
            let read = Self::read(text);
            let hours = read.hours(0..read.words.len()).into_iter().map(|hour| hour * 60);
            let times = read.times().into_iter().map(|time| time.value.minutes);
            times.chain(hours.flat_map(|hour| [hour, hour + 720])).collect::<Vec<u32>>()
        };
        let known = context.all_texts().flat_map(moments).map(f64::from);
        let called = context.texts_called().flat_map(|text| Self::read(text).times());
        let called = called.map(|time| f64::from(time.value.minutes));
        // What was called may last for what was called, or for an hour, as things in calendars do.
        let called: Vec<f64> = called.collect();
        let closes = called
            .iter()
            .flat_map(|start| minutes.iter().chain(&[60.0]).map(move |length| start + length));
        let closes: Vec<f64> = closes.collect();
        let known = ends.chain(known).chain(called).chain(closes).chain([now]);
        let known: Vec<f64> = known.collect();
        let tells_day = self.words.iter().any(|word| {
            matches!(&*word.text, "tomorrow" | "today" | "tonight" | "morning" | "evening" | "at")
        });
        // `10:00` on a timer is ten minutes, and `1:20` an hour and twenty minutes.
        let is_length = |said: &TimeOfDay| {
            let told = f64::from(said.minutes);
            !tells_day && minutes.iter().any(|own| is_same(*own, told) || is_same(own * 60.0, told))
        };
        let wrong = told.into_iter().filter(|said| !is_length(&said.value)).find(|said| {
            let room = if said.is_rounded { 10.0 } else { 1.0 };
            // Without its half of the day a time may be of either.
            let day = if said.value.either_half { 720.0 } else { 1440.0 };
            let is_near = |end: &f64| {
                let apart = (end - f64::from(said.value.minutes)).rem_euclid(day);
                apart <= room || day - apart <= room
            };
            !known.iter().any(is_near)
        })?;
        Some(loss(Cause::FalseClaim, "the time at which it ends", &self.plain[wrong.place]))
    }

    /// Another day than an answer was looked up for: `today` where it was asked for tomorrow.
    pub(super) fn other_day_looked_up(&self, context: &Context<'_>) -> Option<Loss> {
        if !context.has_calls_alone() {
            return None;
        }
        let request = context.request().join(" ");
        let known: Vec<&str> = context.texts_called().chain([&*request]).collect();
        let known = Self::read(&known.join(" , "));
        self.other_weekday(&known).or_else(|| self.other_day(&known, context))
    }

    /// `Tomorrow` where something was set for today.
    fn other_day(&self, known: &Self, context: &Context<'_>) -> Option<Loss> {
        let today = context.today?;
        let dates = known.dates();
        let wrong = self.words.iter().find(|word| {
            let shift = match word.text.as_str() {
                "today" | "tonight" => 0,
                "tomorrow" => 1,
                _ => return false,
            };
            let day = super::day::shifted(today, shift);
            let asked = context.request().contains(&word.text);
            !asked && !dates.iter().any(|date| day.is_met_by(date.value))
        })?;
        (!dates.is_empty()).then(|| loss(Cause::FalseClaim, "the day asked for", &*wrong.text))
    }
}

/// A length in seconds as whole minutes.
fn minutes(seconds: f64) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a day")]
    (60.0..86_400.0).contains(&seconds).then_some((seconds / 60.0) as u32)
}
