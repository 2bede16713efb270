//! What an argument must look like: a plain value, or a rule written as data.
//!
//! A plain value is compared by the expectation's [`ArgumentRules`](crate::ArgumentRules). An
//! object with a key that starts with `$` is a rule of its own:
//!
//! | written | matches |
//! | --- | --- |
//! | `{"$exact": VALUE}` | that value and no other, letter by letter |
//! | `{"$text": "x"}` | a string equal to it but for case and white space |
//! | `{"$number": 21, "tolerance": 0.5}` | a number that near (tolerance 0 if not given) |
//! | `{"$list": [PATTERN…]}` | a list of these, in this order |
//! | `{"$set": [PATTERN…]}` | a list of these, in any order |
//! | `{"$any_of": [PATTERN…]}` | what any of these matches |
//! | `{"$regex": "^re+d$"}` | a string the expression finds a match in |
//! | `{"$regex": "late", "not": "not late"}` | such a string in which the second finds none |
//! | `{"$optional": PATTERN}` | nothing, or what the pattern matches |
//! | `{"$forbidden": true}` | nothing: the argument must not be given |
//! | `{"$anything": true}` | any value, but there must be one |

use indexmap::IndexMap;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Number, Value};

/// What one value must look like.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Pattern {
    /// A plain scalar, compared by the expectation's rules.
    Scalar(Value),
    /// A plain object: each key has its own pattern.
    Object(IndexMap<String, Pattern>),
    /// A plain list, compared by the expectation's rule for lists.
    List(Vec<Pattern>),
    /// Exactly this value.
    Exact(Value),
    /// This text, whatever its case and white space.
    Text(String),
    /// A number within `tolerance` of `number`.
    Number {
        /// The number itself.
        number: Number,
        /// How far off a number may be.
        tolerance: f64,
    },
    /// A list, by the given rule.
    Items {
        /// What the items must look like.
        items: Vec<Pattern>,
        /// Whether their order counts.
        rule: ListRule,
    },
    /// What any of these matches.
    AnyOf(Vec<Pattern>),
    /// A string in which one regular expression finds a match, and the other none.
    Regex {
        /// What must be found.
        regex: String,
        /// What must not be found.
        not: Option<String>,
    },
    /// Nothing, or what the pattern matches.
    Optional(Box<Pattern>),
    /// Nothing: the argument must not be given.
    Forbidden,
    /// Any value at all.
    Anything,
}

/// How plain strings are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextRule {
    /// Letter by letter.
    #[default]
    Exact,
    /// Whatever their case, and however white space is spread.
    Loose,
}

/// How plain lists are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListRule {
    /// Item by item, in order.
    #[default]
    Ordered,
    /// As sets: the same items in any order.
    Set,
}

/// Why a rule could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The key is not one of the known rules.
    #[error("unknown rule `{rule}`")]
    UnknownRule {
        /// The key that was found.
        rule: String,
    },
    /// The rule stands beside keys that do not belong to it.
    #[error("`{key}` cannot stand beside `{rule}`")]
    StrayKey {
        /// The rule by its key: `$any_of`.
        rule: String,
        /// The key that does not belong.
        key: String,
    },
    /// The rule holds something it cannot use.
    #[error("`{rule}` takes {wanted}")]
    WrongOperand {
        /// The rule by its key: `$any_of`.
        rule: String,
        /// What it takes.
        wanted: &'static str,
    },
}

impl Pattern {
    /// The keys of all rules, for messages and for completion.
    pub const RULES: [&str; 10] = [
        "$exact",
        "$text",
        "$number",
        "$list",
        "$set",
        "$any_of",
        "$regex",
        "$optional",
        "$forbidden",
        "$anything",
    ];

    /// Whether an argument with this pattern may be left out.
    pub fn may_be_absent(&self) -> bool {
        match self {
            Self::Optional(_) | Self::Forbidden => true,
            Self::AnyOf(patterns) => patterns.iter().any(Self::may_be_absent),
            _ => false,
        }
    }

    /// The one value that the pattern takes; `None` where a rule takes several.
    pub fn value(&self) -> Option<Value> {
        match self {
            Self::Scalar(value) | Self::Exact(value) => Some(value.clone()),
            Self::Object(members) => {
                let member = |(key, it): (&String, &Self)| Some((key.clone(), it.value()?));
                members.iter().map(member).collect::<Option<Map<_, _>>>().map(Value::Object)
            }
            Self::List(items) => {
                items.iter().map(Self::value).collect::<Option<Vec<_>>>().map(Value::Array)
            }
            _ => None,
        }
    }

