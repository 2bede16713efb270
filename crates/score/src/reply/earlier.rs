//! What was before, told where nothing is known but the request, the calls and what tools returned: `You
//! listened to them yesterday`, `It had been on for hours`.

use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::words::Word;
use super::{Reply, loss};
use crate::reading::stem;

static EARLIER: LazyLock<Vec<Phrase>> =
    LazyLock::new(|| pattern::table(include_str!("tables/earlier.txt")));

/// What the person just did by asking, which a reply may tell: `as you wanted`.
const BY_ASKING: [&str; 34] = [
    "asked",
    "wanted",
    "requested",
    "said",
    "told",
    "mentioned",
    "named",
    "wished",
    "needed",
    "meant",
    "gave",
    "called",
    "specified",
    "ordered",
    "set",
    "put",
    "chose",
    "described",
    "added",
    "planned",
    "agreed",
    "hoped",
    "liked",
    "preferred",
    "dictated",
    "wrote",
    "did",
    "were",
    "had",
    "got",
    "need",
    "thanked",
    "noticed",
    "instructed",
];

/// Past forms without `-ed` of what people do.
const PAST: [&str; 30] = [
    "slept", "bought", "forgot", "left", "ran", "went", "ate", "drank", "took", "made", "saw",
    "heard", "sent", "met", "came", "lost", "found", "broke", "read", "began", "woke", "drove",
    "paid", "sold", "spent", "felt", "kept", "sang", "won", "rode",
];

impl Context<'_> {
    /// Whether nothing is known but what was said, what was called and what tools returned.
    pub(super) fn has_no_world(&self) -> bool {
        self.things.is_empty() && self.changes.is_none() && self.shelf().is_none()
    }
}

impl Reply {
    /// What was before, of which neither the request nor a tool tells: `That's the third time today`.
    pub(super) fn tells_of_earlier_days(&self, context: &Context<'_>) -> Option<Loss> {
        if !context.has_no_world() {
            return None;
        }
        let plain = self.clauses.iter().filter(|clause| {
            !clause.is_question && !self.is_conditional(clause) && !self.offers(clause)
        });
        let clause = plain.into_iter().find(|clause| {
            self.names_earlier_time(clause, context)
                || self.tells_what_you_did(clause, context)
                || self.tells_how_long(clause)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was said or looked up", self.quote(clause)))
    }

    /// `I've put on your usual list`, `as always`.
    fn names_earlier_time(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let is_told = |own: &[Word]| {
            let known = |word: &Word| {
                context.all_texts().any(|text| text.to_lowercase().contains(&*word.text))
            };
            own.iter().all(known)
        };
        EARLIER.iter().any(|phrase| {
            phrase.find(words).is_some_and(|(start, end)| !is_told(&words[start..end]))
        })
    }

    /// `You forgot it again`, `you slept badly`: what the person did of which nobody spoke.
    fn tells_what_you_did(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let is_open = words.iter().any(|word| {
            matches!(*word, "if" | "when" | "whatever" | "where" | "what" | "as" | "than" | "case")
        });
        let by_person =
            context.request().iter().any(|word| matches!(&**word, "i" | "we" | "me" | "my"));
        let is_told = |verb: &str| {
            let verb = stem(verb);
            by_person && context.request().iter().any(|word| stem(word) == verb)
        };
        let is_between = |word: &&&str| {
            matches!(**word, "yourself" | "have" | "already" | "also" | "only" | "even" | "just")
        };
        let did = (0..words.len()).filter(|at| words[*at] == "you").any(|at| {
            let Some(verb) = words[at + 1..].iter().find(|word| !is_between(word)) else {
                return false;
            };
            let is_past = PAST.contains(verb)
                || verb.len() > 4 && verb.ends_with("ed") && !verb.ends_with("eed");
            is_past && !BY_ASKING.contains(verb) && !is_told(verb)
        });
        did && !is_open
    }

    /// `She has been waiting`, `the light has been burning`.
    fn tells_how_long(&self, clause: &Clause) -> bool {
        self.texts_of(clause).windows(3).any(|three| {
            matches!(three[0], "has" | "have" | "had" | "would")
                && three[1] == "been"
                && three[2].len() > 5
                && three[2].ends_with("ing")
        })
    }
}
