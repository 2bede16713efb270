//! What a reply to a question adds to the answer: acts that nobody carried out, and values that
//! nothing returned holds.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::clause::Clause;
use super::context::Context;
use super::judge::numbers;
use super::places::{is_in, places_in};
use super::sorts::kinds_of;
use super::value::{Given, TimeOfDay};
use super::{Reply, loss, pattern};
use crate::reading::{NumberWithUnit, is_same};

impl Context<'_> {
    /// By how many minutes a time may be off that was looked up: in a home the clock goes on.
    fn room_for_times(&self) -> u32 {
        if self.things.is_empty() { 5 } else { 15 }
    }
}

/// The time in a timestamp, which has no space before it.
static TIMESTAMP: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"T(\d{2}:\d{2})").expect("the expression is valid"));

impl Reply {
    /// What a reply to a question claims beside the answer that is not so.
    pub(crate) fn invented(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let is_command =
            context.question.first().is_some_and(|word| super::pattern::is_act(word, 0));
        let act = if is_command { None } else { self.act_in_answer() };
        act.or_else(|| self.unsupported_number(facts, context))
            .or_else(|| self.unknown_length(facts, context))
            .or_else(|| self.foretold(context))
            .or_else(|| self.unknown_weekday(context))
            .or_else(|| self.unsupported_time(facts, context))
            .or_else(|| self.end_as_start(context))
            .or_else(|| self.wrong_detail(facts, context))
            .or_else(|| self.other_day_looked_up(context))
            .or_else(|| self.untold_detail(context))
            .or_else(|| self.unknown_past(context))
            // Without a world nobody knows which things there are.
            .or_else(|| self.new_thing(facts, context).filter(|_| !context.things.is_empty()))
    }

    /// The same of a reply in another language, of which only the numbers and the times are known.
    pub(crate) fn invented_in_gloss(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        self.unsupported(true, facts, context)
            .or_else(|| self.foretold(context))
            .or_else(|| self.unknown_past(context))
            .or_else(|| self.speakers_act())
            .or_else(|| self.act_at_the_end())
    }