    /// A value that the pattern takes: the first of several. `None` where nothing must be given,
    /// or where none can be named.
    pub fn example(&self) -> Option<Value> {
        match self {
            Self::Scalar(value) | Self::Exact(value) => Some(value.clone()),
            Self::Text(text) => Some(Value::String(text.clone())),
            Self::Number { number, .. } => Some(Value::Number(without_fraction(number))),
            Self::Object(object) => {
                let member = |(key, it): (&String, &Self)| Some((key.clone(), it.example()?));
                Some(Value::Object(object.iter().filter_map(member).collect()))
            }
            Self::List(items) | Self::Items { items, .. } => {
                Some(Value::Array(items.iter().filter_map(Self::example).collect()))
            }
            Self::AnyOf(patterns) => patterns.iter().find_map(Self::example),
            Self::Regex { .. } | Self::Optional(_) | Self::Forbidden => None,
            Self::Anything => Some(Value::String("anything".into())),
        }
    }

    /// The pattern that takes a value as it stands, `$` keys included.
    pub fn plain(value: &Value) -> Self {
        match value {
            Value::Object(object) => Self::Object(
                object.iter().map(|(key, value)| (key.clone(), Self::plain(value))).collect(),
            ),
            Value::Array(items) => Self::List(items.iter().map(Self::plain).collect()),
            scalar => Self::Scalar(scalar.clone()),
        }
    }
}

/// A whole number without a fraction, so that tools which count take it.
fn without_fraction(number: &Number) -> Number {
    match number.as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
        Some(value) if value.fract() == 0.0 && value.abs() < 1e15 => Number::from(value as i64),
        _ => number.clone(),
    }
}

impl TryFrom<Value> for Pattern {
    type Error = PatternError;

    fn try_from(value: Value) -> Result<Self, PatternError> {
        match value {
            Value::Object(object) => {
                // One such key makes the whole object a rule; keys that do not belong to it are
                // refused there.
                match object.keys().find(|key| key.starts_with('$')).cloned() {
                    Some(rule) => read_rule(&rule, object),
                    None => Ok(Self::Object(read_object(object)?)),
                }
            }
            Value::Array(items) => Ok(Self::List(read_list(items)?)),
            scalar => Ok(Self::Scalar(scalar)),
        }
    }
}

fn read_object(object: Map<String, Value>) -> Result<IndexMap<String, Pattern>, PatternError> {
    object.into_iter().map(|(key, value)| Ok((key, Pattern::try_from(value)?))).collect()
}

fn read_list(items: Vec<Value>) -> Result<Vec<Pattern>, PatternError> {
    items.into_iter().map(Pattern::try_from).collect()
}

fn read_rule(rule: &str, mut object: Map<String, Value>) -> Result<Pattern, PatternError> {
    let operand = object.shift_remove(rule).unwrap_or_default();
    // Taken out before stray keys are looked for. No other rules have a second key.
    let second = match rule {
        "$number" => object.shift_remove("tolerance"),
        "$regex" => object.shift_remove("not"),
        _ => None,
    };
    if let Some(key) = object.keys().next() {
        return Err(PatternError::StrayKey { rule: rule.into(), key: key.clone() });
    }
    let wrong = |wanted| PatternError::WrongOperand { rule: rule.into(), wanted };
    let list = |operand| match operand {
        Value::Array(items) => read_list(items),
        _ => Err(wrong("a list")),
    };
    let flag = |operand, pattern| match operand {
        Value::Bool(true) => Ok(pattern),
        _ => Err(wrong("`true`")),
    };
    match rule {
        "$exact" => Ok(Pattern::Exact(operand)),
        "$text" => match operand {
            Value::String(text) => Ok(Pattern::Text(text)),
            _ => Err(wrong("a string")),
        },
        "$number" => read_number(operand, second)
            .ok_or_else(|| wrong("a number, and optionally a `tolerance` that is not negative")),
        "$list" => Ok(Pattern::Items { items: list(operand)?, rule: ListRule::Ordered }),
        "$set" => Ok(Pattern::Items { items: list(operand)?, rule: ListRule::Set }),
        "$any_of" => match list(operand)? {
            patterns if patterns.is_empty() => Err(wrong("at least one pattern")),
            patterns => Ok(Pattern::AnyOf(patterns)),
        },
        "$regex" => match (operand, second) {
            (Value::String(regex), None) => Ok(Pattern::Regex { regex, not: None }),
            (Value::String(regex), Some(Value::String(not))) => {
                Ok(Pattern::Regex { regex, not: Some(not) })
            }
            _ => Err(wrong("a regular expression, and optionally another one as `not`")),
        },
        "$optional" => Ok(Pattern::Optional(Box::new(Pattern::try_from(operand)?))),
        "$forbidden" => flag(operand, Pattern::Forbidden),
        "$anything" => flag(operand, Pattern::Anything),
        _ => Err(PatternError::UnknownRule { rule: rule.into() }),
    }
}

fn read_number(operand: Value, tolerance: Option<Value>) -> Option<Pattern> {
    let Value::Number(number) = operand else { return None };
    let tolerance = match tolerance {
        None => 0.0,
        Some(value) => value.as_f64().filter(|tolerance| *tolerance >= 0.0)?,
    };
    Some(Pattern::Number { number, tolerance })
}

