//! Reports of acts: whether what a reply says was done is what was done.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ResponseKind, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::{Reply, loss};
use crate::reading::{ItemContent, MeasureUnit, NumberWithUnit, TextReader, is_same, unit_named};

impl Reply {
    /// What is wrong with a reply that reports an act which was carried out. An act needs no
    /// words, but those that are said must fit it.
    pub(crate) fn false_report(&self, context: &Context<'_>) -> Option<Loss> {
        // Data printed behind words is no report of an act; what was done counts.
        if self.words.is_empty() {
            return None;
        }
        if super::stance::is_raw(&self.plain) {
            let is_all = self.plain.trim_start().starts_with(['{', '[', '`']);
            return is_all
                .then(|| loss(Cause::NotAnAnswer, "words, not data", self.plain.as_str()));
        }
        self.denied_act()
            .or_else(|| self.asked_after_the_act())
            .or_else(|| self.turned_round(context))
            .or_else(|| self.false_state(context))
            .or_else(|| self.wrong_amount(context, false))
            .or_else(|| self.wrong_thing(context))
            .or_else(|| self.wrong_place(context))
            .or_else(|| self.wrong_extent(context))
            .or_else(|| self.wrong_moment(context))
            .or_else(|| self.other_act(context))
            .or_else(|| self.crossed(context))
            .or_else(|| self.outside_own_bound(&self.numbers()))
            .or_else(|| self.off_topic(context))
            .or_else(|| self.unknown_thing(context))
            .or_else(|| self.retracted())
    }

    /// What is wrong with a report that was put into English word for word: what can be told
    /// without its grammar.
    pub(crate) fn false_gloss(&self, context: &Context<'_>) -> Option<Loss> {
        if self.words.is_empty() || super::stance::is_raw(&self.plain) {
            return None;
        }
        self.denied_act()
            .or_else(|| self.asked_after_the_act())
            .or_else(|| self.turned_round(context))
            .or_else(|| self.false_state(context))
            .or_else(|| self.wrong_amount(context, false))
            .or_else(|| self.wrong_thing(context))
            .or_else(|| self.wrong_place(context))
    }

    /// Says that what was done was not.
    fn denied_act(&self) -> Option<Loss> {
        let claims = self.clauses.iter().any(|clause| self.claimed_act(clause).is_some());
        let denies = self.clauses.iter().find(|clause| {
            let says = |text: &str| self.words_of(clause).iter().any(|word| word.text == text);
            let begins = self.words_of(clause).first().is_some_and(|word| word.text == "there");
            let by_speaker =
                ["i", "could", "can", "unable", "sorry", "failed"].iter().any(|word| says(word));
            self.refuses(clause) && (by_speaker || begins)
        });
        let unable = self.clauses.iter().find(|clause| self.is_unable(clause));
        let clause = unable.or(denies.filter(|_| !claims))?;
        Some(loss(Cause::FalseClaim, "done", self.quote(clause)))
    }

