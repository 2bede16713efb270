//! What a reply says of the weather, held against the forecast that a tool returned.

use serde_json::Value;
use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::day::shifted;
use super::value::Given;
use super::words::{date, phrase_at, word_texts};
use super::{Reply, loss};
use crate::reading::{MeasureUnit, NumberWithUnit, is_same};

/// One day's weather, as far as a tool told it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Forecast {
    /// In degrees.
    high: Option<f64>,
    low: Option<f64>,
    /// Of rain, from 0 to 1.
    chance: Option<f64>,
    /// Words for the sky.
    sky: Vec<String>,
}

impl Forecast {
    /// The forecast in what a tool returned: an object with a high, a low or a chance of rain.
    fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let mut found = Self::default();
        for (name, value) in value.as_object()? {
            let name = name.to_lowercase();
            let words = word_texts(&name.replace(['_', '-'], " "));
            let is = |names: &[&str]| words.iter().any(|word| names.contains(&&**word));
            if is(&["high", "max", "maximum"]) {
                found.high = value.as_f64();
            } else if is(&["low", "min", "minimum"]) {
                found.low = value.as_f64();
            } else if is(&["chance", "probability", "precipitation", "pop"]) {
                let number = value.as_f64();
                found.chance = number.map(|own| if own > 1.0 { own / 100.0 } else { own });
            } else if is(&["sky", "condition", "conditions", "weather", "summary"]) {
                found.sky =
                    value.as_str().map(|text| word_texts(text).to_vec()).unwrap_or_default();
            }
        }
        (found.high.is_some() || found.low.is_some() || found.chance.is_some()).then_some(found)
    }

    fn is_called(&self, word: &str) -> bool {
        self.sky.iter().any(|own| own.starts_with(word))
    }
}

/// What refutes words for the weather.
type Refutes = fn(&Forecast) -> bool;

const UNLIKELY: Refutes = |day| day.chance.is_some_and(|chance| chance < 0.5);
const POSSIBLE: Refutes = |day| day.chance.is_some_and(|chance| chance >= 0.05);
const ABOVE_ZERO: Refutes = |day| day.low.is_some_and(|low| low > 1.0);
const BELOW_ZERO: Refutes = |day| day.high.is_some_and(|high| high < 0.0);
const COLD: Refutes = |day| day.high.is_some_and(|high| high < 10.0);
const NOT_HOT: Refutes = |day| day.high.is_some_and(|high| high < 25.0);
const MILD: Refutes = |day| day.low.is_some_and(|low| low > 12.0);
const CLOUDED: Refutes = |day| day.is_called("cloud") || day.is_called("overcast");
const SNOWY: Refutes = |day| day.is_called("snow");
const DAY_IS_WARMER: Refutes =
    |day| day.high.zip(day.low).is_some_and(|(high, low)| high > low && !is_same(high, low));

/// Words for the weather, and forecasts by which they are false. A word in front of them that denies
/// them is read, unless they hold one themselves.
const SAYINGS: [(&[&str], Refutes); 62] = [
    (&["rain", "is", "certain"], UNLIKELY),
    (&["certainly", "get", "wet"], UNLIKELY),
    (&["definitely", "get", "wet"], UNLIKELY),
    (&["surely", "get", "wet"], UNLIKELY),
    (&["will", "get", "wet"], UNLIKELY),
    (&["certainly", "rain"], UNLIKELY),
    (&["definitely", "rain"], UNLIKELY),
    (&["surely", "rain"], UNLIKELY),
    (&["will", "rain"], UNLIKELY),
    (&["going", "to", "rain"], UNLIKELY),
    (&["bound", "to", "rain"], UNLIKELY),
    (&["likely", "to", "rain"], UNLIKELY),
    (&["rain", "is", "likely"], UNLIKELY),
    (&["likely", "wet"], UNLIKELY),
    (&["rain", "all", "day"], UNLIKELY),
    (&["likely", "than", "not"], UNLIKELY),
    (&["heat", "wave"], NOT_HOT),
    (&["heatwave"], NOT_HOT),
    (&["scorching"], NOT_HOT),
    (&["sweltering"], NOT_HOT),
    (&["rainy", "day"], UNLIKELY),
    (&["wet", "day"], UNLIKELY),
    (&["no", "chance", "of", "rain"], POSSIBLE),
    (&["rain", "is", "impossible"], POSSIBLE),
    (&["ruled", "out"], POSSIBLE),
    (&["guaranteed", "dry"], POSSIBLE),
    (&["freeze"], ABOVE_ZERO),
    (&["freezes"], ABOVE_ZERO),
    (&["freezing"], ABOVE_ZERO),
    (&["frost"], ABOVE_ZERO),
    (&["below", "zero"], ABOVE_ZERO),
    (&["sub", "zero"], ABOVE_ZERO),
    (&["above", "zero"], BELOW_ZERO),
    (&["above", "freezing"], BELOW_ZERO),
    (&["thaw"], BELOW_ZERO),
    (&["t", "shirt"], COLD),
    (&["shorts"], COLD),
    (&["warm", "day"], COLD),
    (&["is", "warm"], COLD),
    (&["be", "warm"], COLD),
    (&["is", "mild"], COLD),
    (&["be", "mild"], COLD),
    (&["mild", "day"], COLD),
    (&["be", "hot"], COLD),
    (&["is", "hot"], COLD),
    (&["hot", "day"], COLD),
    (&["winter", "coat"], MILD),
    (&["not", "a", "cloud"], CLOUDED),
    (&["no", "clouds"], CLOUDED),
    (&["without", "a", "cloud"], CLOUDED),
    (&["cloudless"], CLOUDED),
    (&["clear", "sky"], CLOUDED),
    (&["clear", "skies"], CLOUDED),
    (&["sunshine", "all", "day"], CLOUDED),
    (&["sun", "all", "day"], CLOUDED),
    (&["not", "a", "flake"], SNOWY),
    (&["no", "snow"], SNOWY),
    (&["without", "snow"], SNOWY),
    (&["warmer", "at", "night"], DAY_IS_WARMER),
    (&["night", "is", "warmer"], DAY_IS_WARMER),
    (&["colder", "than", "the", "night"], DAY_IS_WARMER),
    (&["colder", "during", "the", "day"], DAY_IS_WARMER),
];

