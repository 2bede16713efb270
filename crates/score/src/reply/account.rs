//! Accounts for the clauses of a reply: which of them speak of the request, and which of something
//! else or against the reply itself.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss};

use super::clause::Clause;
use super::context::{Context, is_function_word};
use super::lexicon::{LEXICON, is_common};
use super::words::Word;
use super::{Reply, loss, pattern, vocabulary};
use crate::reading::stem;

/// The matters of the table, each with its words.
static TOPICS: LazyLock<Vec<(&str, HashSet<&str>)>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let (name, words) = line.split_once('|')?;
        Some((name.trim(), words.split_whitespace().collect()))
    };
    pattern::lines(include_str!("tables/topics.txt")).filter_map(read).collect()
});

/// Words of a greeting, a farewell or thanks, which report nothing.
const GREETINGS: [&str; 27] = [
    "hello",
    "hi",
    "hey",
    "bye",
    "goodbye",
    "good",
    "night",
    "morning",
    "evening",
    "afternoon",
    "day",
    "see",
    "tomorrow",
    "soon",
    "later",
    "sleep",
    "well",
    "dreams",
    "sweet",
    "tight",
    "thanks",
    "thank",
    "welcome",
    "pleasure",
    "enjoy",
    "nice",
    "lovely",
];

/// What a word has to do with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    /// It is of the request, of what was done, or of the same matter.
    Own,
    /// It is of another matter, or nobody spoke of it.
    Foreign,
    /// It says nothing about what is spoken of.
    Neutral,
}

/// What a request and what was done are about.
pub(super) struct Subject {
    known: HashSet<String>,
    topics: BTreeSet<&'static str>,
}

impl Context<'_> {
    /// The words and matters of the request and of what was done.
    pub(super) fn subject(&self) -> Subject {
        let known = self.vocabulary();
        let is_known = |word: &&str| known.contains(*word);
        let topics = TOPICS.iter().filter(|(_, words)| words.iter().any(&is_known));
        let topics = topics.map(|(name, _)| *name).collect();
        Subject { known, topics }
    }
}

impl Subject {
    fn tie(&self, word: &Word) -> Tie {
        let text = word.text.as_str();
        let bare = text.strip_suffix("'s").unwrap_or(text);
        let mut matters = TOPICS
            .iter()
            .filter(|(_, words)| words.contains(bare))
            .map(|(name, _)| *name)
            .peekable();
        let is_topical = matters.peek().is_some();
        if is_topical && matters.any(|name| self.topics.contains(name)) {
            return Tie::Own;
        }
        let is_plain = is_function_word(bare) || is_common(bare);
        let is_known = self.known.contains(bare) || self.known.contains(&stem(bare));
        match (is_known, is_plain) {
            (true, _) if is_topical => Tie::Own,
            (true, false) => Tie::Own,
            (false, false) if !vocabulary::is_known(word, &self.known) => Tie::Foreign,
            (false, _) if is_topical => Tie::Foreign,
            _ => Tie::Neutral,
        }
    }

    /// What the words of a clause have to do with the request, all in all.
    fn tie_of(&self, words: &[Word]) -> Tie {
        let ties: Vec<Tie> = words.iter().map(|word| self.tie(word)).collect();
        if ties.contains(&Tie::Own) {
            Tie::Own
        } else if ties.contains(&Tie::Foreign) {
            Tie::Foreign
        } else {
            Tie::Neutral
        }
    }
}

impl Reply {
    /// A clause that takes back what was said before it.
    pub(super) fn retracted(&self) -> Option<Loss> {
        const VERDICTS: [&str; 9] =
            ["wrong", "incorrect", "false", "untrue", "mistaken", "true", "so", "right", "correct"];
        let wrong = self.clauses.iter().enumerate().find(|(number, clause)| {
            let earlier = &self.clauses[..*number];
            let told = earlier.iter().any(|before| self.words_of(before).len() > 1);
            // Behind a denial, `that is wrong` speaks of what was asked.
            let is_verdict =
                self.words_of(clause).iter().any(|word| VERDICTS.contains(&word.text.as_str()));
            let denies = || earlier.iter().any(|before| self.has_denial(before));
            told && !clause.is_question
                && self.has(clause, &LEXICON.retraction)
                && !(is_verdict
                    && denies()
                    && !self
                        .words_of(clause)
                        .iter()
                        .any(|word| matches!(word.text.as_str(), "wait" | "actually" | "opposite")))
        })?;
        Some(loss(Cause::WrongAnswer, "one answer", self.quote(wrong.1)))
    }

