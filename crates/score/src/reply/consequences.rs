//! What a reply concludes from a state: `it is locked, so you can simply walk in`.

use std::sync::LazyLock;

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::change::moves_of;
use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::{Reply, loss};

/// What follows from some states of things of some kinds, and what from the opposite ones.
struct Outcome {
    kinds: Vec<&'static str>,
    sides: [Side; 2],
}

/// States that come to the same, and what follows from them.
struct Side {
    states: Vec<&'static str>,
    phrases: Vec<Phrase>,
}

static OUTCOMES: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        let mut next = || parts.next();
        let (kinds, one, other) = (next()?, next()?, next()?);
        let (of_one, of_other) = (next()?, next()?);
        let side = |states: &'static str, phrases: &'static str| Side {
            states: states.split_whitespace().collect(),
            phrases: written(phrases).map(Phrase::new).collect(),
        };
        let sides = [side(one, of_one), side(other, of_other)];
        Some(Outcome { kinds: kinds.split_whitespace().collect(), sides })
    };
    pattern::lines(include_str!("tables/consequences.txt")).filter_map(read).collect()
});

/// The phrases of one column of the table.
fn written(column: &'static str) -> impl Iterator<Item = &'static str> {
    column.split(',').map(str::trim).filter(|phrase| !phrase.is_empty())
}

/// Something from whose state something follows: a thing, the timers, or a list.
struct Subject<'t> {
    kinds: Vec<&'t str>,
    states: Vec<&'t str>,
}

impl Outcome {
    /// The side of the state in which something is, if it is in one of them alone.
    fn side_of(&self, subject: &Subject<'_>) -> Option<usize> {
        let is_own = self.kinds.iter().any(|kind| subject.kinds.contains(kind));
        let is_in = |side: &Side| side.states.iter().any(|state| subject.states.contains(state));
        match (is_in(&self.sides[0]), is_in(&self.sides[1])) {
            (true, false) if is_own => Some(0),
            (false, true) if is_own => Some(1),
            _ => None,
        }
    }
}