    /// Whether a clause says that the speaker could not do something, or that there is nothing to
    /// do it with.
    fn is_unable(&self, clause: &Clause) -> bool {
        // `You have no timers now` may be what was asked for.
        const AFTERWARDS: [&str; 9] =
            ["now", "anymore", "longer", "left", "more", "other", "others", "until", "again"];
        let words: Vec<&str> =
            self.words_of(clause).iter().map(|word| word.text.as_str()).collect();
        let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(word));
        let by_speaker = says(&["i", "we"])
            && (has(&["can", "not"]) || has(&["could", "not"]) || says(&["unable"]));
        let by_home = has(&["there", "is", "no"])
            || has(&["there", "are", "no"])
            || has(&["there", "was", "nothing"])
            || has(&["you", "have", "no"])
            || has(&["you", "do", "not", "have"])
            || has(&["not", "supported"])
            || has(&["not", "possible"])
            || has(&["not", "exist"]);
        let by_will = words.windows(4).any(
            |window| matches!(window, ["i", "did", "not", verb] if super::pattern::is_act(verb, 0)),
        );
        let is_denial = self.has_denial(clause) || says(&["unable"]);
        is_denial && !clause.is_question && !says(&AFTERWARDS) && (by_speaker || by_home || by_will)
    }

    /// Asks for what was done already.
    fn asked_after_the_act(&self) -> Option<Loss> {
        let is_question =
            !self.clauses.is_empty() && self.clauses.iter().all(|clause| clause.is_question);
        let asks = self.clauses.iter().any(|clause| self.asks(clause) || self.offers(clause));
        let claims = |clause: &Clause| {
            !clause.is_question && !self.asks(clause) && self.words_of(clause).len() > 2
                || self.claimed_act(clause).is_some()
        };
        let only_asks =
            self.clauses.iter().any(|clause| self.asks(clause)) && !self.clauses.iter().any(claims);
        let is_closer = |clause: &Clause| self.has(clause, &super::LEXICON.closers);
        let only_closes = is_question && self.clauses.iter().all(is_closer);
        (is_question && asks || only_asks || only_closes).then(|| {
            loss(Cause::WrongResponseKind, ResponseKind::Action.name(), self.plain.as_str())
        })
    }

    /// Amounts that go with each other's things: twelve minutes for the rice, where the fish takes
    /// twelve.
    fn crossed(&self, context: &Context<'_>) -> Option<Loss> {
        let pairs = |reply: &Self| -> Vec<(f64, Vec<String>)> {
            let numbers = reply.numbers();
            let pieces = reply.pieces().into_iter().filter_map(|piece| {
                let mut inside = numbers.iter().filter(|said| piece.contains(&said.place.start));
                let number = inside.next()?;
                let words = reply.words.iter().filter(|word| {
                    piece.contains(&word.place.start)
                        && !super::context::is_function_word(&word.text)
                        && !super::lexicon::is_common(&word.text)
                });
                let words: Vec<String> = words.map(|word| word.text.clone()).collect();
                inside.next().is_none().then_some((number.value.value, words))
            });
            pieces.collect()
        };
        let asked = pairs(&Self::read(context.sentence()));
        let share = |one: &[String], other: &[String]| one.iter().any(|word| other.contains(word));
        let wrong = pairs(self).into_iter().find(|(value, words)| {
            let own = asked.iter().filter(|(other, _)| is_same(*other, *value));
            let owns = own.clone().any(|(_, own)| share(own, words));
            let is_others =
                asked.iter().any(|(other, own)| !is_same(*other, *value) && share(own, words));
            own.count() > 0 && !owns && is_others
        })?;
        Some(loss(
            Cause::FalseClaim,
            "what goes together",
            format!("{} {}", wrong.1.join(" "), wrong.0),
        ))
    }

    /// Says the opposite of what was asked for and done.
    fn turned_round(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.opposite_of_request(context)?;
        Some(loss(Cause::FalseClaim, "what was asked for", self.quote(&self.clauses[clause])))
    }

    /// A number that neither the request nor the things it is about have.
    pub(crate) fn wrong_amount(&self, context: &Context<'_>, with_limits: bool) -> Option<Loss> {
        let known = context.amounts(with_limits);
        if known.is_empty() && with_limits {
            return None;
        }
        // What is left or comes to in all follows from two amounts: `eight minutes in total`.
        let is_sum = |said: &NumberWithUnit| {
            let has_sum = self.words.iter().any(|word| {
                matches!(word.text.as_str(), "total" | "altogether" | "left" | "remaining" | "now")
            });
            let scaled = |number: &NumberWithUnit| {
                number.value * number.unit.map_or(1.0, MeasureUnit::factor)
            };
            has_sum
                && known.iter().any(|one| {
                    known.iter().any(|other| {
                        let (one, other) = (scaled(&one.number), scaled(&other.number));
                        is_same(one + other, scaled(said)) || is_same(one - other, scaled(said))
                    })
                })
        };
        let wrong = self.numbers().into_iter().find(|said| {
            let clause = &self.clauses[said.clause];
            let words: Vec<&str> =
                self.words_of(clause).iter().map(|word| word.text.as_str()).collect();
            let tells_of_old = words.iter().any(|word| {
                matches!(*word, "from" | "was" | "were" | "had" | "before" | "previously" | "than")
            });
            let at = self.words.partition_point(|word| word.place.start < said.place.start);
            let before = at.checked_sub(1).map_or("", |at| self.words[at].text.as_str());
            let counts = said.value.unit.is_none()
                && said.value.value <= 3.0
                && !matches!(before, "at" | "to" | "by" | "of");
            // What something was set to is no value that is measured.
            let is_target = before == "to" && said.value.unit.is_some();
            let fits = |known: &Amount| {
                known.is_near(&said.value)
                    && (known.origin != Origin::Old || tells_of_old || with_limits)
                    && (known.origin != Origin::Measured || !is_target || with_limits)
            };
            // Without any amount that is known, only one with a unit is surely wrong.
            let is_claim = !known.is_empty() || said.value.unit.is_some();
            let is_wrong = !counts && !said.is_set_aside && !known.iter().any(fits);
            is_claim && is_wrong && !is_sum(&said.value)
        })?;
        Some(loss(
            Cause::FalseClaim,
            "an amount that was set or asked for",
            &self.plain[wrong.place],
        ))
    }

    /// A thing that was not touched and is not spoken of in the request.
    fn wrong_thing(&self, context: &Context<'_>) -> Option<Loss> {
        let topic = context.topic_things();
        if topic.is_empty() {
            return None;
        }
        let is_topic = |thing: &&WorldThing| {
            topic.iter().any(|own| own.names.iter().any(|name| thing.names.contains(name)))
        };
        let is_asked = |thing: &&WorldThing| {
            let asked = |name: &String| {
                WorldThing::words_of(name).iter().all(|word| context.meant().contains(word))
            };
            thing.names.iter().any(asked)
        };
        let asks_for_all = context.request().iter().any(|word| {
            matches!(word.as_str(), "all" | "every" | "everything" | "whole" | "both" | "up")
        });
        for clause in &self.clauses {
            let stays = self.words_of(clause).iter().any(|word| {
                matches!(
                    word.text.as_str(),
                    "stays"
                        | "stay"
                        | "still"
                        | "left"
                        | "except"
                        | "remains"
                        | "only"
                        | "already"
                        | "too"
                        | "also"
                        | "was"
                        | "were"
                )
            });
            if clause.is_question || stays || self.has_denial(clause) || self.offers(clause) {
                continue;
            }
            let other = self.things_named(clause, context).into_iter().find(|thing| {
                let is_routine = matches!(thing.kind(), "script" | "scene");
                // Of all locks, one that was locked before may be named too.
                let is_one_of_all =
                    asks_for_all && topic.iter().any(|own| own.kind() == thing.kind());
                !is_routine && !is_topic(thing) && !is_asked(thing) && !is_one_of_all
            });
            if let Some(other) = other {
                return Some(loss(Cause::FalseClaim, "what was asked for", other.names[0].clone()));
            }
        }
        None
    }

    /// A room in which nothing was done and of which nothing was said.
    fn wrong_place(&self, context: &Context<'_>) -> Option<Loss> {
        let topic = context.topic_things();
        if topic.is_empty() {
            return None;
        }
        let areas: Vec<Vec<String>> = context
            .things
            .iter()
            .flat_map(|thing| thing.all_place_names())
            .map(|area| WorldThing::words_of(area))
            .collect();
        for clause in
            self.clauses.iter().filter(|clause| !clause.is_question && !self.has_denial(clause))
        {
            let words: Vec<String> =
                self.words_of(clause).iter().map(|word| word.text.clone()).collect();
            let holds = |name: &Vec<String>| {
                !name.is_empty() && words.windows(name.len()).any(|window| window == name)
            };
            let asked = |name: &Vec<String>| {
                context.meant().windows(name.len()).any(|window| window == name)
            };
            let own = |name: &Vec<String>| {
                let changed = |thing: &&&WorldThing| {
                    context.changes.is_some_and(|all| all.get(&thing.id).is_some())
                };
                let any_changed = topic.iter().any(|thing| changed(&thing));
                topic.iter().filter(|thing| !any_changed || changed(thing)).any(|thing| {
                    let of = thing.all_place_names().chain(&thing.names);
                    of.map(|text| WorldThing::words_of(text))
                        .any(|text| text.windows(name.len()).any(|window| window == name))
                })
            };
            if let Some(area) = areas.iter().find(|area| holds(area) && !asked(area) && !own(area))
            {
                return Some(loss(
                    Cause::FalseClaim,
                    "the place that was asked for",
                    area.join(" "),
                ));
            }
        }
        None
    }
}

