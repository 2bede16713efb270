//! What a refusal tells beside the refusal: reasons and news that nobody can know.

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::words::phrase_at;
use super::{Reply, loss};

/// Words for a fault of a thing, which a home tells only as being unavailable.
const FAULTS: [&[&str]; 14] = [
    &["broken"],
    &["out", "of", "order"],
    &["faulty"],
    &["defective"],
    &["damaged"],
    &["not", "responding"],
    &["not", "answering"],
    &["not", "picking", "up"],
    &["not", "plugged"],
    &["unplugged"],
    &["being", "repaired"],
    &["in", "repair"],
    &["no", "answer"],
    &["out", "of", "battery"],
];

impl Reply {
    /// A reason or a piece of news in a refusal that nothing tells.
    pub(crate) fn unknown_excuse(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let plain = || self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let fault = || plain().find(|clause| self.tells_a_fault(clause, context));
        // `I can see the house alarm` tells of a thing that is known.
        let is_unknown = |clause: &&Clause| self.things_named(clause, context).is_empty();
        let sight =
            || self.clauses.iter().filter(is_unknown).find(|clause| self.tells_a_sight(clause));
        let clause = fault().or_else(sight);
        let time = || {
            let asked = Self::read(&context.question.join(" ")).times();
            let asked: Vec<u32> = asked.iter().map(|own| own.value.minutes).collect();
            let told = self.times().into_iter().filter(|said| !said.is_set_aside);
            let unknown = |said: &super::value::Given<super::value::TimeOfDay>| {
                let mut known = asked.iter().copied().chain(context.now);
                !known.any(|known| known % 720 == said.value.minutes % 720)
            };
            told.filter(|said| !self.clauses[said.clause].is_question).find(unknown)
        };
        let told = clause.map(|clause| self.quote(clause).to_owned());
        let told = told.or_else(|| self.past_reason().map(str::to_owned));
        let told = told.or_else(|| time().map(|said| self.plain[said.place].to_owned()))?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", told))
    }

    /// What has happened, as a reason: `because the code was changed on Monday`.
    fn past_reason(&self) -> Option<&str> {
        let because = self.words.iter().position(|word| word.text == "because")?;
        let sentence = self.clauses.iter().find(|clause| clause.words.contains(&because))?.sentence;
        let reason = self.clauses.iter().filter(|clause| clause.sentence == sentence);
        let clause = reason.filter(|clause| clause.words.end > because).find(|clause| {
            let words = &self.words[because.max(clause.words.start)..clause.words.end];
            let says = |names: &[&str]| words.iter().any(|word| names.contains(&&*word.text));
            let has_been = words
                .windows(2)
                .any(|pair| matches!((&*pair[0].text, &*pair[1].text), ("has" | "have", "been")));
            (says(&["was", "were", "had"]) || has_been)
                && !says(&["i", "you", "not", "never", "no"])
        })?;
        Some(self.quote(clause))
    }

    /// `The jacuzzi is out of order.`
    fn tells_a_fault(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let says = |phrase: &&[&str]| phrase_at(&words, phrase).is_some();
        let is_gone = |thing: &&WorldThing| matches!(&*thing.state, "unavailable" | "unknown");
        FAULTS.iter().any(says)
            && !context.topic_things().iter().any(&is_gone)
            && !context.things_open().iter().any(is_gone)
    }

    /// `I can see a white van in the driveway.`
    fn tells_a_sight(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let sees = words.windows(3).any(|part| {
            matches!(
                part,
                [
                    "can" | "could",
                    "see" | "hear",
                    "a" | "an" | "someone" | "somebody" | "the" | "two"
                ]
            )
        });
        let is_there = words.windows(3).any(|part| {
            matches!(
                part,
                ["there", "is", "someone" | "somebody"]
                    | ["someone" | "somebody", "is", "at" | "in"]
            )
        });
        !clause.is_question && !self.has_denial(clause) && (sees || is_there)
    }
}
