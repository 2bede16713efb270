//! The credit a value gets.

use std::cell::OnceCell;
use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::{Map, Number, Value};
use toolgauge_core::{ExtraArguments, ListRule, Pattern, TextRule};

use super::{Likeness, Matcher, PlainLists, may_be_absent};
use crate::assignment;
use crate::scalar::{self, Equality, Kind, ScalarKey};
use crate::text;

/// Lists longer than this are searched by a table; below it a scan is faster.
const SCANNED: usize = 16;

/// The scalars of a list by what they are equal to, made when first needed.
pub(super) type Table<'v> = OnceCell<HashSet<ScalarKey<'v>>>;

/// The best match of an expected item in a list.
pub(super) struct BestMatch {
    /// Where it stands; of no meaning when the credit is 0 or 1.
    pub(super) at: usize,
    pub(super) credit: f64,
    /// Whether the value at the item's own place is equal to it.
    pub(super) equal_in_place: bool,
}

impl Matcher<'_> {
    /// How much of the pattern the value fulfils.
    pub(crate) fn value(&self, pattern: &Pattern, value: &Value) -> Likeness {
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
            (Pattern::Exact(expected), _) => Likeness::of(exactly_equal(expected, value)),
            (Pattern::AnyOf(patterns), _) => self.any_of(patterns, value).1,
            (Pattern::Optional(pattern), _) => self.value(pattern, value),
            _ => Likeness::of(leaf_matches(pattern, value)),
        }
    }

    fn scalar(&self, expected: &Value, actual: &Value) -> Likeness {
        let (same, equal) = scalar::compare(expected, actual, self.equality);
        // Only Python holds `NaN` unequal to itself.
        let equal = equal || (same && self.equality == Equality::Json);
        if equal || self.near_enough(expected, actual) {
            Likeness::FULL
        } else {
            Likeness { equal: same, ..Likeness::NONE }
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
    ) -> Likeness {
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
                if !may_be_absent(pattern) {
                    full = false;
                    counted += 1;
                }
            }
        }
        Likeness { credit: mean(credit, counted), full, equal }.of_container()
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

    /// The mean over the expected items of each one's best credit.
    fn best_matches(&self, items: &[Pattern], values: &[Value]) -> Likeness {
        if items.is_empty() {
            return Likeness::of(values.is_empty());
        }
        let table = Table::new();
        let mut equal = items.len() == values.len();
        let mut full = true;
        let mut credit = 0.0;
        for (place, item) in items.iter().enumerate() {
            let best = self.best_match(item, values, place, &table);
            equal &= best.equal_in_place;
            full &= best.credit >= 1.0;
            credit += best.credit;
        }
        Likeness { credit: mean(credit, items.len()), full, equal }.of_container()
    }

    /// The best match of an expected item, at its own place if that is as good as any.
    pub(super) fn best_match<'v>(
        &self,
        item: &Pattern,
        values: &'v [Value],
        place: usize,
        table: &Table<'v>,
    ) -> BestMatch {
        let here = values.get(place).map_or(Likeness::NONE, |value| self.value(item, value));
        let mut best = BestMatch { at: place, credit: here.credit, equal_in_place: here.equal };
        if here.full {
            return best;
        }
        if let Some(found) = self.look_up(item, values, table) {
            best.credit = if found { 1.0 } else { 0.0 };
            return best;
        }
        for (at, value) in values.iter().enumerate().filter(|(at, _)| *at != place) {
            let credit = self.value(item, value).credit;
            if credit > best.credit {
                (best.at, best.credit) = (at, credit);
            }
            if credit >= 1.0 {
                break;
            }
        }
        best
    }

    /// Whether a scalar is in a long list; `None` where only a scan can tell.
    fn look_up<'v>(&self, item: &Pattern, values: &'v [Value], table: &Table<'v>) -> Option<bool> {
        let Pattern::Scalar(expected) = item else { return None };
        if values.len() <= SCANNED || self.rules.tolerance > 0.0 {
            return None;
        }
        let table = table.get_or_init(|| values.iter().filter_map(|v| self.key(v)).collect());
        let key = self.key(expected)?;
        Some(key != ScalarKey::NaN && table.contains(&key))
    }

    /// The key of a scalar under the rules for text; `None` for lists and objects.
    fn key<'v>(&self, value: &'v Value) -> Option<ScalarKey<'v>> {
        match ScalarKey::of(value, self.equality)? {
            ScalarKey::Text(text) if self.rules.text == TextRule::Loose => {
                Some(ScalarKey::Text(text::fold(&text).into()))
            }
            key => Some(key),
        }
    }

    /// The credit of a list held one to one against its items.
    fn items(&self, items: &[Pattern], values: &[Value], rule: ListRule) -> Likeness {
        let slots = items.len().max(values.len());
        let mut equal = items.len() == values.len();
        let mut full = equal;
        let mut credit = 0.0;
        for (item, at) in items.iter().zip(self.pairs(items, values, rule)) {
            let likeness = at.map_or(Likeness::NONE, |at| self.value(item, &values[at]));
            credit += likeness.credit;
            full &= likeness.full;
            equal &= likeness.equal;
        }
        Likeness { credit: mean(credit, slots), full, equal }.of_container()
    }

    /// Which value each item is held against.
    pub(super) fn pairs(
        &self,
        items: &[Pattern],
        values: &[Value],
        rule: ListRule,
    ) -> Vec<Option<usize>> {
        let in_place = || (0..items.len()).map(|at| (at < values.len()).then_some(at)).collect();
        let full = |(item, value)| self.value(item, value).full;
        match rule {
            ListRule::Ordered => in_place(),
            ListRule::Set if items.iter().zip(values).all(full) => in_place(),
            ListRule::Set => {
                let credit = |item: usize, at: usize| self.value(&items[item], &values[at]).credit;
                let pairs = assignment::pair(items.len(), values.len(), credit).into_iter();
                let alike =
                    |(item, at): (usize, Option<usize>)| at.filter(|at| credit(item, *at) > 0.0);
                pairs.enumerate().map(alike).collect()
            }
        }
    }

    /// The best of several patterns, and which one it is.
    pub(super) fn any_of(&self, patterns: &[Pattern], value: &Value) -> (usize, Likeness) {
        let mut best = (0, Likeness::NONE);
        for (at, pattern) in patterns.iter().enumerate() {
            let likeness = self.value(pattern, value);
            if likeness.credit > best.1.credit {
                best = (at, Likeness { equal: best.1.equal, ..likeness });
            }
            best.1.full |= likeness.full;
            best.1.equal |= likeness.equal;
            if best.1 == Likeness::FULL {
                break;
            }
        }
        best
    }
}

impl Likeness {
    /// The likeness of two containers: equal ones get full credit, whatever their parts got.
    fn of_container(self) -> Self {
        if self.equal { Self::FULL } else { self }
    }
}

/// The mean credit; 1 when nothing is counted.
fn mean(credit: f64, counted: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    let count = counted as f64;
    if counted == 0 { 1.0 } else { credit / count }
}

/// Patterns that match or do not, with nothing in between.
fn leaf_matches(pattern: &Pattern, value: &Value) -> bool {
    match (pattern, value) {
        (Pattern::Text(expected), Value::String(actual)) => text::loosely_equal(expected, actual),
        (Pattern::Number { number, tolerance }, _) => number_matches(number, *tolerance, value),
        (Pattern::Regex(expression), Value::String(actual)) => text::finds(expression, actual),
        (Pattern::Anything, _) => true,
        _ => false,
    }
}

fn number_matches(number: &Number, tolerance: f64, value: &Value) -> bool {
    if !matches!(Kind::of(value), Kind::Number) {
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
