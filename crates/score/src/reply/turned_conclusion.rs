//! What a reply concludes from its own right answer, and what it says against it: another one as the
//! holder, an end of what has none.

use toolgauge_core::{Cause, ExpectedFact, Loss, english};

use super::books::is_inside_sentence;
use super::clause::Clause;
use super::context::Context;
use super::judge::numbers;
use super::truth::alike;
use super::words::phrase_at;
use super::{Reply, loss};
use crate::reading::MeasureUnit;

/// Words of a clause that draws a conclusion.
const CONCLUDING: [&str; 9] = [
    "so",
    "therefore",
    "thus",
    "hence",
    "consequently",
    "accordingly",
    "meaning",
    "means",
    "makes",
];

/// Words for what is so now.
const NOW: [&str; 7] = ["today", "now", "still", "current", "currently", "nowadays", "presently"];

/// Words of what never ends.
const ENDLESS: [&str; 5] = ["perpetual", "perpetually", "indefinite", "indefinitely", "forever"];

impl Reply {
    /// What a reply says against its own right answer.
    pub(super) fn turned_conclusion(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        self.other_one_concluded(context)
            .or_else(|| self.other_one_today(context))
            .or_else(|| self.end_of_the_endless(context))
            .or_else(|| self.lesser_part_called_larger(facts, context))
            .or_else(|| self.told_of_what_is_denied(context))
            .or_else(|| self.amount_beside_none(facts, context))
            .or_else(|| self.told_of_what_is_not_there(context))
    }

    /// Whether a clause draws a conclusion from what stands before it.
    pub(super) fn concludes_from_before(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let draws = |word: &&str| CONCLUDING.contains(word);
        let is_behind = clause.words.start > 0;
        is_behind
            && (words.iter().take(3).any(draws)
                || words.iter().any(|word| matches!(*word, "therefore" | "thus" | "consequently")))
    }

