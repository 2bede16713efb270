//! Amounts in reports: each must have been asked for, set, or be a value of what the report is about.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::context::Context;
use super::duration::{length_of, unit_of_argument};
use super::value::Given;
use super::{Reply, loss};
use crate::reading::{
    Item, ItemContent, MeasureUnit, NumberWithUnit, TextReader, is_same, stem, unit_named,
};

/// Words of a clause that tells how something was.
const OF_OLD: [&str; 10] =
    ["from", "was", "were", "had", "before", "previously", "previous", "earlier", "ago", "than"];

/// What the words around an amount say of it.
struct Told<'a> {
    before: &'a str,
    behind: &'a str,
    /// Whether it may be an amount of before.
    of_old: bool,
    /// Whether it may be a step, told behind `by` or in front of `warmer`; elsewhere it is a level.
    is_step: bool,
    /// Whether it is a count of things, as small numbers are but behind words for levels.
    is_count: bool,
}

impl Told<'_> {
    /// Whether a number is an hour or a place in a row, which other rules hold against the calls: `on
    /// Monday at two`, `Symphony No. 5` for the fifth.
    fn is_hour_or_ordinal(&self, said: &Given<NumberWithUnit>, context: &Context<'_>) -> bool {
        let number = said.value.value;
        let is_hour = matches!(self.before, "at" | "by" | "around" | "until" | "from" | "to")
            && context.hours_named().iter().any(|hour| is_same(f64::from(*hour), number % 12.0));
        let in_row = matches!(self.before, "no" | "number" | "nr" | "#")
            && context.ordinals_asked().iter().any(|own| is_same(*own, number));
        // `No. 5 in the bedroom` is no length of five inches.
        said.value.unit.is_none() && is_hour || in_row
    }
}

impl Reply {
    /// A number that neither the request nor the things it is about have.
    pub(crate) fn wrong_amount(&self, context: &Context<'_>, with_limits: bool) -> Option<Loss> {
        let (numbers, lengths) = (self.numbers(), self.durations());
        // Most reports tell no amount, and what may be told is costly to gather.
        if numbers.is_empty() && lengths.is_empty() {
            return None;
        }
        let known = context.amounts(with_limits);
        if let Some(wrong) = self.wrong_length(&lengths, context, &known) {
            return Some(wrong);
        }
        // Where no amount is known, only one with a unit is told of the home.
        if known.is_empty() && context.things.is_empty() && !context.has_calls_alone() {
            return None;
        }
        let has_none = known.is_empty() && !context.things.is_empty();
        let in_length = |place: &std::ops::Range<usize>| {
            lengths
                .iter()
                .any(|length| length.place.start <= place.start && place.start < length.place.end)
        };
        let tells_levels = known.iter().any(|amount| amount.of == AmountOf::Old);
        let is_relative = context.request().iter().any(|word| RELATIVE.contains(&word.as_str()));
        let wrong = numbers.into_iter().filter(|said| !in_length(&said.place)).find(|said| {
            let told = self.how_told(said);
            // `100 percent brighter` is no brightness.
            let is_percent = said.value.unit == Some(MeasureUnit::PERCENT);
            let is_more = is_percent && RELATIVE.contains(&told.behind) && !is_relative;
            // `One degree colder` asks for a step, which is no level.
            let tells_level = matches!(told.before, "at" | "to")
                || told.before == "is" && !RELATIVE.contains(&told.behind);
            let is_step = |known: &Amount| !known.is_property && is_relative && tells_level;
            let fits = |known: &Amount| {
                known.is_near(&said.value)
                    && !is_step(known)
                    && (!is_more || known.of == AmountOf::Change)
                    && (known.of != AmountOf::Change || told.is_step)
                    && (known.of != AmountOf::Old || told.of_old || with_limits)
                    && (told.before != "from" || known.of == AmountOf::Old || !tells_levels)
                    && (known.of != AmountOf::Measured || told.before != "to")
            };
            let is_old_one = told.before == "from" && tells_levels;
            let is_count = told.is_count || has_none && said.value.unit.is_none();
            let is_measured = told.before != "to" && context.is_measured(&said.value)
                || has_none && context.is_sensed(&said.value);
            !is_count
                && !self.is_of_the_rest(said, context)
                && !self.is_own_value(&self.clauses[said.clause], said.value.value, context)
                && (!said.is_set_aside || is_old_one)
                && !known.iter().any(fits)
                && !context.has_length(&said.value)
                && !is_measured
                && !context.counts_changes(&said.value)
                && !context.counts_a_kind(&said.value, told.behind)
                && !(context.has_calls_alone() && told.is_hour_or_ordinal(said, context))
        })?;
        Some(loss(
            Cause::FalseClaim,
            "an amount that was set or asked for",
            &self.plain[wrong.place],
        ))
    }

