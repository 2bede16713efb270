//! Words for things that nobody spoke of: `Your espresso is ready.`

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::LazyLock;

use serde_json::Value;
use toolgauge_core::english::MONTHS;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::list::items;
use super::plain_words::{is_common, is_function_word, is_in_calendar, is_number_word};
use super::sorts::{KINDS, given_by, kinds_of};
use super::words::Word;
use super::{Reply, loss, pattern};
use crate::reading::{stem, unit_named};

/// Verbs that tell of no act on a thing, by their stems.
static COMMON_VERBS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    pattern::word_set(include_str!("tables/common_verbs.txt")).into_iter().map(stem).collect()
});

/// Words that begin a wish or a piece of advice, in which anything may be named.
const WISHES: [&str; 18] = [
    "enjoy", "please", "have", "hope", "happy", "sleep", "good", "feel", "just", "mind",
    "remember", "let", "take", "watch", "stay", "be", "keep", "sweet",
];

impl Reply {
    /// A thing in a report that is neither in the request nor among what was done.
    pub(super) fn unknown_thing(&self, context: &Context<'_>) -> Option<Loss> {
        // There a word that nobody spoke of tells nothing.
        if context.has_unlisted_things() {
            return None;
        }
        let known = context.vocabulary();
        let is_opening = |clause: &Clause| clause.is_first && clause.sentence == 0;
        let standing = context.standing_items();
        let word = self
            .clauses
            .iter()
            .filter(|clause| !self.is_beside_the_report(clause))
            .filter(|clause| !self.is_imperative(clause, &known))
            .filter(|clause| !self.is_exclamation(clause, &known))
            .flat_map(|clause| {
                let words = self.words_of(clause);
                // Behind a wish anything may be named: `it is on, enjoy the film`.
                let wish = words.iter().position(|word| word.text == "enjoy");
                let end = wish.unwrap_or(words.len());
                let of_rest = self.claimed_act(clause).is_none() || words.iter().any(is_behind);
                let is_aside = self.tells_of_the_rest(clause);
                // `The kettle is off` beside the act names another thing and is so.
                let is_so = !is_opening(clause) && self.is_true_state(clause, context);
                let is_place =
                    move |word: &&Word| (is_aside || is_so) && context.is_name(&word.text);
                let standing = Rc::clone(&standing);
                let is_rest = move |word: &&Word| of_rest && standing.contains(&stem(&word.text));
                let told = (0..end).filter(|at| !is_verb_or_day(words, *at)).map(|at| &words[at]);
                let measured = if self.clauses.len() == 1 {
                    Vec::new()
                } else {
                    self.measured_beside(clause, context)
                };
                let is_measured = move |word: &&Word| {
                    measured.iter().any(|thing| thing.class() == Some(word.text.as_str()))
                };
                told.filter(move |word| !is_rest(word) && !is_place(word) && !is_measured(word))
            })
            .find(|word| !is_known(word, &known) || is_other_name(word, &known, context))?;
        Some(loss(Cause::FalseClaim, "what was asked for or done", word.text.as_str()))
    }

    /// Whether a further sentence tells the person what to do: `Carry on with your call.`
    fn is_imperative(&self, clause: &Clause, known: &HashSet<String>) -> bool {
        let words = self.words_of(clause);
        let (Some(first), Some(next)) = (words.first(), words.get(1)) else { return false };
        if first.text == "do" && next.text == "not" {
            return true;
        }
        let is_verb = pattern::is_act(&first.text, 0) && !pattern::is_act(&first.text, 1);
        let leads = matches!(
            next.text.as_str(),
            "on" | "with"
                | "the"
                | "your"
                | "a"
                | "up"
                | "out"
                | "it"
                | "to"
                | "back"
                | "for"
                | "in"
                | "well"
                | "warm"
                | "dry"
                | "safe"
                | "some"
        );
        clause.is_first && clause.sentence > 0 && leads && (is_verb || !is_known(first, known))
    }

    /// Whether a few words are called out that say nothing of what was asked for: `Peace and
    /// quiet!`, `No worries, …`
    fn is_exclamation(&self, clause: &Clause, known: &HashSet<String>) -> bool {
        let words = self.words_of(clause);
        let is_verb = |word: &Word| {
            pattern::is_any_act(&word.text)
                || matches!(word.text.as_str(), "is" | "are" | "was" | "were" | "has" | "have")
        };
        let is_topic = |word: &Word| known.contains(&stem(&word.text));
        let closes = self.plain[clause.place.end..].trim_start().starts_with(['!', ',']);
        words.len() <= 4 && closes && !words.iter().any(|word| is_verb(word) || is_topic(word))
    }

    /// Whether a clause reports nothing: it asks, offers, wishes or advises.
    pub(super) fn is_beside_the_report(&self, clause: &Clause) -> bool {
        let first = self.words_of(clause).first().map_or("", |word| word.text.as_str());
        clause.is_question
            || self.is_conditional(clause)
            || self.offers(clause)
            || WISHES.contains(&first)
    }
}

/// Whether a word sets what stands on a list apart from what was put there.
fn is_behind(word: &Word) -> bool {
    matches!(word.text.as_str(), "after" | "besides" | "beside" | "alongside" | "along" | "next")
}

