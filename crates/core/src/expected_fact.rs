//! Facts an answer must state, by type: a truth value, a number, a date, things out of those
//! there are, a refusal, a question back.

mod candidates;
mod form;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::candidates::{Candidates, Members};

/// One thing an answer must state, in whatever words.
///
/// Written as an object with one key for its type and further keys for its details:
/// `{"truth": false}`, `{"number": 7.4, "unit": "°C", "tolerance": 0.5}`, `{"date": "2026-03-05"}`,
/// `{"set": ["Kitchen window"], "of": {"kind": "window"}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum ExpectedFact {
    /// A question that is answered by yes or no.
    Truth {
        /// Whether the answer is yes.
        truth: bool,
        /// Words that say yes to this question beside those of the question itself.
        yes: Vec<String>,
        /// Words that say no to it.
        no: Vec<String>,
    },
    /// A number, with its unit if it has one.
    Number {
        /// The number; 0 is also said by `none` and `no`.
        number: f64,
        /// What it counts, as a suite writes it: `%`, `°C`, `dollars`, `days`.
        unit: Option<String>,
        /// How far off it may be.
        tolerance: f64,
        /// Words that stand with the number where an answer has several.
        about: Vec<String>,
        /// Numbers that are wrong here: what was replaced, or belongs to something else.
        not: Vec<f64>,
    },
    /// A day, a month of a year, or a year: `2026-03-05`, `2026-03`, `2026`.
    Date {
        /// The date, as precise as an answer has to be.
        date: String,
        /// Words that stand with the date where an answer has several.
        about: Vec<String>,
        /// Dates that are wrong here.
        not: Vec<String>,
    },
    /// A time of day: `18:42`.
    Time {
        /// The time, in 24 hours.
        time: String,
        /// How many minutes it may be off.
        tolerance: f64,
    },
    /// One thing.
    One {
        /// Its name, and other names it goes by.
        one: Vec<String>,
        /// The things there are; to name another one as the answer is wrong.
        of: Candidates,
    },
    /// Several things: all of them, and no other.
    Set {
        /// The things.
        set: Members,
        /// The things there are.
        of: Candidates,
    },
    /// Words of which one is said, and not denied.
    Phrase {
        /// Words that say it; none given means that only `not` is looked at.
        phrase: Vec<String>,
        /// Words that say the opposite.
        not: Vec<String>,
    },
    /// That it is not done, cannot be done, or is not there to do it with.
    Refusal {
        /// Words of which one must be there; none given means that any refusal will do.
        about: Vec<String>,
    },
    /// That it is not known, not recorded, not to be found. Zero and `no` are no such answer.
    Unknown {
        /// Words of which one must be there.
        about: Vec<String>,
    },
    /// A question back, with nothing done and nothing claimed.
    Question {
        /// Words of which one must be in the question.
        about: Vec<String>,
    },
    /// A friendly word and nothing else: no claim, no refusal.
    SmallTalk,
    /// At least one of these.
    AnyOf(Vec<ExpectedFact>),
}

impl ExpectedFact {
    /// The keys that name a type, in the order they are documented.
    pub const TYPES: [&'static str; 11] = [
        "truth",
        "number",
        "date",
        "time",
        "one",
        "set",
        "phrase",
        "refusal",
        "unknown",
        "question",
        "small_talk",
    ];

    /// Whether only the world can tell what this fact wants: it picks things by properties.
    pub fn needs_world(&self) -> bool {
        match self {
            Self::One { of, .. } => matches!(of, Candidates::Picked(_)),
            Self::Set { set, of } => {
                matches!(of, Candidates::Picked(_)) || matches!(set, Members::Picked(_))
            }
            Self::AnyOf(ways) => ways.iter().any(Self::needs_world),
            _ => false,
        }
    }

    /// The key that names the type of this fact.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Truth { .. } => "truth",
            Self::Number { .. } => "number",
            Self::Date { .. } => "date",
            Self::Time { .. } => "time",
            Self::One { .. } => "one",
            Self::Set { .. } => "set",
            Self::Phrase { .. } => "phrase",
            Self::Refusal { .. } => "refusal",
            Self::Unknown { .. } => "unknown",
            Self::Question { .. } => "question",
            Self::SmallTalk => "small_talk",
            Self::AnyOf(_) => "any_of",
        }
    }
}

#[cfg(test)]
mod tests;
