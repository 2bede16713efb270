//! What a report tells of timers, held against the timers before and after.

use serde_json::Value;
use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::{Reply, loss};
use crate::reading::is_same;

const SETTING: [&str; 4] = ["set", "started", "starting", "begun"];
const ENDING: [&str; 10] = [
    "cancelled",
    "canceled",
    "gone",
    "deleted",
    "removed",
    "cleared",
    "stopped",
    "cancelling",
    "off",
    "scrapped",
];
const LASTING: [&str; 6] = ["runs", "running", "still", "remains", "keeps", "stays"];

/// One timer, as the home keeps it.
struct Timer<'t> {
    name: &'t str,
    seconds: f64,
}

fn timers(value: Option<&Value>) -> Vec<Timer<'_>> {
    let all = value.and_then(Value::as_array).into_iter().flatten();
    all.map(|timer| Timer {
        name: timer.get("name").and_then(Value::as_str).unwrap_or_default(),
        seconds: timer.get("seconds").and_then(Value::as_f64).unwrap_or_default(),
    })
    .collect()
}

/// The timers of one side that the other does not have; several may have no name.
fn beyond<'t>(own: &'t [Timer<'t>], others: &[Timer<'_>]) -> Vec<&'t Timer<'t>> {
    let mut names: Vec<&str> = others.iter().map(|timer| timer.name).collect();
    let is_beyond = |timer: &&Timer<'_>| match names.iter().position(|name| *name == timer.name) {
        Some(at) => {
            names.swap_remove(at);
            false
        }
        None => true,
    };
    own.iter().filter(is_beyond).collect()
}

impl Reply {
    /// A statement about timers that is not so.
    pub(super) fn wrong_about_timers(&self, context: &Context<'_>) -> Option<Loss> {
        let Some(pair) = context.changes?.get("timers") else { return self.unset_timer(context) };
        let (before, after) = (timers(pair.get(0)), timers(pair.get(1)));
        let clause = self.clauses.iter().find(|clause| {
            let is_plain = !clause.is_question
                && !self.is_conditional(clause)
                && !self.offers(clause)
                && !self.has_denial(clause);
            is_plain && self.is_false_of_timers(clause, &before, &after)
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// `I've set a timer` where none was asked for or set.
    fn unset_timer(&self, context: &Context<'_>) -> Option<Loss> {
        let is_timer = |word: &str| matches!(word, "timer" | "timers" | "alarm" | "reminder");
        let called = context.words_of_calls();
        let is_known = context.request().iter().chain(&called).any(|word| is_timer(word));
        let is_said = |clause: &&Clause| self.texts_of(clause).into_iter().any(is_timer);
        let claims = |clause: &&Clause| self.claimed_act(clause).is_some() && is_said(clause);
        let clause = self.clauses.iter().find(claims).filter(|_| !is_known)?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    fn is_false_of_timers(&self, clause: &Clause, before: &[Timer], after: &[Timer]) -> bool {
        let words = self.words_of(clause);
        let says = |list: &[&str]| words.iter().any(|word| list.contains(&&*word.text));
        let same = |one: &Timer, other: &Timer| one.name == other.name;
        let (gone, new) = (beyond(before, after), beyond(after, before));
        let moved: Vec<(&Timer, f64)> = after
            .iter()
            .filter_map(|now| Some((now, before.iter().find(|old| same(old, now))?)))
            .filter(|(now, old)| !is_same(now.seconds, old.seconds))
            .map(|(now, old)| (now, now.seconds - old.seconds))
            .collect();
        let ends = says(&ENDING) && !says(&["will", "goes", "then"]);
        let lasts = says(&LASTING);
        let is_named = |timer: &Timer| {
            timer
                .name
                .split_whitespace()
                .any(|word| word != "timer" && words.iter().any(|said| said.text == word))
        };
        let is_about = says(&["timer", "timers"]);
        // `Two minutes off the egg timer` where they were taken off the other one.
        let is_other = |timer: &&Timer| {
            is_named(timer)
                && !moved.is_empty()
                && !lasts
                && !moved.iter().any(|(own, _)| same(own, timer))
        };
        let named_ends = |timer: &&Timer| is_named(timer) && ends && !lasts;
        let stays = |timer: &&Timer| after.iter().any(|other| same(other, timer));
        if before.iter().any(|timer| is_other(&timer))
            || moved.is_empty() && before.iter().any(|it| named_ends(&it) && stays(&it))
            || gone.iter().any(|timer| is_named(timer) && lasts && !ends)
        {
            return true;
        }
        let is_set = is_about && says(&SETTING) && !ends && !says(&["was", "were", "had", "you"]);
        if is_set && new.is_empty() && !gone.is_empty() {
            return true;
        }
        let is_over = says(&["over", "expired", "finished", "rang", "done"]);
        let turned = moved.iter().any(|(_, by)| {
            *by < 0.0 && says(&["more", "longer", "added", "extra", "extended"])
                || *by > 0.0 && says(&["less", "shorter", "shortened", "fewer"])
        });
        is_about
            && (is_over || turned || self.miscounts_timers(clause, [&gone, &new], [before, after]))
            || self.tells_other_rest(clause, after)
    }

    /// `One timer cancelled` where there were two.
    fn miscounts_timers(
        &self,
        clause: &Clause,
        changed: [&Vec<&Timer>; 2],
        all: [&[Timer]; 2],
    ) -> bool {
        let numbers = self.numbers();
        let lengths = self.durations();
        let mut told = numbers.iter().filter(|said| {
            let at = self.words.partition_point(|word| word.place.start < said.place.end);
            let noun = self.words.get(at).map_or("", |word| word.text.as_str());
            clause.place.contains(&said.place.start)
                && matches!(noun, "timer" | "timers")
                && !lengths.iter().any(|length| length.place.contains(&said.place.start))
        });
        let ends = self.words_of(clause).iter().any(|word| ENDING.contains(&&*word.text));
        let mut counts = vec![changed[0].len(), changed[1].len()];
        if !ends {
            counts.extend(all.map(<[Timer]>::len));
        }
        told.any(|said| {
            let is_count = |count: &usize| {
                u32::try_from(*count).is_ok_and(|n| is_same(n.into(), said.value.value))
            };
            !counts.iter().any(is_count)
        })
    }

    /// `It has two minutes left` where it has thirty-eight.
    fn tells_other_rest(&self, clause: &Clause, after: &[Timer]) -> bool {
        let is_rest = |word: &str| matches!(word, "left" | "remaining" | "remain");
        self.durations().iter().any(|length| {
            let at = self.words.partition_point(|word| word.place.start < length.place.end);
            let behind = self.words.get(at).map_or("", |word| word.text.as_str());
            clause.place.contains(&length.place.start)
                && is_rest(behind)
                && !after.iter().any(|timer| is_same(timer.seconds, length.seconds))
        })
    }
}