/// Written as [`Value::from`] would have it, without a copy.
impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Scalar(value) => value.serialize(to),
            Self::Object(object) => object.serialize(to),
            Self::List(items) => items.serialize(to),
            Self::Exact(value) => to.collect_map([("$exact", value)]),
            Self::Text(text) => to.collect_map([("$text", text)]),
            Self::Number { number, tolerance } => {
                let mut map = to.serialize_map(Some(2))?;
                map.serialize_entry("$number", number)?;
                map.serialize_entry("tolerance", tolerance)?;
                map.end()
            }
            Self::Items { items, rule: ListRule::Ordered } => to.collect_map([("$list", items)]),
            Self::Items { items, rule: ListRule::Set } => to.collect_map([("$set", items)]),
            Self::AnyOf(patterns) => to.collect_map([("$any_of", patterns)]),
            Self::Regex { regex, not } => {
                let not = not.as_ref().map(|not| ("not", not));
                to.collect_map([("$regex", regex)].into_iter().chain(not))
            }
            Self::Optional(pattern) => to.collect_map([("$optional", pattern)]),
            Self::Forbidden => to.collect_map([("$forbidden", true)]),
            Self::Anything => to.collect_map([("$anything", true)]),
        }
    }
}

impl From<Pattern> for Value {
    fn from(pattern: Pattern) -> Self {
        let rule = |rule: &str, operand: Value| {
            Value::Object(Map::from_iter([(rule.to_owned(), operand)]))
        };
        let list = |items: Vec<Pattern>| Value::Array(items.into_iter().map(Value::from).collect());
        match pattern {
            Pattern::Scalar(value) => value,
            Pattern::Object(object) => Value::Object(
                object.into_iter().map(|(key, pattern)| (key, Value::from(pattern))).collect(),
            ),
            Pattern::List(items) => list(items),
            Pattern::Exact(value) => rule("$exact", value),
            Pattern::Text(text) => rule("$text", Value::from(text)),
            Pattern::Number { number, tolerance } => Value::Object(Map::from_iter([
                ("$number".to_owned(), Value::Number(number)),
                ("tolerance".to_owned(), Value::from(tolerance)),
            ])),
            Pattern::Items { items, rule: ListRule::Ordered } => rule("$list", list(items)),
            Pattern::Items { items, rule: ListRule::Set } => rule("$set", list(items)),
            Pattern::AnyOf(patterns) => rule("$any_of", list(patterns)),
            Pattern::Regex { regex, not } => {
                let not = not.map(|not| ("not".to_owned(), Value::from(not)));
                let regex = ("$regex".to_owned(), Value::from(regex));
                Value::Object([regex].into_iter().chain(not).collect())
            }
            Pattern::Optional(pattern) => rule("$optional", Value::from(*pattern)),
            Pattern::Forbidden => rule("$forbidden", Value::Bool(true)),
            Pattern::Anything => rule("$anything", Value::Bool(true)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_rule_survives_being_written() {
        let written = json!({
            "a": {"$exact": 1}, "b": {"$text": "x"}, "c": {"$number": 21, "tolerance": 0.5},
            "d": {"$list": [1, {"$anything": true}]}, "e": {"$set": ["x"]},
            "f": {"$any_of": [1, "one"]}, "g": {"$regex": "^re+d$"},
            "m": {"$regex": "late", "not": "not late"},
            "h": {"$optional": "x"}, "i": {"$forbidden": true}, "j": {"k": [1, {"l": null}]},
        });
        let pattern = Pattern::try_from(written.clone()).unwrap();
        assert_eq!(serde_json::to_value(&pattern).unwrap(), written);
        assert_eq!(Value::from(pattern), written);
    }

    #[test]
    fn a_bad_rule_says_what_is_wrong() {
        let message = |value: Value| Pattern::try_from(value).unwrap_err().to_string();
        assert_eq!(message(json!({"$anyof": [1]})), "unknown rule `$anyof`");
        assert_eq!(message(json!({"$any_of": 1})), "`$any_of` takes a list");
        assert_eq!(message(json!({"$any_of": []})), "`$any_of` takes at least one pattern");
        assert_eq!(message(json!({"$text": "a", "b": 1})), "`b` cannot stand beside `$text`");
        assert_eq!(message(json!({"$forbidden": false})), "`$forbidden` takes `true`");
        let regex = "`$regex` takes a regular expression, and optionally another one as `not`";
        assert_eq!(message(json!({"$regex": 1})), regex);
        assert_eq!(message(json!({"$regex": "a", "not": ["b"]})), regex);
        assert_eq!(message(json!({"$text": "a", "not": "b"})), "`not` cannot stand beside `$text`");
    }

    #[test]
    fn a_plain_pattern_takes_dollar_keys_as_they_are() {
        let value = json!({"$any_of": 1});
        assert_eq!(
            Pattern::plain(&value),
            Pattern::Object(IndexMap::from([("$any_of".into(), Pattern::Scalar(json!(1)))]))
        );
    }
}
