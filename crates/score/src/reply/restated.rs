//! A figure that is told again in rounder words, which must fit it: `42.2 kilometres, so just under 40`.

use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::context::Context;
use super::value::Given;
use super::words::Word;
use super::{Reply, loss};
use crate::reading::{MeasureUnit, NumberWithUnit, is_same, unit_named};

/// How a round figure stands to the exact one, by the words in front of it.
#[derive(Clone, Copy)]
enum Relation {
    Below,
    JustBelow,
    Above,
    JustAbove,
    Equal,
    Near,
}

impl Relation {
    /// Whether an exact figure stands so to a round one.
    fn holds(self, exact: f64, round: f64) -> bool {
        let size = round.abs();
        // A figure that is itself rounded may reach the bound.
        let slack = 0.004 * size;
        match self {
            Self::Below => exact < round + slack,
            Self::JustBelow => exact < round + slack && exact > round - 0.3 * size,
            Self::Above => exact > round - slack,
            Self::JustAbove => exact > round - slack && exact < round + 0.3 * size,
            Self::Equal => (exact - round).abs() <= 0.02 * size,
            Self::Near => (exact - round).abs() <= 0.1 * size,
        }
    }
}

const RELATIONS: [(&[&str], Relation); 35] = [
    (&["just", "under"], Relation::JustBelow),
    (&["bit", "under"], Relation::JustBelow),
    (&["little", "under"], Relation::JustBelow),
    (&["slightly", "under"], Relation::JustBelow),
    (&["just", "below"], Relation::JustBelow),
    (&["slightly", "below"], Relation::JustBelow),
    (&["little", "less", "than"], Relation::JustBelow),
    (&["bit", "less", "than"], Relation::JustBelow),
    (&["slightly", "less", "than"], Relation::JustBelow),
    (&["just", "short", "of"], Relation::JustBelow),
    (&["nearly"], Relation::JustBelow),
    (&["almost"], Relation::JustBelow),
    (&["not", "quite"], Relation::JustBelow),
    (&["not", "even"], Relation::Below),
    (&["less", "than"], Relation::Below),
    (&["fewer", "than"], Relation::Below),
    (&["under"], Relation::Below),
    (&["below"], Relation::Below),
    (&["just", "over"], Relation::JustAbove),
    (&["bit", "over"], Relation::JustAbove),
    (&["little", "over"], Relation::JustAbove),
    (&["slightly", "over"], Relation::JustAbove),
    (&["just", "above"], Relation::JustAbove),
    (&["little", "more", "than"], Relation::JustAbove),
    (&["bit", "more", "than"], Relation::JustAbove),
    (&["slightly", "more", "than"], Relation::JustAbove),
    (&["more", "than"], Relation::Above),
    (&["over"], Relation::Above),
    (&["above"], Relation::Above),
    (&["exactly"], Relation::Equal),
    (&["precisely"], Relation::Equal),
    (&["a", "good"], Relation::JustAbove),
    (&["roughly"], Relation::Near),
    (&["about"], Relation::Near),
    (&["around"], Relation::Near),
];

/// Comparatives before `than` that say more or less of a figure.
const LARGER: [&str; 8] =
    ["hotter", "warmer", "higher", "longer", "heavier", "greater", "larger", "farther"];
const SMALLER: [&str; 8] =
    ["colder", "cooler", "lower", "shorter", "lighter", "smaller", "milder", "less"];

/// A round figure in a reply, and how the one before it should stand to it.
struct Round {
    relation: Relation,
    number: NumberWithUnit,
    /// The numbers of the first word of the relation and of the first one of the figure.
    from: usize,
    at: usize,
}

impl Reply {
    /// A figure that is told again in rounder words which do not fit it: `23 minutes, so more than
    /// half an hour`, `1.13 kg, so not even a full kilo`.
    pub(super) fn restated_amiss(&self) -> Option<Loss> {
        let numbers = self.numbers_with_lengths();
        let wrong = self.rounds(&numbers).into_iter().find(|round| {
            let place = self.words[round.from].place.start;
            let before: Vec<&Given<NumberWithUnit>> =
                numbers.iter().filter(|said| said.place.end <= place).collect();
            let mut exact = before
                .iter()
                .filter(|said| self.is_restated(said, round))
                .filter_map(|said| in_unit_of(&said.value, &round.number))
                .peekable();
            exact.peek().is_some()
                && exact.all(|exact| !round.relation.holds(exact, round.number.value))
        })?;
        let end = (wrong.at + 2).min(self.words.len()) - 1;
        let place = self.words[wrong.from].place.start..self.words[end].place.end;
        Some(loss(Cause::WrongAnswer, "what the figure says", &self.plain[place]))
    }

