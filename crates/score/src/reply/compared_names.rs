//! Which of two names is the greater: `France is the larger one, though it's smaller than Spain.`

use serde_json::Value;
use toolgauge_core::{Cause, ExpectedFact, Loss};

use super::context::Context;
use super::{Reply, loss};

/// Comparatives and those that say the opposite.
const OPPOSITES: [(&[&str], &[&str]); 8] = [
    (&["larger", "bigger", "greater"], &["smaller"]),
    (&["taller", "higher"], &["shorter", "lower"]),
    (&["older"], &["younger", "newer"]),
    (&["warmer", "hotter"], &["colder", "cooler"]),
    (&["longer"], &["shorter"]),
    (&["heavier"], &["lighter"]),
    (&["faster", "quicker"], &["slower"]),
    (&["more"], &["less", "fewer"]),
];

impl Reply {
    /// A comparison of the two names of a question that contradicts the right answer: `smaller than` in
    /// front of the lesser one, or the comparative that was asked for in front of the right one.
    pub(super) fn turns_the_comparison_round(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let (right, fact) = facts.iter().find_map(|fact| match fact {
            ExpectedFact::One { one, .. } => Some((one, fact)),
            _ => None,
        })?;
        let asks = |words: &[&str]| context.question.iter().any(|word| words.contains(&&**word));
        let (same, opposite) = OPPOSITES.iter().find_map(|(more, less)| match () {
            () if asks(more) => Some((*more, *less)),
            () if asks(less) => Some((*less, *more)),
            () => None,
        })?;
        let names = |list: &str| -> Vec<String> {
            let list = context.list(list).unwrap_or_default();
            list.iter().flatten().map(|name| name.to_lowercase()).collect()
        };
        let right = right.first()?.to_lowercase();
        let written = serde_json::to_value(fact).ok()?;
        let others: Vec<String> = match written.get("of")? {
            Value::String(list) => names(list),
            Value::Array(all) => {
                all.iter().filter_map(Value::as_str).map(str::to_lowercase).collect()
            }
            _ => Vec::new(),
        };
        let clause = self.clauses.iter().filter(|clause| self.is_plain_statement(clause)).find(
            |clause| {
                self.words_of(clause).windows(3).any(|three| {
                    let (grade, name) = (three[0].text.as_str(), three[2].text.as_str());
                    let is_other = name != right && others.iter().any(|other| other == name);
                    three[1].text == "than"
                        && (opposite.contains(&grade) && is_other
                            || same.contains(&grade) && name == right)
                })
            },
        )?;
        Some(loss(Cause::WrongAnswer, right, self.quote(clause)))
    }
}
