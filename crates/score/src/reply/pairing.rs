//! Reports of several acts: whether each thing is told with what was done to it.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ToolCall, WorldThing};

use super::context::Context;
use super::duration::{length_of, unit_of_argument};
use super::plain_words::is_function_word;
use super::words::tool_words;
use super::{Reply, loss};
use crate::reading::{is_same, stem, unit_named};

/// What one call is about: words that no other call has, and its amounts.
struct CallContent {
    names: BTreeSet<String>,
    amounts: Vec<f64>,
    seconds: Option<f64>,
}

impl CallContent {
    fn of(call: &ToolCall) -> Self {
        let arguments = call.arguments.as_object();
        Self { seconds: length_of(call), ..Self::of_values(arguments.into_iter().flatten()) }
    }

    fn of_values<'v>(values: impl Iterator<Item = (&'v String, &'v Value)>) -> Self {
        let mut content = Self { names: BTreeSet::new(), amounts: Vec::new(), seconds: None };
        for (name, value) in values {
            match value {
                // What is written into a message or a list may hold any word.
                Value::String(text) if !matches!(name.as_str(), "text" | "message" | "domain") => {
                    let words = WorldThing::words_of(text).into_iter();
                    content.names.extend(words.filter(|w| !is_function_word(w)).map(|w| stem(&w)));
                }
                Value::Number(number) if unit_of_argument(name).is_none() => {
                    content.amounts.extend(number.as_f64());
                }
                _ => {}
            }
        }
        content
    }

    fn has_amount(&self, amount: f64) -> bool {
        self.amounts.iter().any(|own| is_same(*own, amount))
    }

    fn has_length(&self, seconds: f64) -> bool {
        self.seconds.is_some_and(|own| is_same(own, seconds))
    }
}

impl Reply {
    /// An amount told of one thing that another thing was set to: `the rice 8 minutes, the fish
    /// 12`.
    pub(super) fn swapped_amount(&self, context: &Context<'_>) -> Option<Loss> {
        let mut calls = distinct(context);
        if calls.len() < 2 {
            calls = items_apart(context);
        }
        if calls.len() < 2 {
            return None;
        }
        let (numbers, lengths) = (self.numbers(), self.durations());
        let wrong = self.told_pieces().into_iter().find(|piece| {
            let words: Vec<String> = self
                .words
                .iter()
                .filter(|word| piece.contains(&word.place.start))
                .map(|word| stem(&word.text))
                .collect();
            let mut named =
                calls.iter().filter(|call| words.iter().any(|word| call.names.contains(word)));
            let (Some(own), None) = (named.next(), named.next()) else { return false };
            let belongs_elsewhere =
                |fits: &dyn Fn(&CallContent) -> bool| !fits(own) && calls.iter().any(fits);
            let length = lengths
                .iter()
                .filter(|length| piece.contains(&length.place.start))
                .any(|length| belongs_elsewhere(&|call| call.has_length(length.seconds)));
            let minutes = |value: f64| move |call: &CallContent| call.has_length(value * 60.0);
            // Behind `eight minutes for the rice` the unit of `twelve for the fish` is left out.
            let number = numbers
                .iter()
                .filter(|number| piece.contains(&number.place.start) && !number.is_set_aside)
                .any(|number| {
                    let value = number.value.value;
                    belongs_elsewhere(&|call| call.has_amount(value))
                        || !lengths.is_empty() && belongs_elsewhere(&minutes(value))
                });
            length || number
        })?;
        Some(loss(Cause::FalseClaim, "what was done to each", self.plain[wrong].trim()))
    }

