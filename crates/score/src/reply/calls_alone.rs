//! Reports in a world that tells nothing but the calls that were made.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ToolCall};

use super::clause::Clause;
use super::context::Context;
use super::value::Given;
use super::words::{Word, tool_words};
use super::{Reply, loss};
use crate::reading::{MeasureUnit, NumberWithUnit, is_same, stem};

/// What is found in a house, of which a report tells only where it was asked for or called.
const DEVICES: [&str; 16] = [
    "light", "lights", "lamp", "heating", "music", "timer", "alarm", "fan", "blind", "blinds",
    "curtain", "tv", "radiator", "oven", "speaker", "door",
];

impl Reply {
    /// What is said against the calls, where nothing else is known.
    pub(super) fn false_of_calls(&self, context: &Context<'_>) -> Option<Loss> {
        let has_states = !context.things.is_empty() || context.changes.is_some();
        if has_states
            || context.calls.is_empty()
            || context.calls.iter().any(|call| call.arguments.as_object().is_none())
        {
            return None;
        }
        let said = self
            .clauses
            .iter()
            .filter(|clause| !self.is_beside_the_report(clause) && !self.has_denial(clause));
        let wrong = said.clone().find(|clause| {
            self.tells_of_before(clause)
                || self.is_list_turned(clause, context)
                || self.miscounts_calls(clause, context)
                || self.names_other_device(clause, context)
                || self.is_more_of_too_much(clause, context)
        });
        if let Some(clause) = wrong {
            return Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)));
        }
        self.off_told_of_lit(context).or_else(|| self.unset_level(context))
    }

    /// `Milk is off the list` where it was put on it.
    fn is_list_turned(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let is_off = words.windows(3).any(|three| {
            three[0] == "off"
                && matches!(three[1], "the" | "your" | "my")
                && three[2].contains("list")
        });
        let is_empty = words.contains(&"list") && words.contains(&"empty");
        let adds = |call: &&ToolCall| tool_words(&call.name).iter().any(|word| word == "add");
        (is_off || is_empty) && context.calls.iter().copied().all(|call| adds(&call))
    }

    /// `All three timers are set` where one was.
    fn miscounts_calls(&self, clause: &Clause, context: &Context<'_>) -> bool {
        self.numbers().iter().any(|said| {
            let at = self.words.partition_point(|word| word.place.start < said.place.end);
            let noun = self.words.get(at).map_or("", |word| word.text.as_str());
            let is_tool = |call: &ToolCall| {
                tool_words(&call.name).iter().any(|word| stem(word) == stem(noun))
            };
            let count = context.calls.iter().filter(|call| is_tool(call)).count();
            clause.place.contains(&said.place.start)
                && noun.ends_with('s')
                && count > 0
                && !u32::try_from(count).is_ok_and(|n| is_same(n.into(), said.value.value))
        })
    }

    /// `The kitchen light is on` where music was to be played.
    fn names_other_device(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_known = |device: &str| {
            let device = stem(device);
            context.request().iter().any(|word| stem(word) == device)
                || context.said().any(|text| text.to_lowercase().contains(&device))
                || context.words_of_calls().iter().any(|word| stem(word) == device)
        };
        let words = self.words_of(clause);
        let tells = words.windows(2).any(|pair| {
            matches!(&*pair[0].text, "is" | "are" | "turned" | "switched")
                && matches!(&*pair[1].text, "on" | "off" | "playing" | "set")
        });
        let mut devices = words.iter().filter(|word| DEVICES.contains(&&*word.text)).peekable();
        tells && devices.peek().is_some() && devices.all(|word| !is_known(&word.text))
    }

    /// `Brighter` where it is too bright.
    fn is_more_of_too_much(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let mut pairs = context.request().windows(2);
        pairs.any(|pair| {
            let more = format!("{}er", pair[1]);
            pair[0] == "too" && self.words_of(clause).iter().any(|word| word.text == more)
        })
    }

    /// `The bedroom and hall lights are off` where that of the hall was dimmed.
    fn off_told_of_lit(&self, context: &Context<'_>) -> Option<Loss> {
        let is_lit = |call: &&&ToolCall| {
            let arguments = call.arguments.as_object();
            arguments.is_some_and(|all| {
                all.get("on") != Some(&Value::Bool(false))
                    && all
                        .get("brightness")
                        .and_then(Value::as_f64)
                        .is_some_and(|level| level > 0.0)
            })
        };
        let lit = context.calls.iter().filter(is_lit);
        let names: Vec<&str> = lit
            .filter_map(|call| call.arguments.as_object())
            .flat_map(serde_json::Map::values)
            .filter_map(Value::as_str)
            .collect();
        let piece = self.pieces().into_iter().find(|piece| {
            let words: Vec<&str> = self
                .words
                .iter()
                .filter(|word| piece.contains(&word.place.start))
                .map(|word| word.text.as_str())
                .collect();
            let off = words.iter().position(|word| matches!(*word, "off" | "out" | "dark"));
            let before = off.map(|off| words[..off].join(" "));
            let is_lit = |name: &&str| {
                let name = name.to_lowercase();
                !name.is_empty() && before.as_ref().is_some_and(|before| before.contains(&name))
            };
            names.iter().any(is_lit) && !words.contains(&"not")
        })?;
        Some(loss(Cause::FalseClaim, "what was set", self.plain[piece].trim()))
    }

    /// `Off` or a share of the whole where no call sets it, in a world that tells nothing but the
    /// calls that were made.
    fn unset_level(&self, context: &Context<'_>) -> Option<Loss> {
        let said = |clause: &&Clause| {
            !self.is_beside_the_report(clause)
                && !self.has_denial(clause)
                && !self.tells_of_the_rest(clause)
        };
        let values = || {
            let all = context.calls.iter().filter_map(|call| call.arguments.as_object());
            all.flat_map(serde_json::Map::values)
        };
        let is_zero = |value: &Value| value.as_f64().is_some_and(|number| is_same(number, 0.0));
        let turns_off = values().any(|value| *value == Value::Bool(false) || is_zero(value));
        let asks_off = context.request().iter().any(|word| {
            matches!(&**word, "off" | "out" | "stop" | "cancel" | "pause" | "quiet" | "dark")
        });
        let lit = |value: &Value| *value == Value::Bool(true) || value.as_f64().is_some();
        let is_light =
            |call: &&ToolCall| tool_words(&call.name).iter().any(|word| word.starts_with("light"));
        let lights = context.calls.iter().copied().any(|call| is_light(&call));
        let sets_level = !turns_off && !asks_off && (lights || values().any(lit));
        let off = self.clauses.iter().filter(said).find(|clause| {
            self.words_of(clause).windows(2).any(|pair| {
                matches!(&*pair[0].text, "is" | "are" | "turned" | "switched")
                    && pair[1].text == "off"
            })
        });
        if let Some(clause) = off.filter(|_| sets_level) {
            return Some(loss(Cause::FalseClaim, "what was set", self.quote(clause)));
        }
        let is_dim = |word: &Word| matches!(&*word.text, "dimmed" | "dim" | "brighter");
        let dim = self.clauses.iter().filter(said);
        let dim = dim.filter(|clause| self.words_of(clause).iter().any(is_dim)).last();
        let only_off = lights && !values().any(lit);
        if let Some(clause) = dim.filter(|_| only_off) {
            return Some(loss(Cause::FalseClaim, "what was set", self.quote(clause)));
        }
        let says_most = |clause: &&Clause| {
            self.words_of(clause).windows(2).any(|pair| {
                matches!(&*pair[0].text, "full" | "maximum")
                    && matches!(&*pair[1].text, "brightness" | "volume" | "blast")
                    || pair[0].text == "as" && matches!(&*pair[1].text, "loud" | "bright")
            })
        };
        let is_part =
            |value: &Value| value.as_f64().is_some_and(|number| (1.0..100.0).contains(&number));
        let most = self.clauses.iter().filter(said).find(says_most);
        if let Some(clause) = most.filter(|_| values().any(is_part)) {
            return Some(loss(Cause::FalseClaim, "what was set", self.quote(clause)));
        }
        let percent = |said: &Given<NumberWithUnit>| {
            said.value.unit == Some(MeasureUnit::PERCENT)
                && !said.is_set_aside
                && said.value.value < 100.0
                && !self.is_beside_the_report(&self.clauses[said.clause])
        };
        let tells_level = values().any(|value| value.as_f64().is_some())
            || context.request().iter().any(|word| word == "percent" || word.ends_with('%'));
        let wrong = self.numbers().into_iter().find(percent).filter(|_| !tells_level)?;
        Some(loss(Cause::FalseClaim, "what was set", &self.plain[wrong.place]))
    }
}