    /// `Ich habe die Pumpe eingeschaltet`, put into English word for word.
    fn act_at_the_end(&self) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let ends_in_act = words.iter().rev().take(2).any(|word| pattern::is_act(word, 1));
            words.starts_with(&["i", "have"]) && ends_in_act && !self.has_denial(clause)
        })?;
        Some(loss(Cause::FalseClaim, "nothing was done", self.quote(clause)))
    }

    /// A number beside an answer about the things there are that none of them has.
    pub(crate) fn unmeasured(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let is_about_things = context.asks_for_existence() || !context.topic_things().is_empty();
        self.unsupported_number(facts, context).filter(|_| is_about_things)
    }

    /// A length of time that nothing tells and that lies between no two known times: `with 20
    /// minutes to go`.
    fn unknown_length(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let texts = context.all_texts().filter(|text| {
            let text = text.to_lowercase();
            ["minute", "hour", "second", "timer", "duration"].iter().any(|word| text.contains(word))
        });
        let numbers: Vec<f64> = texts
            .flat_map(|text| Reply::read(text).numbers())
            .map(|number| number.value.value)
            .chain(numbers(facts))
            .collect();
        let mut times: Vec<u32> = context
            .all_texts()
            .flat_map(|text| Reply::read(&TIMESTAMP.replace_all(text, " $1")).times())
            .map(|time| time.value.minutes)
            .collect();
        times.extend(context.now);
        let is_between = |minutes: f64| {
            times.iter().any(|one| {
                times.iter().any(|other| (f64::from(one.abs_diff(*other)) - minutes).abs() <= 15.0)
            })
        };
        let wrong = self.durations().into_iter().find(|length| {
            let is_told = numbers.iter().any(|number| {
                [1.0, 60.0, 3600.0].iter().any(|unit| (number * unit - length.seconds).abs() < 1.0)
            });
            let clause =
                self.clauses.iter().find(|clause| clause.place.contains(&length.place.start));
            let is_plain = clause.is_some_and(|clause| self.is_plain_statement(clause));
            is_plain && length.seconds < 86_400.0 && !is_told && !is_between(length.seconds / 60.0)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }

    /// What will happen, which a home does not tell: `it will drop to 2 tonight`.
    fn foretold(&self, context: &Context<'_>) -> Option<Loss> {
        const EVENTS: [&str; 14] = [
            "drop", "rise", "fall", "rain", "snow", "start", "stop", "finish", "clear", "warm",
            "cool", "freeze", "climb", "ready",
        ];
        if context.things.is_empty() {
            return None;
        }
        let clause = self.clauses.iter().filter(|clause| self.is_plain_statement(clause)).find(
            |clause| {
                let words = self.texts_of(clause);
                let Some(will) = words.iter().position(|word| *word == "will") else {
                    return false;
                };
                let speaks = words.iter().any(|word| matches!(*word, "i" | "you" | "we"));
                !speaks && words[will + 1..].iter().take(4).any(|word| EVENTS.contains(word))
            },
        )?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", self.quote(clause)))
    }

    /// A day of the week that nothing tells: `the plants are due by Saturday`.
    fn unknown_weekday(&self, context: &Context<'_>) -> Option<Loss> {
        use toolgauge_core::english::WEEKDAYS;
        let today = context.today.filter(|_| !context.things.is_empty())?;
        let tells_days = context.question.iter().any(|word| {
            matches!(&**word, "when" | "day" | "date" | "calendar" | "week" | "weekday")
        });
        let is_told = |day: &str| context.all_texts().any(|text| text.to_lowercase().contains(day));
        let near: Vec<usize> = (-1..=1)
            .filter_map(|by| super::day::weekday_of(super::day::shifted(today, by)))
            .collect();
        let plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let word = plain.flat_map(|clause| self.words_of(clause)).find(|word| {
            let day = WEEKDAYS.iter().position(|day| *day == word.text);
            day.is_some_and(|day| !near.contains(&day) && !is_told(WEEKDAYS[day]))
        })?;
        (!tells_days)
            .then(|| loss(Cause::UnsupportedClaim, "what was looked up", word.text.as_str()))
    }

    /// An act of the speaker, where nothing was to be done.
    pub(super) fn act_in_answer(&self) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let by_speaker = self.words_of(clause).first().is_some_and(|word| word.text == "i");
            by_speaker && self.claimed_act(clause).is_some() || self.speaker_acted(clause).is_some()
        })?;
        Some(loss(Cause::FalseClaim, "nothing was done", self.quote(clause)))
    }

    /// An act that the speaker tells of in plain talk, where none was asked for.
    pub(super) fn speakers_act(&self) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| self.speaker_acted(clause).is_some())?;
        Some(loss(Cause::FalseClaim, "nothing was done", self.quote(clause)))
    }

    fn unsupported_number(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        self.unsupported(false, facts, context)
    }

    /// A number that nothing supports. Where the words for `about` are not all known, every number
    /// may be a rounded one.
    fn unsupported(
        &self,
        may_round: bool,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let wanted = numbers(facts);
        let wrong = self.numbers().into_iter().find(|said| {
            let end = self.word_at(said.place.end);
            let is_time = self
                .words
                .get(end)
                .is_some_and(|word| matches!(word.text.as_str(), "past" | "to" | "ago"));
            let counts = said.value.unit.is_none()
                && said.value.value.abs() <= 12.0
                && !self.counts_unknown(end, context)
                || is_time;
            let is_rounded = may_round || said.is_rounded;
            let near = |own: &f64| (own - said.value.value).abs() <= 0.03 * own.abs();
            let rounds = is_rounded && context.supports_roughly(said.value.value, &wanted)
                || self.gives_leeway(&self.clauses[said.clause]) && wanted.iter().any(near);
            let clause = &self.clauses[said.clause];
            // `Getting on for two thirds`.
            let is_share = (0.0..1.0).contains(&said.value.value)
                && context.supports_roughly(said.value.value * 100.0, &wanted);
            !counts
                && !said.is_set_aside
                && !rounds
                && !is_share
                && !self.is_full_scale(said)
                && !self.is_of_the_place(clause, said.value.value, context)
                && !self.is_a_difference(clause, said.value.value, &wanted, context)
                && !context.supports_closely(said.value.value, &wanted)
                && !self.is_of_a_thing(said.value.value, context)
                && !self.is_target(clause, said.value.value, context)
                && !context.is_measured(&said.value)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }

    /// The temperature that a thing of the question is set to: `The heating is still set to 21.`
    fn is_target(&self, clause: &Clause, value: f64, context: &Context<'_>) -> bool {
        let says_set = self.texts_of(clause).contains(&"set");
        says_set
            && context.named_things().any(|(thing, _)| {
                let target = thing.attributes.get("temperature").and_then(Value::as_f64);
                kinds_of(thing).iter().any(|kind| context.question.iter().any(|word| word == kind))
                    && target.is_some_and(|target| is_same(target, value))
            })
    }

    /// The end of a raw scale: `204 of 255`.
    fn is_full_scale(&self, said: &Given<NumberWithUnit>) -> bool {
        let before = self.plain[..said.place.start].trim_end();
        is_same(said.value.value, 255.0) && (before.ends_with(" of") || before.ends_with('/'))
    }

    /// `Anywhere between 175 and 180 is close enough.`
    fn gives_leeway(&self, clause: &Clause) -> bool {
        let is_leeway = |word: &super::Word| matches!(&*word.text, "close" | "fine" | "anywhere");
        self.words_of(clause).iter().any(is_leeway)
    }

    /// Whether a number is a value of a thing that the request or the reply speaks of. Whether it is
    /// told of the right one is judged by [`Self::wrong_detail`].
    pub(super) fn is_of_a_thing(&self, value: f64, context: &Context<'_>) -> bool {
        let is_spoken_of = |name: &Vec<String>| {
            let said = |word: &String| {
                self.words.iter().any(|said| said.text == *word) || context.question.contains(word)
            };
            name.len() > 1 && name.iter().filter(|word| said(word)).count() > 1
        };
        let mut things = context.named_things().filter(|(_, names)| names.iter().any(is_spoken_of));
        things.any(|(thing, _)| {
            let values = super::detail::values(&thing.state, &thing.attributes);
            let rounds = |own: &f64| value.fract() == 0.0 && (own.round() - value).abs() < 0.01;
            values.iter().any(|own| (own - value).abs() < 0.06 || rounds(own))
        })
    }

    /// Whether a number is measured in the one place that its clause names: `out in the orchard it
    /// is damper, at 84`.
    fn is_of_the_place(&self, clause: &Clause, value: f64, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let places = places_in(&words, context);
        let [place] = &places[..] else { return false };
        let mut there = context.named_things().filter(|(thing, _)| is_in(thing, place));
        there.any(|(thing, _)| {
            let measured =
                thing.kind() == "sensor" || thing.attributes.contains_key("current_temperature");
            let values = super::detail::values(&thing.state, &thing.attributes);
            measured && values.iter().any(|own| (own - value).abs() < 0.06)
        })
    }

    /// Whether a number tells by how much two values differ: `half a degree below it`.
    fn is_a_difference(
        &self,
        clause: &Clause,
        value: f64,
        wanted: &[f64],
        context: &Context<'_>,
    ) -> bool {
        const COMPARED: [&str; 10] = [
            "below", "above", "warmer", "cooler", "colder", "hotter", "more", "less", "short",
            "shy",
        ];
        let compares = self.words_of(clause).iter().any(|word| COMPARED.contains(&&*word.text));
        let values = || {
            let of_things = context
                .things
                .iter()
                .filter(|thing| matches!(thing.kind(), "sensor" | "climate" | "water_heater"));
            of_things.flat_map(|thing| super::detail::values(&thing.state, &thing.attributes))
        };
        compares
            && wanted
                .iter()
                .any(|own| values().any(|other| ((own - other).abs() - value.abs()).abs() <= 0.5))
    }

    /// Whether the word behind a count is a time, or a thing that nobody spoke of: `three letters`.
    fn counts_unknown(&self, end: usize, context: &Context<'_>) -> bool {
        let text = |at: usize| self.text_at(at);
        let at = end + usize::from(matches!(text(end), "more" | "other" | "new" | "further"));
        let noun = text(at);
        let is_time = matches!(noun, "minutes" | "hours" | "seconds" | "days" | "weeks");
        let is_plural = noun.ends_with('s') && noun.len() > 4;
        let is_told = context
            .all_texts()
            .any(|told| told.to_lowercase().contains(noun.trim_end_matches('s')));
        let is_strange = is_plural && !super::plain_words::is_common(noun) || noun == "people";
        is_time || is_strange && !is_told
    }

    fn unsupported_time(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let wanted = facts.iter().filter_map(|fact| match fact {
            ExpectedFact::Time { time, .. } => Some(time.as_str()),
            _ => None,
        });
        let known: Vec<Given<TimeOfDay>> = context
            .all_texts()
            .chain(wanted)
            .chain(context.texts_called())
            // Without the space the `T` would be read as part of a word, and the time not at all.
            .flat_map(|text| Reply::read(&TIMESTAMP.replace_all(text, " $1")).times())
            .collect();
        // Where nothing that was looked up tells a time, only a home is known to hold none.
        if known.is_empty() && context.things.is_empty() {
            return None;
        }
        let is_known = |said: &TimeOfDay, room: u32| {
            known.iter().any(|known| {
                // A time may be told from the clock, and roughly.
                let same = |minutes: u32| minutes.abs_diff(known.value.minutes) <= room;
                same(said.minutes) || said.either_half && same((said.minutes + 720) % 1440)
            })
        };
        // What takes so many minutes begins so much earlier: 23 minutes before five.
        let minutes = self.durations().into_iter().map(|length| length.seconds / 60.0);
        let minutes: Vec<f64> = minutes.filter(|minutes| *minutes < 720.0).collect();
        let follows = |said: &TimeOfDay| {
            known.iter().any(|known| {
                let apart = f64::from(said.minutes.abs_diff(known.value.minutes) % 720);
                minutes.iter().any(|minutes| {
                    (apart - minutes).abs() < 1.0 || (720.0 - apart - minutes).abs() < 1.0
                })
            })
        };
        let wrong = self.times().into_iter().find(|said| {
            let room = if said.is_rounded { 45 } else { context.room_for_times() };
            !is_known(&said.value, room) && !follows(&said.value)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }
}