    /// The pieces of the reply, each with what a colon leads to: `Rice: 8 minutes`.
    fn told_pieces(&self) -> Vec<Range<usize>> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        for piece in self.pieces() {
            match pieces.last_mut() {
                Some(last) if self.plain[last.clone()].trim_end().ends_with(':') => {
                    last.end = piece.end;
                }
                _ => pieces.push(piece),
            }
        }
        pieces
    }

    /// One of several acts told as if it were all: `the hall is dark` where the bathroom is too.
    pub(super) fn untold_act(&self, context: &Context<'_>) -> Option<Loss> {
        let has_states = !context.things.is_empty() || context.changes.is_some();
        let calls = apart(context);
        let is_told_apart = calls.iter().all(|call| !call.names.is_empty())
            || !has_states
                && calls.iter().all(|call| !call.names.is_empty() || call.seconds.is_some());
        if calls.len() < 2 || !is_told_apart {
            return None;
        }
        let by_one_tool = context.calls.iter().all(|call| call.name == context.calls[0].name);
        // With several tools in a home, one call often only looks or finds what another needs.
        if !by_one_tool && has_states {
            return None;
        }
        let told: Vec<bool> = calls
            .iter()
            .zip(&context.calls)
            .map(|(content, call)| {
                self.words.iter().any(|word| content.names.contains(&stem(&word.text)))
                    || self.tells_by_other_name(call, context)
                    || !by_one_tool && self.tells_by_tool_or_value(content, call, context)
            })
            .collect();
        let untold = told.iter().position(|told| !told)?;
        (told.contains(&true) && !self.sums_up()).then(|| {
            let names: Vec<&str> = calls[untold].names.iter().map(String::as_str).collect();
            loss(Cause::MissingAnswer, names.join(" "), self.plain.as_str())
        })
    }

    /// Whether a reply tells of the thing that a call names by another of its names: `TV` for the
    /// television.
    fn tells_by_other_name(&self, call: &ToolCall, context: &Context<'_>) -> bool {
        let named = call.arguments.as_object().and_then(|all| all.get("name")?.as_str());
        let Some(called) = named.map(str::to_lowercase) else { return false };
        let is_called = |thing: &&std::sync::Arc<WorldThing>| {
            thing.names.iter().any(|name| name.to_lowercase() == called)
        };
        let said = |name: &String| self.words.iter().any(|word| word.text == *name);
        let things = context.things.iter().filter(is_called);
        things.flat_map(|thing| &thing.name_words).any(|name| name.iter().all(said))
    }

    /// Whether a reply tells of a call by a word that only its tool has, or by a value: `lights at
    /// thirty`, `at 19:30`, `Carla`.
    fn tells_by_tool_or_value(
        &self,
        content: &CallContent,
        call: &ToolCall,
        context: &Context<'_>,
    ) -> bool {
        let others = context.calls.iter().filter(|other| other.name != call.name);
        let shared: BTreeSet<String> = others.flat_map(|other| tool_words(&other.name)).collect();
        let mut own: BTreeSet<String> =
            tool_words(&call.name).into_iter().filter(|word| !shared.contains(word)).collect();
        let values = call.arguments.as_object().into_iter().flat_map(serde_json::Map::values);
        for value in values {
            let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            own.extend(texts.flat_map(WorldThing::words_of));
            if value.as_str().is_some_and(|text| text.contains(':') && self.plain.contains(text)) {
                return true;
            }
        }
        let own: BTreeSet<String> = own.iter().map(|word| stem(word)).collect();
        // `I texted her` tells of a message, `it is in your calendar` of an event.
        let is_event = tool_words(&call.name).iter().any(|word| word.starts_with("event"));
        let in_calendar = is_event && self.words.iter().any(|word| word.text == "calendar");
        if in_calendar || self.tells_of_tool(&call.name) {
            return true;
        }
        self.words.iter().any(|word| own.contains(&stem(&word.text)))
            || self.numbers().iter().any(|said| content.has_amount(said.value.value))
            || self.durations().iter().any(|said| content.has_length(said.seconds))
    }

    /// Whether words stand for whatever is not named.
    fn sums_up(&self) -> bool {
        const WORDS: [&str; 14] = [
            "both",
            "all",
            "everything",
            "done",
            "every",
            "rest",
            "too",
            "others",
            "other",
            "also",
            "as",
            "they",
            "them",
            "items",
        ];
        // `Two timers`, but not `two litres`.
        let counts = |pair: &[super::Word]| {
            matches!(&*pair[0].text, "two" | "three") && unit_named(&pair[1].text).is_none()
        };
        self.words.iter().any(|word| WORDS.contains(&word.text.as_str()))
            || self.words.windows(2).any(counts)
    }

    /// Some items of a list told as if they were all: `bread and butter` where coffee was put on it
    /// too.
    pub(super) fn unlisted_item(&self, context: &Context<'_>) -> Option<Loss> {
        let said: BTreeSet<String> = self.words.iter().map(|word| stem(&word.text)).collect();
        let is_told = |item: &&String| {
            let words = WorldThing::words_of(item);
            words.iter().any(|word| !is_function_word(word) && said.contains(&stem(word)))
        };
        let lists: Vec<Vec<String>> = context.values_called().filter_map(named_items).collect();
        let list = lists.iter().find(|list| {
            let told = list.iter().filter(is_told).count();
            list.len() > 1 && told > 0 && told < list.len()
        })?;
        let untold = list.iter().find(|item| !is_told(item))?;
        (!self.sums_up()).then(|| loss(Cause::MissingAnswer, untold.as_str(), self.plain.as_str()))
    }
}

/// The items of a list in a call, each by its name.
fn named_items(value: &Value) -> Option<Vec<String>> {
    let name = |item: &Value| match item {
        Value::String(name) => Some(name.clone()),
        Value::Object(item) => item.get("name").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    value.as_array()?.iter().map(name).collect()
}

/// The words by which one of several calls is told from the others, by their stems.
pub(super) fn distinct_names(context: &Context<'_>) -> BTreeSet<String> {
    let calls = distinct(context);
    if calls.len() < 2 {
        return BTreeSet::new();
    }
    calls.into_iter().flat_map(|call| call.names).collect()
}

/// What the calls are about, each by the words that no other has. Calls without such words are
/// left out.
fn distinct(context: &Context<'_>) -> Vec<CallContent> {
    let mut all = apart(context);
    all.retain(|call| !call.names.is_empty());
    all
}

/// What each item of the one list that was given is about: `milk`, 2 litres.
fn items_apart(context: &Context<'_>) -> Vec<CallContent> {
    let lists = context.values_called().filter_map(Value::as_array);
    let items = lists.flatten().filter_map(Value::as_object);
    apart_from_others(items.map(|item| CallContent::of_values(item.iter())).collect())
}

/// What the calls are about, each by the words that no other has.
fn apart(context: &Context<'_>) -> Vec<CallContent> {
    apart_from_others(context.calls.iter().map(|call| CallContent::of(call)).collect())
}

/// The same, with the words that no other has.
fn apart_from_others(mut all: Vec<CallContent>) -> Vec<CallContent> {
    let names: Vec<BTreeSet<String>> = all.iter().map(|call| call.names.clone()).collect();
    for (at, call) in all.iter_mut().enumerate() {
        let others = names.iter().enumerate().filter(|(other, _)| *other != at);
        let shared: BTreeSet<&String> = others.flat_map(|(_, names)| names).collect();
        call.names.retain(|name| !shared.contains(name));
    }
    all
}
