//! What an answer adds to what was asked for: figures, dates and names that nothing supports, and
//! conclusions that contradict it.

use std::collections::HashSet;
use std::rc::Rc;

use toolgauge_core::{Cause, ExpectedFact, Loss, english};

use super::context::Context;
use super::plain_words::{is_common, is_function_word, is_number_word};
use super::value::Given;
use super::words::book_stem;
use super::{Reply, Word, loss};
use crate::reading::{Date, MeasureUnit, NumberWithUnit, is_same, stem};

impl Reply {
    /// What a reply adds that nothing behind it supports.
    pub(super) fn added(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        context.reference()?;
        self.other_list(facts)
            .or_else(|| self.opposed(context))
            .or_else(|| self.wrong_side_of_today(context))
            .or_else(|| self.other_period(context))
            .or_else(|| self.other_time(context))
            .or_else(|| self.unsupported_date(facts, context))
            .or_else(|| self.other_count(context))
            .or_else(|| self.other_measure(context))
            .or_else(|| self.other_year(context))
            .or_else(|| self.act_in_answer())
            .or_else(|| self.silent_document(facts, context))
            .or_else(|| self.outdone(context))
            .or_else(|| self.turned_at_the_end(facts))
            .or_else(|| self.turned_conclusion(facts, context))
            .or_else(|| self.misranked(facts))
            .or_else(|| self.goes_the_other_way(context))
            .or_else(|| self.wrong_age(facts, context))
            .or_else(|| self.other_year_of_a_day(context))
            .or_else(|| self.miscounted_list(context))
            .or_else(|| self.against_books(facts, context))
    }

    /// Another period than was asked for: another year of the same month, a half for a quarter.
    fn other_period(&self, context: &Context<'_>) -> Option<Loss> {
        let question = Self::read(&context.question.join(" "));
        let asked = question.dates();
        let wrong = self.dates().into_iter().find(|said| {
            let is_other = |asked: &Date| {
                asked.month.is_some()
                    && asked.month == said.value.month
                    && asked.year.is_some()
                    && said.value.year.is_some()
                    && asked.year != said.value.year
            };
            asked.iter().any(|asked| is_other(&asked.value)) && !context.supports_date(said.value)
        });
        if let Some(wrong) = wrong {
            return Some(loss(
                Cause::WrongAnswer,
                "the period asked for",
                &self.plain[wrong.place],
            ));
        }
        let period = |words: &[String]| {
            let short = words.iter().find_map(|word| match word.as_str() {
                "q1" => Some("first quarter".to_owned()),
                "q2" => Some("second quarter".to_owned()),
                "q3" => Some("third quarter".to_owned()),
                "q4" => Some("fourth quarter".to_owned()),
                _ => None,
            });
            short.or_else(|| {
                words.windows(2).find_map(|pair| {
                    let is_place =
                        matches!(pair[0].as_str(), "first" | "second" | "third" | "fourth");
                    let is_part = matches!(pair[1].as_str(), "half" | "quarter");
                    (is_place && is_part).then(|| pair.join(" "))
                })
            })
        };
        // Another period may be offered instead.
        let told_of = self.clauses.iter().filter(|own| !own.is_question && !self.offers(own));
        let own = told_of.flat_map(|own| self.words_of(own)).map(|word| word.text.clone());
        let own: Vec<String> = own.collect();
        // A question that names no period may have an answer that does.
        let told = || {
            let words = context.reference()?.words.iter().map(|word| word.text.clone());
            period(&words.collect::<Vec<String>>())
        };
        let (asked, said) = (period(&context.question).or_else(told)?, period(&own)?);
        (asked != said).then(|| loss(Cause::WrongAnswer, asked, said))
    }

    /// Another time of day than those of the reference, where it has any.
    fn other_time(&self, context: &Context<'_>) -> Option<Loss> {
        let known = context.reference()?.times();
        let told = self.times();
        let sentence = |clause: usize| self.clauses[clause].sentence;
        let is_known =
            |minutes: u32| known.iter().any(|time| minutes % 720 == time.value.minutes % 720);
        // In a sentence of its own a time is told of something else.
        let is_beside = |said: &super::value::Given<super::value::TimeOfDay>| {
            let mut right = told.iter().filter(|other| is_known(other.value.minutes)).peekable();
            right.peek().is_none()
                || right.any(|other| sentence(other.clause) == sentence(said.clause))
        };
        let wrong = told.iter().filter(|said| is_beside(said)).find(|said| {
            !known.iter().any(|time| {
                let same = |minutes: u32| minutes == time.value.minutes;
                same(said.value.minutes)
                    || said.value.either_half && same((said.value.minutes + 720) % 1440)
            })
        })?;
        (!known.is_empty())
            .then(|| loss(Cause::WrongAnswer, "the time", &self.plain[wrong.place.clone()]))
    }

