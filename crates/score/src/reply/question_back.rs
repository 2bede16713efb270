//! Questions back: whether they ask for what a request leaves open, and offer what there is.

use toolgauge_core::{Cause, Loss, ResponseKind};

use super::clause::Clause;
use super::context::Context;
use super::plain_words::is_function_word;
use super::{Reply, loss};

impl Reply {
    /// What is wrong with a reply that should ask back.
    pub(super) fn question(&self, about: &[String], context: &Context<'_>) -> Option<Loss> {
        if let Some(claim) = self.false_act(context) {
            return Some(claim);
        }
        let asks = self.clauses.iter().any(|clause| self.asks(clause))
            || self.clauses.iter().any(|clause| self.offers_things(clause, context))
            || self.clauses.iter().any(|clause| self.asks_by_naming(clause, about));
        if !asks {
            let kind = ResponseKind::Clarification.name();
            return Some(loss(Cause::WrongResponseKind, kind, self.plain.as_str()));
        }
        let wrong = self.unknown_choice(context).or_else(|| self.asked_amiss(about, context));
        if wrong.is_some() {
            return wrong;
        }
        let names_choices = self.clauses.iter().any(|clause| {
            let offers_two = clause.is_question
                && !self.has(clause, &super::LEXICON.closers)
                && self.words_of(clause).iter().any(|word| word.text == "or");
            offers_two || self.offers_things(clause, context) || self.asks_which(clause, context)
        });
        // Which thing is meant may be what is open, and then any way to ask it is right.
        let asks_which = about.is_empty()
            || about.iter().any(|word| matches!(&**word, "which" | "what" | "where" | "who"));
        if names_choices && asks_which {
            return None;
        }
        let others: Vec<String> = about.iter().flat_map(|word| in_other_words(word)).collect();
        let amiss = self.not_about(&others).and_then(|_| self.not_about(about));
        amiss.map(|words| loss(Cause::MissingAnswer, words, self.plain.as_str()))
    }

    /// Whether a short clause asks by a word of what is open alone: `All of them, everywhere?`
    fn asks_by_naming(&self, clause: &Clause, about: &[String]) -> bool {
        let words = self.words_of(clause);
        let begins = words
            .first()
            .is_some_and(|word| super::stance::QUESTION_WORDS.contains(&word.text.as_str()));
        let names = |word: &String| !self.places_within(clause, word).is_empty();
        clause.is_question
            && !begins
            && words.len() <= 8
            && !self.has(clause, &super::LEXICON.closers)
            && about.iter().any(names)
    }

    /// Whether a clause asks what was meant, of the things the request speaks of.
    fn asks_which(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let says = |text: &str| self.words_of(clause).iter().any(|word| word.text == text);
        let asks = says("mean") || says("name") || says("which") || says("or");
        let kinds = context.things.iter().flat_map(|thing| super::sorts::kinds_of(thing));
        let is_kind = |word: &str| {
            let bare = word.strip_suffix('s').unwrap_or(word);
            kinds.clone().any(|kind| *kind == bare)
        };
        let named = |word: &&super::Word| {
            !is_function_word(&word.text)
                && (context.question.contains(&word.text) || is_kind(&word.text))
        };
        self.asks(clause) && asks && self.words_of(clause).iter().any(|word| named(&word))
    }

    /// A thing offered to choose from that the home does not have: `Dusty or Bertha?`
    pub(super) fn unknown_choice(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let known = |word: &str| {
            let bare = word.strip_suffix("'s").unwrap_or(word);
            context.request().iter().any(|asked| asked == bare)
                || context.named_things().any(|(thing, names)| {
                    let places = thing.all_place_names();
                    names.iter().flatten().any(|name| name == bare || name == word)
                        || places
                            .flat_map(|place| toolgauge_core::WorldThing::words_of(place))
                            .any(|place| place == bare)
                })
        };
        let clause = self.clauses.iter().filter(|clause| clause.is_question);
        let mut words = clause.flat_map(|clause| clause.words.clone().skip(1));
        let wrong = words.find(|at| {
            let before = self.words[at - 1].text.as_str();
            let is_choice = matches!(before, "or" | "mean" | "the" | "and");
            is_choice
                && self.is_capital(*at)
                && !super::plain_words::is_common(&self.words[*at].text)
                && !known(&self.words[*at].text)
        })?;
        let name = self.words[wrong].text.as_str();
        Some(loss(Cause::FalseClaim, "a thing that there is", name))
    }

    /// Whether a clause asks by naming things of the request or the world: `The corner lamp?`
    pub(super) fn offers_things(&self, clause: &Clause, context: &Context<'_>) -> bool {
        clause.is_question
            && !self.has(clause, &super::LEXICON.closers)
            && !self.things_named(clause, context).is_empty()
    }

    /// What is wrong with a reply whose only question closes the talk: `Okay. Anything else?`
    pub(crate) fn asks_nothing_open(&self) -> Option<Loss> {
        let mut questions = self.clauses.iter().filter(|clause| clause.is_question).peekable();
        questions.peek()?;
        let closes = questions.all(|clause| self.has(clause, &super::LEXICON.closers));
        let kind = ResponseKind::Clarification.name();
        closes.then(|| loss(Cause::WrongResponseKind, kind, self.plain.as_str()))
    }
}

/// What asks for the same as a word of a case: `the name of the device` is `which`.
fn in_other_words(word: &str) -> Vec<String> {
    let others: &[&str] = match word {
        "which" | "what" => {
            &["name", "the one you mean", "the one you want", "would be", "is that"]
        }
        "who" | "whom" => &["name"],
        "how long" => &["duration", "length", "until when"],
        _ => &[],
    };
    std::iter::once(word).chain(others.iter().copied()).map(Into::into).collect()
}