/// An amount that may be told: as it is written, or what a property of a thing comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    number: NumberWithUnit,
    is_property: bool,
    /// Whether it was asked for as a number, so that it is not rounded.
    is_exact: bool,
    /// When and by whom it came to be.
    origin: Origin,
}

/// Where an amount comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It is asked for or set.
    Set,
    /// It is measured, or a step, so that nothing was set to it.
    Measured,
    /// It held before the calls were made, and no longer does.
    Old,
}

impl Amount {
    /// Whether a number that was said is this one, rounded as people round.
    fn is_near(&self, said: &NumberWithUnit) -> bool {
        let value = self.number.value;
        let scale = |number: &NumberWithUnit| number.unit.map_or(1.0, MeasureUnit::factor);
        // Whoever sets 18.5 means it; a measured value may be rounded.
        let rounds = self.is_property && (!self.is_exact || (value * 2.0).fract() != 0.0);
        let is_part = |said: f64| (said * 2.0).fract() != 0.0;
        let close =
            |a: f64, b: f64| is_same(a, b) || (a - b).abs() <= 0.5 + 1e-9 && (rounds || is_part(b));
        match (self.number.unit, said.unit) {
            (Some(own), Some(unit)) => {
                own.is_alike(unit) && is_same(value * scale(&self.number), said.value * scale(said))
            }
            // A share in words is a rounded one: two thirds.
            _ if said.unit == Some(MeasureUnit::PERCENT) && said.value.fract() != 0.0 => {
                (value - said.value).abs() < 1.5
            }
            _ => {
                close(value, said.value)
                    || self.is_property && close(value, said.value * scale(said))
                    || close(value.abs(), said.value.abs())
            }
        }
    }
}