    /// A date that nothing tells of, where dates or documents are asked for. Elsewhere it may be a
    /// detail that the subject knows from another look.
    fn unsupported_date(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let is_asked = |fact: &ExpectedFact| {
            matches!(fact, ExpectedFact::Date { .. } | ExpectedFact::Set { .. })
        };
        if !facts.iter().any(is_asked) {
            return None;
        }
        let wanted = super::judge::dates(facts);
        // With several days wanted, one that is wrong stands beside some other by accident.
        let is_beside = |said: Date| match wanted[..] {
            [wanted] => super::day::stands_beside(said, wanted, context),
            _ => false,
        };
        let wrong = self.dates().into_iter().find(|said| {
            let is_day = said.value.day.is_some() && said.value.month.is_some();
            is_day
                && !said.is_set_aside
                && !said.is_rounded
                && !self.tells_of_past(said.clause)
                && !context.supports_date(said.value)
                && !is_beside(said.value)
                && !self.is_recorded_day(said, context)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }

    /// Whether the books have a day that is told beside two names of its row, or as that of a
    /// document: `Riverside Row 3, Julian Reyes, August 4, 2025`, `the letter of March 5`.
    fn is_recorded_day(&self, said: &Given<Date>, context: &Context<'_>) -> bool {
        let Some(shelf) = context.shelf() else { return false };
        let named = self.document_dated(&said.place).map(book_stem);
        named.is_some_and(|document| shelf.has_day(said.value, &[document], 1))
            || shelf.has_day(said.value, &self.names_of(&self.clauses[said.clause]), 2)
    }

    /// Another number behind the same word: `tram 13` for tram 11.
    pub(super) fn other_number(&self, context: &Context<'_>) -> Option<Loss> {
        // In a long text a word stands before several numbers, or before one by accident.
        let short = context.returned_texts().filter(|text| text.len() < 400);
        let told: Vec<Rc<Self>> = short.map(Self::read).collect();
        let known: Vec<(String, String)> = told.iter().flat_map(|told| told.numbered()).collect();
        if known.is_empty() {
            return None;
        }
        let wrong = self.numbered().into_iter().find(|(word, number)| {
            let mut same = known.iter().filter(|(other, _)| other == word);
            // A word with several numbers tells nothing.
            let (one, more) = (same.next(), same.next());
            let asked = context.question.contains(number);
            one.is_some_and(|(_, other)| other != number) && more.is_none() && !asked
        })?;
        Some(loss(Cause::WrongAnswer, "the number", format!("{} {}", wrong.0, wrong.1)))
    }

    /// Numbers in digits with the noun in front of them, by which things are named: `tram 11`.
    fn numbered(&self) -> Vec<(String, String)> {
        let is_noun = |word: &str| {
            word.len() > 3
                && word.chars().all(char::is_alphabetic)
                && !is_function_word(word)
                && !is_common(word)
                && !english::MONTHS.contains(&word)
                && !is_number_word(word)
                && !super::pattern::is_any_act(word)
        };
        let amounts = self.numbers().into_iter().filter(|number| number.value.unit.is_some());
        let amounts: HashSet<usize> = amounts.map(|number| number.place.start).collect();
        let numbered = |pair: &[Word]| {
            let gap = &self.plain[pair[0].place.end..pair[1].place.start];
            let is_number = pair[1].text.chars().all(|c| c.is_ascii_digit());
            let is_amount = self.plain[pair[1].place.end..].starts_with(['%', ' ', ',', '.'])
                && amounts.contains(&pair[1].place.start);
            (gap == " " && is_number && is_noun(&pair[0].text) && !is_amount)
                .then(|| (stem(&pair[0].text), pair[1].text.clone()))
        };
        self.words.windows(2).filter_map(numbered).collect()
    }

    /// Another number of things than the reference counts: `two dogs` for one dog.
    fn other_count(&self, context: &Context<'_>) -> Option<Loss> {
        let known = context.reference()?.counts();
        let own = self.counts();
        // `That was a single payment`, where there were two.
        let singles = self.clauses.iter().filter(|clause| {
            self.is_plain_statement(clause)
                && !self.words_of(clause).iter().any(|word| matches!(&*word.text, "each" | "every"))
        });
        let single = singles.flat_map(|clause| self.words_of(clause).windows(2)).find(|pair| {
            pair[0].text == "single"
                && known.iter().any(|(count, noun)| *count > 1 && *noun == stem(&pair[1].text))
        });
        if let Some(pair) = single {
            return Some(loss(Cause::WrongAnswer, "as many as there are", pair[1].text.as_str()));
        }
        let wrong = own.iter().find(|(count, noun)| {
            let mut same = known.iter().filter(|(_, other)| other == noun).peekable();
            let is_counted = same.peek().is_some();
            // A noun that is counted twice is counted in parts.
            let parts = own.iter().filter(|(_, other)| other == noun).count();
            is_counted && parts == 1 && !same.any(|(other, _)| other == count)
        })?;
        Some(loss(Cause::WrongAnswer, "as many as there are", format!("{} {}", wrong.0, wrong.1)))
    }

    /// Small numbers with the noun behind them, by its stem. Units are no things, and what is not
    /// there is not counted.
    fn counts(&self) -> Vec<(u32, String)> {
        let counted = |pair: &[Word]| {
            let (number, noun) = (pair[0].text.as_str(), pair[1].text.as_str());
            let count = english::small_number(number).map(u32::from);
            let count = count.or_else(|| number.parse().ok()).filter(|count| *count <= 20)?;
            let is_noun = noun.len() > 2
                && noun.chars().all(char::is_alphabetic)
                && !is_function_word(noun)
                && !is_common(noun)
                && !english::MONTHS.contains(&noun)
                && crate::reading::unit_named(noun).is_none();
            is_noun.then(|| (count, stem(noun)))
        };
        let told = self.clauses.iter().filter(|clause| !self.has_denial(clause));
        told.flat_map(|clause| self.words_of(clause).windows(2)).filter_map(counted).collect()
    }

    /// Another figure in the one measure that the reference gives: `16 pounds` for 60 pounds.
    fn other_measure(&self, context: &Context<'_>) -> Option<Loss> {
        let told = context.reference()?.numbers();
        let is_measure = |unit: MeasureUnit| !unit.is_money() && unit != MeasureUnit::PERCENT;
        let own = self.numbers();
        let wrong = own.iter().find(|said| {
            let Some(unit) = said.value.unit.filter(|unit| is_measure(*unit)) else {
                return false;
            };
            let mut same = told.iter().filter(|known| known.value.unit == Some(unit));
            let known = (same.next(), same.next());
            let is_right = |said: &Given<NumberWithUnit>, known: &Given<NumberWithUnit>| {
                let (own, told) = (said.value.value, known.value.value);
                is_same(own, told) || (own - told).abs() <= 0.02 * told.abs()
            };
            let ((Some(known), None), false) = (known, said.is_set_aside || said.is_rounded) else {
                return false;
            };
            // Beside the right one it may be another one of the same kind.
            !own.iter().any(|other| other.value.unit == Some(unit) && is_right(other, known))
                && !is_right(said, known)
                && !context.supports(&said.value, &[])
        })?;
        Some(loss(Cause::WrongAnswer, "the measure", &self.plain[wrong.place.clone()]))
    }

    /// Another year behind the same words: `built in 1921` for 1912.
    fn other_year(&self, context: &Context<'_>) -> Option<Loss> {
        let known = context.reference()?.labelled_years();
        let wrong = self.labelled_years().into_iter().find(|(label, year)| {
            let mut same = known.iter().filter(|(other, _)| other == label).peekable();
            same.peek().is_some() && !same.any(|(_, other)| other == year)
        })?;
        Some(loss(Cause::WrongAnswer, "the year", format!("{} {}", wrong.0, wrong.1)))
    }

    fn labelled_years(&self) -> Vec<(String, u32)> {
        let labelled = |words: &[Word]| {
            let year =
                words[2].text.parse::<u32>().ok().filter(|year| (1900..2100).contains(year))?;
            let is_label = words[1].text == "in" && !is_function_word(&words[0].text);
            is_label.then(|| (stem(&words[0].text), year))
        };
        self.words.windows(3).filter_map(labelled).collect()
    }
}