    /// Whether an amount is told of what was not changed: `The right one is still at 30 percent.`
    fn is_of_the_rest(&self, said: &Given<NumberWithUnit>, context: &Context<'_>) -> bool {
        let clause = &self.clauses[said.clause];
        let is_other = |word: &&str| matches!(*word, "one" | "other" | "others" | "one's");
        let is_of_it = self.texts_of(clause).first().is_some_and(|word| *word == "it");
        (self.texts_of(clause).iter().any(is_other) || context.is_of_kin(&said.value) && !is_of_it)
            && self.tells_of_the_rest(clause)
            || self.tells_of_another(clause, context)
    }

    /// What the words around an amount say of it.
    fn how_told(&self, said: &Given<NumberWithUnit>) -> Told<'_> {
        let words = self.texts_of(&self.clauses[said.clause]);
        let text = |at: usize| self.text_at(at);
        let at = self.word_at(said.place.start);
        let behind = text(self.word_at(said.place.end));
        let before = at.checked_sub(1).map_or("", text);
        // `von 18 auf 16`, put into English word for word.
        let goes_on = before == "of" && matches!(text(at + 1), "on" | "to" | "at" | "a");
        // `From 60 to 40` gives the new value last; `it was set to 20` the old one.
        let is_target = before == "to" && words.contains(&"from");
        Told {
            before,
            behind,
            of_old: (goes_on || words.iter().any(|word| OF_OLD.contains(word))) && !is_target,
            is_step: RELATIVE.contains(&behind) || matches!(before, "by" | "up" | "down"),
            is_count: said.value.unit.is_none()
                && said.value.value <= 3.0
                && !matches!(before, "at" | "to" | "by" | "of"),
        }
    }

    /// Whether a clause gives the true value of another thing of the kind: `the right one at 60`.
    pub(super) fn tells_of_another(
        &self,
        clause: &super::clause::Clause,
        context: &Context<'_>,
    ) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let names_other = (0..words.len()).any(|at| match text(at) {
            "other" | "others" => true,
            "one" => at > 0 && matches!(text(at + 1), "" | "is" | "at" | "has" | "was"),
            _ => false,
        });
        let mut told = self.numbers_in(clause);
        names_other && told.any(|said| context.is_of_kin(&said.value))
    }

    /// Whether a thing that the clause names has this value, so that it is told of that thing: `the
    /// office ceiling light burns at 70 percent`.
    pub(super) fn is_own_value(
        &self,
        clause: &super::clause::Clause,
        value: f64,
        context: &Context<'_>,
    ) -> bool {
        let mut named = self.things_named(clause, context);
        named.extend(self.measured_beside(clause, context));
        let is_changed = |thing: &WorldThing| context.is_changed(thing);
        named.iter().filter(|thing| !is_changed(thing)).any(|thing| {
            let values = super::detail::values(&thing.state, &thing.attributes);
            values.iter().any(|own| (own - value).abs() < 0.51)
        })
    }

    /// What measures the quantity that a clause speaks of where something was changed: `the humidity
    /// is at 68 percent`.
    pub(super) fn measured_beside<'c>(
        &self,
        clause: &super::clause::Clause,
        context: &Context<'c>,
    ) -> Vec<&'c WorldThing> {
        let touched = context.touched_things();
        // `The air is at 38` tells the humidity, and `the room is at 19.5` the temperature.
        let says = |name: &str| {
            self.words_of(clause).iter().any(|word| {
                word.text == name
                    || matches!((&*word.text, name), ("air", "humidity") | ("room", "temperature"))
            })
        };
        let is_beside = |thing: &&WorldThing| {
            thing.kind() == "sensor"
                && thing.class().is_some_and(says)
                && touched.iter().any(|own| own.place_names() == thing.place_names())
        };
        context.named_things().map(|(thing, _)| thing).filter(is_beside).collect()
    }

    /// A length of time that was neither asked for nor set.
    fn wrong_length(
        &self,
        lengths: &[super::duration::Duration],
        context: &Context<'_>,
        known: &[Amount],
    ) -> Option<Loss> {
        let asked = Self::read(&context.request().join(" ")).durations();
        let set: Vec<f64> = context.calls.iter().filter_map(|call| length_of(call)).collect();
        let is_set = |length: &super::duration::Duration| {
            let before = self.word_before(&length.place);
            // Elsewhere a length is a detail that nothing here can prove or disprove; no home tells one
            // of its own, but `just a minute` is none.
            let is_idiom = matches!(
                &self.plain[length.place.clone()],
                "a minute" | "a second" | "an hour" | "a day" | "a week"
            );
            !(set.is_empty() && asked.is_empty())
                || !context.things.is_empty() && !is_idiom
                || matches!(
                    before,
                    "for" | "lasts" | "still" | "in" | "within" | "exactly" | "another" | "takes"
                )
                || context.has_calls_alone()
                    && matches!(before, "last" | "lasting" | "next" | "after")
        };
        let all = || asked.iter().map(|length| length.seconds).chain(set.iter().copied());
        // `The rice follows four minutes after it.`
        let is_between = |length: &super::duration::Duration| {
            set.iter().any(|one| set.iter().any(|other| is_same(one - other, length.seconds)))
        };
        let seconds =
            |amount: &Amount| amount.number.unit.map(|unit| amount.number.value * unit.factor());
        let wrong = lengths.iter().filter(|length| is_set(length)).find(|length| {
            !all().any(|other| is_same(other, length.seconds))
                && !is_between(length)
                && !known.iter().filter_map(seconds).any(|other| is_same(other, length.seconds))
        })?;
        Some(loss(
            Cause::FalseClaim,
            "the time that was set or asked for",
            &self.plain[wrong.place.clone()],
        ))
    }
}

