//! Levels, temperatures and colours that a reply tells of single things: whether they have them.

use serde_json::Value;
use toolgauge_core::{Cause, ExpectedFact, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::detail::values;
use super::value::Given;
use super::words::phrase_at;
use super::{Reply, loss};
use crate::reading::{NumberWithUnit, is_same};

/// Words in front of a number that make it a bound, a difference or a choice, and no value.
const BOUNDS: [&str; 22] = [
    "over", "under", "above", "below", "than", "least", "most", "between", "and", "to", "by", "or",
    "from", "until", "beyond", "exceed", "exceeds", "reach", "reaches", "of", "past", "not",
];

const COLOURS: [&str; 10] = [
    "red",
    "green",
    "blue",
    "yellow",
    "purple",
    "pink",
    "orange",
    "turquoise",
    "violet",
    "magenta",
];

/// Words by which something is as warm as it should be.
const REACHED: [&[&str]; 14] = [
    &["already", "got", "there"],
    &["already", "there"],
    &["reached", "it"],
    &["reached", "that"],
    &["reached", "its", "target"],
    &["reached", "the", "target"],
    &["warm", "enough"],
    &["hotter", "than", "it", "needs"],
    &["warmer", "than", "it", "needs"],
    &["hotter", "than", "it", "should"],
    &["warmer", "than", "it", "should"],
    &["above", "target"],
    &["above", "its", "target"],
    &["above", "the", "target"],
];

/// Words by which something has still to get warmer.
const NOT_REACHED: [&[&str]; 7] = [
    &["not", "there", "yet"],
    &["has", "not", "reached"],
    &["still", "has", "to", "warm"],
    &["still", "has", "to", "heat"],
    &["below", "target"],
    &["below", "its", "target"],
    &["colder", "than", "it", "should"],
];

impl Reply {
    /// What is told of one thing that has another value.
    pub(super) fn wrong_value_of_a_thing(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() || context.is_acted_on() {
            return None;
        }
        self.wrong_level(context)
            .or_else(|| self.wrong_colour(context))
            .or_else(|| self.wrong_about_target(context))
    }

    /// `The right blind stands at 16 percent`, where it stands at 60.
    fn wrong_level(&self, context: &Context<'_>) -> Option<Loss> {
        let numbers = self.numbers();
        let in_percent = numbers.iter().any(|said| is_percent(&said.value));
        let wrong = numbers.iter().find(|said| {
            let clause = &self.clauses[said.clause];
            let at = self.words.partition_point(|word| word.place.start < said.place.start);
            let text = |back: usize| at.checked_sub(back).map_or("", |at| &*self.words[at].text);
            let is_level = match said.value.unit {
                Some(_) => is_percent(&said.value) || is_temperature(&said.value),
                None => in_percent && text(1) == "at",
            };
            let is_set = text(1) == "to" && matches!(text(2), "set" | "stands" | "is");
            let is_bound = !is_set && (1..=2).any(|back| BOUNDS.contains(&text(back)));
            is_level
                && !is_bound
                && !said.is_set_aside
                && !said.is_rounded
                && self.is_plain_statement(clause)
                && !self.is_limit(clause)
                && self.has_other_values(said, clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "its own value", &self.plain[wrong.place.clone()]))
    }

    /// Whether the one thing that the words around a number name has other values.
    fn has_other_values(
        &self,
        said: &Given<NumberWithUnit>,
        clause: &Clause,
        context: &Context<'_>,
    ) -> bool {
        let parts = self.parts_of(clause);
        let part = parts.iter().find(|part| part.place.contains(&said.place.start));
        let Some(part) = part else { return false };
        let one = |named: Vec<&'_ WorldThing>| -> Option<String> {
            match named[..] {
                [thing] => Some(thing.id.clone()),
                _ => None,
            }
        };
        let told =
            one(self.things_named(part, context)).or_else(|| one(self.things_meant(part, context)));
        let thing = context.things.iter().find(|thing| Some(&thing.id) == told.as_ref());
        let Some(thing) = thing else { return false };
        let value = said.value.value;
        let near = |own: f64| (own - value).abs() < 1.0;
        // Of what is 60 percent open 40 percent are closed.
        let is_rest =
            |own: f64| thing.kind() == "cover" && is_percent(&said.value) && near(100.0 - own);
        let own = values(&thing.state, &thing.attributes);
        let is_measured_there = || {
            let beside = context.things.iter().filter(|other| {
                other.place_names() == thing.place_names()
                    && (other.kind() == "sensor"
                        || other.attributes.contains_key("current_temperature"))
            });
            let mut values = beside.flat_map(|other| values(&other.state, &other.attributes));
            values.any(near)
        };
        let asked = Self::read(&context.question.join(" "));
        let is_asked = asked.numbers().iter().any(|own| is_same(own.value.value, value));
        let has_levels = !own.is_empty() || thing.kind() == "light";
        has_levels
            && !own.iter().any(|own| near(*own) || is_rest(*own))
            && !is_measured_there()
            && !is_asked
    }

    /// `The television is showing football`, where it plays something else.
    pub(super) fn other_title(&self, context: &Context<'_>) -> Option<Loss> {
        const ANYTHING: [&str; 21] = [
            "music",
            "radio",
            "song",
            "album",
            "something",
            "it",
            "and",
            "the",
            "a",
            "an",
            "on",
            "in",
            "at",
            "by",
            "from",
            "now",
            "right",
            "currently",
            "again",
            "off",
            "still",
        ];
        if context.things.is_empty() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let plays = words
                .iter()
                .position(|word| matches!(*word, "playing" | "showing" | "plays" | "shows"));
            let title = plays.and_then(|at| words.get(at + 1));
            let is_other = |thing: &WorldThing, word: &str| {
                let own = thing.attributes.values().filter_map(Value::as_str);
                thing.attributes.contains_key("media_title")
                    && !own.flat_map(WorldThing::words_of).any(|own| own == word)
            };
            self.is_plain_statement(clause)
                && title.is_some_and(|title| {
                    let named = self.things_named(clause, context);
                    !ANYTHING.contains(title)
                        && !super::plain_words::is_function_word(title)
                        && matches!(named[..], [thing] if thing.kind() == "media_player" && is_other(thing, title))
                })
        })?;
        Some(loss(Cause::FalseClaim, "what is playing", self.quote(clause)))
    }

    /// `So everything is off`, where something of what was asked about is on.
    pub(super) fn wrong_about_everything(&self, context: &Context<'_>) -> Option<Loss> {
        const ALL_OFF: [&[&str]; 5] = [
            &["everything", "is", "off"],
            &["nothing", "is", "on"],
            &["nothing", "is", "running"],
            &["all", "is", "off"],
            &["everything", "is", "switched", "off"],
        ];
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            ALL_OFF.iter().any(|phrase| phrase_at(&words, phrase).is_some())
                && !clause.is_question
                && !self.is_conditional(clause)
                && {
                    let places = super::places::places_in(&words, context);
                    let places =
                        if places.is_empty() { context.places_asked().to_vec() } else { places };
                    let is_kind = |thing: &WorldThing| {
                        super::sorts::kinds_of(thing).iter().any(|kind| {
                            context.question.iter().any(|word| super::words::same_word(word, kind))
                        })
                    };
                    let of_kind = context.things.iter().any(|thing| is_kind(thing));
                    context.things.iter().any(|thing| {
                        let is_there = places.is_empty()
                            || places.iter().any(|place| super::places::is_in(thing, place));
                        is_there
                            && (!of_kind || is_kind(thing))
                            && matches!(thing.kind(), "light" | "switch" | "fan" | "media_player")
                            && matches!(&*thing.state, "on" | "playing")
                    })
                }
        })?;
        Some(loss(Cause::FalseClaim, "what is so", self.quote(clause)))
    }

    /// `The corner lamp is red at the moment`, where it is white.
    fn wrong_colour(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let coloured = words.windows(2).any(|pair| {
                COLOURS.contains(&pair[1])
                    && matches!(
                        pair[0],
                        "is" | "are"
                            | "glowing"
                            | "shining"
                            | "currently"
                            | "now"
                            | "lit"
                            | "glows"
                    )
            });
            let is_white = |thing: &&WorldThing| {
                let mode = thing.attributes.get("color_mode");
                thing.kind() == "light"
                    && mode.is_none_or(|mode| {
                        mode.is_null() || matches!(mode.as_str(), Some("color_temp" | "brightness"))
                    })
            };
            let meant = || {
                let meant = self.things_meant(clause, context);
                if meant.is_empty() && self.goes_on(clause) {
                    context.topic_things().to_vec()
                } else {
                    meant
                }
            };
            coloured && self.is_plain_statement(clause) && {
                let meant = meant();
                !meant.is_empty() && meant.iter().all(is_white)
            }
        })?;
        Some(loss(Cause::FalseClaim, "its own colour", self.quote(clause)))
    }

    /// `The target is 20 degrees and the room has already got there`, where it is at 19.5.
    fn wrong_about_target(&self, context: &Context<'_>) -> Option<Loss> {
        let topic = match context.topic_things() {
            [] => context.things_open(),
            topic => topic.to_vec(),
        };
        let number = |thing: &WorldThing, name: &str| thing.attributes.get(name)?.as_f64();
        let mut both = topic.iter().filter_map(|thing| {
            Some((number(thing, "current_temperature")?, number(thing, "temperature")?))
        });
        let (Some((current, target)), None) = (both.next(), both.next()) else { return None };
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let says = |phrases: &[&[&str]]| {
                phrases.iter().any(|phrase| phrase_at(&words, phrase).is_some())
            };
            let is_wrong = says(&NOT_REACHED) && current >= target
                || says(&REACHED) && !self.has_denial(clause) && current < target - 0.2;
            is_wrong
                && !clause.is_question
                && !self.is_conditional(clause)
                && !self.is_hedged(clause)
        })?;
        Some(loss(Cause::FalseClaim, "what was looked up", self.quote(clause)))
    }

    /// The target told for what is measured: `The bedroom is set to 18 degrees` to `How warm is it in
    /// the bedroom?`
    pub(super) fn target_for_measure(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let asks = |names: &[&str]| context.question.iter().any(|word| names.contains(&&**word));
        let asks_measure = asks(&["how"]) && asks(&["warm", "cold", "hot"]);
        let wants_number = facts.iter().any(|fact| matches!(fact, ExpectedFact::Number { .. }));
        if !asks_measure || !wants_number || asks(&["set", "target", "should", "setting"]) {
            return None;
        }
        let numbers = self.numbers();
        let mut told = numbers.iter().filter(|said| !said.is_set_aside).peekable();
        let first = told.peek()?.place.clone();
        let is_target = |said: &&Given<NumberWithUnit>| {
            let at = self.words.partition_point(|word| word.place.start < said.place.start);
            let before = &self.words[at.saturating_sub(3)..at];
            before.iter().any(|word| matches!(&*word.text, "set" | "target"))
        };
        told.all(|said| is_target(&said))
            .then(|| loss(Cause::WrongAnswer, "what is measured", &self.plain[first]))
    }
}

fn is_percent(number: &NumberWithUnit) -> bool {
    number.unit == Some(crate::reading::MeasureUnit::PERCENT)
}

fn is_temperature(number: &NumberWithUnit) -> bool {
    number.unit.is_some() && number.unit == crate::reading::unit_named("degrees")
}
