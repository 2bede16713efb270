//! What a reply says of the order of several figures of one kind: who has more, and who has most.

use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::clause::Clause;
use super::context::Context;
use super::words::word_texts;
use super::{Reply, loss};
use crate::reading::is_same;

/// Words behind which the lesser or the same one stands, and how the first one is to it.
const COMPARING: [(&[&str], std::cmp::Ordering); 22] = {
    use std::cmp::Ordering::{Equal, Greater, Less};
    [
        (&["more", "than"], Greater),
        (&["higher", "than"], Greater),
        (&["larger", "than"], Greater),
        (&["bigger", "than"], Greater),
        (&["greater", "than"], Greater),
        (&["ahead", "of"], Greater),
        (&["exceeds"], Greater),
        (&["outranks"], Greater),
        (&["exceeding"], Greater),
        (&["beats"], Greater),
        (&["above"], Greater),
        (&["less", "than"], Less),
        (&["lower", "than"], Less),
        (&["smaller", "than"], Less),
        (&["fewer", "than"], Less),
        (&["behind"], Less),
        (&["below"], Less),
        (&["as", "much", "as"], Equal),
        (&["as", "many", "as"], Equal),
        (&["the", "same", "as"], Equal),
        (&["equal", "to"], Equal),
        (&["level", "with"], Equal),
    ]
};

/// Words for the one with the most, and for the one with the least.
const MOST: [&str; 9] =
    ["best", "most", "highest", "largest", "biggest", "top", "greatest", "strongest", "leads"];
const LEAST: [&str; 7] = ["worst", "least", "lowest", "smallest", "fewest", "weakest", "last"];

/// A thing that has a figure of its own, with its name word by word.
struct Ranked<'a> {
    name: std::rc::Rc<[String]>,
    value: f64,
    label: &'a str,
}