/// Comparatives of weather, by whether they say that something is warmer; others say neither.
const COMPARED: [(&str, Option<bool>); 16] = [
    ("warmer", Some(true)),
    ("hotter", Some(true)),
    ("milder", Some(true)),
    ("colder", Some(false)),
    ("cooler", Some(false)),
    ("chillier", Some(false)),
    ("nicer", None),
    ("better", None),
    ("worse", None),
    ("sunnier", None),
    ("cloudier", None),
    ("wetter", None),
    ("drier", None),
    ("rainier", None),
    ("brighter", None),
    ("pleasanter", None),
];

impl Reply {
    /// What a reply says of the weather that the forecast denies: `partly cloudy with a 20 percent
    /// chance of rain, so you'll certainly get wet`.
    pub(super) fn against_the_forecast(&self, context: &Context<'_>) -> Option<Loss> {
        let days: Vec<Forecast> = context.returned_texts().filter_map(Forecast::read).collect();
        let is_other = |day: &Forecast| days.first().is_some_and(|first| first != day);
        let are_alike = days.len() > 1 && !days.iter().any(is_other);
        let told = self
            .clauses
            .iter()
            .filter(|clause| !clause.is_question && !self.is_conditional(clause))
            .filter(|clause| !self.is_hedged(clause));
        let clause = told.into_iter().find(|clause| {
            !days.is_empty()
                && (self.is_refuted(clause, &days)
                    || self.tells_other_chance(clause, &days)
                    || self.tells_when(clause, context)
                    || self.tells_of_other_day(clause, context))
                || are_alike && self.tells_apart(clause)
                || days.len() == 1 && self.turns_comparison(clause, &days[0], context)
        })?;
        Some(loss(Cause::WrongAnswer, "what was looked up", self.quote(clause)))
    }

    /// Whether every forecast denies what a clause says.
    fn is_refuted(&self, clause: &Clause, days: &[Forecast]) -> bool {
        let words = self.texts_of(clause);
        let is_of_another =
            words.iter().any(|word| matches!(*word, "than" | "unlike" | "compared"))
                && !words.iter().any(|word| matches!(*word, "night" | "wet" | "likely"));
        SAYINGS.iter().any(|(phrase, refutes)| {
            let denies_itself = matches!(phrase[0], "no" | "not" | "without");
            let is_said = phrase_at(&words, phrase).is_some_and(|at| {
                let before = at.checked_sub(1).map_or("", |at| words[at]);
                let is_bound = matches!(before, "above" | "from" | "almost" | "nearly");
                denies_itself || !is_bound && !self.is_denied(clause, clause.words.start + at)
            });
            let is_chance = words.contains(&"chance") && !denies_itself;
            is_said && !is_chance && !is_of_another && days.iter().all(refutes)
        })
    }

