//! What a reply says about a figure, held against what the reference says about it: its bound, its
//! period, and what it goes with.

use std::ops::Range;

use toolgauge_core::{Cause, Loss};

use super::context::Context;
use super::quantity::is_year;
use super::value::Given;
use super::{Reply, loss, period};
use crate::reading::{MeasureUnit, NumberWithUnit, is_same};

/// On which side of a figure something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    AtLeast,
    AtMost,
}

/// Words in front of a figure that make it a bound, two words before one.
const BOUNDS: [(&[&str], Bound); 30] = [
    (&["at", "least"], Bound::AtLeast),
    (&["no", "less", "than"], Bound::AtLeast),
    (&["not", "less", "than"], Bound::AtLeast),
    (&["no", "fewer", "than"], Bound::AtLeast),
    (&["no", "more", "than"], Bound::AtMost),
    (&["not", "more", "than"], Bound::AtMost),
    (&["at", "most"], Bound::AtMost),
    (&["at", "the", "most"], Bound::AtMost),
    (&["up", "to"], Bound::AtMost),
    (&["more", "than"], Bound::AtLeast),
    (&["less", "than"], Bound::AtMost),
    (&["fewer", "than"], Bound::AtMost),
    (&["minimum", "of"], Bound::AtLeast),
    (&["maximum", "of"], Bound::AtMost),
    (&["floor", "of"], Bound::AtLeast),
    (&["or", "more"], Bound::AtLeast),
    (&["capped", "at"], Bound::AtMost),
    (&["cap", "of"], Bound::AtMost),
    (&["limited", "to"], Bound::AtMost),
    (&["not", "exceed"], Bound::AtMost),
    (&["minimum"], Bound::AtLeast),
    (&["maximum"], Bound::AtMost),
    (&["excess", "of"], Bound::AtLeast),
    (&["upwards", "of"], Bound::AtLeast),
    (&["over"], Bound::AtLeast),
    (&["above"], Bound::AtLeast),
    (&["exceeding"], Bound::AtLeast),
    (&["exceeds"], Bound::AtLeast),
    (&["below"], Bound::AtMost),
    (&["under"], Bound::AtMost),
];

impl Reply {
    /// What the reply says of a figure that the reference says otherwise.
    pub(super) fn at_odds(&self, context: &Context<'_>) -> Option<Loss> {
        let own = self.numbers();
        // This needs no reference, so it is asked first.
        let turned = self
            .turned_direction(&own)
            .or_else(|| self.turned_comparison(&own))
            .or_else(|| self.difference_of_equals(&own))
            .or_else(|| self.below_its_bound());
        if turned.is_some() {
            return turned;
        }
        let reference = context.reference()?;
        let known = reference.numbers();
        let wrong = own.iter().filter(|said| !said.is_set_aside).find(|said| {
            let same: Vec<&Given<NumberWithUnit>> =
                known.iter().filter(|known| is_same(known.value.value, said.value.value)).collect();
            self.is_bound_otherwise(said, reference, &same)
                || self.is_period_otherwise(said, reference, &same)
        });
        if let Some(wrong) = wrong {
            let expected = "what the reference says of it";
            let from =
                self.plain[..wrong.place.start].rfind([',', '.', ';']).map_or(0, |at| at + 1);
            let to = (wrong.place.end + 12).min(self.plain.len());
            let to = (to..=self.plain.len()).find(|at| self.plain.is_char_boundary(*at));
            let quote = self.plain.get(from..to?).unwrap_or_default().trim();
            return Some(loss(Cause::WrongAnswer, expected, quote));
        }
        self.swapped(&own, reference, &known)
    }

    fn is_bound_otherwise(
        &self,
        said: &Given<NumberWithUnit>,
        reference: &Self,
        same: &[&Given<NumberWithUnit>],
    ) -> bool {
        let Some(own) = self.bound(&said.place) else { return false };
        let known: Vec<Option<Bound>> =
            same.iter().map(|known| reference.bound(&known.place)).collect();
        // A reference may name one figure twice, with and without a bound; one that agrees is
        // enough.
        !known.is_empty() && known.iter().all(|bound| bound.is_some_and(|bound| bound != own))
    }

