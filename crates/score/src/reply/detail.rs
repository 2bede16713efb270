//! Details beside the answer to a question: days, names, conclusions, and values that belong to
//! something else.

use std::ops::Range;

use serde_json::Value;
use toolgauge_core::{Cause, ExpectedFact, Loss, WorldThing, english};

use super::clause::Clause;
use super::context::Context;
use super::plain_words::{is_function_word, is_number_word};
use super::sorts::{KINDS, kinds_of};
use super::value::Given;
use super::words::word_texts;
use super::{Reply, loss};
use crate::reading::{Date, NumberWithUnit, is_same, stem};

impl Reply {
    /// A detail that is not so or that nobody can know.
    pub(super) fn wrong_detail(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        self.wrong_day(context)
            .or_else(|| self.wrong_label(context))
            .or_else(|| self.other_number(context))
            .or_else(|| self.wrong_owner(context))
            .or_else(|| self.other_list(facts))
            .or_else(|| self.misplaced_thing(context))
            .or_else(|| self.other_appointment(context))
            .or_else(|| self.unknown_name(facts, context))
            .or_else(|| self.wild_conclusion(facts, context))
    }

    /// What a reply adds to common knowledge or to what the home has that takes the answer back.
    pub(crate) fn taken_back(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        self.other_list(facts)
            .or_else(|| self.contrasted_name(facts, context))
            .or_else(|| self.thing_of_other_kind(context))
            .or_else(|| self.misplaced_thing(context))
    }

    /// Another name as the real answer: `Lisbon, although it is really Porto.`
    fn contrasted_name(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let wanted = facts
            .iter()
            .any(|fact| matches!(fact, ExpectedFact::Phrase { .. } | ExpectedFact::One { .. }));
        // The JSON of the facts holds every accepted name, whatever the kind of fact.
        let written = serde_json::to_string(facts).unwrap_or_default().to_lowercase();
        let is_contrast = |clause: &&Clause| {
            let words = self.words_of(clause);
            let first = words.first().map_or("", |word| word.text.as_str());
            let insists = |word: &super::Word| {
                matches!(word.text.as_str(), "really" | "actually" | "rather" | "correctly")
            };
            matches!(first, "but" | "although" | "though" | "however" | "no" | "actually")
                || words.iter().any(insists)
        };
        let other = |at: &usize| {
            let word = self.words[*at].text.as_str();
            self.is_capital(*at)
                && !context.question.iter().any(|asked| asked == word)
                && !written.contains(word)
        };
        let clauses = self.clauses.iter().skip(1).filter(is_contrast);
        let found = clauses
            .filter(|clause| !self.has_denial(clause))
            .find_map(|clause| clause.words.clone().skip(1).find(other))?;
        wanted.then(|| loss(Cause::WrongAnswer, "one answer", self.words[found].text.as_str()))
    }

    /// `Yes, the dishwasher is running` where the washing machine is, and there is no dishwasher.
    pub(super) fn unknown_appliance(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let is_known = |noun: &str| {
            context.all_texts().any(|text| text.to_lowercase().contains(noun))
                || context.named_things().any(|(thing, names)| {
                    kinds_of(thing).contains(&noun) || names.iter().flatten().any(|own| own == noun)
                })
        };
        let plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let named = plain.flat_map(|clause| self.words_of(clause).windows(3)).find(|three| {
            let noun = three[1].text.as_str();
            three[0].text == "the"
                && KINDS.appliances.contains(noun)
                && matches!(&*three[2].text, "is" | "has" | "was")
                && !is_known(noun)
        })?;
        Some(loss(Cause::FalseClaim, "what there is", named[1].text.as_str()))
    }

