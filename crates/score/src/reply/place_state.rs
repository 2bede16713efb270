//! What a report of lights tells of a whole room: `the kitchen stays dark`.

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::places::{is_in, places_in};
use super::{Reply, loss};

/// The brightness from which a light that is on makes a room no longer dark, of 255.
const LIT: f64 = 100.0;

impl Reply {
    /// A room that is called dark where a light was turned on, or lit where all lights are off.
    pub(super) fn wrong_of_a_room(&self, context: &Context<'_>) -> Option<Loss> {
        let touched = context.touched_things();
        let lights: Vec<&WorldThing> =
            touched.into_iter().filter(|thing| thing.kind() == "light").collect();
        if lights.is_empty() || context.changes.is_none() {
            return None;
        }
        let mut plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let clause = plain.find(|clause| self.is_wrong_of_room(clause, &lights, context))?;
        Some(loss(Cause::FalseClaim, "what is so", self.quote(clause)))
    }

    fn is_wrong_of_room(
        &self,
        clause: &Clause,
        lights: &[&WorldThing],
        context: &Context<'_>,
    ) -> bool {
        const OF_OLD: [&str; 8] = ["was", "were", "had", "too", "before", "no", "longer", "except"];
        let words = self.texts_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(word));
        let [place] = &places_in(&words, context)[..] else { return false };
        if says(&OF_OLD) || !self.things_named(clause, context).is_empty() {
            return false;
        }
        let is_there = |thing: &&&WorldThing| is_in(thing, place);
        let is_lit = |thing: &&WorldThing| {
            let level = thing.attributes.get("brightness").and_then(serde_json::Value::as_f64);
            thing.state == "on" && level.is_none_or(|level| level >= LIT)
        };
        let is_dark = says(&["dark", "darkness", "unlit"]);
        let is_bright = says(&["bright", "brightly", "lit", "shines", "burning"]);
        let own: Vec<&WorldThing> = lights.iter().filter(is_there).copied().collect();
        let mut all = context.named_things().map(|(thing, _)| thing);
        let is_on = |thing: &WorldThing| thing.kind() == "light" && thing.state == "on";
        is_dark && !is_bright && own.iter().any(is_lit)
            || is_bright
                && !is_dark
                && !own.is_empty()
                && !all.any(|thing| is_in(thing, place) && is_on(thing))
    }
}
