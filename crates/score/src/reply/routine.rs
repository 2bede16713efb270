//! What a report tells of a routine that was started, held against what the routine was told.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ToolCall, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::places::{is_in, places_in};
use super::words::{phrase_at, tool_words};
use super::{Reply, loss};

/// Words that say at once.
const AT_ONCE: [&[&str]; 4] =
    [&["right", "away"], &["straight", "away"], &["at", "once"], &["immediately"]];

impl Reply {
    /// `Good night runs and leaves the kitchen lit`, where it was told to leave the bedroom lit.
    pub(super) fn against_the_routine(&self, context: &Context<'_>) -> Option<Loss> {
        let is_routine = |call: &&&ToolCall| tool_words(&call.name).iter().any(|w| w == "script");
        let routines: Vec<&&ToolCall> = context.calls.iter().filter(is_routine).collect();
        if routines.is_empty() || context.things.is_empty() {
            return None;
        }
        let values: Vec<(&String, &Value)> =
            routines.iter().filter_map(|call| call.arguments.as_object()).flatten().collect();
        let told: Vec<Vec<String>> = values
            .iter()
            .filter_map(|(_, value)| value.as_str())
            .flat_map(|text| {
                let words = WorldThing::words_of(text);
                places_in(&words.iter().map(String::as_str).collect::<Vec<&str>>(), context)
            })
            .collect();
        let is_delayed = values
            .iter()
            .any(|(name, value)| name.contains("delay") && value.as_f64().is_some_and(|n| n > 0.0));
        let clause = self.clauses.iter().find(|clause| {
            let starts_now =
                is_delayed && self.is_plain_statement(clause) && says_at_once(self, clause);
            !told.is_empty() && self.is_of_other_room(clause, &told, context) || starts_now
        })?;
        Some(loss(Cause::FalseClaim, "what was asked for", self.quote(clause)))
    }

    /// Whether a clause tells another room than those that a routine was told.
    fn is_of_other_room(
        &self,
        clause: &Clause,
        told: &[Vec<String>],
        context: &Context<'_>,
    ) -> bool {
        let words = self.texts_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(word));
        let asked = |word: &str| context.request().iter().any(|own| own == word);
        if clause.is_question || self.is_conditional(clause) || !asked("lit") {
            return false;
        }
        let named = places_in(&words, context);
        // A place may have several names.
        let is_told = |place: &Vec<String>| {
            let same = |own: &Vec<String>| {
                own == place
                    || context.things.iter().any(|thing| is_in(thing, own) && is_in(thing, place))
            };
            told.iter().any(same)
        };
        if self.has_denial(clause) {
            // `No room was set to stay lit.`
            return says(&["no", "nothing", "none"]) && says(&["lit"]) && !says(&["other", "else"]);
        }
        if says(&["lit"]) {
            return !named.is_empty() && !named.iter().any(is_told);
        }
        says(&["dark", "off"]) && !named.is_empty() && named.iter().all(is_told)
    }
}

fn says_at_once(reply: &Reply, clause: &Clause) -> bool {
    let words = reply.texts_of(clause);
    AT_ONCE.iter().any(|phrase| phrase_at(&words, phrase).is_some())
}