impl Reply {
    /// A comparison of things that the figures of the answer refute: `Anna $50 and Ben $60. Anna thus
    /// put in more than Ben.`
    pub(super) fn misranked(&self, facts: &[ExpectedFact]) -> Option<Loss> {
        let ranked = ranked(facts);
        if ranked.len() < 2 {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            self.is_plain_statement(clause)
                && (self.compares_wrongly(clause, &ranked)
                    || self.crowns_another(clause, &ranked)
                    || self.equals_others(clause, &ranked)
                    || self.shares_wrongly(clause, &ranked))
        })?;
        Some(loss(Cause::WrongAnswer, "what the figures say", self.quote(clause)))
    }

    /// Where things are named in a clause, in order.
    fn ranked_in<'r, 'a>(
        &self,
        clause: &Clause,
        ranked: &'r [Ranked<'a>],
    ) -> Vec<(usize, &'r Ranked<'a>)> {
        let mut found: Vec<(usize, &Ranked<'_>)> = Vec::new();
        for one in ranked {
            let places = self.places_of(&one.name).into_iter().map(|(at, _)| at);
            found.extend(places.filter(|at| clause.words.contains(at)).map(|at| (at, one)));
        }
        found.sort_by_key(|(at, _)| *at);
        found.dedup_by(|later, first| later.1.value.total_cmp(&first.1.value).is_eq());
        found
    }

    /// `Anna put in more than Ben.`
    fn compares_wrongly(&self, clause: &Clause, ranked: &[Ranked<'_>]) -> bool {
        let named = self.ranked_in(clause, ranked);
        named.windows(2).any(|pair| {
            let ((from, one), (to, other)) = (pair[0], pair[1]);
            let between: Vec<&str> =
                self.words[from..to].iter().map(|word| word.text.as_str()).collect();
            let said = COMPARING
                .iter()
                .find(|(words, _)| super::words::phrase_at(&between, words).is_some());
            // `$30,000 more than Ben` gives a difference; `twice as much as Ben` a multiple.
            let is_multiple = between.iter().any(|word| {
                matches!(*word, "twice" | "half" | "times" | "almost" | "nearly" | "about")
            });
            let is_of_figure =
                between.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
            said.is_some_and(|(_, order)| {
                let is_so = one.value.total_cmp(&other.value) == *order;
                let is_loose = (is_multiple || is_of_figure) && order.is_eq();
                !(is_so || is_loose) && one.label != other.label
            })
        })
    }

    /// `Anna was therefore the best of all.`
    fn crowns_another(&self, clause: &Clause, ranked: &[Ranked<'_>]) -> bool {
        let [(at, one)] = self.ranked_in(clause, ranked)[..] else { return false };
        let behind: Vec<&str> =
            self.words[at..clause.words.end].iter().map(|word| word.text.as_str()).collect();
        let of_all = ["of all", "of the three", "of them all", "of the lot"];
        let text = behind.join(" ");
        let is_of_all = of_all.iter().any(|words| text.contains(words));
        let has = |words: &[&str]| {
            behind.windows(2).any(|pair| pair[0] == "the" && words.contains(&pair[1]))
                || is_of_all && behind.iter().any(|word| words.contains(word))
        };
        let is_limited = ["second", "third", "but", "one", "among", "other"];
        let is_concluded = self.concludes_from_before(clause) || is_of_all;
        if !is_concluded || behind.iter().any(|word| is_limited.contains(word)) {
            return false;
        }
        let outdone = |by: fn(f64, f64) -> bool| {
            ranked
                .iter()
                .any(|other| !is_same(other.value, one.value) && by(other.value, one.value))
        };
        let is_first = ["on top", "in the lead", "takes the lead", "wins", "in front"];
        let leads = is_first.iter().any(|words| text.contains(words));
        (has(&MOST) || leads) && outdone(|other, own| other > own)
            || has(&LEAST) && outdone(|other, own| other < own)
    }
}

impl Reply {
    /// `Anna and Ben thus put in the same.`
    fn equals_others(&self, clause: &Clause, ranked: &[Ranked<'_>]) -> bool {
        let [(from, one), (to, other)] = self.ranked_in(clause, ranked)[..] else { return false };
        let is_joined = self.words[from..to].iter().any(|word| word.text == "and");
        let behind = &self.words[to..clause.words.end];
        let is_even = behind.windows(2).any(|pair| pair[0].text == "the" && pair[1].text == "same")
            || behind.iter().any(|word| matches!(&*word.text, "equally" | "alike"));
        is_joined && is_even && !is_same(one.value, other.value)
    }

    /// `Anna alone thus gave more than half of it.`
    fn shares_wrongly(&self, clause: &Clause, ranked: &[Ranked<'_>]) -> bool {
        let [(_, one)] = self.ranked_in(clause, ranked)[..] else { return false };
        let words = self.texts_of(clause);
        let Some(half) = words.iter().position(|word| *word == "half") else { return false };
        let before = &words[half.saturating_sub(2)..half];
        let sum: f64 = ranked.iter().map(|one| one.value).sum();
        match before {
            [.., "over"] | ["more", "than"] => one.value * 2.0 < sum,
            [.., "under" | "below"] | ["less", "than"] => one.value * 2.0 > sum,
            _ => false,
        }
    }

    /// `30 percent in 2016, 20 in 2019 and 15 today, so it has doubled`: the figures of the reference
    /// go the other way.
    pub(super) fn goes_the_other_way(&self, context: &Context<'_>) -> Option<Loss> {
        const UP: [&str; 11] = [
            "doubled",
            "grown",
            "grew",
            "risen",
            "rose",
            "increased",
            "tripled",
            "climbed",
            "gained",
            "up",
            "bigger",
        ];
        const DOWN: [&str; 10] = [
            "halved",
            "shrunk",
            "shrank",
            "fallen",
            "fell",
            "dropped",
            "decreased",
            "declined",
            "down",
            "lost",
        ];
        let told = context.reference()?.numbers();
        let unit = told.first()?.value.unit?;
        let figures: Vec<f64> = told
            .iter()
            .filter(|said| said.value.unit == Some(unit))
            .map(|said| said.value.value)
            .collect();
        let rises = figures.windows(2).all(|pair| pair[0] < pair[1]);
        let falls = figures.windows(2).all(|pair| pair[0] > pair[1]);
        if figures.len() < 3 || rises == falls {
            return None;
        }
        let other = if rises { &DOWN[..] } else { &UP[..] };
        let clause = self.clauses.iter().find(|clause| {
            self.concludes_from_before(clause)
                && self.is_plain_statement(clause)
                && self.words_of(clause).iter().any(|word| other.contains(&&*word.text))
        })?;
        Some(loss(Cause::WrongAnswer, "the other direction", self.quote(clause)))
    }
}

/// The figures that a case wants of several things, by their names.
fn ranked(facts: &[ExpectedFact]) -> Vec<Ranked<'_>> {
    let mut found: Vec<Ranked<'_>> = Vec::new();
    let mut unit = None;
    for fact in facts {
        let ExpectedFact::Number { number, about, unit: own, .. } = fact else { continue };
        // Figures of several kinds have no order.
        if *unit.get_or_insert(own) != own {
            return Vec::new();
        }
        if let [label] = &about[..] {
            found.push(Ranked { name: word_texts(label), value: *number, label });
        }
    }
    let has_two = |label: &str| found.iter().filter(|one| one.label == label).count() > 1;
    let is_twice = found.iter().any(|one| has_two(one.label));
    if is_twice { Vec::new() } else { found }
}