    /// `Yes, the air purifier` where a humidifier was asked for.
    fn thing_of_other_kind(&self, context: &Context<'_>) -> Option<Loss> {
        let asked = &context.question;
        let asks = context.asks_for_existence();
        let article = asked.iter().position(|word| matches!(word.as_str(), "a" | "an" | "any"))?;
        let noun = asked[article + 1..]
            .iter()
            .take_while(|word| !matches!(word.as_str(), "in" | "at" | "on" | "for" | "near"))
            .last()?;
        let is_kind = |thing: &toolgauge_core::WorldThing| {
            let own = |word: &str| word == noun || stem(word) == stem(noun);
            thing.names.iter().flat_map(|name| WorldThing::words_of(name)).any(|word| own(&word))
                || own(thing.kind())
                || thing.class().is_some_and(own)
                || kinds_of(thing).iter().any(|kind| own(kind))
        };
        // Behind `no camera` anything else may be told that is there.
        let asks = asks && !self.clauses.iter().any(|clause| self.has_denial(clause));
        let clause = self.clauses.iter().filter(|_| asks).find(|clause| {
            let named = self.things_named(clause, context);
            let says_noun = self.words_of(clause).iter().any(|word| stem(&word.text) == stem(noun));
            !clause.is_question
                && !self.has_denial(clause)
                && !says_noun
                && !named.is_empty()
                && !named.iter().any(|thing| is_kind(thing))
        });
        let elsewhere = || {
            let mut plain = self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
            plain.find(|clause| asks && self.names_things_elsewhere(clause, context))
        };
        let clause = clause.or_else(elsewhere)?;
        Some(loss(Cause::FalseClaim, noun.as_str(), self.quote(clause)))
    }