    /// The figures behind words such as `just under`.
    fn rounds(&self, numbers: &[Given<NumberWithUnit>]) -> Vec<Round> {
        let text = |at: usize| self.words.get(at).map_or("", |word| word.text.as_str());
        let relation_at = |from: usize| {
            let says = |words: &[&str]| words.iter().enumerate().all(|(n, w)| text(from + n) == *w);
            let listed = RELATIONS.iter().find(|(words, _)| says(words));
            let listed = listed.map(|(words, relation)| (*relation, words.len()));
            listed.or_else(|| match (text(from), text(from + 1)) {
                (word, "than") if LARGER.contains(&word) => Some((Relation::Above, 2)),
                (word, "than") if SMALLER.contains(&word) => Some((Relation::Below, 2)),
                _ => None,
            })
        };
        let mut found = Vec::new();
        let mut from = 0;
        while from < self.words.len() {
            let Some((relation, taken)) = relation_at(from) else {
                from += 1;
                continue;
            };
            let at = from + taken;
            if let Some(number) = self.figure_at(at, numbers) {
                found.push(Round { relation, number, from, at });
            }
            from = at;
        }
        found
    }

    /// The figure that begins with a word: `40`, `half an hour`, `a full kilo`.
    fn figure_at(&self, at: usize, numbers: &[Given<NumberWithUnit>]) -> Option<NumberWithUnit> {
        let start = self.words.get(at)?.place.start;
        if let Some(said) = numbers.iter().find(|said| said.place.start == start) {
            return Some(said.value);
        }
        let text = |at: usize| self.words.get(at).map_or("", |word| word.text.as_str());
        let full = usize::from(matches!(text(at + 1), "full" | "whole" | "single"));
        // `A good hour`.
        if at > 1 && text(at - 1) == "good" && text(at - 2) == "a" {
            let unit = unit_named(text(at));
            return unit.map(|_| NumberWithUnit { unit, ..NumberWithUnit::plain(1.0) });
        }
        if !matches!(text(at), "a" | "an" | "one") {
            return None;
        }
        let behind = text(at + 1 + full);
        let is_end = behind.is_empty() || self.begins_clause(at + 1 + full);
        let unit = unit_named(behind);
        (unit.is_some() || text(at) == "one" && is_end)
            .then(|| NumberWithUnit { unit, ..NumberWithUnit::plain(1.0) })
    }

    fn begins_clause(&self, at: usize) -> bool {
        self.clauses.iter().any(|clause| clause.words.start == at)
    }

    /// Whether a round figure tells an earlier one again: it stands behind `so`, `that is` or
    /// `which is`, or right behind it.
    fn is_restated(&self, said: &Given<NumberWithUnit>, round: &Round) -> bool {
        let sentence = |at: usize| {
            let own = self.clauses.iter().find(|clause| clause.words.contains(&at));
            own.map(|clause| (clause.sentence, clause.is_question, clause.words.start))
        };
        let Some((own, is_question, head)) = sentence(round.from) else { return false };
        let start = self.words.partition_point(|word| word.place.start < said.place.end);
        let Some((before, ..)) = sentence(start.saturating_sub(1)) else { return false };
        let between = &self.words[start.min(round.from)..round.from];
        let behind = self.words.iter().skip(round.at).take(8);
        let is_other_figure = between.iter().chain(behind).any(|word| {
            matches!(&*word.text, "all" | "together" | "total" | "both" | "each" | "another")
        });
        // `So nobody waits longer than ten minutes` speaks of something else.
        let own_words = &self.words[head.max(start)..round.from];
        let is_plain = own_words.iter().all(is_filler);
        let links = |pair: &[Word]| {
            matches!(
                (&*pair[0].text, &*pair[1].text),
                ("that" | "which" | "this", "is" | "makes" | "means") | ("it", "is")
            )
        };
        let first = self.words.get(head).map_or("", |word| word.text.as_str());
        let is_linked = matches!(first, "so" | "therefore" | "hence" | "meaning")
            || self.words.get(head..head + 2).is_some_and(links);
        let is_right_behind = own == before
            && between.iter().all(|word| is_filler(word) || is_unit(&word.text))
            && self.plain[said.place.end..self.words[round.from].place.start].contains([',', ':']);
        let is_near = own == before && is_linked
            || own == before + 1 && is_linked && first != "it"
            || is_right_behind;
        !is_question && !is_other_figure && is_plain && is_near
    }

