//! Small talk: friendly words that fit what was said, and nothing else.

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::Context;
use super::words::phrase_at;
use super::{Reply, loss, pattern};

/// How many words a reply may have that is nothing but a friendly word.
const SMALL_TALK_WORDS: usize = 40;
/// From when to when people wish each other a good morning.
const MORNING: std::ops::Range<u32> = 3 * 60..13 * 60;

impl Reply {
    /// What is wrong with a reply that should be a friendly word.
    pub(super) fn small_talk(&self, context: &Context<'_>) -> Option<Loss> {
        let claim = |clause: &&Clause| {
            let words = self.claimed_act(clause).or_else(|| self.promised_act(clause));
            let is_act = |word: &super::Word| {
                pattern::is_any_act(&word.text)
                    && !matches!(word.text.as_str(), "run" | "running" | "set" | "ready")
            };
            words.is_some_and(|words| self.words[words].iter().any(is_act))
                || self.speaker_acted(clause).is_some()
                || self.is_inability(clause) && !self.is_friendly(clause)
                || self.says_unknown(clause) && !self.is_friendly(clause)
                || self.asks(clause)
                || self.tells_a_state(clause)
        };
        let states = |clause: &&Clause| {
            let is_thing =
                |thing: &&toolgauge_core::WorldThing| !matches!(thing.kind(), "script" | "scene");
            self.things_named(clause, context).iter().any(is_thing) && !clause.is_question
        };
        let wrong = self
            .clauses
            .iter()
            .find(claim)
            .or_else(|| self.clauses.iter().find(states))
            .or_else(|| self.clauses.iter().find(|clause| self.tells_a_fact(clause)))
            .or_else(|| self.misplaced_greeting(context));
        if let Some(wrong) = wrong {
            return Some(loss(Cause::FalseClaim, "small talk", self.quote(wrong)));
        }
        let figure = self.numbers().into_iter().find(|said| said.value.unit.is_some());
        if let Some(figure) = figure {
            return Some(loss(Cause::FalseClaim, "small talk", &self.plain[figure.place]));
        }
        (self.words.len() > SMALL_TALK_WORDS || self.is_bare_verdict())
            .then(|| loss(Cause::NotAnAnswer, "small talk", self.plain.as_str()))
    }

    /// Whether a clause tells a fact of somebody or something else: `The coffee is brewing.`
    fn tells_a_fact(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_person = |word: &&str| {
            matches!(*word, "i" | "me" | "my" | "mine" | "you" | "your" | "we" | "us" | "our")
        };
        let is_courtesy = |word: &&str| {
            matches!(*word, "pleasure" | "house" | "home" | "honour" | "honor" | "least" | "same")
        };
        let at = words.iter().position(|word| matches!(*word, "is" | "are" | "has" | "was"));
        matches!(words.first(), Some(&"the"))
            && at.is_some_and(|at| at > 1)
            && !clause.is_question
            && !words.iter().any(|word| is_person(word) || is_courtesy(word))
    }

    /// A greeting of another time of day, or a farewell to somebody who has just come.
    fn misplaced_greeting(&self, context: &Context<'_>) -> Option<&Clause> {
        let asked: Vec<&str> = context.question.iter().map(String::as_str).collect();
        let own = part_of_day(&asked);
        self.clauses.iter().filter(|clause| !clause.is_question).find(|clause| {
            let words = self.texts_of(clause);
            let wishes = words.iter().any(|word| matches!(*word, "have" | "enjoy" | "until"));
            let is_other = part_of_day(&words).is_some_and(|said| match own {
                Some(own) => said != own,
                None => said == "morning" && context.now.is_some_and(|now| !MORNING.contains(&now)),
            });
            !wishes && is_other || arrives(&asked) && takes_leave(&words)
        })
    }

    /// Whether a clause says that something of a home is on, off, open or shut.
    fn tells_a_state(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let is_state = |word: &super::Word| {
            matches!(
                word.text.as_str(),
                "on" | "off" | "open" | "closed" | "locked" | "unlocked" | "armed" | "unavailable"
            )
        };
        let by_verb = words.windows(2).any(|pair| {
            matches!(pair[0].text.as_str(), "is" | "are" | "now") && is_state(&pair[1])
        });
        by_verb && !clause.is_question && !self.is_conditional(clause)
    }

    fn is_friendly(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        words.iter().any(|word| {
            matches!(
                word.text.as_str(),
                "worry"
                    | "mention"
                    | "problem"
                    | "hesitate"
                    | "welcome"
                    | "wait"
                    | "complain"
                    | "feelings"
                    | "feel"
                    | "emotions"
            )
        })
    }
}

/// The time of day that a greeting is for.
fn part_of_day(words: &[&str]) -> Option<&'static str> {
    let says = |phrase: &[&str]| phrase_at(words, phrase).is_some();
    if says(&["good", "morning"]) {
        Some("morning")
    } else if says(&["good", "night"])
        || says(&["goodnight"])
        || says(&["sleep", "well"])
        || says(&["sleep", "tight"])
        || says(&["sweet", "dreams"])
    {
        Some("night")
    } else {
        None
    }
}

/// Whether words are those of somebody who comes.
fn arrives(words: &[&str]) -> bool {
    let comes = |word: &&str| matches!(*word, "hello" | "hi" | "hey" | "morning");
    words.iter().any(comes) || words.windows(2).any(|pair| pair == ["how", "are"])
}

/// Whether words are those of somebody who goes.
fn takes_leave(words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "goodbye" | "bye" | "farewell"))
        || words.windows(2).any(|pair| pair == ["see", "you"])
}