    /// A date that nothing tells of, or whose day of the week is another.
    fn wrong_day(&self, context: &Context<'_>) -> Option<Loss> {
        let today = context.today?;
        let wrong = self.dates().into_iter().find(|said| {
            let date = Date { year: said.value.year.or(today.year), ..said.value };
            let is_known = context.supports_date(said.value) || context.supports_date(date);
            !said.is_set_aside && (!is_known || self.has_other_weekday(said, date))
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }

    /// Whether a day of the week beside a date is not its own: `Friday 23 November`.
    fn has_other_weekday(&self, said: &Given<Date>, date: Date) -> bool {
        let at = self.word_at(said.place.start);
        let beside = self.text_before(at, 1);
        let named = english::WEEKDAYS.iter().position(|name| *name == beside);
        // `December 25th, a Wednesday`.
        let end = self.word_at(said.place.end);
        let behind = || match self.words.get(end..end + 2)? {
            [article, day] if article.text == "a" => {
                english::WEEKDAYS.iter().position(|name| *name == day.text)
            }
            _ => None,
        };
        let named = named.or_else(behind);
        match (named, super::day::weekday_of(date)) {
            (Some(named), Some(own)) => named != own,
            _ => false,
        }
    }

    /// A value under the name of another one that was returned: `a low of 14 and a high of 6`.
    fn wrong_label(&self, context: &Context<'_>) -> Option<Loss> {
        let mut labelled: Vec<(String, f64)> = Vec::new();
        for text in context.returned_texts() {
            if let Ok(value) = serde_json::from_str::<Value>(text) {
                collect(&value, "", &mut labelled);
            }
        }
        // With many keys a word before a number is one of them by accident.
        if labelled.len() > 12 {
            return None;
        }
        let numbers = self.numbers();
        let wrong = numbers.iter().find(|said| {
            let at = self.word_at(said.place.start);
            let from = at.saturating_sub(3);
            let label = self.words[from..at].iter().rev().find_map(|word| {
                let same = labelled.iter().filter(|(key, _)| *key == word.text);
                let values: Vec<f64> = same.map(|(_, value)| *value).collect();
                (!values.is_empty()).then_some(values)
            });
            let told = |value: &f64| {
                (value - said.value.value).abs() < 0.51
                    || (value * 100.0 - said.value.value).abs() < 0.51
            };
            label.is_some_and(|values| !values.iter().any(told))
        })?;
        let place = wrong.place.clone();
        Some(loss(Cause::WrongAnswer, "what was looked up", &self.plain[place]))
    }

    /// A value said of a place or a thing that has another: `the kitchen at 19.5`.
    fn wrong_owner(&self, context: &Context<'_>) -> Option<Loss> {
        let numbers = self.numbers();
        for (said, span) in self.numbers_with_words(&numbers) {
            let words: Vec<&str> = self
                .words
                .iter()
                .filter(|word| span.contains(&word.place.start))
                .map(|word| word.text.as_str())
                .collect();
            let in_area = |area: &String| {
                let name = WorldThing::words_of(area);
                !name.is_empty()
                    && words.windows(name.len()).any(|window| {
                        window.iter().zip(&name).all(|(word, name)| *word == name.as_str())
                    })
            };
            // Small whole numbers count things or tell times, and many things have them as values.
            if said.value.value < 13.0 && said.value.value.fract() == 0.0 {
                continue;
            }
            let owned: Vec<f64> = context
                .things
                .iter()
                .filter(|thing| {
                    thing.place_names().iter().any(in_area) || thing.names.iter().any(in_area)
                })
                .flat_map(|thing| values(&thing.state, &thing.attributes))
                .collect();
            let near = |value: &f64| (value - said.value.value).abs() < 0.51;
            let is_asked =
                context.question.iter().any(|word| *word == self.plain[said.place.clone()]);
            let elsewhere = context
                .things
                .iter()
                .flat_map(|thing| values(&thing.state, &thing.attributes))
                .any(|value| is_same(value, said.value.value));
            // A number that another thing really has was mixed up, and one with decimals was measured;
            // any other is judged elsewhere.
            let is_measured = said.value.value.fract() != 0.0;
            let is_value = elsewhere || is_measured;
            if !owned.is_empty() && !owned.iter().any(near) && is_value && !is_asked {
                let place = said.place.clone();
                return Some(loss(Cause::FalseClaim, "its own value", &self.plain[place]));
            }
        }
        None
    }

    /// Each number with the part of its piece that speaks of it: all of it where it is the only
    /// one, else what follows it. In `21.3 against 19.5 in the living room` the room belongs to the
    /// second.
    fn numbers_with_words<'n>(
        &self,
        numbers: &'n [Given<NumberWithUnit>],
    ) -> Vec<(&'n Given<NumberWithUnit>, Range<usize>)> {
        let mut found = Vec::new();
        for piece in self.pieces() {
            let inside: Vec<&Given<NumberWithUnit>> =
                numbers.iter().filter(|said| piece.contains(&said.place.start)).collect();
            match inside[..] {
                [said] if !said.is_set_aside => found.push((said, piece)),
                [_] => {}
                _ => {
                    let ends = inside.iter().skip(1).map(|next| next.place.start);
                    let spans = inside.iter().zip(ends.chain([piece.end]));
                    found.extend(spans.map(|(said, end)| (*said, said.place.start..end)));
                }
            }
        }
        found
    }

    /// A number of things, and a list of another length behind it: `Two: A, B and C.`
    pub(super) fn other_list(&self, facts: &[ExpectedFact]) -> Option<Loss> {
        let counts = |fact: &ExpectedFact| matches!(fact, ExpectedFact::Number { unit: None, .. });
        if !facts.iter().any(counts) {
            return None;
        }
        let clauses = &self.plain;
        let (head, list) = clauses.split_once(": ").or_else(|| clauses.split_once(" : "))?;
        let head = Self::read(head);
        let [count] = &head.numbers()[..] else { return None };
        // A year or an amount of money counts no items.
        if count.value.unit.is_some() || count.value.value > 20.0 {
            return None;
        }
        let list = list.split(['.', ';', '\n']).next().unwrap_or_default();
        let items: Vec<&str> =
            list.split(',').flat_map(|part| part.split(" and ")).map(str::trim).collect();
        let items = items.into_iter().filter(|item| !item.is_empty());
        let is_item = |item: &str| {
            item.split_whitespace().count() <= 5
                && !item.split_whitespace().any(|word| matches!(word, "is" | "are" | "was" | "has"))
        };
        let plain: Vec<&str> = items.collect();
        let is_list = plain.len() > 1 && plain.iter().all(|item| is_item(item));
        #[expect(clippy::cast_precision_loss, reason = "a handful of items")]
        let other = is_list && !is_same(plain.len() as f64, count.value.value);
        other.then(|| loss(Cause::WrongAnswer, count.value.value, list))
    }

    /// A conclusion in words that neither the question nor what was looked up has: `so it is
    /// thawing`.
    fn wild_conclusion(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let mut words = self.words_of(clause).iter().map(|word| word.text.as_str());
            self.is_conclusion(clause)
                && !self.advises(clause)
                && !self.compares(clause)
                && !self.supposes(clause)
                && !self.names_the_answer(clause, facts)
                && !self.offers(clause)
                && words.any(|word| word.len() > 2 && !is_supported(word, facts, context))
        })?;
        Some(loss(Cause::UnsupportedClaim, "what follows from it", self.quote(clause)))
    }

    /// `So it may be unplugged.`
    fn supposes(&self, clause: &Clause) -> bool {
        let is_open = |text: &str| matches!(text, "may" | "might" | "could" | "probably");
        self.is_hedged(clause) || self.words_of(clause).iter().any(|word| is_open(&word.text))
    }

    /// Whether a clause compares with something else, which is read elsewhere: `so it is milder than
    /// Oslo`.
    fn compares(&self, clause: &Clause) -> bool {
        self.words_of(clause).iter().any(|word| word.text == "than")
    }

    /// Whether a clause says what follows for the thing itself (`so it is thawing`), or gives a
    /// reason. What follows for others is told by people who know more than a home does: `so the
    /// heat is getting out`.
    fn is_conclusion(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let concludes = matches!(text(0), "so" | "therefore" | "thus" | "hence")
            && matches!(
                text(1),
                "it" | "they" | "he" | "she" | "anyone" | "anybody" | "pretty" | "quite" | "very"
            )
            && !self.has_denial(clause);
        (concludes || text(0) == "because") && !clause.is_question
    }

    /// Whether a conclusion says what somebody should do, which follows from anything.
    fn advises(&self, clause: &Clause) -> bool {
        const ADVICE: [&str; 23] = [
            "take", "bring", "wear", "better", "put", "mind", "dress", "i", "leave", "go", "set",
            "start", "allow", "plan", "expect", "keep", "make", "grab", "pack", "no", "not",
            "maybe", "perhaps",
        ];
        let words = self.words_of(clause);
        words.get(1).is_some_and(|word| ADVICE.contains(&word.text.as_str()))
            || words.iter().any(|word| matches!(word.text.as_str(), "you" | "your"))
    }

    fn names_the_answer(&self, clause: &Clause, facts: &[ExpectedFact]) -> bool {
        facts.iter().any(|fact| match fact {
            ExpectedFact::One { one, .. } => {
                one.iter().any(|name| !self.places_within(clause, name).is_empty())
            }
            _ => false,
        })
    }
}

