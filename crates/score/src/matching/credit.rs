//! The credit a value gets.

use indexmap::IndexMap;
use serde_json::{Map, Number, Value};
use toolgauge_core::{ExtraArguments, Pattern, TextRule};

use super::{MatchDegree, Matcher, PlainLists};
use crate::scalar::{self, Equality, JsonType};
use crate::text;

impl Matcher<'_> {
    /// How much of the pattern the value fulfils.
    pub(crate) fn value(&self, pattern: &Pattern, value: &Value) -> MatchDegree {
        match (pattern, value) {
            (Pattern::Scalar(expected), _) => self.scalar(expected, value),
            (Pattern::Object(expected), Value::Object(actual)) => self.object(expected, actual),
            (Pattern::List(items), Value::Array(values)) => match self.plain_lists {
                PlainLists::BestMatch => self.best_matches(items, values),
                PlainLists::ByRule => self.items(items, values, self.rules.lists),
            },
            (Pattern::Items { items, rule }, Value::Array(values)) => {
                self.items(items, values, *rule)
            }
            (Pattern::Exact(expected), _) => MatchDegree::of(exactly_equal(expected, value)),
            (Pattern::AnyOf(patterns), _) => self.any_of(patterns, value).1,
            (Pattern::Optional(pattern), _) => self.value(pattern, value),
            _ => MatchDegree::of(leaf_matches(pattern, value)),
        }
    }

    fn scalar(&self, expected: &Value, actual: &Value) -> MatchDegree {
        let (same, equal) = scalar::compare(expected, actual, self.equality);
        // Only Python holds `NaN` unequal to itself.
        let equal = equal || (same && self.equality == Equality::Json);
        if equal || self.near_enough(expected, actual) {
            MatchDegree::FULL
        } else {
            MatchDegree { equal: same, ..MatchDegree::NONE }
        }
    }

    /// Whether two scalars that are not equal count as equal by the rules.
    fn near_enough(&self, expected: &Value, actual: &Value) -> bool {
        match (expected, actual) {
            (Value::String(a), Value::String(b)) if self.rules.text == TextRule::Loose => {
                text::loosely_equal(a, b)
            }
            _ if self.rules.tolerance > 0.0 => {
                match (scalar::as_float(expected), scalar::as_float(actual)) {
                    (Some(a), Some(b)) => within(a, b, self.rules.tolerance),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The mean credit over the expected keys, and over the unexpected ones if those cost.
    ///
    /// Keys that may be absent count only when they are there, so that a pattern full of
    /// options does not dilute what is demanded.
    pub(crate) fn object(
        &self,
        expected: &IndexMap<String, Pattern>,
        actual: &Map<String, Value>,
    ) -> MatchDegree {
        // Equal means the same value in plain JSON. Credit may be full without it, by the rules.
        let mut equal = expected.len() == actual.len();
        let mut credit = 0.0;
        let mut counted = self.extra_keys(expected, actual).count();
        let mut full = counted == 0;
        for (key, pattern) in expected {
            if let Some(value) = actual.get(key) {
                let likeness = self.value(pattern, value);
                credit += likeness.credit;
                full &= likeness.full;
                equal &= likeness.equal;
                counted += 1;
            } else {
                equal = false;
                if !pattern.may_be_absent() {
                    full = false;
                    counted += 1;
                }
            }
        }
        MatchDegree { credit: mean(credit, counted), full, equal }.of_container()
    }

    /// The keys nobody asked for, if the rules say that they cost.
    pub(super) fn extra_keys<'v>(
        &self,
        expected: &IndexMap<String, Pattern>,
        actual: &'v Map<String, Value>,
    ) -> impl Iterator<Item = (&'v String, &'v Value)> {
        let counted = self.rules.extra == ExtraArguments::Lost;
        actual.iter().filter(move |(key, _)| counted && !expected.contains_key(*key))
    }

    /// The best of several patterns, and which one it is.
    pub(super) fn any_of(&self, patterns: &[Pattern], value: &Value) -> (usize, MatchDegree) {
        let mut best = (0, MatchDegree::NONE);
        for (at, pattern) in patterns.iter().enumerate() {
            let likeness = self.value(pattern, value);
            if likeness.credit > best.1.credit {
                // Equality to an earlier pattern still holds, although another one now has more
                // credit.
                best = (at, MatchDegree { equal: best.1.equal, ..likeness });
            }
            best.1.full |= likeness.full;
            best.1.equal |= likeness.equal;
            if best.1 == MatchDegree::FULL {
                break;
            }
        }
        best
    }
}

impl MatchDegree {
    /// The likeness of two containers: equal ones get full credit, whatever their parts got.
    pub(super) fn of_container(self) -> Self {
        if self.equal { Self::FULL } else { self }
    }
}

/// The mean credit; 1 when nothing is counted.
pub(super) fn mean(credit: f64, counted: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    let count = counted as f64;
    if counted == 0 { 1.0 } else { credit / count }
}

/// Patterns that match or do not, with nothing in between.
fn leaf_matches(pattern: &Pattern, value: &Value) -> bool {
    match (pattern, value) {
        (Pattern::Text(expected), Value::String(actual)) => text::loosely_equal(expected, actual),
        (Pattern::Number { number, tolerance }, _) => number_matches(number, *tolerance, value),
        (Pattern::Regex { regex, not }, Value::String(actual)) => {
            text::fits(regex, not.as_deref(), actual)
        }
        (Pattern::Anything, _) => true,
        _ => false,
    }
}

fn number_matches(number: &Number, tolerance: f64, value: &Value) -> bool {
    if !matches!(JsonType::of(value), JsonType::Number) {
        return false;
    }
    let expected = Value::Number(number.clone());
    let near = || match (number.as_f64(), scalar::as_float(value)) {
        (Some(a), Some(b)) => tolerance > 0.0 && within(a, b, tolerance),
        _ => false,
    };
    scalar::compare(&expected, value, Equality::Json).1 || near()
}

/// Whether two numbers are no farther apart than the tolerance, give or take what is lost by
/// writing decimals in binary: 21.01 is within 0.01 of 21.
fn within(a: f64, b: f64, tolerance: f64) -> bool {
    let rounding = 4.0 * f64::EPSILON * f64::max(a.abs(), b.abs());
    (a - b).abs() <= tolerance + rounding
}

/// Whether two values are equal in every letter and type, whatever the rules.
fn exactly_equal(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a): (_, &Value)| b.get(key).is_some_and(|b| exactly_equal(a, b));
            a.len() == b.len() && a.iter().all(|(key, a)| same((key, a)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| exactly_equal(a, b))
        }
        _ => scalar::compare(expected, actual, Equality::Json).0,
    }
}