    /// A bound in place of the figure that was asked for: `more than 20`, `20 or more`. It is right
    /// where the question asks for one, or the reference gives one.
    pub(super) fn open_range(
        &self,
        right: &[&Given<NumberWithUnit>],
        wanted: f64,
        context: &Context<'_>,
    ) -> Option<&str> {
        const ASKING: [&str; 22] = [
            "minimum",
            "maximum",
            "least",
            "most",
            "limit",
            "limits",
            "cap",
            "capped",
            "must",
            "required",
            "require",
            "requires",
            "need",
            "needs",
            "allowed",
            "may",
            "can",
            "exceed",
            "threshold",
            "ceiling",
            "floor",
            "notice",
        ];
        let is_asked = context.question.iter().any(|word| ASKING.contains(&word.as_str()));
        let is_told = context.reference().is_some_and(|reference| {
            reference.numbers().iter().any(|known| reference.is_open(&known.place))
        });
        // A bound that rounds another figure is told apart by its own rule.
        let is_bare = |said: &&Given<NumberWithUnit>| {
            !self.is_open(&said.place) || !is_same(said.value.value, wanted)
        };
        if is_asked || is_told || right.iter().any(is_bare) {
            return None;
        }
        right.first().map(|said| self.quote(&self.clauses[said.clause]))
    }

    /// Whether words before or behind a figure leave one side of it open.
    fn is_open(&self, place: &Range<usize>) -> bool {
        let end = self.word_at(place.end);
        let text = |at: usize| self.text_at(at);
        let behind = matches!(
            (text(end), text(end + 1)),
            ("or", "more" | "above" | "over" | "greater" | "less" | "fewer" | "below" | "under")
                | ("at", "least" | "most")
                | ("and", "up")
        );
        behind || self.bound(place).is_some()
    }

    /// The bound that the words in front of a figure make of it.
    fn bound(&self, place: &Range<usize>) -> Option<Bound> {
        let at = self.word_at(place.start);
        let before = &self.words[at.saturating_sub(4)..at];
        let texts: Vec<&str> = before.iter().map(|word| word.text.as_str()).collect();
        let (words, bound) = BOUNDS.iter().find(|(words, _)| texts.ends_with(words))?;
        // `just over` rounds a figure.
        let earlier = texts.len().checked_sub(words.len() + 1).map_or("", |at| texts[at]);
        let rounds = ["just", "slightly", "little", "bit", "well", "all", "spread", "barely"];
        // `add up to` gives a sum.
        let sums = ["add", "adds", "added", "adding", "sum", "sums", "come", "comes", "totals"];
        let own_denial = matches!(words[0], "no" | "not");
        let from = at.saturating_sub(words.len());
        let clause = self.clauses.iter().find(|clause| clause.words.contains(&from));
        // `must not fall below` is a lower bound.
        let is_denied = !own_denial && clause.is_some_and(|clause| self.is_denied(clause, from));
        let bound = match (bound, is_denied) {
            (Bound::AtLeast, true) => Bound::AtMost,
            (Bound::AtMost, true) => Bound::AtLeast,
            (bound, false) => *bound,
        };
        (!rounds.contains(&earlier) && !sums.contains(&earlier)).then_some(bound)
    }

    fn is_period_otherwise(
        &self,
        said: &Given<NumberWithUnit>,
        reference: &Self,
        same: &[&Given<NumberWithUnit>],
    ) -> bool {
        let Some(own) = self.period(&said.place) else { return false };
        let known: Vec<Option<String>> =
            same.iter().map(|known| reference.period(&known.place)).collect();
        let is_known_period = period::named(&own).is_some();
        // Without a period there, a share of each thing is another figure: `$69,166 per property`.
        let is_other = |known: &Option<String>| match known {
            // `$60 each` is `$60 per form`.
            Some(known) if known == "each" || own == "each" => {
                period::named(known).is_some() || is_known_period
            }
            Some(known) => *known != own,
            None => !is_known_period,
        };
        !known.is_empty() && known.iter().all(is_other)
    }

    /// `It rose from 30 to 20 percent.`
    fn turned_direction(&self, numbers: &[Given<NumberWithUnit>]) -> Option<Loss> {
        const UP: [&str; 10] = [
            "rose",
            "increased",
            "grew",
            "raised",
            "climbed",
            "risen",
            "grown",
            "gained",
            "rise",
            "up",
        ];
        const DOWN: [&str; 10] = [
            "fell",
            "decreased",
            "dropped",
            "lowered",
            "reduced",
            "declined",
            "fallen",
            "shrank",
            "cut",
            "down",
        ];
        let wrong = numbers.windows(2).find(|pair| {
            let (from, to) = (&pair[0], &pair[1]);
            let at = self.word_at(from.place.start);
            let before: Vec<&str> = self.words[at.saturating_sub(3)..at]
                .iter()
                .map(|word| word.text.as_str())
                .collect();
            let between = &self.plain[from.place.end..to.place.start.max(from.place.end)];
            let is_span = before.last() == Some(&"from") && between.trim() == "to";
            let says = |words: &[&str]| before.iter().any(|word| words.contains(word));
            let (old, new) = (from.value.value, to.value.value);
            is_span && (says(&UP) && new < old || says(&DOWN) && new > old)
        })?;
        let place = wrong[0].place.start..wrong[1].place.end;
        Some(loss(Cause::WrongAnswer, "the other direction", &self.plain[place]))
    }