impl Context<'_> {
    /// The amounts that a report may hold: those of the request, unless it corrects itself, and
    /// those of the things it is about, before and after.
    fn amounts(&self, with_limits: bool) -> Vec<Amount> {
        let mut amounts = Vec::new();
        let corrects = ["no", "wait", "actually", "sorry", "mean", "uh", "er"];
        let is_corrected = self.question.iter().any(|word| corrects.contains(&word.as_str()));
        if !is_corrected {
            let read = TextReader::default().read(&self.question.join(" "));
            // `one degree colder` is a step, and nothing that something is set to.
            let is_step = self.question.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "more"
                        | "less"
                        | "warmer"
                        | "colder"
                        | "cooler"
                        | "hotter"
                        | "brighter"
                        | "louder"
                        | "quieter"
                        | "by"
                        | "higher"
                        | "lower"
                )
            }) && !self.question.iter().any(|word| word == "to");
            let origin = if is_step { Origin::Measured } else { Origin::Set };
            amounts.extend(read.into_iter().filter_map(|item| match item.content {
                ItemContent::Number(number) => {
                    Some(Amount { number, is_property: false, is_exact: false, origin })
                }
                _ => None,
            }));
        }
        let is_exact = !amounts.is_empty();
        if let Some(changes) = self.changes {
            collect(changes, "", false, &mut amounts);
        }
        for call in &self.calls {
            for (name, value) in call.arguments.as_object().into_iter().flatten() {
                // A call gives a brightness or a volume in percent already.
                let key = if name.contains("bright") || name.contains("volume") {
                    ""
                } else {
                    name.as_str()
                };
                collect(value, key, false, &mut amounts);
            }
            amounts.extend(length_of(call));
        }
        for thing in self.topic_things() {
            let told = thing.attributes.iter().filter(|(name, _)| with_limits || !is_limit(name));
            for (name, value) in told {
                let from = amounts.len();
                collect(value, name, false, &mut amounts);
                if name.starts_with("current_") {
                    amounts[from..].iter_mut().for_each(|amount| amount.origin = Origin::Measured);
                }
            }
            if let Ok(state) = thing.state.parse::<f64>() {
                amounts.push(Amount::property(state, false));
            }
        }
        if !amounts.is_empty() {
            let old: Vec<f64> = amounts
                .iter()
                .filter(|amount| amount.origin == Origin::Old)
                .map(|amount| amount.number.value)
                .collect();
            let is_old = |value: &f64| old.iter().any(|other| is_same(*other, *value));
            let returned =
                self.returned().into_iter().filter(|value| with_limits || !is_old(value));
            let measured =
                |value| Amount { origin: Origin::Measured, ..Amount::property(value, false) };
            amounts.extend(returned.map(measured));
        }
        for amount in &mut amounts {
            amount.is_exact = is_exact;
        }
        amounts
    }
}