    /// `There are fewer kilometres than miles in it` for 42.2 kilometres and 26.2 miles; `a pound is
    /// heavier than a kilo`.
    pub(super) fn units_turned(&self) -> Option<Loss> {
        let numbers = self.numbers();
        let is_article = |word: &str| matches!(word, "a" | "an" | "one");
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let unit = |at: usize| unit_named(words.get(at).copied().unwrap_or_default());
            let counted = |at: usize| {
                let unit = unit(at)?;
                let mut own = numbers.iter().filter(|said| said.value.unit == Some(unit));
                own.next().map(|said| said.value.value)
            };
            let compared = |at: usize| {
                let is_more = match words[at - 1] {
                    "fewer" | "less" => false,
                    "more" => true,
                    _ => return false,
                };
                let (Some(one), Some(other)) = (counted(at), counted(at + 2)) else { return false };
                words.get(at + 1) == Some(&"than") && (one > other) != is_more
            };
            let sized = |at: usize| {
                let is_more = match words[at] {
                    word if LARGER.contains(&word) || word == "bigger" => true,
                    word if SMALLER.contains(&word) => false,
                    _ => return false,
                };
                let is_than = words.get(at + 1) == Some(&"than")
                    && at > 2
                    && words[at - 1] == "is"
                    && is_article(words[at - 3])
                    && words.get(at + 2).is_some_and(|word| is_article(word));
                let (true, Some(one), Some(other)) = (is_than, unit(at - 2), unit(at + 3)) else {
                    return false;
                };
                one.is_alike(other) && (one.in_units_of(other) > 1.0) != is_more
            };
            self.is_plain_statement(clause)
                && ((1..words.len()).any(compared) || (3..words.len()).any(sized))
        })?;
        Some(loss(Cause::WrongAnswer, "the other way round", self.quote(clause)))
    }

    /// The figure that was to be converted with the unit that it should get: `so turn the dial to
    /// 350 °C` for 350 °F.
    pub(super) fn unconverted(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let asked = Self::read(&context.said().collect::<Vec<&str>>().join(" ")).numbers();
        let wanted = wanted_with_units(facts);
        let wrong = self.numbers().into_iter().find(|said| {
            let Some(unit) = said.value.unit else { return false };
            let is_asked = |own: &Given<NumberWithUnit>| {
                is_same(own.value.value, said.value.value)
                    && own.value.unit.is_some_and(|own| own != unit)
            };
            let is_wanted = |(number, own): &(f64, MeasureUnit)| {
                *own == unit && (number - said.value.value).abs() <= 0.1 * number.abs()
            };
            !said.is_set_aside
                && wanted.iter().any(|(_, own)| *own == unit)
                && !wanted.iter().any(is_wanted)
                && asked.iter().any(is_asked)
                && self.is_plain_statement(&self.clauses[said.clause])
        })?;
        Some(loss(Cause::WrongAnswer, "the converted figure", &self.plain[wrong.place]))
    }
}

/// The numbers that a right answer holds, with the units that they are asked in.
fn wanted_with_units(facts: &[ExpectedFact]) -> Vec<(f64, MeasureUnit)> {
    let mut found = Vec::new();
    for fact in facts {
        match fact {
            ExpectedFact::Number { number, unit, .. } => {
                let unit = unit.as_deref().map(super::words::plain);
                let unit = unit.and_then(|unit| unit_named(unit.trim()));
                found.extend(unit.map(|unit| (*number, unit)));
            }
            ExpectedFact::AnyOf(ways) => found.extend(wanted_with_units(ways)),
            _ => {}
        }
    }
    found
}

/// An exact figure in the unit of a round one; none if they measure different things.
fn in_unit_of(exact: &NumberWithUnit, round: &NumberWithUnit) -> Option<f64> {
    match (exact.unit, round.unit) {
        (Some(own), Some(other)) if own == other => Some(exact.value),
        // Degrees have no common zero.
        (Some(own), Some(other)) if own.is_alike(other) && !is_temperature(own) => {
            Some(exact.value * own.in_units_of(other))
        }
        (Some(_) | None, None) => Some(exact.value),
        _ => None,
    }
}

fn is_temperature(unit: MeasureUnit) -> bool {
    unit_named("celsius").is_some_and(|celsius| celsius.is_alike(unit))
        || unit_named("degrees").is_some_and(|degrees| degrees.is_alike(unit))
}

/// Words that may stand between `so` and a figure told again.
fn is_filler(word: &Word) -> bool {
    matches!(
        &*word.text,
        "so" | "that"
            | "this"
            | "which"
            | "it"
            | "is"
            | "means"
            | "makes"
            | "a"
            | "good"
            | "well"
            | "only"
            | "just"
            | "still"
            | "in"
            | "other"
            | "words"
            | "or"
            | "and"
            | "little"
            | "bit"
            | "hence"
            | "therefore"
            | "meaning"
            | "even"
            | "much"
            | "far"
            | "quite"
            | "by"
            | "you"
            | "need"
            | "needs"
            | "takes"
            | "take"
            | "lasts"
    )
}

fn is_unit(word: &str) -> bool {
    unit_named(word).is_some() || matches!(word, "degrees" | "celsius" | "fahrenheit" | "hours")
}