    /// `At 20.1 degrees it is below eighteen.` Both figures stand in the reply, so that nothing else is
    /// needed to refute it.
    pub(super) fn turned_comparison(&self, numbers: &[Given<NumberWithUnit>]) -> Option<Loss> {
        const ABOVE: [&str; 9] = [
            "more", "higher", "warmer", "hotter", "greater", "louder", "brighter", "larger",
            "longer",
        ];
        const BELOW: [&str; 10] = [
            "less", "lower", "colder", "cooler", "smaller", "fewer", "quieter", "dimmer", "drier",
            "shorter",
        ];
        // `$77,225 in 2025, less than the $53,112` compares the two amounts.
        let numbers: Vec<&Given<NumberWithUnit>> =
            numbers.iter().filter(|said| !is_year(&said.value)).collect();
        let wrong = numbers.windows(2).find(|pair| {
            let (one, other) = (pair[0], pair[1]);
            let from = self.word_at(one.place.end);
            let at = self.word_at(other.place.start);
            let text = |back: usize| {
                at.checked_sub(back).filter(|at| *at >= from).map_or("", |at| &self.words[at].text)
            };
            let back = 1 + usize::from(matches!(text(1), "the" | "your" | "a" | "minus"));
            let is_above = match text(back) {
                "above" | "over" | "beyond" => Some(true),
                "past" if matches!(text(back + 1), "well" | "far" | "already") => Some(true),
                "below" | "under" | "beneath" => Some(false),
                // `20.1 degrees, so not even twenty`.
                "even" | "quite" if text(back + 1) == "not" => Some(false),
                "than" if ABOVE.contains(&text(back + 1)) => Some(true),
                "than" if BELOW.contains(&text(back + 1)) => Some(false),
                _ => None,
            };
            let Some(is_above) = is_above else { return false };
            // `$75 above the $2,150` gives a difference.
            let is_short_of = matches!(text(back), "even" | "quite");
            let start = at - back - usize::from(text(back) == "than" || is_short_of);
            let gap = &self.plain[one.place.end..self.words[start].place.start];
            if start == from && !gap.contains([',', ':', ';', '.']) {
                return false;
            }
            let is_alike = match (one.value.unit, other.value.unit) {
                (Some(one), Some(other)) => one.is_alike(other),
                (_, None) => true,
                (None, Some(_)) => false,
            };
            let scale = |said: &Given<NumberWithUnit>| match (one.value.unit, said.value.unit) {
                (Some(unit), Some(own)) if own.is_alike(unit) => {
                    said.value.value * own.in_units_of(unit)
                }
                _ => said.value.value,
            };
            let is_denied = self.negators[from..start].contains(&true)
                || !is_short_of && self.negators[from..at].contains(&true);
            let near = self.clauses[other.clause].sentence - self.clauses[one.clause].sentence;
            // In the next sentence `That is more than …` speaks of the figure before.
            let follows = near == 0
                || near == 1 && {
                    let first = &self.clauses[other.clause].words;
                    matches!(self.words[first.start].text.as_str(), "that" | "this")
                };
            follows
                && is_alike
                && !is_denied
                && !one.is_rounded
                && (scale(one) > scale(other)) != is_above
                && !is_same(scale(one), scale(other))
        })?;
        let place = wrong[0].place.start..wrong[1].place.end;
        Some(loss(Cause::WrongAnswer, "the other way round", &self.plain[place]))
    }

