//! Persons in reports: who was told or invited, and what nobody can know of them.

use std::sync::LazyLock;

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::{Reply, loss};

/// What may be told of somebody to whom something was sent, by the words behind the name.
static TOLD: LazyLock<Vec<Phrase>> =
    LazyLock::new(|| pattern::table(include_str!("tables/recipients.txt")));

/// What persons do who answer or decide, of which nobody tells.
static DOING: LazyLock<Vec<Phrase>> =
    LazyLock::new(|| pattern::table(include_str!("tables/answers_of_others.txt")));

/// Arguments that name persons.
const PERSONS: [&str; 8] =
    ["to", "attendees", "recipient", "recipients", "guests", "contact", "contacts", "invitees"];

/// Verbs of telling somebody something.
const TELLING: [&str; 15] = [
    "told", "tell", "telling", "texted", "texting", "wrote", "written", "writing", "messaged",
    "informed", "notified", "sent", "reminded", "saying", "says",
];

impl Reply {
    /// What somebody is said to have answered, thought or done, who was only told something: `Anna
    /// has read it`, `she's fine with that`, `Ben has the keys`.
    pub(super) fn act_of_recipient(&self, context: &Context<'_>) -> Option<Loss> {
        let persons = context.persons_called();
        if persons.is_empty() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            !clause.is_question
                && !self.is_conditional(clause)
                && !self.offers(clause)
                && (clause.words.clone().any(|at| self.does_more(clause, at, &persons))
                    || self.was_read(clause))
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// Whether the word here is a person, of whom more is told than that something was sent.
    fn does_more(&self, clause: &Clause, at: usize, persons: &[String]) -> bool {
        let text = self.words[at].text.as_str();
        let is_all = matches!(text, "both" | "they" | "everyone" | "everybody");
        let is_person = matches!(text, "he" | "she")
            || is_all && persons.len() > 1
            || persons.iter().any(|name| name == text);
        // `I told Anna that she is …` says what the message says.
        let told_before =
            self.words[clause.words.start..at].iter().any(|word| TELLING.contains(&&*word.text));
        if !is_person || told_before || !self.is_subject(clause, at, persons) {
            return false;
        }
        let behind = &self.words[at + 1..clause.words.end];
        let behind = match behind.first().map(|word| word.text.as_str()) {
            Some("now" | "also" | "already" | "just" | "both" | "even" | "then") => &behind[1..],
            _ => behind,
        };
        let says = |phrases: &[Phrase]| {
            phrases.iter().any(|phrase| phrase.find(behind).is_some_and(|(start, _)| start == 0))
        };
        says(&DOING) && !says(&TOLD)
    }

    /// Whether a name begins what is told, and is no part of it: not in `dinner with Carla is booked`.
    fn is_subject(&self, clause: &Clause, at: usize, persons: &[String]) -> bool {
        let is_joined = |at: &usize| {
            let text = self.words[*at].text.as_str();
            text == "and" || persons.iter().any(|name| name == text)
        };
        let lead = (clause.words.start..at).rev().find(|at| !is_joined(at));
        let lead = lead.map_or("", |at| self.words[at].text.as_str());
        !matches!(lead, "with" | "to" | "for" | "of" | "from" | "by" | "about" | "reached" | "let")
    }

    /// `Your message was read.`
    fn was_read(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        words.contains(&"message")
            && words.windows(2).any(|pair| {
                matches!(pair[0], "was" | "been" | "already" | "is")
                    && matches!(pair[1], "read" | "seen" | "opened" | "answered")
            })
    }

    /// Somebody told who was sent nothing: `I told the dentist you'll be there at one`.
    pub(super) fn other_recipient(&self, context: &Context<'_>) -> Option<Loss> {
        let persons = context.persons_called();
        if persons.is_empty() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            self.is_plain_statement(clause)
                && self.words_of(clause).windows(3).any(|three| {
                    let noun = three[2].text.as_str();
                    matches!(&*three[0].text, "told" | "texted" | "informed" | "notified")
                        && matches!(&*three[1].text, "the" | "your")
                        && !matches!(noun, "two" | "both" | "others" | "other" | "contact")
                        && !persons.iter().any(|name| name == noun)
                        && !context.question.iter().any(|word| word == noun)
                })
        })?;
        Some(loss(Cause::FalseClaim, "who was told", self.quote(clause)))
    }
}

impl Context<'_> {
    /// The names of persons in the calls, word by word, in small letters.
    pub(super) fn persons_called(&self) -> Vec<String> {
        let named = self.arguments().filter(|(name, _)| PERSONS.contains(&name.as_str()));
        let texts = named.flat_map(|(_, value)| match value {
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            value => value.as_str().into_iter().collect::<Vec<&str>>(),
        });
        texts.flat_map(WorldThing::words_of).filter(|word| word.len() > 2).collect()
    }
}