/// The longest text, in words, that supports a conclusion by its words. A whole home read aloud holds
/// nearly any word.
const MOST_WORDS: usize = 250;

/// Whether a word may stand in a conclusion: it is said in the request, in the answer, in what was
/// looked up or in the names of things, or could be said of anything.
fn is_supported(word: &str, facts: &[ExpectedFact], context: &Context<'_>) -> bool {
    let stemmed = stem(word);
    let is_same_word = |other: &String| *other == word || stem(other) == stemmed;
    let is_in_facts = || {
        facts.iter().any(|fact| {
            let written = serde_json::to_string(fact).unwrap_or_default().to_lowercase();
            written.contains(&stemmed)
        })
    };
    let names_a_thing = || {
        context.things.iter().any(|thing| {
            let names = thing.names.iter().chain(thing.place_names());
            let same = |name: &String| {
                // `charging` and `charger` are of one stem, which the stemmer does not tell.
                name == word || word.len() > 5 && word.get(..5) == name.get(..5)
            };
            names.flat_map(|name| WorldThing::words_of(name)).any(|name| same(&name))
        })
    };
    let is_looked_up = || {
        context.sources().any(|text| {
            let words = word_texts(text);
            words.len() <= MOST_WORDS && words.iter().any(is_same_word)
        })
    };
    context.request().iter().any(is_same_word)
        || is_function_word(word)
        || super::plain_words::is_common(word)
        || super::pattern::is_act(word, 0)
        || super::pattern::is_act(word, 1)
        || word.starts_with(|c: char| c.is_ascii_digit())
        || is_number_word(word)
        || crate::reading::unit_named(word).is_some()
        || is_in_facts()
        || names_a_thing()
        || is_looked_up()
}

/// The numbers of a returned value with each word of their keys.
fn collect(value: &Value, key: &str, into: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => {
            let words = key.split('_').filter(|word| word.len() > 2);
            into.extend(words.filter_map(|word| Some((word.to_lowercase(), number.as_f64()?))));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, key, into)),
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| collect(value, key, into));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The numbers of a thing as people tell them.
pub(super) fn values(state: &str, attributes: &serde_json::Map<String, Value>) -> Vec<f64> {
    let mut found: Vec<f64> = state.parse::<f64>().into_iter().collect();
    for (name, value) in attributes {
        if let Some(number) = value.as_f64() {
            found.push(told_value(name, number));
        }
    }
    found
}

/// A property of a thing as people tell it: shares of a whole in percent.
pub(super) fn told_value(property: &str, value: f64) -> f64 {
    match property {
        "brightness" => value / 255.0 * 100.0,
        "volume_level" => value * 100.0,
        _ => value,
    }
}