    /// An example that stays below the bound which the reply gives: `at least $10,000. On $300,000 you
    /// would pay $6,000.`
    pub(super) fn below_its_bound(&self) -> Option<Loss> {
        let numbers = self.numbers();
        let is_example = |said: &Given<NumberWithUnit>| {
            let clause = &self.clauses[said.clause];
            let supposes = ["would", "pay", "pays", "owe", "bear", "means", "comes"];
            self.is_plain_statement(clause)
                && self.words_of(clause).iter().any(|word| supposes.contains(&&*word.text))
        };
        let is_least = |said: &Given<NumberWithUnit>| {
            let before = self.bound(&said.place);
            before == Some(Bound::AtLeast) && said.value.unit.is_some_and(MeasureUnit::is_money)
        };
        let wrong = numbers.iter().enumerate().find(|(at, said)| {
            let least = numbers[..*at].iter().find(|least| {
                is_least(least)
                    && said.value.unit == least.value.unit
                    && said.value.value < least.value.value
                    && self.clauses[said.clause].sentence > self.clauses[least.clause].sentence
            });
            // `That would be $6,000, so the minimum of $10,000 applies.`
            let is_lifted = |least: &Given<NumberWithUnit>| {
                let rest = &self.plain[said.place.end..];
                numbers[at + 1..].iter().any(|own| is_same(own.value.value, least.value.value))
                    || rest.contains("minimum")
            };
            least.is_some_and(|least| !is_lifted(least)) && is_example(said)
        })?;
        let clause = &self.clauses[wrong.1.clause];
        Some(loss(Cause::WrongAnswer, "no less than the bound", self.quote(clause)))
    }

    /// A figure that goes with a year or a name which goes with another figure in the reference.
    fn swapped(
        &self,
        own: &[Given<NumberWithUnit>],
        reference: &Self,
        known: &[Given<NumberWithUnit>],
    ) -> Option<Loss> {
        let pairs = reference.pairs(known);
        for (value, key) in self.pairs(own) {
            let with_key: Vec<f64> =
                pairs.iter().filter(|(_, other)| *other == key).map(|(value, _)| *value).collect();
            // A year says nothing about who has a figure, nor a name about when.
            let is_year = |key: &str| key.parse::<u32>().is_ok();
            let elsewhere = pairs.iter().any(|(other, name)| {
                is_same(*other, value) && *name != key && is_year(name) == is_year(&key)
            });
            let fits = with_key.iter().any(|other| is_same(*other, value));
            // All three, or it is only a figure that the reference does not have.
            if !with_key.is_empty() && elsewhere && !fits {
                return Some(loss(
                    Cause::WrongAnswer,
                    "what goes together",
                    format!("{key}: {value}"),
                ));
            }
        }
        None
    }

    /// Each figure with the years and names of its piece of a sentence, where that piece has one
    /// figure.
    fn pairs(&self, numbers: &[Given<NumberWithUnit>]) -> Vec<(f64, String)> {
        let mut pairs = Vec::new();
        for piece in self.pieces() {
            let inside: Vec<&Given<NumberWithUnit>> = numbers
                .iter()
                .filter(|number| piece.contains(&number.place.start) && !is_year(&number.value))
                .collect();
            let [number] = inside[..] else { continue };
            let dates = self.dates();
            let years = numbers
                .iter()
                .filter(|number| piece.contains(&number.place.start) && is_year(&number.value))
                .map(|number| number.value.value.to_string());
            let dated = dates
                .iter()
                .filter(|date| piece.contains(&date.place.start))
                .filter_map(|date| date.value.year.map(|year| year.to_string()));
            let names = self.names_in(&piece);
            let keys: Vec<String> = years.chain(dated).chain(names).collect();
            // With several names nobody can tell which one the figure belongs to.
            if keys.len() == 1 {
                pairs.extend(keys.into_iter().map(|key| (number.value.value, key)));
            }
        }
        pairs
    }

    /// The pieces between commas, semicolons, full stops and `and`.
    pub(super) fn pieces(&self) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut start = 0;
        for (at, word) in self.words.iter().enumerate().skip(1) {
            let gap = &self.plain[self.words[at - 1].place.end..word.place.start];
            if gap.contains([',', ';', '.', ':', '(', ')', '?', '!']) || word.text == "and" {
                pieces.push(start..word.place.start);
                start = word.place.start;
            }
        }
        pieces.push(start..self.plain.len());
        pieces
    }

    /// Words with a capital letter inside a piece that do not begin it, one after the other
    /// joined.
    fn names_in(&self, piece: &Range<usize>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut last = None;
        for (at, word) in self.words.iter().enumerate() {
            if !piece.contains(&word.place.start) || !self.is_capital(at) {
                continue;
            }
            match names.last_mut() {
                Some(name) if last == Some(at.wrapping_sub(1)) => {
                    name.push(' ');
                    name.push_str(&word.text);
                }
                _ => names.push(word.text.clone()),
            }
            last = Some(at);
        }
        names
    }

    /// Whether a word is written with a capital letter and is no month.
    pub(super) fn is_capital(&self, at: usize) -> bool {
        let word = &self.words[at];
        let is_month = toolgauge_core::english::MONTHS.contains(&word.text.as_str());
        !is_month
            && word.text != "i"
            && !super::plain_words::is_function_word(&word.text)
            && self.plain[word.place.clone()].starts_with(char::is_uppercase)
    }
}