/// Whether a word is a verb or a day by what stands beside it: `told to expect you`, `you will
/// notice`.
fn is_verb_or_day(words: &[Word], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| words[at].text.as_str());
    let behind = words.get(at + 1).map_or("", |word| word.text.as_str());
    // `the fourth of May` is a day.
    if words[at].text.ends_with("th") && (behind == "of" || MONTHS.contains(&behind)) {
        return true;
    }
    // `A quarter past three`.
    if words[at].text == "past"
        && (matches!(before(1), "half" | "quarter" | "minutes")
            || toolgauge_core::english::small_number(before(1)).is_some())
    {
        return true;
    }
    match before(1) {
        "will" | "would" | "can" | "could" | "should" | "may" | "might" | "must" | "you"
        | "they" | "we" => true,
        "to" => matches!(before(2), "told" | "asked" | "ready" | "able" | "free" | "time" | "want"),
        _ => false,
    }
}

/// Whether a word looks like a form of a verb and belongs to the name of another thing: `ceiling`.
fn is_other_name(word: &Word, known: &HashSet<String>, context: &Context<'_>) -> bool {
    let text = word.text.as_str();
    let is_form = text.ends_with("ing") && text.len() > 4;
    is_form
        && !is_common(text)
        && !known.contains(text)
        && !pattern::is_any_act(text)
        && context.named_things().any(|(_, names)| names.iter().flatten().any(|name| name == text))
}

fn is_known(word: &Word, known: &HashSet<String>) -> bool {
    let text = word.text.as_str();
    let bare = text.strip_suffix("'s").unwrap_or(text);
    let is_short = bare.chars().count() < 3;
    let is_number = bare.starts_with(|c: char| c.is_ascii_digit()) || is_number_word(bare);
    // Adverbs and verb forms are not things, and no table could list them all.
    let is_form = bare.len() > 4 && ["ly", "ed", "ing"].iter().any(|end| bare.ends_with(end));
    is_short
        || is_number
        || is_form
        || is_in_calendar(bare)
        || unit_named(bare).is_some()
        || is_common(bare)
        || is_function_word(bare)
        || known.contains(bare)
        || known.contains(&stem(bare))
        || COMMON_VERBS.contains(&stem(bare))
        || pattern::is_any_act(bare)
}

impl Context<'_> {
    /// Whether a word belongs to the name of a thing or a place of the world.
    pub(super) fn is_name(&self, word: &str) -> bool {
        let holds = |name: &Vec<String>| name.iter().any(|own| own == word);
        self.named_things().any(|(_, names)| names.iter().any(holds))
            || self.place_words().iter().any(holds)
    }

    /// The words of what stood on a list before and still stands there, by their stems.
    fn standing_items(&self) -> Rc<HashSet<String>> {
        let mut standing = HashSet::new();
        for change in self.changed_lists() {
            let (before, after) = (items(change, 0), items(change, 1).unwrap_or_default());
            let stays = before.into_iter().flatten().filter(|item| after.contains(item));
            let words = stays.flat_map(WorldThing::words_of);
            standing.extend(words.map(|word| stem(&word)));
        }
        Rc::new(standing)
    }

    /// Every word of the request, of what was said and called, and of the things it is about.
    fn vocabulary(&self) -> HashSet<String> {
        let mut known = HashSet::new();
        let mut add = |text: &str| {
            for word in WorldThing::words_of(text) {
                let bare = word.strip_suffix("'s").unwrap_or(&word).to_owned();
                known.insert(stem(&bare));
                known.insert(bare);
            }
        };
        self.request().iter().for_each(|word| add(word));
        self.said().for_each(&mut add);
        for call in &self.calls {
            let tool = super::words::tool_words(&call.name);
            if tool.iter().any(|word| word.starts_with("event") || word.starts_with("reminder")) {
                add("calendar");
            }
            add(&tool.join(" "));
            for value in call.arguments.as_object().into_iter().flatten() {
                add(value.0);
                texts(value.1, &mut add);
            }
        }
        for thing in self.topic_things() {
            let words = thing.names.iter().chain(thing.all_place_names());
            words.for_each(|text| add(text));
            add(&thing.id.replace(['.', '_'], " "));
            add(&thing.state);
            thing.attributes.iter().for_each(|(name, value)| {
                add(&name.replace('_', " "));
                texts(value, &mut add);
            });
            if matches!(thing.kind(), "scene" | "script") {
                // What a routine does is not told.
                KINDS.routines.iter().for_each(|word| add(word));
            }
            kinds_of(thing).iter().chain(given_by(thing)).for_each(|word| add(word));
        }
        if let Some(changes) = self.changes {
            new_texts(changes, &mut add);
        }
        // Whoever has a washing machine may call it a washer.
        let alike: Vec<&str> = super::home_words::things_alike(&known).collect();
        known.extend(alike.into_iter().map(str::to_owned));
        // A light is a lamp.
        let is_lit = known.contains("light") || known.contains("lights");
        known.extend(is_lit.then(|| "lamp".to_owned()));
        known
    }
}

/// Every text in what changed: of a pair, what is new in one of the two and not in both.
fn new_texts(value: &Value, add: &mut impl FnMut(&str)) {
    match value {
        Value::Array(pair) if pair.len() == 2 => match (&pair[0], &pair[1]) {
            (Value::Array(before), Value::Array(after)) => {
                let changed = before.iter().filter(|item| !after.contains(item));
                changed.chain(after.iter().filter(|item| !before.contains(item))).for_each(
                    |item| {
                        texts(item, add);
                    },
                );
            }
            (_, after) => texts(after, add),
        },
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            add(&key.replace(['.', '_'], " "));
            new_texts(value, add);
        }),
        other => texts(other, add),
    }
}

/// Every text in a value.
fn texts(value: &Value, add: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => add(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, add)),
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            add(key);
            texts(value, add);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