impl Reply {
    /// What is concluded from the state of what the request is about, and does not follow.
    pub(super) fn wild_consequence(&self, context: &Context<'_>) -> Option<Loss> {
        let topic = context.topic_things();
        let touched = context.touched_things();
        let things: Vec<&WorldThing> = match (&touched[..], topic) {
            ([], []) => context.things_open(),
            ([], topic) => topic.to_vec(),
            _ => touched,
        };
        let mut subjects: Vec<Subject<'_>> =
            things.into_iter().map(|thing| subject_of(thing, context)).collect();
        subjects.extend(subject_of_timers(context));
        subjects.extend(subject_of_lists(context));
        if subjects.is_empty() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            let is_told = |subject: &&Subject<'_>| {
                let is_stopped = subject.states == [CANCELLED] || subject.states == [PAUSED];
                self.draws_a_conclusion(clause)
                    || self.goes_on_to_tell(clause)
                    || is_stopped && self.is_plain_statement(clause)
            };
            let told = subjects.iter().filter(is_told);
            let verdicts: Vec<bool> =
                told.filter_map(|subject| self.follows(clause, subject)).collect();
            !clause.is_question
                && !verdicts.is_empty()
                && !verdicts.contains(&true)
                && self.things_named(clause, context).is_empty()
                && !self.names_a_timer_left(clause, &subjects, context)
        })?;
        Some(loss(Cause::FalseClaim, "what follows from it", self.quote(clause)))
    }

    /// Whether a further clause tells what holds for the person or the room: `You'll be standing in
    /// the dark there.`
    fn goes_on_to_tell(&self, clause: &Clause) -> bool {
        const SUBJECTS: [&str; 8] =
            ["you", "it", "that", "there", "they", "nobody", "anybody", "anyone"];
        const OTHERWISE: [&str; 13] = [
            "was", "were", "had", "before", "if", "until", "till", "unless", "when", "once", "too",
            "longer", "than",
        ];
        let words = self.texts_of(clause);
        let is_opening = clause.is_first && clause.sentence == 0;
        let begins = words.first().is_some_and(|word| SUBJECTS.contains(word));
        begins
            && !is_opening
            && !self.offers(clause)
            && !self.is_hedged(clause)
            && !words.iter().any(|word| OTHERWISE.contains(word))
    }

    /// Whether a clause stands behind words that draw a conclusion.
    fn draws_a_conclusion(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        // In other languages the word may stand behind the verb: `it stays therefore dark`.
        let is_behind = words.iter().skip(1).take(6).any(|word| word.text == "therefore");
        match text(0) {
            _ if is_behind => true,
            "so" | "therefore" | "hence" | "thus" | "meaning" | "letting" | "leaving"
            | "lighting" | "keeping" | "giving" => true,
            "which" | "that" => matches!(text(1), "means" | "leaves" | "lets"),
            _ => {
                // Another clause of a sentence that began with `so`.
                let before = self.clauses.iter().filter(|own| {
                    own.sentence == clause.sentence && own.words.end <= clause.words.start
                });
                before
                    .into_iter()
                    .any(|own| self.words_of(own).first().is_some_and(|word| word.text == "so"))
            }
        }
    }

    /// Whether what a clause says follows from the state that something is in, or from the opposite
    /// one, if it speaks of either.
    fn follows(&self, clause: &Clause, subject: &Subject<'_>) -> Option<bool> {
        let verdicts = OUTCOMES.iter().filter_map(|outcome| {
            let own = outcome.side_of(subject)?;
            let sides = [own, 1 - own].map(|side| &outcome.sides[side]);
            let [one, other] = sides.map(|side| self.said_of(clause, side));
            let other = other.map(|(length, is_so)| (length, !is_so));
            one.max(other)
        });
        // `Hear less` outweighs `hear`, and of two phrases of one length the one that is so.
        verdicts.max().map(|(_, is_so)| is_so)
    }

    /// Whether a clause names a timer that still runs: `I'll ring when the bread is done.`
    fn names_a_timer_left(
        &self,
        clause: &Clause,
        subjects: &[Subject<'_>],
        context: &Context<'_>,
    ) -> bool {
        subjects.iter().any(|subject| subject.states == [CANCELLED])
            && self.names_a_running_timer(clause, context)
    }

    /// Whether a clause says or denies what follows from the states of one side, with the number of
    /// words of the longest phrase for it.
    fn said_of(&self, clause: &Clause, side: &Side) -> Option<(usize, bool)> {
        let words = self.words_of(clause);
        let found = side.phrases.iter().filter_map(|phrase| phrase.find(words));
        let said = found.filter_map(|(start, end)| {
            // `So it is not too bright`, `no longer as dark`.
            let before = start.checked_sub(1).map_or("", |at| words[at].text.as_str());
            let denied = self.is_denied(clause, clause.words.start + start);
            let is_grade = matches!(before, "too" | "so" | "as" | "that" | "quite" | "very");
            (!denied || !is_grade).then_some((end - start, !denied))
        });
        said.max()
    }
}