/// An amount that may be told: as it is written, or what a property of a thing comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    number: NumberWithUnit,
    is_property: bool,
    /// Whether it was asked for as a number, so that it is not rounded.
    is_exact: bool,
    of: AmountOf,
}

/// What an amount is an amount of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AmountOf {
    /// What holds now, or was asked for.
    Now,
    /// What held before the calls were made, and no longer does.
    Old,
    /// By how much something changed.
    Change,
    /// What is measured, to which nothing is set.
    Measured,
}

impl Amount {
    /// Whether a number that was said is this one, rounded as people round.
    fn is_near(&self, said: &NumberWithUnit) -> bool {
        let value = self.number.value;
        let scale = |number: &NumberWithUnit| number.unit.map_or(1.0, MeasureUnit::factor);
        // Whoever sets 18.5 means it; a measured value may be rounded.
        let rounds = self.is_property && (!self.is_exact || (value * 2.0).fract() != 0.0);
        let is_part = |said: f64| (said * 2.0).fract() != 0.0;
        // A half is rounded to the next half.
        let room = |said: f64| if is_same(said.fract(), 0.5) { 0.25 } else { 0.5 };
        let close = |a: f64, b: f64| {
            is_same(a, b) || (a - b).abs() <= room(b) + 1e-9 && (rounds || is_part(b))
        };
        match (self.number.unit, said.unit) {
            (Some(own), Some(unit)) => {
                own.is_alike(unit) && is_same(value * scale(&self.number), said.value * scale(said))
            }
            _ => {
                close(value, said.value)
                    || self.is_property && close(value, said.value * scale(said))
                    || close(value.abs(), said.value.abs())
            }
        }
    }
}

/// Words of a request that ask for a change from what is, and not for a value.
const RELATIVE: [&str; 18] = [
    "more", "less", "warmer", "colder", "cooler", "hotter", "louder", "quieter", "brighter",
    "dimmer", "darker", "by", "longer", "shorter", "faster", "slower", "higher", "lower",
];

