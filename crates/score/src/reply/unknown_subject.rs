//! What is told of a thing or of somebody of whom nobody spoke: `The water is boiling already`, `your
//! flight may be delayed`.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::plain_words::{is_common, is_function_word};
use super::words::word_texts;
use super::{Reply, loss, pattern};
use crate::reading::stem;

/// What a report or an answer may speak of without being asked.
static ANYTHING: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/subjects.txt")));

impl Reply {
    /// What is told of the person's things or, in reports, of any thing that neither the request, nor a
    /// call, nor a tool names.
    pub(super) fn tells_of_unknown(&self, context: &Context<'_>) -> Option<Loss> {
        if !context.has_no_world() || context.calls.is_empty() {
            return None;
        }
        let known = context.stems_spoken_of();
        let clause = self.clauses.iter().find(|clause| {
            self.is_plain_statement(clause) && self.has_unknown_subject(clause, &known)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was asked for or done", self.quote(clause)))
    }

    /// Whether the subject of a clause is a thing beside what was spoken of: `the other lamps are off`.
    fn has_unknown_subject(&self, clause: &Clause, known: &HashSet<String>) -> bool {
        let words = self.texts_of(clause);
        let lead =
            words.iter().take_while(|word| matches!(**word, "and" | "but" | "so" | "because"));
        let own = &words[lead.count()..];
        let is_finite = |word: &str| {
            matches!(
                word,
                "is" | "are"
                    | "was"
                    | "were"
                    | "has"
                    | "have"
                    | "had"
                    | "will"
                    | "may"
                    | "might"
                    | "needs"
                    | "need"
                    | "leaves"
                    | "arrives"
                    | "arrive"
                    | "starts"
                    | "know"
                    | "knows"
            )
        };
        let is_known = |word: &str| {
            let bare = word.strip_suffix("'s").unwrap_or(word);
            known.contains(&stem(bare)) || ANYTHING.contains(bare)
        };
        // `Hotels are cheaper in Madrid.`
        let is_strange = |noun: &str| {
            noun.len() > 3 && !is_known(noun) && !is_common(noun) && !is_function_word(noun)
        };
        match own {
            ["the" | "your" | "all", "other" | "others", rest @ ..] => {
                rest.iter().take(3).any(|word| is_finite(word)) && !known.contains("other")
            }
            // `The room on the third floor is yours.`
            ["the" | "your", noun, "on" | "in" | "at" | "from" | "of", rest @ ..] => {
                let verb = rest.iter().take(5).position(|word| is_finite(word));
                verb.is_some_and(|verb| verb > 0) && !is_known(noun)
            }
            ["the" | "your", noun, verb, ..] => is_finite(verb) && !is_known(noun),
            ["there", "is" | "are", "a" | "an", rest @ ..] => {
                let name = rest.iter().take_while(|word| !is_function_word(word)).take(3);
                name.last().is_some_and(|noun| is_strange(noun))
            }
            [noun, "are", ..] => noun.ends_with('s') && is_strange(noun),
            _ => false,
        }
    }
}

impl Context<'_> {
    /// The stems of the words of all that was said, called and returned.
    fn stems_spoken_of(&self) -> HashSet<String> {
        let mut known: HashSet<String> = self.request().iter().map(|word| stem(word)).collect();
        known.extend(self.words_of_calls().iter().map(|word| stem(word)));
        let names = self.calls.iter().filter_map(|call| call.arguments.as_object()).flatten();
        known
            .extend(names.flat_map(|(name, _)| super::words::tool_words(name)).map(|it| stem(&it)));
        for text in self.all_texts() {
            known.extend(word_texts(text).iter().map(|word| stem(word)));
        }
        known
    }
}
