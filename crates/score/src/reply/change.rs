//! What a report tells of the change itself: how things were before, which way they went, and what
//! they will do by themselves.

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::state_claim::STATES;
use super::{Reply, loss, pattern};
use crate::reading::is_same;

/// What people move up and down, as the homes call it.
const LEVELS: [&str; 6] =
    ["brightness", "volume_level", "temperature", "percentage", "current_position", "humidity"];

const UPWARD: [&str; 12] = [
    "louder",
    "brighter",
    "warmer",
    "hotter",
    "faster",
    "higher",
    "raised",
    "increased",
    "brightened",
    "boosted",
    "raising",
    "increasing",
];
const DOWNWARD: [&str; 16] = [
    "quieter",
    "dimmer",
    "dimmed",
    "darker",
    "cooler",
    "colder",
    "slower",
    "slowed",
    "lower",
    "lowered",
    "reduced",
    "decreased",
    "softer",
    "lowering",
    "reducing",
    "dimming",
];
/// Words that tell of a move of certain levels alone.
const MOVED_BY: [(&[&str], &[&str]); 4] = [
    (
        &["brighter", "darker", "dimmer", "dimmed", "brightened", "dimming", "light"],
        &["brightness", "current_position"],
    ),
    (&["louder", "quieter", "softer"], &["volume_level"]),
    (&["warmer", "hotter", "colder", "cooler"], &["temperature"]),
    (&["faster", "slower", "slowed"], &["percentage"]),
];
/// What goes `up` or `down`: `turned it up`, but not `all set up`.
const MOVING: [&str; 20] = [
    "turn", "turned", "turning", "bring", "brought", "go", "goes", "going", "gone", "went", "move",
    "moved", "is", "are", "nudged", "bumped", "notched", "cranked", "crept", "taken",
];

/// How many words stand at most between what moves and its way: `turned the kitchen lights down`.
const MOST_BETWEEN: usize = 6;

impl Reply {
    /// A statement about the change that is not so.
    pub(super) fn false_change(&self, context: &Context<'_>) -> Option<Loss> {
        self.change_told(|clause| {
            self.held_already(clause, context) || self.moved_otherwise(clause, context)
        })
    }

    /// The same of a report put into English word for word, in which `already` may stand for `now`.
    pub(super) fn false_move(&self, context: &Context<'_>) -> Option<Loss> {
        self.change_told(|clause| self.moved_otherwise(clause, context))
    }

    fn moved_otherwise(&self, clause: &Clause, context: &Context<'_>) -> bool {
        self.went_the_other_way(clause, context) || self.acts_later(clause, context)
    }

    fn change_told(&self, is_false: impl Fn(&Clause) -> bool) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let is_plain = !clause.is_question
                && !self.is_conditional(clause)
                && !self.offers(clause)
                && !self.is_hedged(clause)
                && !self.has_denial(clause);
            is_plain && is_false(clause)
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// Whether a clause tells how something was before the calls: `was off already`, `has been on
    /// all along`.
    pub(super) fn tells_of_before(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let says = |text: &str| words.iter().any(|word| word.text == text);
        let is_past = says("was") || says("were") || says("been") || says("had");
        let to_begin_with = words.windows(3).any(|three| {
            three[0].text == "to"
                && matches!(&*three[1].text, "begin" | "start")
                && three[2].text == "with"
        });
        is_past && (says("already") || says("along") || says("anyway") || to_begin_with)
            || says("been") && says("since")
            // `Twice as fast as before` tells of the change.
            || words.windows(2).any(|pair| pair[0].text == "as" && pair[1].text == "before")
                && !says("twice")
                && !says("half")
                && !says("times")
    }

