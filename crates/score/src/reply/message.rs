//! What a report says was told to somebody, held against the message that was sent.

use toolgauge_core::{Cause, Loss, english};

use super::clause::Clause;
use super::context::Context;
use super::plain_words::is_function_word;
use super::words::{plain, words};
use super::{Reply, loss};
use crate::reading::stem;

impl Reply {
    /// A message told with another hour than it has, or turned into its opposite.
    pub(super) fn wrong_message(&self, context: &Context<'_>) -> Option<Loss> {
        let calls = context.calls.iter().filter_map(|call| call.arguments.as_object());
        let texts: Vec<&str> = calls
            .filter_map(|all| all.get("text").or_else(|| all.get("message"))?.as_str())
            .collect();
        let is_sent = |call: &&toolgauge_core::ToolCall| {
            super::words::tool_words(&call.name).iter().any(|word| word == "message")
        };
        if texts.is_empty() && !context.calls.iter().copied().any(|call| is_sent(&call)) {
            return None;
        }
        let sent = Self::read(&texts.join(". "));
        let hours = sent.hours(0..sent.words.len());
        let reports: Vec<usize> = self
            .clauses
            .iter()
            .filter(|clause| self.is_plain_report(clause))
            .map(|clause| clause.sentence)
            .collect();
        let mut told = self.clauses.iter().filter(|clause| reports.contains(&clause.sentence));
        let clause = told.find(|clause| {
            let told = self.hours(clause.words.clone());
            let is_other = |hour: &u32| !hours.contains(hour);
            !hours.is_empty() && told.iter().any(is_other)
                || self.is_turned_message(clause, &sent)
                || self.misquotes(clause, &texts)
                || self.tells_other_time(clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "what was sent", self.quote(clause)))
    }

    /// Whether a clause quotes a message otherwise than it was sent: `"Forget the keys!"`
    fn misquotes(&self, clause: &Clause, texts: &[&str]) -> bool {
        let is_mark = |c: char| matches!(c, '"' | '“' | '”' | '„' | '«' | '»');
        let whole: Vec<String> = texts.iter().flat_map(|text| texts_of(text)).collect();
        let behind = &self.plain[clause.place.start..];
        let Some(start) = behind.find(is_mark) else { return false };
        let quoted = behind[start..].trim_start_matches(is_mark);
        let Some(end) = quoted.find(is_mark) else { return false };
        let quoted = texts_of(&quoted[..end]);
        !whole.is_empty()
            && start < clause.place.len() + 3
            && quoted.len() > 2
            && !holds(&whole, &quoted)
            && !texts.iter().any(|text| holds(&quoted, &texts_of(text)))
    }

    /// Whether a clause tells of a time of day that neither the message nor anybody names: `the party
    /// is moved to Sunday at 8 pm`.
    fn tells_other_time(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let mut known: Vec<u32> = Vec::new();
        let mut add = |text: &str| {
            let read = Self::read(text);
            known.extend(read.times().iter().map(|time| time.value.minutes % 720));
            known.extend(read.hours(0..read.words.len()).iter().map(|hour| hour * 60));
        };
        context.said().for_each(&mut add);
        context.texts_called().for_each(add);
        let told = self.times();
        let mut told = told.iter().filter(|said| clause.place.contains(&said.place.start));
        told.any(|said| !said.is_set_aside && !known.contains(&(said.value.minutes % 720)))
    }

    /// Whether a clause tells what was told: `I wrote to Ben that …`.
    fn is_plain_report(&self, clause: &Clause) -> bool {
        let tells = |word: &super::Word| {
            matches!(
                &*word.text,
                "told"
                    | "wrote"
                    | "texted"
                    | "messaged"
                    | "knows"
                    | "know"
                    | "informed"
                    | "sent"
                    | "reminded"
                    | "message"
            )
        };
        !clause.is_question
            && !self.is_conditional(clause)
            && !self.offers(clause)
            && self.words_of(clause).iter().any(tells)
    }

    /// The hours that words name, from 0 to 11: `at one`, `by 2 pm`, `noon`.
    pub(super) fn hours(&self, words: std::ops::Range<usize>) -> Vec<u32> {
        let text = |at: usize| self.text_at(at);
        let number = |at: usize| {
            let word = text(at);
            let hour = word.split(':').next().and_then(|hour| hour.parse::<u32>().ok());
            hour.or_else(|| english::small_number(word).map(u32::from)).filter(|hour| *hour <= 24)
        };
        let mut hours = Vec::new();
        for at in words {
            match text(at) {
                "noon" | "midnight" => hours.push(0),
                // `Rather than half past twelve.`
                "at" | "by" | "around" | "past" | "until"
                    if !(at.saturating_sub(3)..at)
                        .any(|at| matches!(text(at), "than" | "instead" | "not" | "from")) =>
                {
                    let is_amount = crate::reading::unit_named(text(at + 2)).is_some();
                    let is_part = matches!(text(at + 2), "past" | "to");
                    let hour = number(at + 1).filter(|_| !is_amount && !is_part);
                    hours.extend(hour.map(|hour| hour % 12));
                }
                _ => {}
            }
        }
        hours
    }

    /// Whether a verb is denied, be it in a friendly phrase: `don't forget`, `not to worry`.
    fn is_told_not(&self, clause: &Clause, at: usize) -> bool {
        let before = &self.words[at.saturating_sub(2).max(clause.words.start)..at];
        self.is_denied(clause, at)
            || before.iter().any(|word| matches!(&*word.text, "not" | "never"))
    }

    /// Whether a clause denies what the message says, or says what it denies: `you forgot the keys`
    /// for `don't forget the keys`.
    fn is_turned_message(&self, clause: &Clause, sent: &Self) -> bool {
        let told = |reply: &Self, clause: &Clause| -> Vec<(String, bool)> {
            let words = clause.words.clone().filter(|at| !is_function_word(&reply.words[*at].text));
            words
                .map(|at| (verb_stem(&reply.words[at].text), reply.is_told_not(clause, at)))
                .collect()
        };
        let own = told(self, clause);
        let verbs = ["forget", "come", "late", "go", "wait", "call", "leave"].map(verb_stem);
        sent.clauses.iter().flat_map(|clause| told(sent, clause)).any(|(word, denied)| {
            verbs.contains(&word)
                && own.iter().any(|(said, turned)| *said == word && *turned != denied)
        })
    }
}

/// The words of a text, one by one.
fn texts_of(text: &str) -> Vec<String> {
    words(&plain(text)).into_iter().map(|word| word.text).collect()
}

/// Whether some words stand in others as they are.
fn holds(all: &[String], part: &[String]) -> bool {
    !part.is_empty() && all.windows(part.len()).any(|window| window == part)
}

/// The stem of a verb that people are told about.
fn verb_stem(word: &str) -> String {
    match word {
        "forgot" | "forgotten" => "forget".to_owned(),
        _ => stem(word),
    }
}
