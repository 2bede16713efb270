//! Reports that deny a part of what was done: `but not the coffee`, `Carla has not been invited`.

use super::clause::Clause;
use super::context::Context;
use super::plain_words::is_function_word;
use super::{Reply, pattern};

/// Words between a denial and the name of what it denies.
const BETWEEN: [&str; 10] =
    ["left", "alone", "unchanged", "could", "can", "able", "find", "reach", "locate", "been"];

/// Participles of acts, of which none tells how something was before.
const DONE: [&str; 12] = [
    "sent",
    "added",
    "invited",
    "booked",
    "included",
    "saved",
    "created",
    "scheduled",
    "told",
    "notified",
    "informed",
    "put",
];

impl Reply {
    /// Whether a clause says that something which a call named was left out.
    pub(super) fn leaves_out(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_negated =
            context.request().iter().any(|word| matches!(word.as_str(), "not" | "without" | "no"));
        if clause.is_question || is_negated || self.is_conditional(clause) {
            return false;
        }
        let words = self.texts_of(clause);
        let called = context.words_of_calls();
        if leaves_a_part(&words, context) || skips_what_was_changed(&words, context) {
            return true;
        }
        let Some(named) = left_out(&words) else { return false };
        let is_act = |word: &&&str| pattern::is_any_act(word);
        let is_called = |word: &&str| called.iter().any(|own| own == word);
        let mut things = named
            .iter()
            .filter(|word| !is_function_word(word) && !BETWEEN.contains(word))
            .filter(|word| !is_act(word))
            .peekable();
        // `I wasn't able to send her a message` names the tool.
        let by_tool = || words.contains(&"i") && named.iter().filter(is_act).any(is_called);
        if things.peek().is_some() { things.all(is_called) } else { by_tool() }
    }
}

/// Whether a clause says that something was left off where all was to be turned on, or the reverse: `I
/// left upstairs dark`.
fn leaves_a_part(words: &[&str], context: &Context<'_>) -> bool {
    const EXCEPTIONS: [&str; 9] =
        ["except", "but", "apart", "leave", "leaving", "other", "besides", "save", "only"];
    let asked = |word: &str| context.request().iter().any(|own| own == word);
    let is_for_all = ["all", "every", "everything", "everywhere"].iter().any(|word| asked(word))
        && !EXCEPTIONS.iter().any(|word| asked(word));
    let is_left =
        matches!(words, ["i", "left" | "kept", ..] | ["and" | "but", "i", "left" | "kept", ..]);
    let is_dark = words.iter().any(|word| matches!(*word, "off" | "dark" | "closed" | "shut"));
    let is_lit = words.iter().any(|word| matches!(*word, "on" | "lit" | "open"));
    let lit = asked("on") || asked("open");
    let dark = asked("off") || asked("out") || asked("close") || asked("shut");
    is_for_all && is_left && (is_dark && lit && !dark || is_lit && dark && !lit)
}

/// Whether a clause says of something that was changed that it was passed over: `the hay loft one was
/// skipped`.
fn skips_what_was_changed(words: &[&str], context: &Context<'_>) -> bool {
    let skips = |word: &&str| matches!(*word, "skipped" | "omitted");
    let is_plain = |word: &&&str| {
        !is_function_word(word) && !skips(word) && !matches!(**word, "one" | "ones" | "i")
    };
    let named: Vec<&str> = words.iter().filter(is_plain).copied().collect();
    let is_of = |thing: &toolgauge_core::WorldThing| {
        let own = |word: &&str| {
            let mut names = thing.name_words.iter().flatten();
            names.any(|name| super::words::same_word(name, word))
        };
        named.iter().all(own)
    };
    let is_changed = |thing: &toolgauge_core::WorldThing| {
        context.changes.is_some_and(|all| all.get(&thing.id).is_some())
    };
    words.iter().any(skips)
        && !named.is_empty()
        && context.things.iter().any(|thing| is_changed(thing) && is_of(thing))
}

/// The words in which a clause names what was left out.
fn left_out<'w>(words: &'w [&'w str]) -> Option<&'w [&'w str]> {
    let own = match words {
        ["but" | "just" | "though" | "and" | "however", rest @ ..] => rest,
        _ => words,
    };
    match own {
        ["not", rest @ ..]
        | ["i", "could" | "can" | "did" | "was" | "have", "not", rest @ ..]
        | ["i", "was", "unable", rest @ ..]
        | ["i", "failed", rest @ ..] => return Some(rest),
        ["i", "left", rest @ ..] if rest.iter().any(|w| matches!(*w, "alone" | "unchanged")) => {
            return Some(rest);
        }
        _ => {}
    }
    if let Some(at) = own.iter().position(|word| *word == "without") {
        return Some(&own[at + 1..]);
    }
    let is_denied = |three: &[&str]| match three {
        ["has" | "have", "not", next] => *next == "been" || pattern::is_act(next, 2),
        ["was" | "were", "not", next] => DONE.contains(next),
        _ => false,
    };
    own.windows(3).position(is_denied).map(|at| &own[..at])
}
