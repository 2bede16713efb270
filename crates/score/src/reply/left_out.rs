//! Reports that deny a part of what was done: `but not the coffee`, `Carla has not been invited`.

use super::clause::Clause;
use super::context::{Context, is_function_word};
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
        let Some(named) = left_out(&words) else { return false };
        let is_act = |word: &&&str| (0..3).any(|form| pattern::is_act(word, form));
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
