//! Words that judge a value: `52 percent, so under half`, `7.4 degrees, below freezing`.

use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::clause::Clause;
use super::context::Context;
use super::words::phrase_at;
use super::{Reply, loss};

/// A judgement, the units of the values it is about, and between what these lie.
struct Judgement {
    words: &'static [&'static str],
    units: &'static [&'static str],
    least: f64,
    most: f64,
}

const PERCENT: &[&str] = &["%", "percent"];
const DEGREES: &[&str] = &["°C"];

const CARBON_DIOXIDE: &[&str] = &["ppm"];

const JUDGEMENTS: [Judgement; 25] = [
    Judgement { words: &["too", "high"], units: CARBON_DIOXIDE, least: 800.0, most: 1e6 },
    Judgement { words: &["very", "high"], units: CARBON_DIOXIDE, least: 800.0, most: 1e6 },
    Judgement { words: &["fine"], units: CARBON_DIOXIDE, least: 0.0, most: 1500.0 },
    Judgement { words: &["is", "fresh"], units: CARBON_DIOXIDE, least: 0.0, most: 1000.0 },
    Judgement { words: &["and", "fresh"], units: CARBON_DIOXIDE, least: 0.0, most: 1000.0 },
    Judgement { words: &["fresher"], units: CARBON_DIOXIDE, least: 0.0, most: 700.0 },
    Judgement { words: &["excellent"], units: CARBON_DIOXIDE, least: 0.0, most: 900.0 },
    Judgement { words: &["great"], units: CARBON_DIOXIDE, least: 0.0, most: 900.0 },
    Judgement { words: &["stuffy"], units: CARBON_DIOXIDE, least: 800.0, most: 1e6 },
    Judgement { words: &["stale"], units: CARBON_DIOXIDE, least: 800.0, most: 1e6 },
    Judgement { words: &["under", "half"], units: PERCENT, least: 0.0, most: 50.0 },
    Judgement { words: &["below", "half"], units: PERCENT, least: 0.0, most: 50.0 },
    Judgement { words: &["less", "than", "half"], units: PERCENT, least: 0.0, most: 50.0 },
    Judgement { words: &["not", "even", "half"], units: PERCENT, least: 0.0, most: 50.0 },
    Judgement { words: &["more", "than", "half"], units: PERCENT, least: 50.0, most: 100.0 },
    Judgement { words: &["over", "half"], units: PERCENT, least: 50.0, most: 100.0 },
    Judgement { words: &["nearly", "empty"], units: PERCENT, least: 0.0, most: 25.0 },
    Judgement { words: &["almost", "empty"], units: PERCENT, least: 0.0, most: 25.0 },
    Judgement { words: &["nearly", "full"], units: PERCENT, least: 80.0, most: 100.0 },
    Judgement { words: &["almost", "full"], units: PERCENT, least: 80.0, most: 100.0 },
    Judgement { words: &["fully", "charged"], units: PERCENT, least: 95.0, most: 100.0 },
    Judgement { words: &["below", "freezing"], units: DEGREES, least: -300.0, most: 0.0 },
    Judgement { words: &["above", "freezing"], units: DEGREES, least: 0.0, most: 300.0 },
    Judgement { words: &["body", "temperature"], units: DEGREES, least: 33.0, most: 40.0 },
    Judgement { words: &["thawing"], units: DEGREES, least: -1.0, most: 300.0 },
];

impl Reply {
    /// A judgement that the value it is about does not bear out.
    pub(super) fn misjudged(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let values = values(facts);
        let plain = self.clauses.iter().filter(|clause| {
            !clause.is_question && !self.is_conditional(clause) && !self.is_hedged(clause)
        });
        let wrong = plain.into_iter().find(|clause| {
            values.iter().any(|(value, unit)| self.misjudges(clause, *value, unit, context))
                || values.is_empty() && self.tells_of_charge(clause, context)
        })?;
        Some(loss(Cause::WrongAnswer, "what the value says", self.quote(wrong)))
    }

    fn misjudges(&self, clause: &Clause, value: f64, unit: &str, context: &Context<'_>) -> bool {
        let texts = self.texts_of(clause);
        // Of what is 60 percent open 40 percent are closed.
        let is_of_the_rest = texts
            .iter()
            .any(|text| matches!(*text, "closed" | "covered" | "covering" | "covers" | "shut"))
            && context.question.iter().any(|word| word == "open");
        let value = if is_of_the_rest { 100.0 - value } else { value };
        let of_unit = JUDGEMENTS.iter().filter(|judged| judged.units.contains(&unit));
        let mut said = of_unit.filter(|judged| {
            let at = phrase_at(&texts, judged.words);
            at.is_some_and(|at| {
                // `It could not be fresher.`
                judged.words == ["fresher"]
                    || judged.words[0] == "not"
                    || !self.is_denied(clause, clause.words.start + at)
            })
        });
        said.any(|judged| value < judged.least || value > judged.most)
    }

    /// `It is fully charged`, where no battery was asked for or looked up.
    fn tells_of_charge(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let texts = self.texts_of(clause);
        let is_low = || texts.iter().any(|text| matches!(*text, "low" | "empty" | "dead" | "flat"));
        let is_said = texts.contains(&"battery") && is_low()
            || texts.windows(2).any(|pair| {
                pair == ["fully", "charged"]
                    || matches!(pair[0], "charged" | "battery") && matches!(pair[1], "to" | "at")
            });
        let is_charge = |text: &str| text.contains("batter") || text.contains("charg");
        let is_known = context.all_texts().any(|text| is_charge(&text.to_lowercase()))
            || context.question.iter().any(|word| is_charge(word) || word == "full");
        is_said && !self.has_denial(clause) && !is_known
    }
}

/// The numbers that a right answer holds, with their units.
fn values(facts: &[ExpectedFact]) -> Vec<(f64, String)> {
    let mut found = Vec::new();
    for fact in facts {
        match fact {
            ExpectedFact::Number { number, unit, .. } => {
                found.push((*number, unit.clone().unwrap_or_default()));
            }
            ExpectedFact::AnyOf(ways) => found.extend(values(ways)),
            _ => {}
        }
    }
    found
}