    /// Whether nothing in a report tells of anything done: greetings, questions, denials and words
    /// about the speaker.
    fn is_idle(&self, clause: &Clause, subject: &Subject) -> bool {
        let words = self.words_of(clause);
        let first = words.first().map_or("", |word| word.text.as_str());
        let is_own = subject.tie_of(words) == Tie::Own;
        let acts = self.claimed_act(clause).is_some() || self.promised_act(clause).is_some();
        let leaves = words.windows(2).any(|pair| {
            matches!(pair[0].text.as_str(), "leave" | "left")
                && matches!(pair[1].text.as_str(), "it" | "that" | "them" | "everything" | "things")
        });
        let greets = words
            .iter()
            .all(|word| GREETINGS.contains(&word.text.as_str()) || is_function_word(&word.text))
            && words.iter().any(|word| GREETINGS.contains(&word.text.as_str()));
        clause.is_question
            || self.is_conditional(clause)
            || self.offers(clause)
            || leaves
            || greets
            || self.has_denial(clause) && !is_own
            || matches!(first, "i" | "we") && !acts && !is_own
    }

    /// A report that speaks of something else than was asked for and done, or of nothing.
    pub(super) fn off_topic(&self, context: &Context<'_>) -> Option<Loss> {
        let subject = context.subject();
        let other = self.clauses.iter().find(|clause| {
            !self.is_beside_the_report(clause)
                && subject.tie_of(self.words_of(clause)) == Tie::Foreign
        });
        if let Some(clause) = other {
            return Some(loss(Cause::FalseClaim, "what was asked for or done", self.quote(clause)));
        }
        if let Some(clause) =
            self.clauses.iter().find(|clause| self.keeps_old_wish(clause, context))
        {
            return Some(loss(Cause::FalseClaim, "what was asked for at last", self.quote(clause)));
        }
        let asked = context
            .question
            .iter()
            .any(|word| GREETINGS.contains(&word.as_str()) || word == "leave" || word == "if");
        let is_idle = !asked && self.clauses.iter().all(|clause| self.is_idle(clause, &subject));
        is_idle.then(|| loss(Cause::FalseClaim, "what was asked for or done", self.plain.as_str()))
    }

    /// A clause of another matter in a reply that should only be a friendly word.
    pub(super) fn strays(&self, context: &Context<'_>) -> Option<Loss> {
        let subject = context.subject();
        let other = self.clauses.iter().find(|clause| {
            !self.is_beside_the_report(clause)
                && subject.tie_of(self.words_of(clause)) == Tie::Foreign
                && self
                    .words_of(clause)
                    .iter()
                    .any(|word| TOPICS.iter().any(|(_, words)| words.contains(word.text.as_str())))
        })?;
        Some(loss(Cause::FalseClaim, "small talk", self.quote(other)))
    }

    /// Whether a clause holds a word of what the request took back: `in the kitchen, no wait, in
    /// the bathroom`.
    fn keeps_old_wish(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let old = context.question.len() - context.meant().len();
        let is_named = |word: &str| {
            let calls = context.calls.iter().filter_map(|call| call.arguments.as_object());
            let mut values = calls.flatten().map(|(_, value)| value.to_string().to_lowercase());
            values.any(|value| value.contains(word))
        };
        let is_old = |word: &Word| {
            let text = word.text.as_str();
            context.question[..old].iter().any(|asked| asked == text)
                && !context.meant().iter().any(|asked| asked == text)
                && !is_function_word(text)
                && !is_common(text)
                && !(0..3).any(|form| pattern::is_act(text, form))
                && !is_named(text)
        };
        let sets_aside = self.has_denial(clause)
            || self.words_of(clause).iter().any(|word| word.text == "instead");
        old > 0 && !clause.is_question && !sets_aside && self.words_of(clause).iter().any(is_old)
    }

    /// A refusal of something else than was asked for.
    pub(super) fn refuses_other(&self, context: &Context<'_>) -> Option<Loss> {
        let subject = context.subject();
        let own = |clause: &Clause| subject.tie_of(self.words_of(clause));
        if self.clauses.iter().any(|clause| own(clause) == Tie::Own) {
            return None;
        }
        // Another word for what was asked for is no other matter: `I have no telephone`.
        let wrong = self.clauses.iter().find(|clause| {
            let words = self.words_of(clause);
            let is_other = |word: &Word| subject.tie(word) == Tie::Foreign;
            let is_topical =
                |word: &Word| TOPICS.iter().any(|(_, words)| words.contains(word.text.as_str()));
            (self.refuses(clause) || self.has_denial(clause))
                && words.iter().any(|word| is_other(word) && is_topical(word))
                && words.iter().all(|word| !is_other(word) || is_topical(word))
        })?;
        Some(loss(Cause::WrongAnswer, "what was asked for", self.quote(wrong)))
    }
}