/// What a thing is and the states that it is in since the calls were made.
fn subject_of<'t>(thing: &'t WorldThing, context: &'t Context<'_>) -> Subject<'t> {
    let mut kinds = vec![thing.kind()];
    kinds.extend(thing.class());
    let own = context.named_things().filter(|(other, _)| other.id == thing.id);
    kinds.extend(own.flat_map(|(_, names)| names.iter().flatten().map(String::as_str)));
    if kinds.contains(&"dehumidifier") {
        kinds.retain(|kind| *kind != "humidifier");
    }
    let mut states = vec![thing.state.as_str()];
    let moves = moves_of(thing, context);
    let is_on = |(_, old, new): &(&str, f64, f64)| *old > 0.0 && *new > 0.0;
    let mut kept = moves.iter().filter(|change| is_on(change));
    if let Some((_, old, new)) = kept.next() {
        if new < old {
            // Dimmed, a lamp makes neither light nor dark.
            states.clear();
        }
        states.push(if new > old { "raised" } else { "lowered" });
    }
    let is_changed = |property: &str| {
        let own = context.changes.and_then(|all| all.get(&thing.id));
        own.and_then(|own| own.get(property)).is_some()
    };
    let is_muted = thing.attributes.get("is_volume_muted").and_then(Value::as_bool);
    if let Some(is_muted) = is_muted.filter(|_| is_changed("is_volume_muted")) {
        states = vec![if is_muted { "muted" } else { "unmuted" }];
    }
    let brightness = thing.attributes.get("brightness").and_then(Value::as_f64);
    // At a tenth it may be called dark.
    if brightness.is_some_and(|level| level < DIM) {
        states.retain(|state| *state != "on");
    }
    Subject { kinds, states }
}

/// The state of timers of which one or all were cancelled.
const CANCELLED: &str = "cancelled";

/// The state of timers that were put on hold.
const PAUSED: &str = "paused";

/// The brightness below which a light that is on may leave it dark, of 255.
const DIM: f64 = 100.0;

/// What became of the timers.
fn subject_of_timers(context: &Context<'_>) -> Option<Subject<'static>> {
    let pair = context.changes?.get("timers")?;
    let timers = |at: usize| pair.get(at).and_then(Value::as_array);
    let (before, after) = (timers(0)?, timers(1)?);
    let seconds = |all: &[Value]| -> f64 {
        all.iter().filter_map(|timer| timer.get("seconds")?.as_f64()).sum()
    };
    let is_paused = |timer: &Value| timer.get("is_active").and_then(Value::as_bool) == Some(false);
    let state = match after.len().cmp(&before.len()) {
        std::cmp::Ordering::Greater => "set",
        std::cmp::Ordering::Less => CANCELLED,
        std::cmp::Ordering::Equal if seconds(after) > seconds(before) => "longer",
        std::cmp::Ordering::Equal if seconds(after) < seconds(before) => "shorter",
        std::cmp::Ordering::Equal if after.iter().all(is_paused) => PAUSED,
        std::cmp::Ordering::Equal => return None,
    };
    Some(Subject { kinds: vec!["timer"], states: vec![state] })
}

/// What became of the items of the lists.
fn subject_of_lists(context: &Context<'_>) -> Option<Subject<'static>> {
    let changes = context.changes?.as_object()?;
    let open = |items: &Value| {
        let items = items.as_array().into_iter().flatten().filter_map(Value::as_str);
        items.filter(|item| !item.ends_with("(completed)")).count()
    };
    let pair = changes.values().find_map(|change| change.get("items"))?;
    let state = match open(pair.get(1)?).cmp(&open(pair.get(0)?)) {
        std::cmp::Ordering::Greater => "added",
        std::cmp::Ordering::Less => "removed",
        std::cmp::Ordering::Equal => return None,
    };
    Some(Subject { kinds: vec!["list"], states: vec![state] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_found_in_the_words_that_it_names() {
        for outcome in OUTCOMES.iter() {
            assert!(!outcome.kinds.is_empty());
            assert!(outcome.sides.iter().all(|side| !side.states.is_empty()));
        }
        let columns = pattern::lines(include_str!("tables/consequences.txt"))
            .flat_map(|line| line.split('|').skip(3))
            .flat_map(written);
        for written in columns {
            // Of `need a/your/the key` the first one.
            let said: Vec<&str> = written
                .split_whitespace()
                .filter_map(|word| word.split('/').next())
                .filter(|word| *word != "...")
                .collect();
            let reply = Reply::read(&format!("It is like that, so {}.", said.join(" ")));
            let phrase = Phrase::new(written.trim());
            assert!(phrase.find(&reply.words).is_some(), "{written}");
        }
    }
}