    /// `The articles name Ann Low, so the first agent was Reed Agents`, where Ann Low is the answer.
    fn other_one_concluded(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            self.concludes_from_before(clause)
                && self.is_plain_statement(clause)
                && self.says_who_it_is(clause, context)
                && self.names_only_others(clause, context)
        })?;
        Some(loss(Cause::WrongAnswer, "what the reference names", self.quote(clause)))
    }

    /// `Reed Agents, appointed in 2019, with Ann Low still being our agent today.`
    fn other_one_today(&self, context: &Context<'_>) -> Option<Loss> {
        let asks = |words: &[&str]| context.question.iter().any(|asked| words.contains(&&**asked));
        if !asks(&NOW) || !asks(&["who", "which", "what"]) {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            self.words_of(clause).iter().any(|word| NOW.contains(&word.text.as_str()))
                && self.is_plain_statement(clause)
                && self.says_who_it_is(clause, context)
                && self.names_only_others(clause, context)
        })?;
        Some(loss(Cause::WrongAnswer, "what the reference names", self.quote(clause)))
    }

    /// Whether a clause says of something that was asked for what or who it is: `the agent is …`.
    fn says_who_it_is(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let is_asked = |word: &super::Word| context.topic().any(|asked| alike(&word.text, asked));
        let is = words.iter().any(|word| {
            matches!(word.text.as_str(), "is" | "was" | "are" | "were" | "being" | "remains")
        });
        is && words.iter().any(is_asked)
    }

    /// Whether a clause names somebody or something, and nothing that the reference or the request
    /// names.
    fn names_only_others(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let Some(reference) = context.reference() else { return false };
        let is_name = |at: &usize| {
            let text = self.words[*at].text.as_str();
            self.is_capital(*at)
                && is_inside_sentence(self, *at)
                && text.len() > 2
                && !english::WEEKDAYS.contains(&text)
        };
        let is_known = |at: usize| {
            let text = &self.words[at].text;
            reference.words.iter().any(|word| alike(&word.text, text))
                || context.request().contains(text)
        };
        let names: Vec<usize> = clause.words.clone().filter(is_name).collect();
        !names.is_empty() && !names.into_iter().any(is_known)
    }

    /// `$1,322 of the $1,648 was interest, so less than half`, `… so the bigger part went toward
    /// principal`: the whole is the one amount that was told before.
    fn lesser_part_called_larger(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let [part] = numbers(facts)[..] else { return None };
        let earlier = context.said().filter(|text| !text.ends_with('?')).map(Self::read);
        let told: Vec<f64> = earlier
            .flat_map(|text| text.numbers())
            .filter(|said| said.value.unit.is_some_and(MeasureUnit::is_money))
            .map(|said| said.value.value)
            .collect();
        let [whole] = told[..] else { return None };
        let is_larger = part * 2.0 > whole;
        let clause = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            let words = self.texts_of(clause);
            let has = |phrases: &[&[&str]]| {
                phrases.iter().any(|phrase| phrase_at(&words, phrase).is_some())
            };
            let more = has(&[
                &["more", "than", "half"],
                &["over", "half"],
                &["bigger", "part"],
                &["larger", "part"],
                &["greater", "part"],
                &["bigger", "share"],
                &["larger", "share"],
                &["the", "majority"],
                &["the", "most", "of"],
                &["most", "of"],
                &["the", "bulk"],
            ]);
            let less = has(&[
                &["less", "than", "half"],
                &["under", "half"],
                &["below", "half"],
                &["smaller", "part"],
                &["lesser", "part"],
                &["smaller", "share"],
                &["a", "minority"],
                &["not", "even", "half"],
            ]);
            // What the rest went to is not what was asked for.
            let of_rest = words.iter().any(|word| {
                matches!(*word, "toward" | "towards" | "to" | "rest" | "remainder" | "other")
            }) && !words.iter().any(|word| {
                super::books::is_lookable(word) && context.question.iter().any(|own| own == word)
            });
            more != less && part < whole && (more != is_larger) != of_rest
        })?;
        Some(loss(Cause::WrongAnswer, "what the figures say", self.quote(clause)))
    }

    /// `No fine has been imposed. The fine you paid was $250.`
    fn told_of_what_is_denied(&self, context: &Context<'_>) -> Option<Loss> {
        let is_topic = |word: &str| {
            super::books::is_lookable(word) && context.topic().any(|asked| alike(asked, word))
        };
        let denied: Vec<(usize, &str)> = self
            .clauses
            .iter()
            .filter(|clause| !clause.is_question && self.has_denial(clause))
            .flat_map(|clause| {
                let pairs = self.words_of(clause).windows(2);
                let nouns = pairs.filter(|pair| matches!(pair[0].text.as_str(), "no" | "any"));
                nouns.map(|pair| (clause.sentence, pair[1].text.as_str()))
            })
            .filter(|(_, noun)| is_topic(noun))
            .collect();
        let numbers = self.numbers();
        let clause = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            let words = self.texts_of(clause);
            let has_money = numbers.iter().any(|said| {
                clause.place.contains(&said.place.start)
                    && said.value.unit.is_some_and(MeasureUnit::is_money)
            });
            let is_told = words.iter().any(|word| {
                matches!(*word, "was" | "paid" | "came" | "cost" | "received" | "got" | "imposed")
            });
            let is_other = words.iter().any(|word| {
                matches!(*word, "would" | "could" | "may" | "will" | "up" | "later" | "other")
            });
            has_money
                && is_told
                && !is_other
                && denied.iter().any(|(sentence, noun)| {
                    *sentence < clause.sentence
                        && words.windows(2).any(|pair| pair[0] == "the" && alike(pair[1], noun))
                })
        })?;
        Some(loss(Cause::WrongAnswer, "what is denied before", self.quote(clause)))
    }

    /// `There is no property called Elm Plaza. Its flats have two bedrooms.`
    fn told_of_what_is_not_there(&self, context: &Context<'_>) -> Option<Loss> {
        let reference = context.reference()?;
        let denies = |reply: &Self, clause: &Clause| {
            let words = reply.texts_of(clause);
            let is_absent = phrase_at(&words, &["there", "is", "no"]).is_some()
                || phrase_at(&words, &["no", "such"]).is_some()
                || words.windows(2).any(|pair| {
                    matches!(pair[0], "own" | "have") && pair[1] == "no"
                        || pair[0] == "not" && matches!(pair[1], "own" | "have")
                });
            let names = clause.words.clone().filter(|at| reply.is_capital(*at));
            is_absent && names.count() > 0 && !reply.says_unknown(clause)
        };
        if !reference.clauses.iter().any(|clause| denies(reference, clause)) {
            return None;
        }
        let first = self.clauses.iter().position(|clause| denies(self, clause))?;
        let is_name = |at: usize| self.is_capital(at) && is_inside_sentence(self, at);
        let clause = self.clauses.iter().enumerate().skip(first + 1).find(|(number, clause)| {
            let head: Vec<&str> = self.texts_of(clause).into_iter().take(2).collect();
            let is_of_it = matches!(head[..], ["it" | "its" | "the" | "there", ..]);
            let is_there = matches!(head[..], ["there", "is" | "are" | "was" | "were"])
                || self.says_unknown(clause)
                || self.is_of_records(clause);
            let others = self.clauses[first + 1..=*number].iter();
            let mut others = others.flat_map(|own| own.words.clone());
            is_of_it && !is_there && self.is_plain_statement(clause) && !others.any(is_name)
        });
        let (_, clause) = clause?;
        Some(loss(Cause::WrongAnswer, "what is not there", self.quote(clause)))
    }

    /// `He paid nothing in June. His June rent of $1,595 came in on time.`
    fn amount_beside_none(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let months: Vec<&String> = context
            .question
            .iter()
            .filter(|word| english::MONTHS.contains(&word.as_str()) && *word != "may")
            .collect();
        if !numbers(facts).contains(&0.0) || months.is_empty() {
            return None;
        }
        let amounts = self.numbers();
        let clause = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            let words = self.texts_of(clause);
            let has_amount = amounts.iter().any(|said| {
                clause.place.contains(&said.place.start)
                    && said.value.unit.is_some_and(MeasureUnit::is_money)
                    && said.value.value > 0.0
            });
            let is_told = words.iter().any(|word| {
                matches!(
                    *word,
                    "came" | "paid" | "arrived" | "received" | "credited" | "transferred"
                )
            });
            has_amount && is_told && months.iter().all(|month| words.contains(&month.as_str()))
        })?;
        Some(loss(Cause::WrongAnswer, "nothing", self.quote(clause)))
    }

    /// `It exists perpetually, that is until April 2046.`
    fn end_of_the_endless(&self, context: &Context<'_>) -> Option<Loss> {
        let reference = context.reference()?;
        let is_endless = reference.words.iter().any(|word| ENDLESS.contains(&word.text.as_str()));
        let dates = self.dates();
        let numbers = self.numbers();
        let begins_time = |place: usize| {
            dates.iter().any(|date| date.place.start == place)
                || numbers.iter().any(|said| {
                    said.place.start == place && (1900.0..2200.0).contains(&said.value.value)
                })
        };
        let wrong = (1..self.words.len()).find(|at| {
            let before = self.words[at - 1].text.as_str();
            matches!(before, "until" | "till" | "through")
                && begins_time(self.words[*at].place.start)
                && self
                    .clauses
                    .iter()
                    .any(|clause| clause.words.contains(at) && self.is_plain_statement(clause))
        })?;
        let quote = &self.plain[self.words[wrong - 1].place.start..self.words[wrong].place.end];
        is_endless.then(|| loss(Cause::WrongAnswer, "without an end", quote))
    }
}