impl Context<'_> {
    /// The hours that the request and the calls name, from 0 to 11.
    fn hours_named(&self) -> Vec<u32> {
        let texts = self.texts_called().map(str::to_owned).chain([self.request().join(" ")]);
        let named = |text: String| {
            let read = Reply::read(&text);
            let times = read.times().into_iter().map(|time| time.value.minutes / 60 % 12);
            read.hours(0..read.words.len()).into_iter().chain(times).collect::<Vec<u32>>()
        };
        texts.flat_map(named).collect()
    }

    /// The places in a row that the request names: the fifth is 5.
    fn ordinals_asked(&self) -> Vec<f64> {
        let items = TextReader::default().read(&self.request().join(" "));
        let place = |item: Item| match item.content {
            ItemContent::Ordinal(place) => u32::try_from(place).ok().map(f64::from),
            _ => None,
        };
        items.into_iter().filter_map(place).collect()
    }

    /// Whether something in the world was measured at just this value, which nobody sets: `with
    /// 11.3 degrees in there`.
    pub(super) fn is_measured(&self, said: &NumberWithUnit) -> bool {
        let is_own = |thing: &WorldThing| {
            let values = super::detail::values(&thing.state, &thing.attributes);
            values.iter().any(|value| is_same(*value, said.value))
        };
        said.value.fract() != 0.0 && self.things.iter().any(|thing| is_own(thing))
    }

    /// Whether a sensor tells this value: `it was drawing 312 watts`.
    fn is_sensed(&self, said: &NumberWithUnit) -> bool {
        let mut sensors = self.things.iter().filter(|thing| thing.kind() == "sensor");
        sensors
            .any(|thing| thing.state.parse().is_ok_and(|own: f64| (own - said.value).abs() < 0.51))
    }

    /// Whether a thing of the kind of those that were changed, which was not, has this value: `left
    /// blind at 50, right one at 60`.
    fn is_of_kin(&self, said: &NumberWithUnit) -> bool {
        let touched = self.touched_things();
        let is_kin = |thing: &&std::sync::Arc<WorldThing>| {
            touched.iter().any(|own| own.kind() == thing.kind() && own.id != thing.id)
        };
        self.things.iter().filter(is_kin).any(|thing| {
            let values = super::detail::values(&thing.state, &thing.attributes);
            values.iter().any(|value| (value - said.value).abs() < 0.51)
        })
    }

    /// Whether a number is that of the things that were changed: `all four televisions`.
    fn counts_changes(&self, said: &NumberWithUnit) -> bool {
        if said.unit.is_some() {
            return false;
        }
        let changed = self.changes.and_then(Value::as_object).map_or(0, serde_json::Map::len);
        #[expect(clippy::cast_precision_loss, reason = "a handful of things")]
        let count = changed as f64;
        said.unit.is_none() && changed > 1 && is_same(said.value, count)
    }

    /// Whether so many things of the kind behind the number are in the world: `all four televisions`.
    fn counts_a_kind(&self, said: &NumberWithUnit, noun: &str) -> bool {
        let kind = stem(noun);
        let is_kind = |thing: &&std::sync::Arc<WorldThing>| {
            super::sorts::kinds_of(thing).iter().any(|own| stem(own) == kind)
        };
        let count = self.things.iter().filter(is_kind).count();
        said.unit.is_none() && u32::try_from(count).is_ok_and(|n| is_same(said.value, n.into()))
    }

    /// Whether a number without a unit is a length that was set, in hours, minutes or seconds:
    /// `eight minutes for the fish, twelve for the rice`.
    fn has_length(&self, said: &NumberWithUnit) -> bool {
        let is_length = |seconds: f64| {
            [1.0, 60.0, 3600.0].iter().any(|unit| is_same(said.value * unit, seconds))
        };
        said.unit.is_none() && self.lengths().into_iter().any(is_length)
    }

    /// Every length of time in seconds that was asked for, set, or runs.
    pub(super) fn lengths(&self) -> Vec<f64> {
        let asked = Reply::read(&self.request().join(" ")).durations();
        let mut lengths: Vec<f64> = asked.into_iter().map(|length| length.seconds).collect();
        lengths.extend(self.calls.iter().filter_map(|call| length_of(call)));
        let mut running = Vec::new();
        if let Some(changes) = self.changes {
            collect(changes, "", AmountOf::Now, &mut running);
        }
        let seconds = |amount: &Amount| {
            let unit = amount.number.unit?;
            let unit = unit.is_alike(unit_named("seconds")?).then_some(unit)?;
            Some(amount.number.value * unit.factor())
        };
        lengths.extend(running.iter().filter_map(seconds));
        lengths
    }

    /// Whether a number is one that holds since the calls were made.
    pub(super) fn is_set(&self, said: &NumberWithUnit) -> bool {
        self.amounts(false).iter().any(|known| known.of == AmountOf::Now && known.is_near(said))
    }

    /// The amounts that a report may hold: those of the request, unless it corrects itself, and
    /// those of the things it is about, before and after.
    fn amounts(&self, with_limits: bool) -> Vec<Amount> {
        let mut amounts = Vec::new();
        let corrects = ["no", "wait", "actually", "sorry", "mean", "uh", "er"];
        // A request that corrects itself holds a number that was taken back, and which one is not
        // known.
        let is_corrected = self.question.iter().any(|word| corrects.contains(&word.as_str()));
        if !is_corrected {
            let read = Reply::read(&self.question.join(" "));
            let lengths = read.durations();
            let in_length = |place: &std::ops::Range<usize>| {
                lengths.iter().any(|length| length.place.contains(&place.start))
            };
            // A part of a length is another length: `twenty minutes` of an hour and twenty.
            let numbers = read.numbers().into_iter().filter(|said| !in_length(&said.place));
            amounts.extend(numbers.map(|said| Amount {
                number: said.value,
                is_property: false,
                is_exact: false,
                of: AmountOf::Now,
            }));
        }
        let is_exact = !amounts.is_empty();
        if let Some(changes) = self.changes {
            collect(changes, "", AmountOf::Now, &mut amounts);
        }
        for call in &self.calls {
            let arguments = call.arguments.as_object().into_iter().flatten();
            for (name, value) in arguments.filter(|(name, _)| unit_of_argument(name).is_none()) {
                // A call gives a brightness or a volume in percent already.
                let is_step = name.ends_with("step");
                let key = if !is_step && (name.contains("bright") || name.contains("volume")) {
                    ""
                } else {
                    name.as_str()
                };
                collect(value, key, AmountOf::Now, &mut amounts);
            }
            amounts.extend(length_of(call).map(Amount::seconds));
        }
        for thing in self.topic_things() {
            let told = thing.attributes.iter().filter(|(name, _)| with_limits || !is_limit(name));
            told.for_each(|(name, value)| collect(value, name, AmountOf::Now, &mut amounts));
            if let Ok(state) = thing.state.parse::<f64>() {
                amounts.push(Amount::property(state, AmountOf::Now));
            }
        }
        if !amounts.is_empty() {
            let old: Vec<f64> = amounts
                .iter()
                .filter(|amount| amount.of == AmountOf::Old)
                .map(|amount| amount.number.value)
                .collect();
            let is_old = |value: &f64| old.iter().any(|other| (other - value).abs() < 0.51);
            // What a tool returned after the calls may be the old value, which must not be told as
            // the new one.
            let returned =
                self.returned().into_iter().filter(|value| with_limits || !is_old(value));
            amounts.extend(returned.map(|value| Amount::property(value, AmountOf::Now)));
        }
        for amount in &mut amounts {
            amount.is_exact = is_exact;
        }
        amounts
    }
}

