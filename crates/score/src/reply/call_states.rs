//! How things are behind calls of which nothing else is known: a light that was turned off does not
//! shine, music that was paused does not play.

use std::sync::LazyLock;

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ToolCall, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::words::{Word, tool_words};
use super::{Reply, loss};
use crate::reading::is_same;

/// Words that contradict what calls leave behind.
struct CallState {
    kinds: Vec<&'static str>,
    is_on: bool,
    contradictions: Vec<Phrase>,
}

static STATES: LazyLock<Vec<CallState>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        let (kinds, state, phrases) = (parts.next()?, parts.next()?, parts.next()?);
        Some(CallState {
            kinds: kinds.split_whitespace().collect(),
            is_on: state == "on",
            contradictions: phrases.split(',').map(|words| Phrase::new(words.trim())).collect(),
        })
    };
    pattern::lines(include_str!("tables/call_states.txt")).filter_map(read).collect()
});

/// Words by which a call ends something.
const ENDING: [&str; 10] =
    ["off", "stop", "pause", "cancel", "delete", "remove", "mute", "end", "clear", "disable"];

/// Words in front of what is told of another time than now.
const OF_ANOTHER_TIME: [&str; 9] =
    ["when", "once", "until", "till", "before", "after", "whenever", "if", "instead"];

/// Words of a clause that tell of what was, or what is so no more.
const OF_THE_PAST: [&str; 7] = ["was", "were", "had", "used", "instead", "than", "anymore"];

impl Reply {
    /// What the calls contradict: `the light is off. It's still burning`, `the pasta timer is
    /// cancelled. It will ring as planned.`
    pub(super) fn against_call_state(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let is_told = !clause.is_question
                && !self.is_conditional(clause)
                && (!self.offers(clause) || self.texts_of(clause).contains(&"still"))
                && !self.is_hedged(clause);
            is_told && self.contradicts_calls(clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "what was set", self.quote(clause)))
    }

    fn contradicts_calls(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        // `Tell me when it should go on`, `it goes on when you say so`.
        let by_you = words.windows(2).any(|pair| {
            pair[0].text == "you"
                && matches!(&*pair[1].text, "say" | "tell" | "ask" | "want" | "like" | "wish")
        });
        let denies = |phrase: &Phrase| {
            let Some((start, _)) = phrase.find(words) else { return false };
            let mut before = words[..start].iter();
            let of_another_time = before.any(|word| OF_ANOTHER_TIME.contains(&&*word.text))
                || words.iter().any(|word| OF_THE_PAST.contains(&&*word.text));
            !of_another_time && !by_you && !self.is_denied(clause, clause.words.start + start)
        };
        let quote = self.quote(clause).to_lowercase();
        let kinds = STATES.iter().filter(|state| state.contradictions.iter().any(denies));
        // `The timer` in a clause speaks of no music.
        let mut kinds = kinds.filter(|state| !speaks_of_another(state, words));
        kinds.any(|state| {
            let of_kind: Vec<&ToolCall> =
                context.calls.iter().copied().filter(|call| is_of(call, &state.kinds)).collect();
            let named: Vec<&ToolCall> =
                of_kind.iter().copied().filter(|call| is_named(call, &quote)).collect();
            let meant = if named.is_empty() { of_kind } else { named };
            !meant.is_empty() && meant.iter().all(|call| is_left_on(call) == state.is_on)
        })
    }
}

/// Whether words name a thing of another kind than those of a state.
fn speaks_of_another(state: &CallState, words: &[Word]) -> bool {
    let says = |kinds: &[&str]| words.iter().any(|word| kinds.contains(&&*word.text));
    let mut others = STATES.iter().filter(|other| other.kinds != state.kinds);
    !says(&state.kinds) && others.any(|other| says(&other.kinds))
}

/// The words of a call's tool and of its values.
fn words_of(call: &ToolCall) -> Vec<String> {
    let values = call.arguments.as_object().into_iter().flatten();
    let texts = values.filter_map(|(_, value)| value.as_str());
    tool_words(&call.name).into_iter().chain(texts.flat_map(WorldThing::words_of)).collect()
}

fn is_of(call: &ToolCall, kinds: &[&str]) -> bool {
    words_of(call).iter().any(|word| kinds.contains(&&**word))
}

/// Whether a call leaves something on or running.
fn is_left_on(call: &ToolCall) -> bool {
    let ends = tool_words(&call.name).iter().any(|word| ENDING.contains(&&**word));
    let mut values = call.arguments.as_object().into_iter().flatten().map(|(_, value)| value);
    let is_off = |value: &Value| {
        *value == Value::Bool(false)
            || value.as_f64().is_some_and(|number| is_same(number, 0.0))
            || value.as_str().is_some_and(|text| ENDING.contains(&text))
    };
    !ends && !values.any(is_off)
}

/// Whether words hold one of the texts of a call.
fn is_named(call: &ToolCall, quote: &str) -> bool {
    let mut values = call.arguments.as_object().into_iter().flatten();
    values.any(|(_, value)| {
        value.as_str().is_some_and(|text| text.len() > 2 && quote.contains(&text.to_lowercase()))
    })
}
