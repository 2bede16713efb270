//! What an answer adds to what was asked for: figures, dates and names that nothing supports, and
//! conclusions that contradict it.

use toolgauge_core::{Cause, ExpectedFact, Loss, WorldThing};

use super::context::Context;
use super::judge::numbers;
use super::{Reply, loss};
use crate::reading::{Date, MeasureUnit, is_same};

impl Reply {
    /// What a reply adds that nothing behind it supports.
    pub(super) fn added(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        context.reference()?;
        self.other_list(facts)
            .or_else(|| self.other_period(context))
            .or_else(|| self.other_time(context))
            .or_else(|| self.unsupported_figure(facts, context))
            .or_else(|| self.unsupported_date(facts, context))
            .or_else(|| self.unsupported_name(context))
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
            words.windows(2).find_map(|pair| {
                let is_place = matches!(pair[0].as_str(), "first" | "second" | "third" | "fourth");
                let is_part = matches!(pair[1].as_str(), "half" | "quarter");
                (is_place && is_part).then(|| pair.join(" "))
            })
        };
        let own: Vec<String> = self.words.iter().map(|word| word.text.clone()).collect();
        let (asked, said) = (period(&context.question)?, period(&own)?);
        (asked != said).then(|| loss(Cause::WrongAnswer, asked, said))
    }

    /// Another time of day than those of the reference, where it has any.
    fn other_time(&self, context: &Context<'_>) -> Option<Loss> {
        let known = context.reference()?.times();
        let wrong = self.times().into_iter().find(|said| {
            !known.iter().any(|time| {
                let same = |minutes: u32| minutes == time.value.minutes;
                same(said.value.minutes)
                    || said.value.either_half && same((said.value.minutes + 720) % 1440)
            })
        })?;
        (!known.is_empty())
            .then(|| loss(Cause::WrongAnswer, "the time", &self.plain[wrong.place.clone()]))
    }

    /// A figure of any unit that is neither known nor follows from what is.
    fn unsupported_figure(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let wanted = numbers(facts);
        let given = self.numbers();
        let wrong = given.iter().find(|said| {
            let value = said.value.value;
            let is_count = value <= 12.0;
            let is_year = said.value.unit.is_none() && (1900.0..2100.0).contains(&value);
            let is_word = !self.plain[said.place.clone()].contains(|c: char| c.is_ascii_digit());
            let is_share = is_word && said.value.unit == Some(MeasureUnit::PERCENT);
            let pool: Vec<f64> = wanted
                .iter()
                .copied()
                .chain([wanted.iter().sum()])
                .chain(given.iter().map(|other| other.value.value).filter(|o| !is_same(*o, value)))
                .collect();
            let is_money = said.value.unit.is_some_and(MeasureUnit::is_money);
            !is_count
                && !is_year
                && !is_share
                // Amounts beside a wanted amount are judged with it, in `number`.
                && !is_money
                && !said.is_set_aside
                && !context.supports(&said.value, &pool)
        })?;
        let place = wrong.place.clone();
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[place]))
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
        let wrong = self.dates().into_iter().find(|said| {
            let is_day = said.value.day.is_some() && said.value.month.is_some();
            is_day
                && !said.is_set_aside
                && !said.is_rounded
                && !self.tells_of_past(said.clause)
                && !context.supports_date(said.value)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }

    /// A name that counts as a part of the answer and that nothing names: `including Birch
    /// Cottage`, `one fewer than Consuelo Prado`.
    fn unsupported_name(&self, context: &Context<'_>) -> Option<Loss> {
        const BEFORE: [&str; 4] = ["including", "than", "behind", "after"];
        let texts: Vec<String> = context.all_texts().flat_map(WorldThing::words_of).collect();
        let known = |word: &str| {
            let bare = word.strip_suffix("'s").unwrap_or(word);
            texts.iter().any(|text| text == bare || text.strip_suffix("'s") == Some(bare))
        };
        let wrong = (1..self.words.len()).find(|at| {
            let before = self.words[at - 1].text.as_str();
            BEFORE.contains(&before) && self.is_capital(*at) && !known(&self.words[*at].text)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", self.words[wrong].text.as_str()))
    }
}
