//! What a reply concludes from a state: `it is locked, so you can simply walk in`.

use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::{Reply, loss};

/// Words that contradict some states of things of some kinds.
struct Contradiction {
    kinds: Vec<&'static str>,
    states: Vec<&'static str>,
    phrases: Vec<Phrase>,
}

static CONTRADICTIONS: LazyLock<Vec<Contradiction>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        let (kinds, states, phrases) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Contradiction {
            kinds: kinds.split_whitespace().collect(),
            states: states.split_whitespace().collect(),
            phrases: phrases.split(',').map(|words| Phrase::new(words.trim())).collect(),
        })
    };
    pattern::lines(include_str!("tables/consequences.txt")).filter_map(read).collect()
});

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
        if things.is_empty() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            self.draws_a_conclusion(clause)
                && !clause.is_question
                && self.things_named(clause, context).is_empty()
                && things.iter().all(|thing| self.contradicts(clause, thing))
        })?;
        Some(loss(Cause::FalseClaim, "what follows from it", self.quote(clause)))
    }

    /// Whether a clause stands behind words that draw a conclusion.
    fn draws_a_conclusion(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        match text(0) {
            "so" | "therefore" | "hence" | "meaning" => true,
            "which" | "that" => text(1) == "means",
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

    fn contradicts(&self, clause: &Clause, thing: &WorldThing) -> bool {
        let words = self.words_of(clause);
        // `So nobody can get in` is a phrase of its own; `so you can not walk in` denies one.
        let is_said = |phrase: &Phrase| {
            phrase.find(words).is_some_and(|(start, end)| {
                // `So cooling is not possible.`
                let behind = clause.words.start + end..clause.words.end;
                !self.is_denied(clause, clause.words.start + start)
                    && !self.negators[behind].contains(&true)
            })
        };
        CONTRADICTIONS.iter().any(|rule| {
            let is_of = rule.kinds.contains(&thing.kind())
                || thing.class().is_some_and(|class| rule.kinds.contains(&class));
            is_of && rule.states.contains(&&*thing.state) && rule.phrases.iter().any(is_said)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_found_in_the_words_that_it_names() {
        for rule in CONTRADICTIONS.iter() {
            assert!(!rule.kinds.is_empty() && !rule.states.is_empty());
        }
        let phrases = pattern::lines(include_str!("tables/consequences.txt"))
            .filter_map(|line| line.split('|').nth(2))
            .flat_map(|phrases| phrases.split(','));
        for written in phrases {
            // Of `need a/your/the key` the first one.
            let said: Vec<&str> =
                written.split_whitespace().filter_map(|word| word.split('/').next()).collect();
            let reply = Reply::read(&format!("It is like that, so {}.", said.join(" ")));
            let phrase = Phrase::new(written.trim());
            assert!(phrase.find(&reply.words).is_some(), "{written}");
        }
    }
}