    /// `A 2 percent chance of rain` for 20 percent.
    fn tells_other_chance(&self, clause: &Clause, days: &[Forecast]) -> bool {
        let numbers = self.numbers();
        let is_share = |said: &&Given<NumberWithUnit>| {
            clause.place.contains(&said.place.start)
                && said.value.unit == Some(MeasureUnit::PERCENT)
                && !said.is_set_aside
        };
        let shares: Vec<f64> =
            numbers.iter().filter(is_share).map(|said| said.value.value / 100.0).collect();
        let words = self.texts_of(clause);
        let is_chance =
            words.iter().any(|word| matches!(*word, "chance" | "probability" | "likelihood"));
        let [share] = shares[..] else { return false };
        let is_other = |day: &Forecast| {
            day.chance.is_some_and(|chance| {
                (chance - share).abs() > 0.006 && (1.0 - chance - share).abs() > 0.006
            })
        };
        is_chance && days.iter().all(is_other)
    }

    /// `Tomorrow will be nicer`, `the weekend will be sunny`, where only today was looked up.
    fn tells_of_other_day(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let told = |word: &str| context.all_texts().any(|text| text.to_lowercase().contains(word));
        let is_called = context.today.is_some_and(|today| {
            let tomorrow = shifted(today, 1);
            let values = context.calls.iter().filter_map(|call| call.arguments.as_object());
            let mut dates =
                values.flat_map(serde_json::Map::values).filter_map(Value::as_str).filter_map(date);
            dates.any(|date| tomorrow.is_met_by(date))
        });
        words.windows(2).any(|pair| {
            let is_other_day = match pair[0] {
                "tomorrow" => !is_called && !told("tomorrow"),
                "weekend" => !told("weekend"),
                _ => false,
            };
            is_other_day && matches!(pair[1], "will" | "is" | "looks" | "gets" | "should")
        })
    }

    /// `Starting at noon`, `mostly in the evening`, where no tool told a part of the day.
    fn tells_when(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const PARTS: [&str; 7] =
            ["noon", "midday", "afternoon", "evening", "midnight", "lunchtime", "morning"];
        let words = self.texts_of(clause);
        let is_told =
            |part: &str| context.all_texts().any(|text| text.to_lowercase().contains(part));
        words.iter().enumerate().any(|(at, word)| {
            let leads = words[at.saturating_sub(3)..at].iter().any(|lead| {
                matches!(
                    *lead,
                    "starting"
                        | "mostly"
                        | "mainly"
                        | "from"
                        | "until"
                        | "towards"
                        | "especially"
                        | "later"
                        | "by"
                        | "around"
                        | "before"
                        | "after"
                )
            });
            PARTS.contains(word) && leads && !is_told(word)
        })
    }

    /// `Rome is the nicer one`, where both have the same forecast.
    fn tells_apart(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_apart = words.iter().enumerate().any(|(at, word)| {
            let behind = words.get(at + 1).copied().unwrap_or_default();
            let is_more = matches!(*word, "more" | "less") && behind != "or" && at > 0;
            COMPARED.iter().any(|(own, _)| own == word)
                || is_more
                || matches!(*word, "wins" | "beats" | "differ" | "differs" | "only")
                    && !matches!(behind, "a" | "an" | "the" | "one" | "about")
                    && (*word != "only" || behind == "to" || behind == "in")
        });
        let is_of_another =
            words.iter().any(|word| matches!(*word, "than" | "today" | "yesterday" | "usual"));
        is_apart && !is_of_another && !self.has_denial(clause) && !self.offers(clause)
    }

    /// `Colder than Oslo`, where it is warmer than the forecast for Oslo that was told before.
    fn turns_comparison(&self, clause: &Clause, day: &Forecast, context: &Context<'_>) -> bool {
        let earlier: Vec<(String, Forecast)> = context
            .said()
            .filter_map(|text| {
                let value: Value = serde_json::from_str(text).ok()?;
                let place = ["city", "place", "location"].iter().find_map(|key| value.get(key))?;
                Some((place.as_str()?.to_lowercase(), Forecast::read(text)?))
            })
            .collect();
        let words = self.texts_of(clause);
        let is_denied = self.has_denial(clause);
        earlier.iter().any(|(place, before)| {
            let Some((now, then)) = day.high.zip(before.high) else { return false };
            let Some(at) = words.iter().position(|word| word == place) else { return false };
            let back = |by: usize| at.checked_sub(by).map_or("", |at| words[at]);
            // `Than in Oslo`.
            let skip = usize::from(matches!(back(1), "in" | "for"));
            let than = back(1 + skip);
            let said = COMPARED.iter().find(|(own, _)| *own == back(2 + skip));
            let is_warmer = said.and_then(|(_, is_warmer)| *is_warmer).filter(|_| than == "than");
            let is_turned =
                is_warmer.is_some_and(|is_warmer| (now > then) != is_warmer && !is_same(now, then));
            let is_like = matches!((back(2 + skip), than), ("just", "like") | ("same", "as"))
                || (back(3 + skip), than) == ("as", "as")
                || than == "like" && back(2 + skip) == "is";
            !is_denied && (is_turned || is_like && !is_same(now, then))
        })
    }
}
