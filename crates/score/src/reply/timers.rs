//! What a report tells of timers, held against the timers before and after.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ToolCall, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::duration::length_of;
use super::words::{phrase_at, tool_words};
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

/// A timer that a call sets, with the words that tell it from others.
struct SetTimer {
    words: Vec<String>,
    seconds: f64,
}

impl SetTimer {
    fn of(call: &ToolCall) -> Option<Self> {
        let is_timer = tool_words(&call.name).iter().any(|word| word == "timer");
        let texts = call.arguments.as_object()?.values().filter_map(Value::as_str);
        let words = texts.flat_map(WorldThing::words_of).filter(|word| word != "timer");
        Some(Self { words: words.collect(), seconds: length_of(call).filter(|_| is_timer)? })
    }
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

    /// What is said of timers that were just set or cancelled, by the calls alone: which of them is
    /// first, that one is over, that one that was cancelled is paused.
    pub(super) fn wrong_about_set_timers(&self, context: &Context<'_>) -> Option<Loss> {
        let set: Vec<SetTimer> =
            context.calls.iter().filter_map(|call| SetTimer::of(call)).collect();
        let cancels = |call: &&ToolCall| {
            let words = tool_words(&call.name);
            words.iter().any(|word| word == "cancel") && words.iter().any(|word| word == "timer")
        };
        let all_cancel = !context.calls.is_empty() && context.calls.iter().all(cancels);
        let plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let clause = plain.into_iter().find(|clause| {
            !set.is_empty()
                && (self.is_over_already(clause) || self.is_of_other_order(clause, &set))
                || all_cancel && self.keeps_timer(clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "what was set", self.quote(clause)))
    }

    /// `The eggs are done`, `Your timer has finished`, where it was just set.
    fn is_over_already(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_later = words.iter().any(|word| {
            matches!(
                *word,
                "when"
                    | "once"
                    | "until"
                    | "till"
                    | "will"
                    | "after"
                    | "before"
                    | "first"
                    | "in"
                    | "as"
                    | "last"
                    | "by"
            )
        });
        let ends = words.windows(3).any(|three| {
            matches!(three[1], "is" | "are" | "has" | "have")
                && !matches!(three[0], "it" | "that" | "all" | "everything" | "both" | "which")
                && matches!(
                    three[2],
                    "done" | "over" | "finished" | "expired" | "cooked" | "up" | "rung" | "ended"
                )
        });
        let rang = words.contains(&"timer")
            && words.iter().any(|word| matches!(*word, "rang" | "finished" | "expired" | "ended"));
        (ends || rang) && !is_later
    }

    /// `The rice is done first`, where the fish takes less; `at the same time`, where lengths
    /// differ.
    fn is_of_other_order(&self, clause: &Clause, set: &[SetTimer]) -> bool {
        let words = self.texts_of(clause);
        let [least, most] = [f64::min, f64::max]
            .map(|of| set.iter().map(|timer| timer.seconds).reduce(of).unwrap_or_default());
        if set.len() < 2 || is_same(least, most) {
            return false;
        }
        let together = phrase_at(&words, &["same", "time"]).is_some()
            && words
                .iter()
                .any(|word| matches!(*word, "ring" | "end" | "finish" | "done" | "ready" | "over"));
        let is_of = |timer: &&SetTimer| timer.words.iter().any(|word| words.contains(&&**word));
        let mut named = set.iter().filter(is_of);
        let (Some(timer), None) = (named.next(), named.next()) else { return together };
        let tells_end = words.iter().any(|word| {
            matches!(
                *word,
                "done" | "ready" | "ring" | "rings" | "finished" | "finishes" | "up" | "ends"
            )
        });
        let first = words.contains(&"first") && !is_same(timer.seconds, least);
        let last = words.contains(&"last") && !is_same(timer.seconds, most);
        together || tells_end && (first || last)
    }

    /// Whether a clause names a timer that still runs: `the bread one is still running`.
    pub(super) fn names_a_running_timer(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let after = timers(context.changes.and_then(|all| all.get("timers")?.get(1)));
        let words = self.texts_of(clause);
        let names = after.iter().flat_map(|timer| timer.name.split_whitespace());
        names.into_iter().any(|name| name != "timer" && words.contains(&name))
    }

    /// `I've paused the pasta timer`, where it was cancelled.
    fn keeps_timer(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const KEEPING: [&str; 8] = [
            "paused",
            "restarted",
            "extended",
            "reset",
            "resumed",
            "prolonged",
            "pausing",
            "restarting",
        ];
        let is_asked = context.request().iter().any(|word| KEEPING.contains(&&**word));
        self.texts_of(clause).iter().any(|word| KEEPING.contains(word)) && !is_asked
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
        if is_about && says(&["both"]) && ends && gone.len() != 2 {
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
        let lengths = self.durations();
        let mut told = self.numbers_in(clause).filter(|said| {
            let noun = self.word_behind(&said.place);
            matches!(noun, "timer" | "timers")
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
            let behind = self.word_behind(&length.place);
            clause.place.contains(&length.place.start)
                && is_rest(behind)
                && !after.iter().any(|timer| is_same(timer.seconds, length.seconds))
        })
    }
}