/// Whether an attribute says what a thing can do, not what it does.
fn is_limit(name: &str) -> bool {
    name.starts_with("min") || name.starts_with("max") || name.ends_with("step")
}

impl Amount {
    fn seconds(value: f64) -> Self {
        let mut amount = Self::property(value, AmountOf::Now);
        amount.number.unit = unit_named("seconds");
        amount
    }

    fn property(value: f64, of: AmountOf) -> Self {
        Self { number: NumberWithUnit::plain(value), is_property: true, is_exact: false, of }
    }
}

/// Every number in a value, as people tell it: shares of a whole in percent, times with their
/// unit. A pair of plain values is what was before and what is now.
fn collect(value: &Value, key: &str, of: AmountOf, into: &mut Vec<Amount>) {
    match value {
        Value::Number(number) => {
            let Some(number) = number.as_f64() else { return };
            let told = super::detail::told_value(key, number);
            let of = if key.starts_with("current_te") || key == "current_humidity" {
                AmountOf::Measured
            } else {
                of
            };
            // A short key such as `min` is a limit or a letter more often than a unit.
            let unit = unit_named(key).filter(|_| key.len() > 3);
            let mut amount =
                Amount::property(told, if key.ends_with("step") { AmountOf::Change } else { of });
            amount.number.unit = unit;
            into.push(amount);
        }
        Value::Array(items) => {
            let is_pair = items.len() == 2 && items.iter().all(|item| !item.is_object());
            if let ([before, after], true) = (&items[..], is_pair) {
                let start = into.len();
                collect(before, key, AmountOf::Old, into);
                collect(after, key, of, into);
                if let [before, after] = into[start..] {
                    let change = after.number.value - before.number.value;
                    into.push(Amount::property(change, AmountOf::Change));
                }
                return;
            }
            // One item is no number that anybody tells.
            if items.len() > 1 {
                #[expect(clippy::cast_precision_loss, reason = "a handful of items")]
                into.push(Amount::property(items.len() as f64, of));
            }
            for item in items {
                collect(item, key, of, into);
            }
        }
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| collect(value, key, of, into));
        }
        Value::String(text) => {
            into.extend(text.parse().ok().map(|value| Amount::property(value, of)));
        }
        Value::Null | Value::Bool(_) => {}
    }
}