    /// The things that a clause speaks of, where all of them were changed.
    fn changed_things<'c>(&self, clause: &Clause, context: &Context<'c>) -> Vec<&'c WorldThing> {
        let is_changed = |thing: &&WorldThing| context.is_changed(thing);
        let mut things = self.things_meant(clause, context);
        if things.is_empty() {
            things = context.touched_things();
        }
        things.into_iter().filter(is_changed).collect()
    }

    /// Whether a clause says that what was brought about held before.
    fn held_already(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let things = self.changed_things(clause, context);
        if !self.tells_of_before(clause) || things.is_empty() {
            return false;
        }
        let words = self.words_of(clause);
        let tells_state = STATES.iter().any(|said| things.iter().any(|it| said.is_said(words, it)));
        let old: Vec<f64> = things
            .iter()
            .flat_map(|thing| moves_of(thing, context))
            .map(|(_, old, _)| old)
            .collect();
        let mut told = self.numbers_in(clause).peekable();
        let is_old = |said: f64| old.iter().any(|old| (old - said).abs() < 0.51);
        if told.peek().is_some() {
            return !old.is_empty() && !told.any(|said| is_old(said.value.value));
        }
        !tells_state
    }

    /// A move up where all went down, or the reverse, in words without grammar.
    pub(super) fn moved_the_other_way(&self, context: &Context<'_>) -> Option<Loss> {
        let mut plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let clause = plain.find(|clause| self.went_the_other_way(clause, context))?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// Whether a clause tells of a move up where all went down, or the reverse.
    fn went_the_other_way(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let says = |list: &[&str]| words.iter().any(|word| list.contains(&&*word.text));
        let went = |way: &str| {
            let at = words.iter().position(|word| word.text == way);
            at.is_some_and(|at| {
                let before = &words[at.saturating_sub(MOST_BETWEEN)..at];
                before.iter().any(|word| MOVING.contains(&&*word.text))
            })
        };
        let compared = self.way_from_before(clause);
        let (up, down) = match compared {
            Some(up) => (up, !up),
            None => (says(&UPWARD) || went("up"), says(&DOWNWARD) || went("down")),
        };
        let tells_of_old = words.windows(2).any(|pair| {
            let is_passive = |word: &str| word.ends_with("ed");
            matches!(&*pair[0].text, "was" | "were") && !is_passive(&pair[1].text)
        });
        if up == down || compared.is_none() && (tells_of_old || says(&["before", "than"])) {
            return false;
        }
        let mut things = self.changed_things(clause, context);
        things.extend(context.touched_things());
        // `Darker` tells of no temperature.
        let levels = MOVED_BY.iter().find(|(told, _)| says(told)).map_or(&LEVELS[..], |(_, of)| of);
        let of_light = levels.contains(&"brightness") && levels.len() < LEVELS.len();
        let moves = things.iter().flat_map(|thing| {
            // A gate gives no light.
            let is_gate = matches!(thing.class(), Some("gate" | "garage" | "door"));
            let is_left_out = of_light && is_gate;
            if is_left_out { Vec::new() } else { moves_of(thing, context) }
        });
        let mut moves = moves.filter(|(level, ..)| levels.contains(level)).peekable();
        moves.peek().is_some() && moves.all(|(_, old, new)| (new > old) != up)
    }

    /// Whether a clause tells of more or of less than before the calls: `one degree less than before`,
    /// `two below what it was`.
    fn way_from_before(&self, clause: &Clause) -> Option<bool> {
        let words = self.texts_of(clause);
        let is_before = |pair: &[&str]| match pair {
            ["than", next] => matches!(*next, "before" | "it" | "earlier" | "previously" | "they"),
            ["what", next] => matches!(*next, "it" | "they"),
            _ => false,
        };
        let at = words.windows(2).position(is_before)?;
        let mut near = words[at.saturating_sub(MOST_BETWEEN)..at].iter().rev();
        near.find_map(|word| match *word {
            "more" | "above" | "over" | "wider" => Some(true),
            "less" | "below" | "under" | "fewer" => Some(false),
            word if UPWARD.contains(&word) => Some(true),
            word if DOWNWARD.contains(&word) => Some(false),
            _ => None,
        })
    }

    /// Whether a clause says that something will act by itself after a time that nobody set: `it
    /// goes off by itself in an hour`.
    fn acts_later(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const ALONE: [&str; 12] = [
            "goes", "turns", "switches", "locks", "unlocks", "stops", "starts", "opens", "closes",
            "shuts", "resumes", "unmutes",
        ];
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let is_act = |at: usize| pattern::is_act(text(at), 0) || text(at) == "go";
        let is_end =
            |at: usize| matches!(text(at), "done" | "ready" | "finished" | "over" | "off" | "on");
        let acts = (0..words.len()).any(|at| {
            let will = text(at) == "will" && (at + 1..at + 4).any(|at| is_act(at) || is_end(at));
            ALONE.contains(&text(at)) || will
        });
        let asked = |word: &str| context.request().iter().any(|own| own == word);
        let is_postponed = ["tomorrow", "later", "tonight"]
            .iter()
            .any(|day| words.iter().any(|word| word.text == **day) && !asked(day));
        // `A bit later` tells how long it takes.
        let is_little = words.windows(2).any(|pair| {
            let is_amount = matches!(&*pair[0].text, "bit" | "little" | "minutes" | "minute");
            is_amount && pair[1].text == "later"
        });
        let is_postponed = is_postponed && !is_little;
        let is_plan = text(0) == "i" && text(1) != "will";
        if acts && is_postponed && !is_plan {
            return true;
        }
        // `In twelve minutes` where something was to run for twelve.
        let known = || if asked("for") && !asked("in") { Vec::new() } else { context.lengths() };
        acts && self.durations().iter().any(|length| {
            let before = self.word_before(&length.place);
            clause.place.contains(&length.place.start)
                && matches!(before, "in" | "after")
                && !known().iter().any(|own| is_same(*own, length.seconds))
        })
    }

    /// Whether what a clause says of a changed thing held before the calls and no longer does: `it
    /// was shut`.
    pub(super) fn tells_the_old_state(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let is_past = words.iter().any(|word| matches!(&*word.text, "was" | "were" | "had"));
        let held = |thing: &&WorldThing| {
            STATES.iter().any(|said| {
                said.is_said(words, thing)
                    && said.was_true_of(thing, context)
                    && !said.is_true_of(thing)
            })
        };
        is_past && self.changed_things(clause, context).iter().any(held)
    }
}

/// By level of a thing that was moved: its old and its new value, as people tell them.
pub(super) fn moves_of(thing: &WorldThing, context: &Context<'_>) -> Vec<(&'static str, f64, f64)> {
    let own = context.changes.and_then(|all| all.get(&thing.id));
    let moves = LEVELS.iter().filter_map(|level| {
        let pair = own?.get(level)?;
        let told = |at: usize| Some(super::detail::told_value(level, pair.get(at)?.as_f64()?));
        Some((*level, told(0)?, told(1)?))
    });
    moves.collect()
}
