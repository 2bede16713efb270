//! Things that the books say are gone, told as if they were still there.

use toolgauge_core::{Cause, Loss};

use crate::reply::clause::Clause;
use crate::reply::context::Context;
use crate::reply::words::phrase_at;
use crate::reply::{Reply, loss};

/// Words in front of one of several that are counted.
const AMONG: [&str; 4] = ["including", "among", "like", "with"];
/// Words of a reply that knows that something is gone.
const AWAY: [&str; 9] =
    ["sold", "sale", "sell", "selling", "former", "formerly", "until", "was", "were"];

impl Reply {
    /// `We own nine houses, the mill among them`, where the mill was sold.
    pub(super) fn still_told_of(&self, context: &Context<'_>) -> Option<Loss> {
        let shelf = context.shelf()?;
        let asked = |words: &[&str]| context.question.iter().any(|word| words.contains(&&**word));
        let asks_for_owned = asked(&["still", "now", "today"]) && asked(&["own", "have"]);
        let says = |clause: &Clause, own: &[&str]| {
            self.words_of(clause).iter().any(|word| own.contains(&word.text.as_str()))
        };
        let clause = self.clauses.iter().enumerate().find(|(number, clause)| {
            let Some(name) = shelf.gone.iter().find(|name| self.names(clause, name)) else {
                return false;
            };
            let sentence = self.clauses.iter().filter(|own| own.sentence == clause.sentence);
            let sentence: Vec<&Clause> = sentence.collect();
            let owns = sentence.iter().any(|own| says(own, &["own", "owns", "have", "hold"]));
            let is_counted = !name.is_empty()
                && says(clause, &AMONG)
                && owns
                && !self.clauses.iter().any(|own| says(own, &AWAY) || self.has_denial(own));
            let goes_on = self
                .clauses
                .get(number + 1)
                .filter(|next| next.sentence == clause.sentence && self.goes_on_today(next));
            // `The oldest that we still own is Elm Court, followed by Mill House.`
            let is_ranked = asks_for_owned
                && says(clause, &["followed", "then", "next", "second", "behind"])
                && !sentence.iter().any(|own| says(own, &AWAY) && !says(own, &["followed"]));
            is_counted && self.is_plain_statement(clause) || goes_on.is_some() || is_ranked
        });
        let (_, clause) = clause?;
        Some(loss(Cause::WrongAnswer, "what is no longer there", self.quote(clause)))
    }

    fn names(&self, clause: &Clause, name: &[String]) -> bool {
        let name: Vec<&str> = name.iter().map(String::as_str).collect();
        phrase_at(&self.texts_of(clause), &name).is_some()
    }

    /// `And it currently earns $900 a month.`
    fn goes_on_today(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_now = |word: &&str| matches!(*word, "currently" | "still" | "now");
        let is_verb = |word: &&str| {
            matches!(*word, "earns" | "brings" | "rents" | "has" | "houses" | "belongs" | "costs")
        };
        words.iter().take(2).any(|word| *word == "it")
            && words.iter().any(is_now)
            && words.iter().any(is_verb)
            && self.is_plain_statement(clause)
    }
}
