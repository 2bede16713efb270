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
                || self.turns_down(clause)
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

    /// Whether a clause turns a request down where none was made: `None of my tools can do that.`
    fn turns_down(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_of_means = words.iter().any(|word| {
            matches!(*word, "tool" | "tools" | "possible" | "supported" | "understand" | "request")
        });
        let asks_again = phrase_at(&words, &["something", "else"]).is_some()
            && matches!(words.first(), Some(&"please" | &"try" | &"ask"))
            || phrase_at(&words, &["different", "way"]).is_some();
        let is_error = matches!(words[..], ["error"]);
        (is_of_means && self.has_denial(clause) || asks_again || is_error)
            && !self.is_friendly(clause)
    }

    /// Whether a clause tells a fact of somebody or something else: `The coffee is brewing`, `Your
    /// timer is still running`, `Ben sent you a message`.
    fn tells_a_fact(&self, clause: &Clause) -> bool {
        self.tells_of_a_thing(clause) || self.tells_news(clause)
    }

    /// `By the way, Ben sent you a message`, `Don't forget your appointment`, `It's a sunny day`.
    fn tells_news(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_courtesy = |word: &&str| {
            matches!(*word, "wish" | "command" | "thanks" | "kindness" | "words" | "company")
        };
        let of_yours = matches!(words[..], ["your", _, "is" | "are" | "has" | "will", ..])
            || matches!(words[..], ["your", "next", _, "is" | "are" | "has", ..]);
        let reminds = phrase_at(&words, &["not", "forget"])
            .or_else(|| words.iter().position(|word| *word == "remember").map(|at| at.max(1) - 1))
            .is_some_and(|at| {
                matches!(words.get(at + 2), Some(&"your" | &"the" | &"that" | &"it" | &"about"))
            });
        let is_weather = words.iter().any(|word| {
            matches!(*word, "sunny" | "raining" | "rainy" | "snowing" | "cloudy" | "windy")
        });
        let by_another = self.heads(clause).any(|at| {
            let name = self.words[at].text.as_str();
            let is_name = self.is_capital(at)
                && !super::plain_words::is_common(name)
                && (0..3).all(|form| !pattern::is_act(name, form));
            let verb = self.words.get(at + 1).map_or("", |word| word.text.as_str());
            is_name
                && (matches!(verb, "is" | "has" | "was" | "will" | "wants")
                    || pattern::is_act(verb, 1))
        });
        let is_there = matches!(words[..], ["there", "is" | "are", noun, ..]
            if !matches!(noun, "no" | "nothing" | "always" | "not" | "plenty" | "more"))
            || matches!(words[..], ["you", "have", "got" | "mail" | "a", ..]);
        (is_there
            || of_yours && !words.iter().any(is_courtesy)
            || reminds
            || by_another
            || is_weather && words.iter().any(|word| matches!(*word, "is" | "will" | "today")))
            && !clause.is_question
            && !self.is_conditional(clause)
    }

    fn tells_of_a_thing(&self, clause: &Clause) -> bool {
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
        // `It's all done, as you asked.`
        let is_done = words
            .windows(2)
            .any(|pair| matches!(pair[0].text.as_str(), "all" | "is") && pair[1].text == "done");
        let is_thanked = words.iter().any(|word| matches!(&*word.text, "well" | "happy" | "glad"));
        (by_verb || is_done && !is_thanked) && !clause.is_question && !self.is_conditional(clause)
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