/// The length that a call gives in hours, minutes and seconds, as one amount.
fn length_of(call: &toolgauge_core::ToolCall) -> Option<Amount> {
    let arguments = call.arguments.as_object()?;
    let part = |name: &str, factor: f64| {
        arguments.get(name).and_then(Value::as_f64).map(|number| number * factor)
    };
    let parts = [part("hours", 3600.0), part("minutes", 60.0), part("seconds", 1.0)];
    let total: f64 = parts.iter().flatten().sum();
    let mut amount = Amount::property(total, false);
    amount.number.unit = unit_named("seconds");
    (total > 0.0).then_some(amount)
}

/// Whether an attribute says what a thing can do, not what it does.
fn is_limit(name: &str) -> bool {
    name.starts_with("min") || name.starts_with("max") || name.ends_with("step")
}

impl Amount {
    fn property(value: f64, is_old: bool) -> Self {
        Self {
            number: NumberWithUnit::plain(value),
            is_property: true,
            is_exact: false,
            origin: if is_old { Origin::Old } else { Origin::Set },
        }
    }
}

/// Every number in a value, as people tell it: shares of a whole in percent, times with their
/// unit. A pair of plain values is what was before and what is now.
fn collect(value: &Value, key: &str, is_old: bool, into: &mut Vec<Amount>) {
    match value {
        Value::Number(number) => {
            let Some(number) = number.as_f64() else { return };
            let told = match key {
                "brightness" => number / 255.0 * 100.0,
                "volume_level" => number * 100.0,
                _ => number,
            };
            let unit = unit_named(key).filter(|_| key.len() > 3);
            let mut amount = Amount::property(told, is_old);
            amount.number.unit = unit;
            into.push(amount);
        }
        Value::Array(items) => {
            let is_pair = items.len() == 2 && items.iter().all(|item| !item.is_object());
            if let ([before, after], true) = (&items[..], is_pair) {
                collect(before, key, true, into);
                collect(after, key, is_old, into);
                return;
            }
            #[expect(clippy::cast_precision_loss, reason = "a handful of items")]
            into.push(Amount::property(items.len() as f64, is_old));
            for item in items {
                collect(item, key, is_old, into);
            }
        }
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| collect(value, key, is_old, into));
        }
        Value::String(text) => {
            into.extend(text.parse().ok().map(|value| Amount::property(value, is_old)));
        }
        Value::Null | Value::Bool(_) => {}
    }
}
