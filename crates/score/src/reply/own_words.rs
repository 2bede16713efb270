//! Replies that contradict their own words: what is not there is told of, one length is another, a list
//! of three is empty.

use toolgauge_core::{Cause, ExpectedFact, Loss, Members, english};

use super::clause::Clause;
use super::context::Context;
use super::places::places_in;
use super::words::phrase_at;
use super::{Reply, loss};

/// What a list is told to be when nothing is on it.
const EMPTY: [&[&str]; 7] = [
    &["is", "empty"],
    &["are", "empty"],
    &["empty", "list"],
    &["nothing", "left"],
    &["all", "done"],
    &["all", "ticked", "off"],
    &["nothing", "on", "it"],
];

/// Nouns for what stands on a list.
const ITEMS: [&str; 14] = [
    "thing", "things", "item", "items", "article", "articles", "entry", "entries", "task", "tasks",
    "chore", "chores", "product", "products",
];

impl Reply {
    /// What a reply tells against its own words.
    pub(crate) fn against_its_words(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        self.contradicts_the_list(facts)
            .or_else(|| self.other_length(facts))
            .or_else(|| self.told_of_nothing(context))
            .or_else(|| self.denied_behind_yes(facts, context))
            .or_else(|| self.denied_mode())
    }

    /// `Milk and apples, so a single item in all`, `Milk, bread and eggs. The list is empty.`
    fn contradicts_the_list(&self, facts: &[ExpectedFact]) -> Option<Loss> {
        let length = facts.iter().find_map(|fact| match fact {
            ExpectedFact::Set { set: Members::Listed(set), .. } => Some(set.len()),
            _ => None,
        })?;
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let is_empty = EMPTY.iter().any(|phrase| phrase_at(&words, phrase).is_some());
            let miscounts = || {
                words.windows(2).any(|pair| {
                    let counted = match pair[0] {
                        "single" => Some(1),
                        word => english::small_number(word)
                            .map(usize::from)
                            .or_else(|| word.parse().ok()),
                    };
                    ITEMS.contains(&pair[1]) && counted.is_some_and(|counted| counted != length)
                })
            };
            let is_rest = words.iter().any(|word| matches!(*word, "otherwise" | "more" | "other"));
            !clause.is_question
                && !self.is_conditional(clause)
                && !self.offers(clause)
                && !is_rest
                && length > 0
                && (is_empty || !self.has_denial(clause) && miscounts())
        })?;
        Some(loss(Cause::WrongAnswer, "what is on it", self.quote(clause)))
    }

    /// `Ninety minutes, which makes it exactly two hours.`
    fn other_length(&self, facts: &[ExpectedFact]) -> Option<Loss> {
        const LINKS: [&[&str]; 9] = [
            &["which", "makes"],
            &["which", "is"],
            &["that", "makes"],
            &["that", "is"],
            &["so", "it", "is"],
            &["so", "that", "is"],
            &["so", "exactly"],
            &["so", "just"],
            &["in", "other", "words"],
        ];
        const APART: [&str; 14] = [
            "more", "less", "longer", "shorter", "than", "left", "before", "after", "ago", "every",
            "each", "of", "short", "shy",
        ];
        let wants_number = facts.iter().any(|fact| matches!(fact, ExpectedFact::Number { .. }));
        let lengths = self.durations();
        let [first, second] = &lengths[..] else { return None };
        let clause_of = |place: usize| self.clauses.iter().find(|it| it.place.contains(&place));
        let clause = clause_of(second.place.start)?;
        let words = self.texts_of(clause);
        let is_linked = LINKS.iter().any(|phrase| words.starts_with(phrase));
        let is_apart = words.iter().any(|word| APART.contains(word));
        let is_other = (first.seconds - second.seconds).abs() > 0.05 * first.seconds;
        let wrong = wants_number && is_linked && !is_apart && is_other;
        wrong.then(|| loss(Cause::WrongAnswer, "the same length", self.quote(clause)))
    }

    /// `There's no sensor in the cellar. It's reporting closed right now.`
    fn told_of_nothing(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let clause = self.clauses.windows(2).find_map(|pair| {
            let [none, clause] = pair else { return None };
            let is_next = clause.sentence != none.sentence;
            (is_next
                && self.says_there_is_none(none)
                && self.things_named(none, context).is_empty()
                && self.things_named(clause, context).is_empty()
                && self.tells_of_it(clause))
            .then_some(clause)
        })?;
        Some(loss(Cause::FalseClaim, "what there is", self.quote(clause)))
    }

    /// `There is no window sensor`, `there isn't one`, `I don't see a jacuzzi`.
    fn says_there_is_none(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_there = words.windows(2).any(|pair| {
            matches!(pair, ["there", "is" | "are"] | ["not", "have" | "see" | "find"])
                || matches!(pair, ["have" | "see" | "has" | "find", "no"])
        });
        is_there && self.has_denial(clause) && !clause.is_question
    }

    /// Whether a clause tells of `it` what only holds of a thing that is there.
    fn tells_of_it(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let rest = words.iter().skip(2).find(|word| {
            !matches!(**word, "currently" | "now" | "just" | "already" | "still" | "been" | "all")
        });
        let Some(rest) = rest else { return false };
        let is_doing = rest.len() > 5 && rest.ends_with("ing") && *rest != "something";
        let is_state =
            matches!(*rest, "on" | "off" | "open" | "closed" | "shut" | "locked" | "docked");
        let is_done = rest.len() > 4 && rest.ends_with("ed")
            || matches!(*rest, "taken" | "sold" | "broken" | "gone" | "bought" | "put");
        let is_told = match (words.first(), words.get(1)) {
            (Some(&"it"), Some(&"is")) => is_doing || is_state,
            (Some(&"it"), Some(&("was" | "has"))) => is_done,
            _ => false,
        };
        is_told && self.is_plain_statement(clause) && !words.contains(&"called")
    }

    /// `Yes, the pool speaker. … because the pool itself hasn't got one.`
    fn denied_behind_yes(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let is_yes =
            facts.iter().any(|fact| matches!(fact, ExpectedFact::Truth { truth: true, .. }));
        if !is_yes || !context.asks_for_existence() {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let places = places_in(&words, context);
            let is_elsewhere = places.iter().any(|place| !context.places_asked().contains(place));
            let is_none = matches!(words[..], [.., "got" | "have" | "is" | "be", "one" | "any"])
                || matches!(words[..], [.., "there", "is", "none" | "not"]);
            is_none && self.has_denial(clause) && !clause.is_question && !is_elsewhere
        })?;
        Some(loss(Cause::WrongAnswer, "yes", self.quote(clause)))
    }

    /// `The fan doesn't have a sleep mode, so it's running in sleep mode.`
    fn denied_mode(&self) -> Option<Loss> {
        let modes = |clause: &Clause| -> Vec<String> {
            let pairs = self.words_of(clause).windows(2);
            pairs.filter(|pair| pair[1].text == "mode").map(|pair| pair[0].text.clone()).collect()
        };
        let denied: Vec<String> =
            self.clauses.iter().filter(|clause| self.has_denial(clause)).flat_map(modes).collect();
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let is_in = words.windows(2).any(|pair| {
                matches!(pair[0], "in" | "on" | "to") && denied.iter().any(|own| own == pair[1])
            });
            is_in
                && modes(clause).iter().any(|mode| denied.contains(mode))
                && words.iter().any(|word| matches!(*word, "is" | "are" | "now" | "have"))
                && self.is_plain_statement(clause)
        })?;
        Some(loss(Cause::FalseClaim, "what it can do", self.quote(clause)))
    }
}
