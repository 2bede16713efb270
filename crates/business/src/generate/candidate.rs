//! A question that may be asked, and the answer that the data give to it.

use serde_json::{Map, Number, Value, json};

use super::super::tools;
use super::super::world::BusinessWorld;

/// A name in a list of things is told apart from at most so many others.
const MOST_NAMED: usize = 40;

/// A question that may be asked.
pub(super) struct Candidate {
    /// By which template it was made.
    pub(super) kind: &'static str,
    /// What it is about: a table or a document.
    pub(super) category: String,
    /// What tells it from others, to make an id of.
    pub(super) name: String,
    /// The question.
    pub(super) say: String,
    /// The answer in words, with `{}` in the place of the value.
    pub(super) reference: String,
    pub(super) proof: CandidateProof,
}

/// Where the answer comes from.
pub(super) enum CandidateProof {
    /// What a query finds in one cell.
    Query { sql: String, form: CellForm },
    /// Nothing: there is no such thing.
    Absent { sql: String },
    /// What a document says.
    Passage { document: String, passage: String, written: String, fact: Value },
}

/// What a cell has to be.
#[derive(Clone)]
pub(super) enum CellForm {
    Number,
    /// A mean, rounded to two decimals.
    Mean,
    Date,
    /// The name of one of these things.
    Name(Vec<String>),
}

/// An answer that was proved.
pub(super) struct ProvedAnswer {
    fact: Value,
    /// The value as it is written in the data.
    written: String,
}

impl Candidate {
    /// What the data answer, if they give one answer.
    pub(super) fn answer(&self, world: &BusinessWorld) -> Option<ProvedAnswer> {
        match &self.proof {
            CandidateProof::Passage { document, passage, written, fact } => {
                let found = world.documents()?.get(document).ok()?;
                let (written, fact) = (written.clone(), fact.clone());
                found.says(passage).then_some(ProvedAnswer { fact, written })
            }
            CandidateProof::Absent { sql } => {
                let rows = world.database()?.query(sql).ok()?;
                let fact = json!({"unknown": true});
                rows.rows.is_empty().then_some(ProvedAnswer { fact, written: String::new() })
            }
            CandidateProof::Query { sql, form } => {
                let rows = world.database()?.query(sql).ok()?.rows;
                let [row] = rows.as_slice() else { return None };
                let [cell] = row.as_slice() else { return None };
                form.answer(cell)
            }
        }
    }

    /// The question as a case of a suite.
    pub(super) fn case(&self, id: &str, answer: ProvedAnswer) -> Value {
        let ProvedAnswer { fact, written } = answer;
        let mut expected = Map::new();
        let (tool, proof) = match &self.proof {
            CandidateProof::Query { sql, .. } => (tools::QUERY, json!({"sql": sql})),
            CandidateProof::Absent { sql } => (tools::QUERY, json!({"sql": sql, "empty": true})),
            CandidateProof::Passage { document, passage, .. } => {
                expected.insert("documents".into(), json!([document]));
                (tools::SEARCH, json!({"document": document, "passage": passage}))
            }
        };
        expected.insert("tools".into(), json!([tool]));
        if !written.is_empty() {
            expected.insert("keywords".into(), json!([written]));
        }
        expected.insert("facts".into(), json!([fact]));
        expected.insert("proof".into(), json!([proof]));
        expected.insert("reference".into(), self.reference.replace("{}", &written).into());
        json!({
            "id": id,
            "say": self.say,
            "tags": {"category": self.category, "kind": self.kind},
            "expect": {"answer": expected},
        })
    }
}

impl CellForm {
    fn answer(&self, cell: &Value) -> Option<ProvedAnswer> {
        let written = match cell {
            Value::String(text) => text.clone(),
            Value::Number(number) => shown(number)?,
            _ => return None,
        };
        let fact = match self {
            Self::Number => number_fact(cell.as_number()?)?,
            Self::Mean => mean_fact(cell.as_number()?)?,
            Self::Date => json!({"date": written}),
            Self::Name(names) if (2..=MOST_NAMED).contains(&names.len()) => {
                json!({"one": written, "of": names})
            }
            Self::Name(_) => json!({"phrase": [written]}),
        };
        Some(ProvedAnswer { fact, written })
    }
}

/// The fact of a number. What has a fraction may be off by half of its last digit, or by half a cent:
/// digits behind the cent are nobody's answer, and a figure that is a cent off is another one. That a
/// reply may leave digits out (`$1,235` for 1234.5) is the rule for all numbers.
pub(super) fn number_fact(number: &Number) -> Option<Value> {
    let value = number.as_f64()?;
    if value.fract() == 0.0 {
        return Some(json!({"number": number}));
    }
    // Without an exponent, so that digits can be counted.
    let written = value.to_string();
    let digits = written.split_once('.').map_or(0, |(_, behind)| behind.len());
    let digits = i32::try_from(digits.max(2)).unwrap_or(i32::MAX);
    Some(json!({"number": number, "tolerance": 0.5 / 10_f64.powi(digits)}))
}

/// The fact of a mean, of which the data hold no figure: whoever computes it may round half a cent
/// up or down.
fn mean_fact(number: &Number) -> Option<Value> {
    let mut fact = number_fact(number)?;
    if fact.get("tolerance").is_some() {
        fact["tolerance"] = json!(0.01);
    }
    Some(fact)
}

/// A number as people write it in a sentence: whole ones without a fraction.
fn shown(number: &Number) -> Option<String> {
    let value = number.as_f64()?;
    let whole = value.fract() == 0.0 && value.abs() < 1e15;
    Some(if whole { format!("{value:.0}") } else { number.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_be_off_by_half_of_its_last_digit_and_a_mean_by_a_cent() {
        let tolerance = |number: f64| {
            let fact = number_fact(&Number::from_f64(number).unwrap()).unwrap();
            fact.get("tolerance").and_then(Value::as_f64)
        };
        for (number, half) in [
            (1450.0, None),
            (1234.5, Some(0.005)),
            (1234.56, Some(0.005)),
            (-0.075, Some(0.0005)),
            (4.875, Some(0.0005)),
        ] {
            assert_eq!(tolerance(number), half, "{number}");
        }
        assert!(tolerance(0.000_001_5).unwrap() < 1e-7);
        let mean = mean_fact(&Number::from_f64(1210.13).unwrap()).unwrap();
        assert_eq!(mean["tolerance"], 0.01);
    }
}
